"""Who wins before the flop: exact results of any holding against any other, over all 1,712,304 boards.

`python -m holdmem.strength.equity_table` builds the table anew, in well under a minute.

Ordered pairs of holdings fall into 93,769 classes up to suits, numbered by `Isomorphism((2, 2))`; the table
has one number for each, the boards on which the first holding wins alone. The second one's wins stand under
the pair in the other order, and the remaining boards are ties.

It is counted board by board: 134,459 boards of five up to suits, each with the number of boards that it
stands for, and on each the comparison of all 1,081 possible holdings with one another. As only one board of
its class is looked at, counts of single pairs are lopsided; their mean over the pairs of a class is exact.
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
from holdmem.strength.equity_table_kernels import add_wins
from holdmem.whole import whole_file

TABLE = Path(__file__).with_name("equity_table.npz")
PAIRS = Isomorphism((2, 2))
BOARDS = Isomorphism((5,))
BOARDS_OF_PAIR = comb(48, 5)
BLOCK = 256  # boards counted at once: their strengths fit into the cache


@cache
def compatible() -> NDArray[np.bool_]:
    """(1326, 1326): whether two holdings have no card in common."""
    low, high = HOLDINGS.T
    shared = np.equal.outer(low, low) | np.equal.outer(low, high)
    found: NDArray[np.bool_] = ~(shared | np.equal.outer(high, low) | np.equal.outer(high, high))
    return found


@cache
def wins_by_class() -> NDArray[np.int32]:
    """(93769,): the boards on which the first of two holdings wins alone, by class of the ordered pair."""
    with np.load(TABLE) as stored:
        wins: NDArray[np.int32] = stored["wins"]
    wins.flags.writeable = False
    return wins


@cache
def wins_of_holdings() -> NDArray[np.int32]:
    """(1326, 1326): the boards on which one holding beats another, 0 where they share a card.

    Ties of a compatible pair are what remains: `BOARDS_OF_PAIR - wins[a, b] - wins[b, a]`.
    """
    wins = np.zeros((len(HOLDINGS), len(HOLDINGS)), np.int32)
    wins[compatible()] = wins_by_class()[_classes_of_pairs()]
    wins.flags.writeable = False
    return wins


@cache
def class_sums() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(169, 169): showdowns won alone by one class against another, and all showdowns of the two."""
    wins = _by_class(wins_of_holdings())
    return wins, BOARDS_OF_PAIR * _by_class(compatible())


def _by_class(holdings: NDArray[np.generic]) -> NDArray[np.int64]:
    """Sums of a matrix over holdings, by the classes of both."""
    order = np.argsort(CLASS_OF_HOLDING, kind="stable")
    first = np.concatenate(([0], np.cumsum(COMBOS)[:-1])).astype(np.int64)
    rows: NDArray[np.int64] = np.add.reduceat(holdings[order].astype(np.int64), first, axis=0)
    return np.add.reduceat(rows[:, order], first, axis=1)


def pair_wins(pairs: NDArray[np.int8]) -> NDArray[np.int32]:
    """(n, 2): the boards that each hand of a pair wins alone; rows of `pairs` are two hands of two cards."""
    found = np.empty((len(pairs), 2), np.int32)
    found[:, 0] = wins_by_class()[PAIRS.index(pairs)]
    found[:, 1] = wins_by_class()[PAIRS.index(pairs[:, [2, 3, 0, 1]])]
    return found


def _classes_of_pairs() -> NDArray[np.int64]:
    """The class of each ordered pair of compatible holdings, in the order of `compatible()`."""
    first, second = np.nonzero(compatible())
    holdings = HOLDINGS.astype(np.int8)
    return PAIRS.index(np.hstack([holdings[first], holdings[second]]))


def _boards_up_to_suits() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """One board of each class, and how many boards the class has."""
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8).reshape(-1, 5)
    sizes = np.bincount(BOARDS.index(every), minlength=BOARDS.size)
    return BOARDS.cards(np.arange(BOARDS.size)).astype(np.uint8), sizes.astype(np.uint16)


def build(progress: Callable[[int, int], None] = lambda done, of: None) -> NDArray[np.int32]:
    """Count the table; `progress` is told how many of how many boards are done."""
    boards, sizes = _boards_up_to_suits()
    holdings = HOLDINGS.astype(np.uint8)
    strengths = np.empty((BLOCK, len(holdings)), np.uint16)
    wins = np.zeros((len(holdings), len(holdings)), np.int32)
    for start in range(0, len(boards), BLOCK):
        block = slice(start, start + BLOCK)
        add_wins(boards[block], sizes[block], holdings, strengths, wins)
        progress(min(start + BLOCK, len(boards)), len(boards))
    pairs = _classes_of_pairs()
    totals = np.bincount(pairs, wins[compatible()])  # whole numbers below 2 ** 53: exact in floating point
    return (totals / np.bincount(pairs)).astype(np.int32)


def write(wins: NDArray[np.int32], path: Path = TABLE) -> None:
    """Store a table."""
    with whole_file(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, wins=wins)


def _main() -> None:
    def show(done: int, of: int) -> None:
        print(f"\r{done:>9,} of {of:,} boards", end="", flush=True)

    write(build(show))
    print(f"\nwrote {TABLE}, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    _main()
