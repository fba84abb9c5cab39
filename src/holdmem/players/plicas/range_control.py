"""Dynamic Preflop Range Control (§4.1.2): choose the share of hands to play against an opponent.

    f(r_p, r_o, p_avg) = EV · p_avg/2 + (1 - EV) · (-p_avg/2) + (r_o - r_p) · (-1)

Here r_p is our range, r_o the opponent's, EV = EV(r_p, r_o) the equity of r_p against r_o from the exact
matrix of nested ranges, and p_avg the average pot in small blinds. Algorithm 1 takes the r_p that maximises
f.

As printed, f sets the pot of a hand that is played against the cost of folding over all hands, so that once
pots exceed about three small blinds only aces are played. By default, therefore, the two pot terms are
weighted by r_p, the share of hands in which we contest a pot (`weighing="played"`). The paper's formula is
`weighing="printed"`. Neither counts the blinds that a raise wins where the opponent folds; `stealing` adds
them, r_p · (1 - r_o) · 1.5 small blinds.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import AgentError
from holdmem.players.plicas.kernels.range_control import choose_range, gain_of, nearest_range
from holdmem.strength.top_ranges import nested_ranges

Weighing = Literal["played", "printed", "stealing"]
WEIGHINGS: tuple[str, ...] = get_args(Weighing)
"""In the order of their numbers in the kernels."""


def gain(own: float, other: float, average_pot: float, weighing: Weighing = "printed") -> float:
    """Return f(r_p, r_o, p_avg) in small blinds per hand, using the nearest of the 169 nested ranges.

    >>> round(gain(0.5, 0.6, 0.0), 2)  # at no pot the folds alone count: about a tenth of a small blind
    -0.11
    """
    nested = nested_ranges()
    shares = nested.shares.copy()
    mine, theirs = nearest_range(shares, own), nearest_range(shares, other)
    equity = float(nested.equity[mine, theirs])
    return float(gain_of(equity, shares[mine], shares[theirs], average_pot, WEIGHINGS.index(weighing)))


def best_range(other: float, average_pot: float, weighing: Weighing = "played") -> float:
    """Return the range that maximises f against an opponent with range `other` (algorithm 1).

    Ranges are shares of hands played; `average_pot` is in small blinds.
    """
    if weighing not in WEIGHINGS:
        raise AgentError(f"plicas:weighing: expected {', '.join(WEIGHINGS)}, got {weighing!r}")
    shares, equity = range_tables()
    theirs = nearest_range(shares, other)
    return float(shares[choose_range(shares, equity, theirs, average_pot, WEIGHINGS.index(weighing))])


def range_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the shares of the nested ranges, (169,), and the equity of each (row) against each (column)."""
    nested = nested_ranges()
    return nested.shares.copy(), nested.equity.copy()
