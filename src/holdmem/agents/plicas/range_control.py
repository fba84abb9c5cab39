"""Dynamic Preflop Range Control (§4.1.2): choose the share of hands to play against an opponent.

    f(r_p, r_o, p_avg) = EV · p_avg/2 + (1 - EV) · (-p_avg/2) + (r_o - r_p) · (-1)

Here r_p is our range, r_o the opponent's, EV = EV(r_p, r_o) the equity of r_p against r_o from the exact
matrix of nested ranges, and p_avg the average pot in small blinds. Algorithm 1 takes the r_p that maximises
f.

As printed, f sets the pot of a hand that is played against the cost of folding over all hands, so that once
pots exceed about three small blinds only aces are played. By default, therefore, the two pot terms are
weighted by r_p, the share of hands in which we contest a pot (`weighing="played"`). The paper's formula is
`weighing="printed"`.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from holdmem.compiled import kernel
from holdmem.errors import AgentError
from holdmem.strength.nested import nested_ranges

Weighing = Literal["played", "printed"]
WEIGHINGS: tuple[str, ...] = get_args(Weighing)


def gain(own: float, other: float, average_pot: float, weighing: Weighing = "printed") -> float:
    """Return f(r_p, r_o, p_avg) in small blinds per hand, using the nearest of the 169 nested ranges.

    >>> round(gain(0.5, 0.6, 0.0), 2)  # at no pot the folds alone count: about a tenth of a small blind
    -0.11
    """
    nested = nested_ranges()
    shares = nested.shares.copy()
    mine, theirs = nearest_range(shares, own), nearest_range(shares, other)
    equity = float(nested.equity[mine, theirs])
    return float(gain_of(equity, shares[mine], shares[theirs], average_pot, weighing == "printed"))


def best_range(other: float, average_pot: float, weighing: Weighing = "played") -> float:
    """Return the range that maximises f against an opponent with range `other` (algorithm 1).

    Ranges are shares of hands played; `average_pot` is in small blinds.
    """
    if weighing not in WEIGHINGS:
        raise AgentError(f"plicas:weighing: expected {' or '.join(WEIGHINGS)}, got {weighing!r}")
    shares, equity = range_tables()
    theirs = nearest_range(shares, other)
    return float(shares[choose_range(shares, equity, theirs, average_pot, weighing == "printed")])


def range_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the shares of the nested ranges, (169,), and the equity of each (row) against each (column)."""
    nested = nested_ranges()
    return nested.shares.copy(), nested.equity.copy()


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
