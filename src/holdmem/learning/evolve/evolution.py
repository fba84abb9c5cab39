"""Evolve Casper's weights: the two schemes of Rubin (2007), chapter 4, as trees of genetic algorithms.

self-play    nine hypotheses at one table; nine algorithms of ten generations, whose nine best hypotheses are
             the first generation of a final one: 100 generations, 500,000 hands (§4.2, figure 4.5)
opponents    three hypotheses and six Pokis; nine algorithms of five generations, whose best are the first
             generations of three more, whose best are that of a final one: 65 generations, 325,000 hands
             (§4.3, figure 4.10)

The best hypothesis is always the one that won most in the last generation. A task determines the weights,
whatever the number of workers or interruptions.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdmem.core.display import html_table, short
from holdmem.core.errors import AgentError
from holdmem.core.parallel import WorkerDied, WorkerPool
from holdmem.engine.state import PARTS
from holdmem.learning.evolve.generations import (
    Block,
    Opponents,
    Winnings,
    added,
    anyone_learns,
    blocks,
    play_block,
)
from holdmem.learning.evolve.genetics import (
    Hypothesis,
    Population,
    RandomSequence,
    breed,
    random_population,
)
from holdmem.learning.evolve.task import FINAL, EvolutionTask

if TYPE_CHECKING:
    import polars as pl

PlayBlock = Callable[[Block], Winnings | str]

STAGES = (8, 12, 12, 10)
"""Number of weights of the preflop, flop, turn and river case bases (tables 3.3 and 3.4)."""


MANY = 16
"""Number of workers assumed for a cluster when a generation is split into work units."""


@dataclass(frozen=True)
class Generation:
    """A generation that has played: its hypotheses and what each of them won."""

    population: Population
    winnings: Winnings
    hands: int

    @property
    def profits(self) -> tuple[float, ...]:
        """Winnings of each hypothesis in chips."""
        return tuple(parts / PARTS for parts in self.winnings.parts)

    @property
    def best(self) -> int:
        """Index of the hypothesis that won most; the last of equal ones."""
        return max(range(len(self.population)), key=lambda one: (self.winnings.parts[one], one))

    @property
    def spread(self) -> float:
        """Largest minus smallest bankroll, in chips: what the thesis calls variance (§4.2.6.1)."""
        return max(self.profits) - min(self.profits)

    @property
    def average(self) -> float:
        """Mean bankroll in chips; 0 where the hypotheses have all the seats."""
        return sum(self.profits) / len(self.profits)

    @property
    def deviation(self) -> float:
        """Standard deviation of one hypothesis's result per hand, in chips, over all of them."""
        count = self.hands * len(self.population)
        mean = sum(self.winnings.parts) / count
        variance = sum(self.winnings.squares) / count - mean**2
        return math.sqrt(max(variance, 0.0)) / PARTS

    def as_json(self) -> dict[str, Any]:
        """Return the generation as JSON values, to be stored."""
        return {
            "hands": self.hands,
            "population": [list(one) for one in self.population],
            "parts": list(self.winnings.parts),
            "squares": list(self.winnings.squares),
        }

    def numbers(self) -> dict[str, Any]:
        """Return the results that plots of the evolution show, in chips."""
        return {
            "hands": self.hands,
            "profits": list(self.profits),
            "spread": self.spread,
            "average": self.average,
            "deviation_per_hand": self.deviation,
        }

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Generation":
        """Restore a generation from the output of `as_json`."""
        population = tuple(tuple(map(int, one)) for one in found["population"])
        winnings = Winnings(tuple(map(int, found["parts"])), tuple(map(int, found["squares"])))
        hands = int(found["hands"])
        if not len(population) == len(winnings.parts) == len(winnings.squares) > 0 or hands < 1:
            raise ValueError(
                f"{len(winnings.parts)} results of {len(population)} hypotheses in {hands} hands"
            )
        return cls(population, winnings, hands)


@dataclass(frozen=True)
class GenerationReport:
    """Progress report after one generation has played."""

    algorithm: str
    number: int
    generation: Generation
    hands_done: int
    hands: int
    seconds: float


