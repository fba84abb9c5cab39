"""Measures for `benchmarks.people`: telling people apart, and the probabilities of `resemble`."""

from argparse import Namespace
from typing import Any

import numpy as np
from scipy.optimize import minimize

from holdmem.people.kernels.situations import RAISES, VALUES
from holdmem.people.learn import ANSWERS_OF, NAMES, leaves_of_trees
from holdmem.people.memory import PersonMemory
from holdmem.people.observe import Observed
from holdmem.people.pooling import pooled, sums_over
from holdmem.people.resemble import DEPTH, DEPTH_PRIOR, DEPTH_WEIGHT, Calibration

WINDOWS = 4
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.2)
"""Weights of the habit of stacks that are tried."""


def answers(population: PersonMemory, observed: Observed) -> dict[str, tuple[np.ndarray, ...]]:
    """Return by question which decisions it is about, their leaves and their answers."""
    leaves = leaves_of_trees(population.trees, observed)
    before, raised = observed.board < 0, observed.action >= RAISES
    found = {}
    for name in NAMES:
        which = before if name.endswith("pre") else ~before
        which = np.flatnonzero(which if name.startswith("what") else which & raised)
        node = (leaves.what if name.startswith("what") else leaves.size)[which]
        taken = observed.action[which].astype(np.int64)
        found[name] = which, node, np.minimum(taken, RAISES) if name.startswith("what") else taken - RAISES
    return found


def habits(population: PersonMemory, past: Observed, people: np.ndarray) -> dict[str, np.ndarray]:
    """Return the public frequencies of people by question (people, nodes, answers), and of stacks."""
    place = np.full(int(past.player.max()) + 1, -1)
    place[people] = np.arange(len(people))
    who, found = place[past.player[past.owner]], {}
    for name, (which, node, answer) in answers(population, past).items():
        mine = who[which] >= 0
        counts = np.zeros((len(people), len(population.trees[name]), ANSWERS_OF[name]))
        np.add.at(counts, (who[which][mine], node[mine], answer[mine]), 1)
        summed = sums_over(population.trees[name], counts)
        found[name] = pooled(population.trees[name], population.usual[name], summed, population.weights[name])
    depth = past.features[past.first[:-1], DEPTH]
    usual = (np.bincount(depth, minlength=VALUES) + 1) / (len(depth) + VALUES)
    own = np.zeros((len(people), VALUES))
    known = place[past.player] >= 0
    np.add.at(own, (place[past.player][known], depth[known]), 1)
    mixed = (own + DEPTH_PRIOR * usual) / (own.sum(axis=1, keepdims=True) + DEPTH_PRIOR)
    return {**found, "depth": mixed / usual}


