"""Dynamic Preflop Range Control (§4.1.2): how many hands to play against this opponent at these pots.

    f(r_p, r_o, p_avg) = EV · p_avg/2 + (1 - EV) · (-p_avg/2) + (r_o - r_p) · (-1)

with EV = EV(r_p, r_o), the mean part of the pot of the range r_p against r_o, from the exact matrix of nested
ranges, and p_avg in small blinds. Algorithm 1 takes the r_p with the greatest f.

As printed, f weighs the pot of a hand that is played against the folds of all hands, so that nothing but aces
is ever played once pots are larger than some three small blinds. So by default the two addends of the pot are
weighted by r_p, the share of hands in which there is a pot for us to win: `weighing="played"`. The formula of
the paper is `weighing="printed"`.
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
    """f(r_p, r_o, p_avg) in small blinds a hand; ranges are taken as the nearest of the 169 nested ones.

    >>> round(gain(0.5, 0.6, 0.0), 2)  # at no pot the folds alone count: about a tenth of a small blind
    -0.11
    """
    nested = nested_ranges()
    shares = nested.shares.copy()
    mine, theirs = nearest_range(shares, own), nearest_range(shares, other)
    equity = float(nested.equity[mine, theirs])
    return float(gain_of(equity, shares[mine], shares[theirs], average_pot, weighing == "printed"))


def best_range(other: float, average_pot: float, weighing: Weighing = "played") -> float:
    """Algorithm 1: the range with the greatest f against one that plays a share `other` of its hands."""
    if weighing not in WEIGHINGS:
        raise AgentError(f"plicas:weighing: expected {' or '.join(WEIGHINGS)}, got {weighing!r}")
    shares, equity = range_tables()
    theirs = nearest_range(shares, other)
    return float(shares[choose_range(shares, equity, theirs, average_pot, weighing == "printed")])


def range_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The shares of the nested ranges, and the equity of each (rows) against each."""
    nested = nested_ranges()
    return nested.shares.copy(), nested.equity.copy()


@kernel
def gain_of(equity, own, other, average_pot, printed):
    """f for one pair of ranges."""
    weight = 1.0 if printed else own
    won = equity * (average_pot / 2) + (1 - equity) * (-average_pot / 2)
    return weight * won + (other - own) * -1.0


@kernel
def choose_range(shares, equity, theirs, average_pot, printed):
    """The number of the nested range with the greatest f against the one numbered `theirs`.

    Of equal ones the tightest; f of the opponent's own range is 0, so that the greatest is never below.
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
    """The number of the nested range whose share of holdings is nearest to this one."""
    above = min(np.searchsorted(shares, share), len(shares) - 1)
    if above > 0 and share - shares[above - 1] < shares[above] - share:
        return above - 1
    return above
