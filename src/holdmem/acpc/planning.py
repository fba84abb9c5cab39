"""The matches that a dealer is to play."""

from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

from holdmem.acpc.dealing import Limits
from holdmem.acpc.players import SeatRequest, check_log_name
from holdmem.core.errors import AgentError, NotationError
from holdmem.engine import Game

ALL_ORDERS_UP_TO = 4


@dataclass(frozen=True)
class DealerPlan:
    """What a dealer is to play: game, seats, numbers of hands and matches, and rules."""

    game: Game
    seats: tuple[SeatRequest, ...]
    hands: int
    matches: int = 1
    duplicate: bool = False
    seed: int | None = None
    """Random seed of all cards and of HoldMem agents; None for a secret seed per match."""
    limits: Limits = field(default_factory=Limits)
    name: str = "match"
    log: Path | None = None
    """Folder for the logs; None for no logs."""
    transcript: bool = False
    cards: Path | None = None
    """A log whose cards are dealt again, instead of shuffled ones."""
    host: str = "127.0.0.1"
    ports: tuple[int, ...] = ()
    start: float | None = None
    """Seconds until every player must have connected; None for no limit."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.game.seats:
            raise AgentError(f"{self.game.name}: expected {self.game.seats} seats, got {len(self.seats)}")
        if self.ports and len(self.ports) != len(self.foreign):
            raise NotationError(
                f"expected a port for each of {len(self.foreign)} foreign seats, got {len(self.ports)}"
            )
        check_log_name(self.name)
        if self.log is None and self.transcript:
            raise NotationError("a transcript needs a folder for logs")

    @property
    def foreign(self) -> list[int]:
        """Indices of the places for players who connect."""
        return [k for k, place in enumerate(self.seats) if place.agent is None]

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """Seating orders: the given one and, for a duplicate match, every other order as well.

        As in the arena, these are all orders up to four seats and all rotations beyond.
        """
        seats = tuple(range(self.game.seats))
        if not self.duplicate:
            return [seats]
        if len(seats) <= ALL_ORDERS_UP_TO:
            return list(permutations(seats))
        return [seats[k:] + seats[:k] for k in seats]

    @property
    def tables(self) -> int:
        """Number of matches, counting every order."""
        return self.matches * len(self.orders)

    def title(self, table: int) -> str:
        """Return the name of a table's log."""
        match, order = divmod(table, len(self.orders))
        parts = [self.name, *([str(match)] if self.matches > 1 else [])]
        return ".".join([*parts, *([str(order)] if self.duplicate else [])])
