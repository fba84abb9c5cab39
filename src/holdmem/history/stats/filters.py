"""Choose seats and hands by player, position, players, stack, street reached, date and stakes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.types import Flags
from holdmem.engine.state import STREET_NAMES
from holdmem.history.describe import stakes
from holdmem.history.stats.count import SeatHands
from holdmem.history.stats.positions import POSITIONS

REACHED = (*STREET_NAMES, "showdown")

Span = tuple[float, float]
"""A smallest and a largest value, both included."""


@dataclass(frozen=True)
class StatFilter:
    """Which seats and hands to count; what is None or empty does not restrict.

    Parameters
    ----------
    player : names of players.
    position : names of positions: SB, BB, UTG, UTG+1, …, LJ, HJ, CO, BTN.
    players : smallest and largest number of players dealt in.
    stack : smallest and largest effective stack, in big blinds.
    street : the street the player must have seen: preflop, flop, turn, river or showdown.
    since, until : first and last day, by the clock of the source; hands without a time are left out.
    stakes : stakes as `holdmem hands` prints them, such as "no-limit $0.10/$0.25".

    Raises
    ------
    NotationError : a position or street is unknown, or a smallest value exceeds the largest.
    """

    player: tuple[str, ...] = ()
    position: tuple[str, ...] = ()
    players: Span | None = None
    stack: Span | None = None
    street: str | None = None
    since: date | None = None
    until: date | None = None
    stakes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.position:
            _expect("position", name, POSITIONS)
        if self.street is not None:
            _expect("street", self.street, REACHED)
        for what, span in (("players", self.players), ("stack", self.stack)):
            if span is not None and not span[0] <= span[1]:
                raise NotationError(
                    f"{what}: expected a smallest and a largest value, got {span[0]} and {span[1]}"
                )

    def keeps(self, seats: SeatHands) -> Flags:
        """Return which rows are counted."""
        hands, rows = seats.hands, seats.hands.rows
        kept = np.ones(len(seats.hand), dtype=np.bool_)
        if self.player:
            kept &= _chosen(hands.players, self.player)[rows["player"][seats.hand, seats.seat]]
        if self.position:
            kept &= _chosen(POSITIONS, self.position)[seats.position]
        if self.players is not None:
            kept &= _within(hands.seats, self.players)[seats.hand]
        if self.stack is not None:
            kept &= _within(seats.stack, self.stack)
        if self.street is not None:
            kept &= seats.reached >= REACHED.index(self.street)
        if self.stakes:
            kept &= _chosen([stakes(terms) for terms in hands.terms], self.stakes)[rows["terms"]][seats.hand]
        return kept & self._in_time(rows["time"])[seats.hand]

    def _in_time(self, times: np.ndarray) -> Flags:
        kept = np.ones(len(times), dtype=np.bool_)
        if self.since is not None:
            kept &= times >= _midnight(self.since)
        if self.until is not None:
            kept &= (times >= 0) & (times < _midnight(self.until) + timedelta(days=1).total_seconds())
        return kept


def _expect(what: str, name: str, choices: Iterable[str]) -> None:
    if name not in choices:
        raise NotationError(f"expected {what} to be one of {', '.join(choices)}, got {name!r}")


def _chosen(names: Iterable[str], wanted: tuple[str, ...]) -> Flags:
    return np.array([name in wanted for name in names], dtype=np.bool_)


def _within(values: np.ndarray, span: Span) -> Flags:
    return (values >= span[0]) & (values <= span[1])


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
