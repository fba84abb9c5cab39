"""Convergence of an evolution, in figures after Rubin (2007), figures 4.7 to 4.9 and 4.12 to 4.14.

A bankroll over a few thousand hands is mostly luck. A figure therefore also shows what luck alone gives,
namely the expected spread or maximum of equally strong players, and an average has a confidence interval.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from holdmem.learning.evolve.evolution import Evolution, Generation
from holdmem.learning.evolve.task import FINAL, EvolutionTask
from holdmem.plots.figure import new_figure, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 4
"""Number of algorithms shown: "only four GA's are shown to help improve the clarity" (§4.2.6.1)."""

Algorithms = list[list[Generation]]
GenerationMeasure = Callable[[Generation, int], float]
"""A number computed from a generation and the number of seats at its tables."""


def expected_range(count: int) -> float:
    """Return the expected range (maximum minus minimum) of `count` standard normal variables.

    For example 1.693 for 3 and 2.970 for 9.
    """
    x = np.linspace(-9, 9, 3601)
    below = norm.cdf(x)
    return float(np.trapezoid(1 - below**count - (1 - below) ** count, x))


def spread_by_luck(generation: Generation, seats: int) -> float:
    """Return the expected spread of bankrolls of equally strong players, in chips.

    It follows from the standard deviation per hand. The game is zero-sum, so two bankrolls have a correlation
    of −1/(seats − 1) and differ by more than independent ones.
    """
    deviation = generation.deviation * math.sqrt(generation.hands * (1 + 1 / (seats - 1)))
    return expected_range(len(generation.population)) * deviation


def best_by_luck(generation: Generation, seats: int) -> float:
    """Return the expected best bankroll of equally strong players, in chips."""
    return generation.average + spread_by_luck(generation, seats) / 2


def average_error(generation: Generation, seats: int) -> float:
    """Return the standard error of the average bankroll, in chips.

    Like `spread_by_luck`, assumes a correlation of −1/(seats − 1) between any two bankrolls.
    """
    count = len(generation.population)
    share = (1 - (count - 1) / (seats - 1)) / count
    return generation.deviation * math.sqrt(generation.hands * max(share, 0.0))


@dataclass(frozen=True)
class Measure:
    """Quantity of a generation that a figure shows."""

    title: str
    of: Callable[[Generation], float]
    by_luck: GenerationMeasure | None = None
    """Its expectation if all players were equally strong."""
    error: GenerationMeasure | None = None
    """Its standard error."""


SPREAD = Measure("largest minus smallest bankroll", lambda one: one.spread, by_luck=spread_by_luck)
AVERAGE = Measure("average profit", lambda one: one.average, error=average_error)
BEST = Measure("best profit", lambda one: max(one.profits), by_luck=best_by_luck)


def measures(evolution: Evolution) -> dict[str, Measure]:
    """Return the measures of a generation to plot, by name.

    The average is omitted if hypotheses play only one another, where it is always 0.
    """
    average = {"average": AVERAGE} if evolution.task.opponents else {}
    return {**average, "spread": SPREAD, "best": BEST}


@dataclass(frozen=True)
class Convergence:
    """One figure of an evolution; `draw` expects an empty matplotlib `Figure` with its layout set.

    Each line is the mean over some algorithms, by generation.
    """

    name: str
    task: EvolutionTask
    measure: Measure
    lines: dict[str, Algorithms]

    @property
    def title(self) -> str:
        """Title that names the evolution."""
        task = self.task
        return f"{task.scheme}, {task.game} with {task.seats} seats, {task.hands:,} hands per generation"

    def draw(self, figure: "Figure") -> None:
        """Draw the lines, and the expectation under luck alone."""
        from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

        axes = figure.subplots()
        for name, line in self.lines.items():
            values = by_generation(line, self.measure.of)
            errors = _intervals(line, self.measure, self.task.seats)
            axes.errorbar(range(1, len(values) + 1), values, yerr=errors, marker="o", capsize=3, label=name)
        if self.measure.by_luck is not None:
            luck = by_generation(self._all_algorithms, self._by_luck)
            axes.plot(range(1, len(luck) + 1), luck, "k:", label="mean of equally strong players")
            axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_xlabel("generation")
        axes.set_ylabel(f"{self.measure.title}, chips")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(self.title, fontsize=9)
        axes.legend(fontsize=8)

    @property
    def _all_algorithms(self) -> Algorithms:
        return [one for line in self.lines.values() for one in line]

    def _by_luck(self, generation: Generation) -> float:
        return self.measure.by_luck(generation, self.task.seats) if self.measure.by_luck else 0.0


def figures(evolution: Evolution) -> list[Convergence]:
    """Return all figures of the generations played so far.

    For each measure NAME: NAME-some shows four of the first algorithms (figures 4.7 and 4.12), NAME-mean the
    mean of all of them (4.8 and 4.13), NAME-final the final one (4.9 and 4.14).
    """
    first = {name: evolution.played[name] for name in evolution.task.algorithms[0] if name != FINAL}
    first = {name: generations for name, generations in first.items() if generations}
    parts: dict[str, dict[str, Algorithms]] = {}
    if first:
        parts["some"] = {name: [first[name]] for name in list(first)[:SHOWN]}
        parts["mean"] = {f"mean of {len(first)} algorithms": list(first.values())}
    if evolution.played[FINAL]:
        parts["final"] = {FINAL: [evolution.played[FINAL]]}
    return [
        Convergence(f"{name}-{part}", evolution.task, measure, lines)
        for name, measure in measures(evolution).items()
        for part, lines in parts.items()
    ]


def convergence(evolution: Evolution, folder: Path) -> list[Path]:
    """Write all figures to a folder as PNG files named after them, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in figures(evolution):
        figure = new_figure(7, 4)
        one.draw(figure)
        written.append(folder / f"{one.name}.png")
        save(figure, written[-1])
    return written


def by_generation(line: Algorithms, measure: Callable[[Generation], float]) -> list[float]:
    """Return the mean of a measure over algorithms, for the generations that all of them have reached."""
    count = min(map(len, line))
    return [float(np.mean([measure(one[number]) for one in line])) for number in range(count)]


def _intervals(line: Algorithms, measure: Measure, seats: int) -> list[float] | None:
    """Return half the width of each mean's 95% interval, or None if the measure has no error."""
    if measure.error is None:
        return None
    error = measure.error
    squares = by_generation(line, lambda one: error(one, seats) ** 2)
    return [1.96 * math.sqrt(square / len(line)) for square in squares]
