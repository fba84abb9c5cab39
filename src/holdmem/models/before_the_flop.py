"""Who wins before the flop against ranges: exact equities of the 169 classes, as arrays for kernels."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import COMBOS, class_index
from holdmem.strength import EQUITY_RANKING, whole_column
from holdmem.strength.equity_table import class_sums

Floats = NDArray[np.float64]
MOST_OPPONENTS = 9


class Preflop(NamedTuple):
    """Tables by class, in the order of `CLASSES`."""

    against: Floats
    """(169, 169): the equity of one class against another."""
    against_best: Floats
    """(169, 169): the equity of a class against the best j + 1 classes by equity."""
    shares: Floats
    """(169,): the share of all holdings that the best j + 1 classes have."""
    one_more: Floats
    """(169, 10): [c, k] the chance to beat one more random hand after k of them, E[HS^(k+1)] / E[HS^k]."""


@cache
def preflop_tables() -> Preflop:
    """The tables, computed once a process in about a second."""
    wins, showdowns = (sums.astype(np.float64) for sums in class_sums())
    doubled = wins + showdowns - wins.T
    order = np.array([class_index(name) for name in EQUITY_RANKING])
    best = doubled[:, order].cumsum(axis=1) / (2 * showdowns[:, order].cumsum(axis=1))
    shares = np.cumsum(COMBOS[order]) / COMBOS.sum()
    powers = [np.ones(len(order))]
    powers += [whole_column("preflop", f"hs{power}") for power in range(1, MOST_OPPONENTS + 2)]
    stacked = np.stack(powers, axis=1)
    return Preflop(doubled / (2 * showdowns), best, shares, stacked[:, 1:] / stacked[:, :-1])
