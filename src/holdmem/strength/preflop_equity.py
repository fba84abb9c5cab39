"""Preflop table: exact results of every holding against every other, over all 1,712,304 boards.

`python -m holdmem.strength.preflop_equity` rebuilds the table, in well under a minute.

Ordered pairs of holdings fall into 93,769 suit-isomorphism classes, numbered by `Isomorphism((2, 2))`; the
table has one number per class, the boards on which the first holding wins alone. The wins of the second are
stored under the pair in reverse order, and the remaining boards are ties.

The table is counted board by board: 134,459 boards of five up to suit isomorphism, each weighted by the
number of boards in its class, and on each a comparison of all 1,081 possible holdings with one another. As
only one board per class is evaluated, counts of single pairs depend on the board chosen; their mean over the
pairs of a class is exact.
"""

from collections.abc import Callable
from functools import cache
from itertools import chain, combinations
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS, HOLDINGS
from holdmem.cards.isomorphism import Isomorphism
from holdmem.core.atomic import atomic_file
from holdmem.strength.kernels.preflop_table import add_wins

TABLE = Path(__file__).with_name("equity_table.npz")
PAIRS = Isomorphism((2, 2))
BOARDS = Isomorphism((5,))
BOARDS_OF_PAIR = comb(48, 5)
BLOCK = 256  # boards per block: their strengths fit into the CPU cache


@cache
def compatible() -> NDArray[np.bool_]:
    """Return a (1326, 1326) mask of pairs of holdings without a common card."""
    low, high = HOLDINGS.T
    shared = np.equal.outer(low, low) | np.equal.outer(low, high)
    found: NDArray[np.bool_] = ~(shared | np.equal.outer(high, low) | np.equal.outer(high, high))
    return found


@cache
def wins_by_class() -> NDArray[np.int32]:
    """Return the (93769,) boards that the first of two holdings wins alone, by class of the ordered pair."""
    with np.load(TABLE) as stored:
        wins: NDArray[np.int32] = stored["wins"]
    wins.flags.writeable = False
    return wins


@cache
def wins_of_holdings() -> NDArray[np.int32]:
    """Return the (1326, 1326) boards on which one holding beats another, 0 if they share a card.

    Ties of a compatible pair are the remainder: `BOARDS_OF_PAIR - wins[a, b] - wins[b, a]`.
    """
    wins = np.zeros((len(HOLDINGS), len(HOLDINGS)), np.int32)
    wins[compatible()] = wins_by_class()[_classes_of_pairs()]
    wins.flags.writeable = False
    return wins


@cache
def class_sums() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two (169, 169) matrices: showdowns one class wins alone against another, and all showdowns."""
    wins = _by_class(wins_of_holdings())
    return wins, BOARDS_OF_PAIR * _by_class(compatible())


def _by_class(holdings: NDArray[np.generic]) -> NDArray[np.int64]:
    """Sum a (1326, 1326) matrix over the holdings of each pair of classes."""
    order = np.argsort(CLASS_OF_HOLDING, kind="stable")
    first = np.concatenate(([0], np.cumsum(COMBOS)[:-1])).astype(np.int64)
    rows: NDArray[np.int64] = np.add.reduceat(holdings[order].astype(np.int64), first, axis=0)
    return np.add.reduceat(rows[:, order], first, axis=1)


def pair_wins(pairs: NDArray[np.int8]) -> NDArray[np.int32]:
    """Return the (n, 2) boards that each hand wins alone; rows of `pairs` (n, 4) are two hands."""
    found = np.empty((len(pairs), 2), np.int32)
    found[:, 0] = wins_by_class()[PAIRS.index(pairs)]
    found[:, 1] = wins_by_class()[PAIRS.index(pairs[:, [2, 3, 0, 1]])]
    return found


def _classes_of_pairs() -> NDArray[np.int64]:
    """Return the class of each ordered pair of compatible holdings, in the order of `compatible()`."""
    first, second = np.nonzero(compatible())
    holdings = HOLDINGS.astype(np.int8)
    return PAIRS.index(np.hstack([holdings[first], holdings[second]]))


def _boards_up_to_suits() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return one board of each isomorphism class and the size of the class."""
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8).reshape(-1, 5)
    sizes = np.bincount(BOARDS.index(every), minlength=BOARDS.size)
    return BOARDS.cards(np.arange(BOARDS.size)).astype(np.uint8), sizes.astype(np.uint16)


def build(progress: Callable[[int, int], None] = lambda done, of: None) -> NDArray[np.int32]:
    """Compute the table; calls `progress(boards done, boards in all)` after each block."""
    boards, sizes = _boards_up_to_suits()
    holdings = HOLDINGS.astype(np.uint8)
    strengths = np.empty((BLOCK, len(holdings)), np.uint16)
    wins = np.zeros((len(holdings), len(holdings)), np.int32)
    for start in range(0, len(boards), BLOCK):
        block = slice(start, start + BLOCK)
        add_wins(boards[block], sizes[block], holdings, strengths, wins)
        progress(min(start + BLOCK, len(boards)), len(boards))
    pairs = _classes_of_pairs()
    totals = np.bincount(pairs, wins[compatible()])  # integers below 2 ** 53: exact in floating point
    return (totals / np.bincount(pairs)).astype(np.int32)


def write(wins: NDArray[np.int32], path: Path = TABLE) -> None:
    """Write the table to `path`."""
    with atomic_file(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, wins=wins)


def _main() -> None:
    def show(done: int, of: int) -> None:
        print(f"\r{done:>9,} of {of:,} boards", end="", flush=True)

    write(build(show))
    print(f"\nwrote {TABLE}, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    _main()
