"""IHS, PPOT and E[HS] of hands on a turn, some thirty times as quickly as by enumeration, and as exact.

What ranks make of each other without flushes is looked up in tables that are built in some milliseconds.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.evaluator import strength_without_flush
from holdmem.cards.evaluator_tables import RANK_KEYS
from holdmem.compiled import kernel
from holdmem.strength.hands import Cards, Floats
from holdmem.strength.look_ahead import look_ahead
from holdmem.strength.turn_kernels import PAIRS, RANKS, look_to_the_river

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
    fours = list(combinations_with_replacement(range(RANKS), 4))
    fives = {ranks: number for number, ranks in enumerate(combinations_with_replacement(range(RANKS), 5))}
    four = np.zeros(RANKS**4, np.int64)
    for number, ranks in enumerate(fours):
        for a, b, c, d in set(permutations(ranks)):
            four[((a * RANKS + b) * RANKS + c) * RANKS + d] = number
    five = np.array([[fives[tuple(sorted((*ranks, one)))] for one in range(RANKS)] for ranks in fours])
    keys = np.array(RANK_KEYS, np.int64)
    return RankTables(four, five, _strengths(fours, keys), _strengths(list(fives), keys))


def _strengths(boards: list[tuple[int, ...]], keys: NDArray[np.int64]) -> NDArray[np.int16]:
    out = np.zeros((len(boards), PAIRS), np.int16)
    fill_strengths(np.array(boards), keys, out)
    return out


@kernel
def fill_strengths(boards, keys, out):
    """The strength of each pair of ranks on each board of ranks; 0 where a rank would come five times."""
    of_rank = np.zeros(RANKS, np.int64)
    for i in range(len(boards)):
        of_rank[:] = 0
        start = 0
        for rank in boards[i]:
            of_rank[rank] += 1
            start += keys[rank]
        for one in range(RANKS):
            for other in range(one + 1):
                of_rank[one] += 1
                of_rank[other] += 1
                if of_rank.max() <= 4:
                    total = start + keys[one] + keys[other]
                    out[i, one * (one + 1) // 2 + other] = strength_without_flush(total, boards.shape[1] + 2)
                of_rank[one] -= 1
                of_rank[other] -= 1


def turn_values(holes: Cards, boards: Cards) -> Floats:
    """(n, 3): IHS, PPOT (one card to come) and E[HS] of each hand on a board of four cards."""
    out = np.empty((len(holes), len(COLUMNS)))
    if look_to_the_river(holes, boards, rank_tables(), out):
        rows = np.flatnonzero(out[:, 0] < 0)  # four cards of a suit on the board, one turn in a hundred
        out[rows] = _enumerated(holes[rows], boards[rows])
    return out


def _enumerated(holes: Cards, boards: Cards) -> Floats:
    from holdmem.strength.values import from_tallies  # noqa: PLC0415

    moments, tallies = np.empty((len(holes), 1)), np.empty((len(holes), 3, 3), np.int64)
    look_ahead(holes, boards, 1, moments, tallies)
    found = from_tallies(tallies)
    return np.column_stack([found["ihs"], found["ppot"], moments[:, 0]])