def scores(
    population: PersonMemory, known: dict[str, np.ndarray], rest: Observed
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of people (player-hands, people) by actions and by stacks, over the population's."""
    owner = rest.owner
    total = np.zeros((len(rest), len(known["depth"])), dtype=np.float32)
    for name, (which, node, answer) in answers(population, rest).items():
        ratio = np.log(known[name] / population.usual[name])
        np.add.at(total, owner[which], ratio[:, node, answer].T.astype(np.float32))
    stacks = np.log(known["depth"])[:, rest.features[rest.first[:-1], DEPTH]].T
    return total, stacks


def windows(study: Any, people: np.ndarray, rest: Observed, size: int, low: float, high: float) -> list[Any]:
    """Return up to four windows of `size` dealt hands per person within a share of its hands."""
    found, dealt = list[Any](), study.dealt
    starts = np.searchsorted(dealt["player"], np.arange(len(study.observed.players) + 1))
    order = np.lexsort((rest.time, rest.player))
    for index, who in enumerate(people.tolist()):
        times = dealt["time"][starts[who] : starts[who + 1]]
        times = times[int(len(times) * low) : int(len(times) * high)]
        mine = order[
            np.searchsorted(rest.player[order], who) : np.searchsorted(rest.player[order], who, "right")
        ]
        for number in range(min(WINDOWS, len(times) // size)):
            begin = times[number * size]
            end = times[(number + 1) * size] if (number + 1) * size < len(times) else np.iinfo(np.int64).max
            found.append((index, mine[(rest.time[mine] >= begin) & (rest.time[mine] < end)]))
    return found


def apart(study: Any, args: Namespace) -> dict[str, Any]:
    """Tell regulars apart; the weight of stacks is chosen on hands between 50% and 70%."""
    people = study.people(1000)
    weight = max(WEIGHTS, key=lambda one: _share(study, people, 0.5, 0.7, one)[100][0])
    found: dict[str, Any] = {"people": len(people), "weight of stacks": weight}
    for label, one in (("actions alone", 0.0), ("with stacks", weight)):
        for size, (share, trials) in _share(study, people, 0.7, 1.0, one).items():
            error = 1.96 * np.sqrt(share * (1 - share) / trials)
            found[f"{size} hands, {label}"] = {"right": share, "error": error, "trials": trials}
    return found


def _parts(study: Any, people: np.ndarray, low: float, high: float) -> Any:
    """Return the scores of player-hands in a share of everybody's hands, learned from what is before it."""
    key = (low, high)
    cache = study.__dict__.setdefault("_scored", {})
    if key not in cache:
        observed, dealt = study.observed, study.dealt
        starts = np.searchsorted(dealt["player"], np.arange(len(observed.players) + 1))
        cuts = np.full((2, len(observed.players)), np.iinfo(np.int64).max)
        for who in people.tolist():
            times = dealt["time"][starts[who] : starts[who + 1]]
            cuts[0, who] = times[int(len(times) * low)]
            if high < 1:
                cuts[1, who] = times[int(len(times) * high)]
        chosen = np.isin(observed.player, people)
        past = observed.keep(chosen & (observed.time < cuts[0][observed.player]))
        later = (observed.time >= cuts[0][observed.player]) & (observed.time < cuts[1][observed.player])
        rest = observed.keep(chosen & later & np.isin(observed.seats, (5, 6)))
        cache[key] = rest, *scores(study.population, habits(study.population, past, people), rest)
    return cache[key]


def _share(study: Any, people: np.ndarray, low: float, high: float, weight: float) -> dict[int, Any]:
    rest, acts, stacks = _parts(study, people, low, high)
    found = {}
    for size in (100, 500):
        cases = windows(study, people, rest, size, low, high)
        right = [(acts[rows].sum(0) + weight * stacks[rows].sum(0)).argmax() == who for who, rows in cases]
        found[size] = (float(np.mean(right)) if right else 0.0, len(right))
    return found


def strangers(study: Any, args: Namespace) -> dict[str, Any]:
    """Fit the calibration on half of the people, and measure it on the others; half of them are unknown."""
    people = study.people(1000)
    rest, acts, stacks = _parts(study, people, 0.7, 1.0)
    known = np.arange(len(people)) % 2 == 0
    fold = np.arange(len(people)) // 2 % 2 == 0
    cases = []
    for size in (50, 100, 200, 500):
        for who, rows in windows(study, people, rest, size, 0.7, 1.0):
            points = (acts[rows].sum(0) + DEPTH_WEIGHT * stacks[rows].sum(0))[known]
            decisions = int((rest.first[rows + 1] - rest.first[rows]).sum())
            truth = int(known[:who].sum()) if known[who] else -1
            cases.append((points.astype(np.float64), decisions, truth, bool(fold[who])))
    return fitted([one for one in cases if one[3]], [one for one in cases if not one[3]])


def fitted(train: list[Any], test: list[Any]) -> dict[str, Any]:
    """Fit a calibration by log-score and return it with its expected calibration error on other cases."""

    def surprise(values: np.ndarray) -> float:
        calibration = Calibration(float(np.exp(values[0])), *map(float, values[1:]))
        found = [calibration.probabilities(points, n)[truth] for points, n, truth, _ in train]
        return -float(np.log(np.maximum(found, 1e-9)).mean())

    starts = ([-0.5, 0.1, 0.05, 0.0], [2.0, 0.5, 0.1, 0.0], [0.0, 0.3, 0.02, 2.0])
    found = [minimize(surprise, x, method="Nelder-Mead", options={"maxiter": 400}) for x in starts]
    best = min(found, key=lambda one: one.fun)
    calibration = Calibration(float(np.exp(best.x[0])), *map(float, best.x[1:]))
    stated, right = [], []
    for points, decisions, truth, _ in test:
        chances = calibration.probabilities(points, decisions)
        answer = int(chances.argmax())
        stated.append(float(chances.max()))
        right.append((answer if answer < len(points) else -1) == truth)
    return {
        "calibration": calibration.__dict__, "cases": len(test), "right": float(np.mean(right)),
        "stated": float(np.mean(stated)),
        "expected calibration error": ece(np.array(stated), np.array(right)),
        "strangers named as such": float(np.mean(np.array(right)[[one[2] < 0 for one in test]])),
    }  # fmt: skip


def ece(stated: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Return the mean distance between stated probabilities and the share that was right, in ten bins."""
    place = np.minimum((stated * bins).astype(int), bins - 1)
    gaps = [abs(stated[place == one].mean() - right[place == one].mean()) * (place == one).mean()
            for one in np.unique(place)]  # fmt: skip
    return float(sum(gaps))
