"""`Game`: the definition of a game, as a frozen value. Where rule books differ, a field selects the rule."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import GameError
from holdmem.engine.state import BOARD_CARDS, MAX_ACTIONS, RULES, SEATS, STREETS, UNLIMITED

OddChips = Literal["exact", "first-seat"]
Reopening = Literal["any-raise", "full-raise"]
AfterShort = Literal["complete", "full-raise"]
CapCounts = Literal["every-raise", "full-raises"]
ShortBlinds = Literal["as-posted", "in-full"]

MANY_RAISES = 255
"""No cap on raises: the number that the ACPC dealer uses for it."""


@dataclass(frozen=True)
class Game:
    """A game of Texas hold'em for a fixed number of seats, counted from the left of the button.

    Parameters
    ----------
    name : name in results.
    blinds : chips posted by each seat; as many entries as the game has seats.
    stacks : chips of each seat; unlimited by default.
    raise_sizes : size of a bet on each street, which makes the game limit; without them it is no-limit.
    max_raises : cap on raises per street, where the big blind counts as a bet already made: three before the
        flop and four after it is a cap of four bets.
    first : first seat to act on each street.
    antes : chips paid by each seat before the blinds.
    dead : chips of each seat that go to the main pot and count towards no bet, owed by a player who returns
        after missing a blind.
    min_bet : minimum bet and raise in no-limit where that is not the big blind, as with a straddle.
    odd_chips, reopening, after_short, cap_counts, short_blinds : rules on which rule books differ;
        docs/rules.md lists who plays by which.

    Raises
    ------
    GameError : the game cannot be played: no seats, no chips, raises of zero.

    Examples
    --------
    >>> Game("mine", blinds=(2, 1), stacks=(200, 200)).limit
    False
    """

    name: str
    blinds: tuple[int, ...]
    stacks: tuple[int, ...] = ()
    raise_sizes: tuple[int, ...] | None = None
    max_raises: tuple[int, ...] = (MANY_RAISES,) * STREETS
    first: tuple[int, ...] = ()
    antes: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    min_bet: int = 0
    odd_chips: OddChips = "exact"
    reopening: Reopening = "any-raise"
    after_short: AfterShort = "complete"
    cap_counts: CapCounts = "every-raise"
    short_blinds: ShortBlinds = "as-posted"

    def __post_init__(self) -> None:
        seats = len(self.blinds)
        if not self.stacks:
            object.__setattr__(self, "stacks", (UNLIMITED,) * seats)
        if not self.first:
            object.__setattr__(self, "first", self._usual_order())
        for field in ("antes", "dead"):  # normalise all-zero tuples to ()
            object.__setattr__(self, field, getattr(self, field) if any(getattr(self, field)) else ())
        if self.min_bet == max(self.blinds, default=0):
            object.__setattr__(self, "min_bet", 0)
        self._check()

    def _usual_order(self) -> tuple[int, ...]:
        """Return the first seat to act per street: left of the big blind preflop, then left of the button."""
        # If blinds are equal, the big blind is the one posted last: seat 1 in a ring game, seat 0 heads-up.
        order = range(len(self.blinds)) if len(self.blinds) == 2 else reversed(range(len(self.blinds)))
        big = max(order, key=lambda seat: self.blinds[seat], default=0)
        return ((big + 1) % max(len(self.blinds), 1), 0, 0, 0)

    def _check(self) -> None:
        seats = len(self.blinds)
        if not 2 <= seats <= SEATS:
            raise GameError(f"{self.name}: expected 2 to {SEATS} seats, got {seats}")
        _expect_chips(self.name, "blinds", self.blinds, seats, least=0)
        _expect_chips(self.name, "stacks", self.stacks, seats, least=1)
        _expect_chips(self.name, "max_raises", self.max_raises, STREETS, least=0)
        _expect_chips(self.name, "first", self.first, STREETS, least=0)
        _expect_chips(self.name, "antes", self.antes or (0,) * seats, seats, least=0)
        _expect_chips(self.name, "dead", self.dead or (0,) * seats, seats, least=0)
        _expect_chips(self.name, "min_bet", (self.min_bet,), 1, least=0)
        if self.raise_sizes is not None:
            _expect_chips(self.name, "raise_sizes", self.raise_sizes, STREETS, least=1)
        if max(self.blinds) == 0:
            raise GameError(f"{self.name}: expected a blind of at least one chip, got {self.blinds}")
        if max(self.first) >= seats:
            raise GameError(f"{self.name}: expected first to be seats below {seats}, got {self.first}")
        for field, choices in _CHOICES.items():
            if getattr(self, field) not in choices:
                raise GameError(
                    f"{self.name}: expected {field} to be {_or(choices)}, got {getattr(self, field)!r}"
                )

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.blinds)

    @property
    def limit(self) -> bool:
        """Whether the game is fixed-limit rather than no-limit."""
        return self.raise_sizes is not None

    @property
    def big_blind(self) -> int:
        """The largest blind; also the minimum bet in no-limit, unless `min_bet` is set."""
        return max(self.blinds)

    @property
    def unit(self) -> tuple[int, str]:
        """Chips and label of the unit of results: a small bet (limit) or a big blind (no-limit), per hand."""
        return (self.raise_sizes[0], "sb/h") if self.raise_sizes else (self.big_blind, "bb/h")

    @property
    def deck_cards(self) -> int:
        """Number of cards that one hand can need: two per seat and the board."""
        return 2 * self.seats + BOARD_CARDS[-1]

    @property
    def longest(self) -> int:
        """Upper bound on the number of actions in a hand."""
        # All-ins for less than a full raise, at most one per seat, do not count towards the cap.
        uncounted = self.seats if self.cap_counts == "full-raises" else 0
        raises = [top + uncounted for top in self.max_raises]
        return sum(min(MAX_ACTIONS, self.seats + top * (self.seats - 1)) for top in raises)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the game with these fields as JSON has them, with lists for tuples; TypeError for others."""
        if not isinstance(values, dict) or not isinstance(values.get("name"), str):
            raise TypeError(f"expected the fields of a game and its name, got {values!r:.60}")
        told: dict[str, Any] = {
            name: tuple(each) if isinstance(each, list) else each for name, each in values.items()
        }
        return cls(**told)

    def with_seats(self, seats: int) -> Self:
        """Return this game for another number of seats, with the usual blinds and order and equal stacks.

        Blinds are the two largest, antes the largest and stacks the smallest of this game; dead chips are
        dropped.
        """
        if not 2 <= seats <= SEATS:
            raise GameError(f"{self.name}: expected 2 to {SEATS} seats, got {seats}")
        small, big = sorted(self.blinds)[-2:]
        blinds = (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)
        antes = (max(self.antes, default=0),) * seats
        stacks = (min(self.stacks),) * seats
        return replace(self, blinds=blinds, stacks=stacks, first=(), antes=antes, dead=())

    @property
    def rules(self) -> np.record:
        """The game as a record, as the kernels read it."""
        return self.rules_row[0]  # type: ignore[no-any-return]

    @cached_property
    def rules_row(self) -> NDArray[np.record]:
        """`rules` as an array of length one, which numba accepts five times as fast as a record.

        It is read-only (backed by bytes), because every agent receives the game.
        """
        row = np.zeros(1, dtype=RULES)
        rules = row[0]
        rules.seats = self.seats
        rules.limit = self.limit
        rules.exact_split = self.odd_chips == "exact"
        rules.any_raise_reopens = self.reopening == "any-raise"
        rules.short_completes = self.after_short == "complete"
        rules.short_counts = self.cap_counts == "every-raise"
        rules.full_blinds = self.short_blinds == "in-full"
        rules.big_blind = self.big_blind
        rules.min_bet = self.min_bet or self.big_blind
        rules.blind[: self.seats] = self.blinds
        rules.ante[: self.seats] = self.antes or 0
        rules.dead[: self.seats] = self.dead or 0
        rules.all_dead = sum(self.dead)
        rules.first[:] = self.first
        rules.max_raises[:] = self.max_raises
        rules.raise_size[:] = self.raise_sizes or 0
        return np.frombuffer(row.tobytes(), dtype=RULES)

    def __getstate__(self) -> dict[str, object]:
        """Leave cached values out of the pickle: an unpickled array would be writeable."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_CHOICES: dict[str, tuple[str, ...]] = {
    "odd_chips": ("exact", "first-seat"),
    "reopening": ("any-raise", "full-raise"),
    "after_short": ("complete", "full-raise"),
    "cap_counts": ("every-raise", "full-raises"),
    "short_blinds": ("as-posted", "in-full"),
}


def _or(choices: tuple[str, ...]) -> str:
    return " or ".join(repr(choice) for choice in choices)


def _expect_chips(name: str, field: str, values: tuple[int, ...], count: int, least: int) -> None:
    whole = all(isinstance(value, int) and least <= value <= UNLIMITED for value in values)
    if len(values) != count or not whole:
        raise GameError(
            f"{name}: expected {field} to be {count} whole numbers from {least} to {UNLIMITED}, got {values}"
        )
