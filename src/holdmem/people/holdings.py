"""Strength classes of holdings: the 169 classes before the flop, classes of hand strength after it."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS
from holdmem.people.kernels.holdings import (
    CUTS,
    DEAD,
    HOLDING_COUNT,
    MADE,
    POSTFLOP,
    PREFLOP,
    classes_on_boards,
)
from holdmem.people.situations import ByteArray
from holdmem.strength.ranking import EQUITY_RANK

GROUPS = 20
"""Groups of the 169 classes by equity against a random hand, of about equal numbers of holdings."""


def classes_of_boards(boards: NDArray[np.int8]) -> ByteArray:
    """Return the class of each of the 1,326 holdings on each board, shape (boards, 1326); DEAD if blocked."""
    out = np.empty((len(boards), HOLDING_COUNT), dtype=np.uint8)
    if len(boards):
        classes_on_boards(np.ascontiguousarray(boards), out)
    return out


def preflop_strength() -> NDArray[np.float64]:
    """Return the share of holdings that each of the 169 classes is ahead of before the flop."""
    combos = COMBOS.astype(np.float64)
    worse = (EQUITY_RANK[None, :] > EQUITY_RANK[:, None]) @ combos
    return (worse + combos / 2) / combos.sum()  # type: ignore[no-any-return]


@cache
def preflop_groups() -> NDArray[np.int64]:
    """Return the group of each of the 169 classes, from 0 for the weakest."""
    return np.minimum((preflop_strength() * GROUPS).astype(np.int64), GROUPS - 1)


def postflop_strength() -> NDArray[np.float64]:
    """Return a typical strength of each class after the flop; draws count as what they hope for."""
    edges = np.concatenate([[0.0], CUTS, [1.0]])
    return np.concatenate([(edges[1:] + edges[:-1]) / 2, [0.7, 0.8, 0.5]])


__all__ = [
    "CLASS_OF_HOLDING",
    "DEAD",
    "GROUPS",
    "MADE",
    "POSTFLOP",
    "PREFLOP",
    "classes_of_boards",
    "postflop_strength",
    "preflop_groups",
    "preflop_strength",
]