class Evolution:
    """State of an evolution: the generations that each algorithm has played so far.

    Examples
    --------
    >>> found = Evolution(EvolutionTask(hands=100, generations=2, trees=1))
    >>> found
    Evolution(casper, self-play: 0 of 2 generations)
    """

    def __init__(self, task: EvolutionTask, stages: tuple[int, ...] = STAGES) -> None:
        self.task = task
        self.stages = stages
        self.seconds: float = 0.0
        self.played: dict[str, list[Generation]] = {name: [] for level in task.algorithms for name in level}
        self.opponents: dict[str, Opponents] = {}
        """Learning opponents, by algorithm, of the algorithms under way."""

    def frame(self) -> "pl.DataFrame":
        """Return the generations as a polars data frame.

        Returns
        -------
        polars.DataFrame : one row per generation, with chips won: the best, the mean, largest minus smallest.
        """
        import polars as pl  # noqa: PLC0415

        rows = [
            (name, number, one.hands, max(one.profits), one.average, one.spread)
            for name, generations in self.played.items()
            for number, one in enumerate(generations, 1)
        ]
        kinds = {"algorithm": pl.String, "generation": pl.Int64, "hands": pl.Int64}
        return pl.DataFrame(
            rows, kinds | dict.fromkeys(("best", "average", "spread"), pl.Float64), orient="row"
        )

    def __repr__(self) -> str:
        done = sum(len(generations) for generations in self.played.values())
        whole = self.task.generations * len(self.played)
        return f"Evolution({short(self.task.player)}, {self.task.scheme}: {done} of {whole} generations)"

    def _repr_html_(self) -> str:
        found = self.frame()
        return html_table(found.columns, found.rows(), repr(self))

    @property
    def hands_done(self) -> int:
        """Number of hands of all generations so far."""
        return sum(one.hands for generations in self.played.values() for one in generations)

    @property
    def finished(self) -> bool:
        """Whether the final algorithm has finished."""
        return self.is_over(FINAL)

    def is_over(self, algorithm: str) -> bool:
        """Return whether this algorithm has played all its generations."""
        return len(self.played[algorithm]) >= self.task.generations

    def best_of(self, algorithm: str) -> Hypothesis:
        """Return the hypothesis that won most in the algorithm's last generation."""
        last = self.played[algorithm][-1]
        return last.population[last.best]

    def next_population(self, algorithm: str) -> Population:
        """Return the population that this algorithm plays next."""
        played = self.played[algorithm]
        dice = RandomSequence(self.task.table.rng(algorithm, "operators", len(played)))
        if played:
            last = played[-1]
            return breed(last.population, last.winnings.parts, self.stages, self.task.operators, dice)
        size = self.task.operators.population
        if algorithm in self.task.algorithms[0]:
            return random_population(size, sum(self.stages), dice)
        (level,) = [level for level, names in enumerate(self.task.algorithms) if algorithm in names]
        first = size * self.task.algorithms[level].index(algorithm)
        return tuple(self.best_of(name) for name in self.task.algorithms[level - 1][first : first + size])

    def run(
        self,
        crew: WorkerPool | None = None,
        minutes: float | None = None,
        progress: Callable[[int, int], None] | None = None,
        play: PlayBlock = play_block,
    ) -> Iterator[GenerationReport]:
        """Run to the end, or until `minutes` of this run have passed; yield a report per generation."""
        start, before = time.monotonic(), self.seconds
        crew = crew or WorkerPool()
        for level in self.task.algorithms:
            while waiting := [name for name in level if not self.is_over(name)]:
                # After an interruption, algorithms that are behind go first, so that all reach the same
                # generation.
                number = min(len(self.played[name]) for name in waiting)
                now = [name for name in waiting if len(self.played[name]) == number]
                for name, generation in self._play(now, crew, progress, play):
                    self.seconds = before + time.monotonic() - start
                    self.played[name].append(generation)
                    yield GenerationReport(
                        name, number + 1, generation, self.hands_done, self.task.all_hands, self.seconds
                    )
                if minutes is not None and time.monotonic() - start >= 60 * minutes:
                    return

    def _play(
        self, names: list[str], crew: WorkerPool, progress: Callable[[int, int], None] | None, play: PlayBlock
    ) -> Iterator[tuple[str, Generation]]:
        """Play the next generation of each of these algorithms and yield each when it is finished."""
        task, done = self.task, self.hands_done
        plans = [
            (name, len(self.played[name]), self.next_population(name), self.opponents.get(name))
            for name in names
        ]
        populations = {name: population for name, _, population, _ in plans}
        won: dict[str, Winnings] = {}
        left = dict.fromkeys(names, task.hands)
        workers = MANY if crew.on else crew.workers
        for block, result in crew.run(play, blocks(task.table, plans, task.hands, workers)):
            if isinstance(result, WorkerDied | str):
                raise AgentError(f"{block.algorithm}, generation {block.generation + 1}: {result}")
            added(won, block.algorithm, result)
            left[block.algorithm] -= block.hands
            done += block.hands
            if progress:
                progress(done, task.all_hands)
            if not left[block.algorithm]:
                name = block.algorithm
                if (opponents := won[name].opponents) is not None:
                    self.opponents[name] = opponents
                winnings = replace(won[name], opponents=None)
                yield name, Generation(populations[name], winnings, task.hands)


def learns(task: EvolutionTask) -> bool:
    """Return whether hands must be played in sequence, because an opponent learns."""
    return anyone_learns(task.table)
