"""Compiled kernels of `range_control`."""

import numpy as np

from holdmem.core.jit import kernel

PLAYED, PRINTED, STEALING = 0, 1, 2
BLIND = 1.5
"""Small blinds that a fold of the opponent wins: one from its small blind, two from its big blind."""


@kernel
def gain_of(equity, own, other, average_pot, weighing):
    """Return f for one pair of ranges, given as shares, with equity `equity`, by one of three weighings."""
    weight = 1.0 if weighing == PRINTED else own
    won = equity * (average_pot / 2) + (1 - equity) * (-average_pot / 2)
    stolen = own * (1 - other) * BLIND if weighing == STEALING else 0.0
    return weight * won + (other - own) * -1.0 + stolen


@kernel
def choose_range(shares, equity, theirs, average_pot, weighing):
    """Return the index of the nested range that maximises f against the one with index `theirs`.

    Ties go to the tightest. The maximum is never negative: for the opponent's own range f is at least 0.
    """
    best = 0
    most = gain_of(equity[0, theirs], shares[0], shares[theirs], average_pot, weighing)
    for mine in range(1, len(shares)):
        found = gain_of(equity[mine, theirs], shares[mine], shares[theirs], average_pot, weighing)
        if found > most:
            best, most = mine, found
    return best


@kernel
def nearest_range(shares, share):
    """Return the index of the nested range whose share of holdings is nearest; ties go to the wider one."""
    above = min(np.searchsorted(shares, share), len(shares) - 1)
    if above > 0 and share - shares[above - 1] < shares[above] - share:
        return above - 1
    return above
