"""Nested ranges: the best i classes of a ranking against the best j, for all i and j.

Friedrich and Schwind (2011, §4.1.2) keep simulated results of 169 ranges against each other in a 169×169
matrix. Here they are exact sums over compatible pairs of holdings, from the preflop table of all pairs.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASSES, COMBOS, class_index
from holdmem.core.errors import NotationError
from holdmem.strength.preflop_equity import class_sums
from holdmem.strength.ranking import EQUITY_RANKING


@dataclass(frozen=True, eq=False)
class TopRangeEquities:
    """(169, 169) matrices: entry [i - 1, j - 1] is the result of the best i classes against the best j."""

    equity: NDArray[np.float64]
    """Mean share of the pot, ties split: equity[i, j] + equity[j, i] = 1."""
    wins: NDArray[np.float64]
    """Share of showdowns that the first range wins alone."""
    shares: NDArray[np.float64]
    """(169,): share of all 1,326 holdings in the best i classes."""


@cache
def nested_ranges(ranking: tuple[str, ...] = EQUITY_RANKING) -> TopRangeEquities:
    """Return the matrices for a ranking of all 169 classes, best first; cached.

    >>> round(float(nested_ranges().equity[0, 168]), 3)  # aces against any two cards
    0.852
    """
    order = np.array([class_index(name) for name in ranking])
    if sorted(order.tolist()) != list(range(len(CLASSES))):
        raise NotationError(f"expected a ranking of all {len(CLASSES)} classes, each once, got {len(order)}")
    wins, showdowns = (_nested(sums, order) for sums in class_sums())
    shares = np.cumsum(COMBOS[order]) / COMBOS.sum()
    found = TopRangeEquities((wins + showdowns - wins.T) / (2 * showdowns), wins / showdowns, shares)
    for matrix in (found.equity, found.wins, found.shares):
        matrix.flags.writeable = False
    return found


def _nested(sums: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return sums over the best i and the best j classes; all below 2 ** 42, hence exact."""
    return sums[np.ix_(order, order)].cumsum(axis=0).cumsum(axis=1)
