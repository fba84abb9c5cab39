"""What an evolution consists of: the population, its table, and the two published schemes."""

from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from holdmem.core.choices import DeckMode, Scheme
from holdmem.core.errors import GameError, NotationError
from holdmem.engine import Game, find_game
from holdmem.learning.evolve.generations import (
    EvolutionTable,
)
from holdmem.learning.evolve.genetics import (
    Operators,
)

FINAL = "FinalGA"


@dataclass(frozen=True)
class EvolutionTask:
    """Everything that determines the evolved weights."""

    scheme: Scheme = "self-play"
    operators: Operators = field(default_factory=Operators)
    hands: int = 5000
    """Hands per generation."""
    generations: int = 10
    trees: int = 9
    """Algorithms that start from random weights; their best seed the next level, up to the final one."""
    opponents: tuple[str, ...] = ()
    """Agents for the seats that the hypotheses leave free, assigned in turn."""
    seats: int = 9
    game: str = "casper"
    player: str = "casper"
    """Agent whose weights are evolved: Casper with any parameters, or another that takes `weights`."""
    cards: DeckMode = "new"
    tables: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("hands", "generations", "trees", "tables"):
            if getattr(self, name) < 1:
                raise NotationError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.cards not in get_args(DeckMode):
            raise NotationError(f"expected cards 'new' or 'rotated', got {self.cards!r}")
        places = self.seats - self.operators.population
        if places < 0 or bool(places) != bool(self.opponents):
            who = f"opponents {', '.join(self.opponents)}" if self.opponents else "no opponents"
            raise GameError(
                f"{self.operators.population} hypotheses leave {max(places, 0)} of {self.seats} seats to"
                f" opponents, got {who}"
            )
        self.levels  # noqa: B018  an error now rather than after the first level

    @property
    def levels(self) -> tuple[int, ...]:
        """Number of algorithms at each level of the tree; the last level is the final algorithm."""
        found = [self.trees]
        while found[-1] > 1:
            count, left = divmod(found[-1], self.operators.population)
            if left:
                raise NotationError(
                    f"trees must be 1 or a power of the population, {self.operators.population},"
                    f" got {self.trees}"
                )
            found.append(count)
        return tuple(found)

    @property
    def algorithms(self) -> tuple[tuple[str, ...], ...]:
        """Names of all algorithms by level: GA1 to GA9, GA1.1 to GA1.3, FinalGA (figure 4.10)."""
        names = []
        for level, count in enumerate(self.levels):
            first = f"GA{level}." if level else "GA"
            names.append((FINAL,) if count == 1 else tuple(f"{first}{n + 1}" for n in range(count)))
        return tuple(names)

    @property
    def table(self) -> EvolutionTable:
        """The table at which a generation plays."""
        places = self.seats - self.operators.population
        opponents = tuple(self.opponents[place % len(self.opponents)] for place in range(places))
        game: Game = find_game(self.game, self.seats)
        return EvolutionTable(
            game, self.operators.population, opponents, self.player, self.cards, self.tables, self.seed
        )

    @property
    def all_hands(self) -> int:
        """Total number of hands of all generations."""
        return sum(self.levels) * self.generations * self.hands

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        return {**asdict(self), "opponents": list(self.opponents)}


SCHEMES: dict[str, EvolutionTask] = {
    "self-play": EvolutionTask(),
    "opponents": EvolutionTask(
        "opponents",
        Operators(population=3, selected=1, pairs=1, mutated=0, mutation_chance=0.01),
        generations=5,
        opponents=("poki",),
    ),
}
"""Values used in the thesis."""
