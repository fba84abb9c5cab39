"""Preflop equities against ranges: exact equities of the 169 classes, as arrays for kernels."""

from functools import cache
from typing import NamedTuple

import numpy as np

from holdmem.cards.classes import COMBOS, class_index
from holdmem.core.types import Floats
from holdmem.strength import EQUITY_RANKING, whole_column
from holdmem.strength.preflop_equity import class_sums

MOST_OPPONENTS = 9


class PreflopTables(NamedTuple):
    """Tables indexed by class, in the order of `CLASSES`."""

    against: Floats
    """Equity of one class against another, of shape (169, 169)."""
    against_best: Floats
    """Equity of class c against the range of the best j + 1 classes by equity, of shape (169, 169)."""
    shares: Floats
    """Share of all holdings that belong to the best j + 1 classes, of shape (169,)."""
    one_more: Floats
    """Probability of beating one more random hand after k, E[HS^(k+1)] / E[HS^k], of shape (169, 10)."""


@cache
def preflop_tables() -> PreflopTables:
    """Return the tables; computed once per process, in about a second."""
    wins, showdowns = (sums.astype(np.float64) for sums in class_sums())
    doubled = wins + showdowns - wins.T
    order = np.array([class_index(name) for name in EQUITY_RANKING])
    best = doubled[:, order].cumsum(axis=1) / (2 * showdowns[:, order].cumsum(axis=1))
    shares = np.cumsum(COMBOS[order]) / COMBOS.sum()
    powers = [np.ones(len(order))]
    powers += [whole_column("preflop", f"hs{power}") for power in range(1, MOST_OPPONENTS + 2)]
    stacked = np.stack(powers, axis=1)
    return PreflopTables(doubled / (2 * showdowns), best, shares, stacked[:, 1:] / stacked[:, :-1])
