"""Evolving Casper's weights: the two schemes of document 002, chapter 4, as trees of genetic algorithms.

self-play    nine hypotheses at one table; nine algorithms of ten generations, whose nine best hypotheses are
             the first generation of a final one: 100 generations, 500,000 hands (§4.2, figure 4.5)
opponents    three hypotheses among six Pokis; nine algorithms of five generations, whose best are the first
             generations of three more, whose best are that of a final one: 65 generations, 325,000 hands
             (§4.3, figure 4.10)

The best hypothesis is always the one that won most in the last generation. Same task, same weights, whatever
the number of workers and of stops on the way.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from holdmem.cluster import Crew, WorkerDied
from holdmem.errors import AgentError, GameError, NotationError
from holdmem.rules import Game, find_game
from holdmem.rules.state import PARTS
from holdmem.training.generations import (
    Block,
    Cards,
    Opponents,
    Table,
    Winnings,
    added,
    blocks,
    learners,
    play_block,
)
from holdmem.training.genetics import Dice, Hypothesis, Operators, Population, breed, random_population

Scheme = Literal["self-play", "opponents"]
PlayBlock = Callable[[Block], Winnings | str]

STAGES = (8, 12, 12, 10)
"""Weights of the preflop, flop, turn and river case bases (tables 3.3 and 3.4)."""

FINAL = "FinalGA"

MANY = 16
"""Workers that a cluster is taken to have when a generation is cut into units."""


@dataclass(frozen=True)
class Task:
    """All that the weights depend on."""

    scheme: Scheme = "self-play"
    operators: Operators = field(default_factory=Operators)
    hands: int = 5000
    """A generation."""
    generations: int = 10
    trees: int = 9
    """Algorithms that begin with random weights; their best begin the next, and so on up to the final one."""
    opponents: tuple[str, ...] = ()
    """Take the seats that the hypotheses leave, in turn."""
    seats: int = 9
    game: str = "casper"
    player: str = "casper"
    """Whose weights are evolved: Casper with any parameters, or another agent with a parameter `weights`."""
    cards: Cards = "new"
    tables: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("hands", "generations", "trees", "tables"):
            if getattr(self, name) < 1:
                raise NotationError(f"expected {name} of 1 or more, got {getattr(self, name)}")
        if self.cards not in get_args(Cards):
            raise NotationError(f"expected cards new or rotated, got {self.cards!r}")
        places = self.seats - self.operators.population
        if places < 0 or bool(places) != bool(self.opponents):
            who = f"opponents {', '.join(self.opponents)}" if self.opponents else "no opponents"
            raise GameError(
                f"expected opponents for the seats that {self.operators.population} hypotheses leave at a"
                f" table of {self.seats}, which are {max(places, 0)}; got {who}"
            )
        self.levels  # noqa: B018  an error now rather than after the first level

    @property
    def levels(self) -> tuple[int, ...]:
        """How many algorithms there are at each level of the tree, the last of them the final one."""
        found = [self.trees]
        while found[-1] > 1:
            count, left = divmod(found[-1], self.operators.population)
            if left:
                raise NotationError(
                    f"expected trees to be 1 or a power of the population, {self.operators.population},"
                    f" got {self.trees}"
                )
            found.append(count)
        return tuple(found)

    @property
    def algorithms(self) -> tuple[tuple[str, ...], ...]:
        """The names of all algorithms by level: GA1 to GA9, GA1.1 to GA1.3, FinalGA (figure 4.10)."""
        names = []
        for level, count in enumerate(self.levels):
            first = f"GA{level}." if level else "GA"
            names.append((FINAL,) if count == 1 else tuple(f"{first}{n + 1}" for n in range(count)))
        return tuple(names)

    @property
    def table(self) -> Table:
        """Where a generation plays."""
        places = self.seats - self.operators.population
        opponents = tuple(self.opponents[place % len(self.opponents)] for place in range(places))
        game: Game = find_game(self.game, self.seats)
        return Table(
            game, self.operators.population, opponents, self.player, self.cards, self.tables, self.seed
        )

    @property
    def all_hands(self) -> int:
        """Of all generations together."""
        return sum(self.levels) * self.generations * self.hands

    def as_json(self) -> dict[str, Any]:
        """The same for a file."""
        return {**asdict(self), "opponents": list(self.opponents)}


SCHEMES: dict[str, Task] = {
    "self-play": Task(),
    "opponents": Task(
        "opponents",
        Operators(population=3, selected=1, pairs=1, mutated=0, mutation_chance=0.01),
        generations=5,
        opponents=("poki",),
    ),
}
"""The document's own values."""


