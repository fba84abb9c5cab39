"""Compiled kernels of `range_control`."""

import numpy as np

from holdmem.core.jit import kernel


@kernel
def gain_of(equity, own, other, average_pot, printed):
    """Return f for one pair of ranges, given as shares, with equity `equity`."""
    weight = 1.0 if printed else own
    won = equity * (average_pot / 2) + (1 - equity) * (-average_pot / 2)
    return weight * won + (other - own) * -1.0


@kernel
def choose_range(shares, equity, theirs, average_pot, printed):
    """Return the index of the nested range that maximises f against the one with index `theirs`.

    Ties go to the tightest. The maximum is never negative, since f is 0 for the opponent's own range.
    """
    best = 0
    most = gain_of(equity[0, theirs], shares[0], shares[theirs], average_pot, printed)
    for mine in range(1, len(shares)):
        found = gain_of(equity[mine, theirs], shares[mine], shares[theirs], average_pot, printed)
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
