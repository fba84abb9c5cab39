"""Measures for `benchmarks.people`: telling people apart."""

from argparse import Namespace
from typing import Any

import numpy as np

from holdmem.people.kernels.situations import VALUES
from holdmem.people.learn import ANSWERS_OF
from holdmem.people.memory import PersonMemory
from holdmem.people.observe import Observations
from holdmem.people.pooling import pooled, sums_over
from holdmem.people.resemble import DEPTH, DEPTH_PRIOR, answers_of

WINDOWS = 4
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.2)
"""Weights of the habit of stacks that are tried."""


def habits(population: PersonMemory, past: Observations, people: np.ndarray) -> dict[str, np.ndarray]:
    """Return the public frequencies of people by question (people, nodes, answers), and of stacks."""
    place = np.full(int(past.player.max()) + 1, -1)
    place[people] = np.arange(len(people))
    who, found = place[past.player[past.owner]], {}
    for name, (which, node, answer) in answers_of(population.trees, past).items():
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
    population: PersonMemory, known: dict[str, np.ndarray], rest: Observations
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of people (player-hands, people) by actions and by stacks, over the population's."""
    owner = rest.owner
    total = np.zeros((len(rest), len(known["depth"])), dtype=np.float32)
    for name, (which, node, answer) in answers_of(population.trees, rest).items():
        ratio = np.log(known[name] / population.usual[name])
        np.add.at(total, owner[which], ratio[:, node, answer].T.astype(np.float32))
    stacks = np.log(known["depth"])[:, rest.features[rest.first[:-1], DEPTH]].T
    return total, stacks


def windows(
    study: Any, people: np.ndarray, rest: Observations, size: int, low: float, high: float
) -> list[Any]:
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


def scored(study: Any, people: np.ndarray, low: float, high: float) -> Any:
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
    rest, acts, stacks = scored(study, people, low, high)
    found = {}
    for size in (100, 500):
        cases = windows(study, people, rest, size, low, high)
        right = [(acts[rows].sum(0) + weight * stacks[rows].sum(0)).argmax() == who for who, rows in cases]
        found[size] = (float(np.mean(right)) if right else 0.0, len(right))
    return found