@dataclass(frozen=True)
class Generation:
    """A generation that has played: its hypotheses and what each of them won."""

    population: Population
    winnings: Winnings
    hands: int

    @property
    def profits(self) -> tuple[float, ...]:
        """Bankrolls in chips."""
        return tuple(parts / PARTS for parts in self.winnings.parts)

    @property
    def best(self) -> int:
        """Which hypothesis won most."""
        return max(range(len(self.population)), key=lambda one: (self.winnings.parts[one], one))

    @property
    def spread(self) -> float:
        """Largest minus smallest bankroll, in chips: what the document calls variance (§4.2.6.1)."""
        return max(self.profits) - min(self.profits)

    @property
    def average(self) -> float:
        """Mean bankroll in chips; 0 where the hypotheses have all the seats."""
        return sum(self.profits) / len(self.profits)

    @property
    def deviation(self) -> float:
        """Standard deviation of what one hypothesis wins in one hand, in chips, over all of them."""
        count = self.hands * len(self.population)
        mean = sum(self.winnings.parts) / count
        variance = sum(self.winnings.squares) / count - mean**2
        return math.sqrt(max(variance, 0.0)) / PARTS

    def as_json(self) -> dict[str, Any]:
        """The same for a file."""
        return {
            "hands": self.hands,
            "population": [list(one) for one in self.population],
            "parts": list(self.winnings.parts),
            "squares": list(self.winnings.squares),
        }

    def numbers(self) -> dict[str, Any]:
        """What the figures show, in chips, for machines."""
        return {
            "hands": self.hands,
            "profits": list(self.profits),
            "spread": self.spread,
            "average": self.average,
            "deviation_per_hand": self.deviation,
        }

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Generation":
        """What `as_json` gave."""
        population = tuple(tuple(map(int, one)) for one in found["population"])
        winnings = Winnings(tuple(map(int, found["parts"])), tuple(map(int, found["squares"])))
        hands = int(found["hands"])
        if not len(population) == len(winnings.parts) == len(winnings.squares) > 0 or hands < 1:
            raise ValueError(
                f"{len(winnings.parts)} results of {len(population)} hypotheses in {hands} hands"
            )
        return cls(population, winnings, hands)


@dataclass(frozen=True)
class Report:
    """A generation has been played."""

    algorithm: str
    number: int
    generation: Generation
    hands_done: int
    hands: int
    seconds: float


class Evolution:
    """Where an evolution stands: the generations that each algorithm has played so far."""

    def __init__(self, task: Task, stages: tuple[int, ...] = STAGES) -> None:
        self.task = task
        self.stages = stages
        self.seconds = 0.0
        self.played: dict[str, list[Generation]] = {name: [] for level in task.algorithms for name in level}
        self.opponents: dict[str, Opponents] = {}
        """Opponents that learn, of the algorithms that are under way."""

    @property
    def hands_done(self) -> int:
        """Hands of all generations so far."""
        return sum(one.hands for generations in self.played.values() for one in generations)

    @property
    def finished(self) -> bool:
        """Whether the final algorithm has come to its end."""
        return self.is_over(FINAL)

    def is_over(self, algorithm: str) -> bool:
        """Whether this algorithm has played all its generations."""
        return len(self.played[algorithm]) >= self.task.generations

    def best_of(self, algorithm: str) -> Hypothesis:
        """The hypothesis that won most in its last generation."""
        last = self.played[algorithm][-1]
        return last.population[last.best]

    def next_population(self, algorithm: str) -> Population:
        """What this algorithm plays next."""
        played = self.played[algorithm]
        dice = Dice(self.task.table.streams(algorithm, "operators", len(played)))
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
        crew: Crew | None = None,
        minutes: float | None = None,
        progress: Callable[[int, int], None] | None = None,
        play: PlayBlock = play_block,
    ) -> Iterator[Report]:
        """Go on to the end, or until so many minutes of this run are over; tell of each generation."""
        start, before = time.monotonic(), self.seconds
        crew = crew or Crew()
        for level in self.task.algorithms:
            while waiting := [name for name in level if not self.is_over(name)]:
                # Those that are behind after a stop go first, so that all are at the same generation.
                number = min(len(self.played[name]) for name in waiting)
                now = [name for name in waiting if len(self.played[name]) == number]
                for name, generation in self._play(now, crew, progress, play):
                    self.seconds = before + time.monotonic() - start
                    self.played[name].append(generation)
                    yield Report(
                        name, number + 1, generation, self.hands_done, self.task.all_hands, self.seconds
                    )
                if minutes is not None and time.monotonic() - start >= 60 * minutes:
                    return

    def _play(
        self, names: list[str], crew: Crew, progress: Callable[[int, int], None] | None, play: PlayBlock
    ) -> Iterator[tuple[str, Generation]]:
        """The next generation of each of these algorithms, as they are finished."""
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


def learns(task: Task) -> bool:
    """Whether hands have to be played in turn, since an opponent learns."""
    return learners(task.table)
