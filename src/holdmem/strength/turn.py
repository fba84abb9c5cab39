"""IHS, PPOT and E[HS] on the turn and HS on the river: exact, and many times as fast as enumeration.

The strengths of pairs of ranks on boards of ranks, without flushes, are looked up in tables that take some
milliseconds to build.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.evaluator_tables import RANK_KEYS
from holdmem.core.types import Floats
from holdmem.strength.hands import Cards
from holdmem.strength.kernels.river import share_on_the_river
from holdmem.strength.kernels.turn import RANKS, WIDE, fill_strengths, look_to_the_river

Ranks = tuple[int, ...]

COUNTED = ("ihs", "ppot", "hs1")
"""Columns that `turn_values` and `river_values` have, by their names in the tables."""


class RankTables(NamedTuple):
    """Strengths of pairs of ranks on boards, by ranks alone (no flushes)."""

    four: NDArray[np.int64]  # [ranks of a four-card board, in base 13] its number
    five: NDArray[np.int64]  # [number of a four-card board, rank of the river] number of the five-card board
    strengths_of_four: NDArray[np.int16]  # [number, pair]
    strengths_of_five: NDArray[np.int16]  # [number, pair]


@cache
def rank_tables() -> RankTables:
    """Return the tables, built once per process."""
    fours: list[Ranks] = list(combinations_with_replacement(range(RANKS), 4))
    fives: dict[Ranks, int] = {
        ranks: number for number, ranks in enumerate(combinations_with_replacement(range(RANKS), 5))
    }
    four = np.zeros(RANKS**4, np.int64)
    for number, ranks in enumerate(fours):
        for order in set(permutations(ranks)):
            four[np.ravel_multi_index(order, (RANKS,) * 4)] = number
    five = np.array([[fives[tuple(sorted((*ranks, one)))] for one in range(RANKS)] for ranks in fours])
    keys = np.array(RANK_KEYS, np.int64)
    return RankTables(four, five, _strengths(fours, keys), _strengths(list(fives), keys))


def _strengths(boards: list[Ranks], keys: NDArray[np.int64]) -> NDArray[np.int16]:
    out = np.zeros((len(boards), WIDE), np.int16)
    fill_strengths(np.array(boards), keys, out)
    return out


def turn_values(holes: Cards, boards: Cards, columns: Sequence[str] = COUNTED) -> Floats:
    """Return (n, columns): IHS, PPOT and E[HS] of each hand on a board of four cards, by name."""
    out = np.empty((len(holes), len(COUNTED)))
    look_to_the_river(holes, boards, rank_tables(), out)
    return out[:, [COUNTED.index(name) for name in columns]]


def river_values(holes: Cards, boards: Cards, columns: Sequence[str] = COUNTED) -> Floats:
    """Return the same on a full board: IHS and E[HS] are both HS, and nothing can change, so PPOT is 0."""
    strength = np.empty(len(holes))
    share_on_the_river(holes, boards, rank_tables(), strength)
    return np.stack([np.zeros(len(holes)) if name == "ppot" else strength for name in columns], axis=1)
