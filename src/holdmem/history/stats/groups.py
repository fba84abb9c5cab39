"""What statistics can be grouped by. A dimension gives each row a code and each code a label."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from holdmem.core.types import Ints
from holdmem.engine.state import SEATS
from holdmem.history.describe import stakes
from holdmem.history.stats.count import SeatHands
from holdmem.history.stats.positions import POSITIONS

STACK_EDGES = (20, 40, 80, 120, 200)
"""Effective stacks in big blinds at which a new class begins."""

STACKS = ("0-20", "20-40", "40-80", "80-120", "120-200", "200+")


class Categories(NamedTuple):
    """A code per row, and the label of each code."""

    codes: Ints
    labels: Sequence[str | int]


def _players(seats: SeatHands) -> Categories:
    return Categories(
        seats.hands.rows["player"][seats.hand, seats.seat].astype(np.int64), seats.hands.players
    )


def _stakes(seats: SeatHands) -> Categories:
    return Categories(
        seats.hands.rows["terms"][seats.hand].astype(np.int64), [stakes(terms) for terms in seats.hands.terms]
    )


DIMENSIONS: dict[str, Callable[[SeatHands], Categories]] = {
    "player": _players,
    "position": lambda seats: Categories(seats.position.astype(np.int64), POSITIONS),
    "players": lambda seats: Categories(seats.hands.seats[seats.hand], range(SEATS + 1)),
    "stack": lambda seats: Categories(np.searchsorted(STACK_EDGES, seats.stack, side="right"), STACKS),
    "stakes": _stakes,
}

ORDERED: dict[str, Sequence[str | int]] = {
    "position": POSITIONS,
    "players": range(SEATS + 1),
    "stack": STACKS,
}
"""Dimensions whose labels have an order of their own; the others are listed by number of hands."""
