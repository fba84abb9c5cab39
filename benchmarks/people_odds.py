"""Measures for `benchmarks.people`: whether the probabilities of `resemble` are right."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.people_apart import scored, scores, windows
from holdmem.people.calibration import Calibration, nobody_facts
from holdmem.people.learn import NAMES
from holdmem.people.memory import PersonMemory, read_person
from holdmem.people.observe import Observations
from holdmem.people.resemble import (
    DEPTH_PRIOR,
    DEPTH_WEIGHT,
    answers_of,
    frequencies_of,
    stranger_part,
)

SIZES = (50, 100, 200, 500)
"""Hands of the windows."""
KNOWN = (1, 2, 5, 20, 99)
"""How many people are known."""


@dataclass(frozen=True)
class Case:
    """Hands of somebody, scored for known people."""

    points: np.ndarray
    stranger: float
    decisions: int
    truth: int
    """Place of the right one, -1 if it is nobody."""
    who: int
    size: int


class StrangerScores:
    """Scores of a stranger for any player-hands."""

    def __init__(self, population: PersonMemory, rest: Observations) -> None:
        self.population, self.answers = population, answers_of(population.trees, rest)
        self.first = {name: np.searchsorted(self.answers[name][0], rest.first) for name in NAMES}

    def of(self, rows: np.ndarray) -> float:
        """Return the score of a stranger for some player-hands."""
        total = 0.0
        for name, (_, node, answer) in self.answers.items():
            first = self.first[name]
            some = [np.arange(first[row], first[row + 1]) for row in rows.tolist()]
            index = np.concatenate(some) if some else np.zeros(0, dtype=np.int64)
            total += stranger_part(self.population, name, node[index], answer[index])
        return total


def strangers(study: Any, args: Namespace) -> dict[str, Any]:
    """Measure the probabilities of people: each window once with its player among the known, once without."""
    people = study.people(1000)
    rest, acts, stacks = scored(study, people, 0.7, 1.0)
    unknown, rng = StrangerScores(study.population, rest), np.random.default_rng(0)
    sides = np.array_split(rng.permutation(len(people)), 2)
    cases = []
    for size in SIZES:
        for who, rows in windows(study, people, rest, size, 0.7, 1.0):
            points = (acts[rows].sum(0) + DEPTH_WEIGHT * stacks[rows].sum(0)).astype(np.float64)
            decisions = int((rest.first[rows + 1] - rest.first[rows]).sum())
            for side in sides:
                chosen = _chosen(rng, side, who)
                truth = int(np.flatnonzero(np.append(chosen, who) == who)[0])
                truth = -1 if truth == len(chosen) else truth
                cases.append(Case(points[chosen], unknown.of(rows), decisions, truth, who, size))
    return measured(cases)


def _chosen(rng: np.random.Generator, side: np.ndarray, who: int) -> np.ndarray:
    """Return some of the known people, the right one among them if it is known."""
    chosen = rng.choice(side, rng.choice(KNOWN), replace=False)
    if who in side and who not in chosen:
        chosen[0] = who
    return chosen


def style_odds(study: Any, args: Namespace) -> dict[str, Any]:
    """Measure the probabilities of styles on late hands, once without the right one, once without another."""
    with np.load(study.folder / "styles.npz", allow_pickle=False) as kept:
        people, label, names = kept["people"], kept["label"], kept["names"].tolist()
    files = [f"{study.stakes.prefix}{name.replace(' ', '-')}.people" for name in names]
    known = [read_person(study.folder / file) for file in files]
    rest = study.observed.keep(study.late & np.isin(study.observed.player, people))
    points, lengths = _style_points(study.population, known, rest), np.diff(rest.first)
    unknown, cases = StrangerScores(study.population, rest), list[Case]()
    rng = np.random.default_rng(0)
    for index, size, rows in _style_windows(rest, people):
        total, right = points[rows].sum(axis=0), int(label[index])
        stranger, decisions = unknown.of(rows), int(lengths[rows].sum())
        wrong = int((right + rng.integers(1, len(known))) % len(known))
        place = right - (wrong < right)
        cases.append(Case(np.delete(total, wrong), stranger, decisions, place, index, size))
        cases.append(Case(np.delete(total, right), stranger, decisions, -1, index, size))
    return measured(cases)


def _style_windows(rest: Observations, people: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    for index, who in enumerate(people.tolist()):
        rows = np.flatnonzero(rest.player == who)
        rows = rows[np.argsort(rest.time[rows], kind="stable")]
        for size in SIZES:
            for start in range(0, min(len(rows) - size + 1, 4 * size), size):
                yield index, size, rows[start : start + size]


def _style_points(population: PersonMemory, known: list[PersonMemory], rest: Observations) -> np.ndarray:
    stacks = np.array(population.about["depths"], dtype=float) + 1
    usual = stacks / stacks.sum()
    own = np.array([person.about["depths"] for person in known], dtype=float)
    mixed = (own + DEPTH_PRIOR * usual) / (own.sum(axis=1, keepdims=True) + DEPTH_PRIOR)
    every = [frequencies_of(person) for person in known]
    habit = {name: np.array([one[name] for one in every]) for name in NAMES}
    acts, depths = scores(population, {**habit, "depth": mixed / usual}, rest)
    return (acts + DEPTH_WEIGHT * depths).astype(np.float64)  # type: ignore[no-any-return]


def measured(cases: list[Case]) -> dict[str, Any]:
    """Fit on one half of the people and state probabilities for the other, both ways; then fit on all."""
    people = np.unique([case.who for case in cases])
    half = dict(zip(people.tolist(), np.random.default_rng(1).permutation(len(people)) % 2, strict=True))
    told = list[tuple[Case, float, bool]]()
    for one in (0, 1):
        calibration = fitted([case for case in cases if half[case.who] != one])
        told += [(case, *stated(calibration, case)) for case in cases if half[case.who] == one]
    return {
        "calibration": fitted(cases).__dict__, **summary(told),
        "strangers": summary([line for line in told if line[0].truth < 0]),
        "by hands": {n: summary([line for line in told if line[0].size == n]) for n in SIZES},
        "by known": {n: summary([line for line in told if len(line[0].points) == n])
                     for n in sorted({len(case.points) for case in cases})},
        "by half": [summary([line for line in told if half[line[0].who] == one]) for one in (0, 1)],
    }  # fmt: skip


def stated(calibration: Calibration, case: Case) -> tuple[float, bool]:
    """Return the probability of the answer, and whether it is right."""
    chances = calibration.probabilities(case.points, case.stranger, case.decisions)
    answer = int(chances.argmax())
    return float(chances[answer]), (answer if answer < len(case.points) else -1) == case.truth


def summary(told: list[tuple[Case, float, bool]]) -> dict[str, Any]:
    """Return how often answers are right, what was stated, and the expected calibration error."""
    said, right = np.array([line[1] for line in told]), np.array([line[2] for line in told])
    found = {"cases": len(told), "right": right.mean(), "stated": said.mean(), "error": ece(said, right)}
    return {name: round(float(value), 4) for name, value in found.items()}


def fitted(cases: list[Case]) -> Calibration:
    """Fit a calibration by log-score: first the people among each other, then whether it is one of them."""
    known = [case for case in cases if case.truth >= 0 and len(case.points) > 1]

    def among(values: np.ndarray) -> float:
        one = _calibration(*values)
        found = [one.among(case.points, case.decisions)[case.truth] for case in known]
        return -float(np.log(np.maximum(found, 1e-12)).mean())

    first = minimize(among, [0.0, 0.0], method="Nelder-Mead").x
    chances = [_calibration(*first).among(case.points, case.decisions) for case in cases]
    facts = np.array([
        nobody_facts(case.points, case.stranger, case.decisions, one)
        for case, one in zip(cases, chances, strict=True)
    ])  # fmt: skip
    nobody = np.array([case.truth < 0 for case in cases])

    def surprise(weights: np.ndarray) -> float:
        odds = facts @ weights
        return float((np.logaddexp(0, odds) - nobody * odds).mean())

    return _calibration(*first, *minimize(surprise, np.zeros(4), method="BFGS").x)


def _calibration(scale: float, power: float, *rest: float) -> Calibration:
    values = [*rest, 0.0, 0.0, 0.0, 0.0][:4]
    return Calibration(float(np.exp(scale)), float(power), *(float(value) for value in values))


def ece(stated: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Return the mean distance between stated probabilities and the share that was right, in ten bins."""
    place = np.minimum((stated * bins).astype(int), bins - 1)
    gaps = [abs(stated[place == one].mean() - right[place == one].mean()) * (place == one).mean()
            for one in np.unique(place)]  # fmt: skip
    return float(sum(gaps))
