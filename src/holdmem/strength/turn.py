"""IHS, PPOT and E[HS] on a turn and HS on a river, many times as quickly as by enumeration, and as exact.

What ranks make of each other without flushes is looked up in tables that are built in some milliseconds.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.evaluator_tables import RANK_KEYS
from holdmem.strength.hands import Cards, Floats
from holdmem.strength.river_kernels import share_on_the_river
from holdmem.strength.turn_kernels import RANKS, WIDE, fill_strengths, look_to_the_river

Ranks = tuple[int, ...]

COLUMNS = ("ihs", "ppot", "hs1")
"""What `turn_values` gives, by the names of the tables' columns."""


class RankTables(NamedTuple):
    """What pairs of ranks make of boards by their ranks alone."""

    four: NDArray[np.int64]  # [ranks of a board of four, in base 13] its number
    five: NDArray[np.int64]  # [number of a board of four, rank of the river] number of the board of five
    strengths_of_four: NDArray[np.int16]  # [number, pair]
    strengths_of_five: NDArray[np.int16]  # [number, pair]


@cache
def rank_tables() -> RankTables:
    """The tables, built once in a process."""
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


def turn_values(holes: Cards, boards: Cards) -> Floats:
    """(n, 3): IHS, PPOT (one card to come) and E[HS] of each hand on a board of four cards."""
    out = np.empty((len(holes), len(COLUMNS)))
    look_to_the_river(holes, boards, rank_tables(), out)
    return out


def river_values(holes: Cards, boards: Cards) -> Floats:
    """(n,): HS of each hand on a full board."""
    out = np.empty(len(holes))
    share_on_the_river(holes, boards, rank_tables(), out)
    return out
