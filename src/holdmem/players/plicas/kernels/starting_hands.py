"""Compiled kernels of `starting_hands`."""

import numpy as np

from holdmem.core.jit import kernel

FOLDING, CALLING, RAISING = 0, 1, 2
PLAYED = 0.72
"""Share of holdings in classes one to seven, the playable ones."""
CLASS_ENDS = np.array([0.035, 0.08, 0.15, 0.23, 0.31, 0.40, PLAYED])
"""Upper end of classes one to seven as shares of all holdings; the rest is class eight."""
UNPLAYABLE = len(CLASS_ENDS)
CLOSE = 1e-9  # tolerance for rounding: shares are floating-point quotients
RAISES = np.array(
    [
        (1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.25, 0.0),  # first to act: the small blind opens
        (1.0, 1.0, 0.8, 0.5, 0.3, 0.1, 0.0, 0.0),  # nothing to call: the opponent limped
        (1.0, 0.7, 0.4, 0.15, 0.0, 0.0, 0.0, 0.0),  # one raise
        (1.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),  # two raises or more
    ]
)
"""Probability of raising by situation and class; otherwise it calls. Class eight folds to any bet."""
OPENING, LIMPED, RAISED, RAISED_AGAIN = 0, 1, 2, 3


@kernel
def class_of_share(share, played):
    """Return the class, counted from 0, of a hand; `share` of all holdings are as good or better.

    The classes scale with the share of hands `played`, so that class eight is everything outside the range.
    """
    for number in range(len(CLASS_ENDS)):
        if share <= CLASS_ENDS[number] * played / PLAYED + CLOSE:
            return number
    return UNPLAYABLE


@kernel
def before_the_flop(row, number, triple):
    """Set the preflop triple (fold, call, raise) of a class of starting hands."""
    if row.raises >= 2:
        situation = RAISED_AGAIN
    elif row.raises == 1:
        situation = RAISED
    else:
        situation = OPENING if row.to_call > 0 else LIMPED
    triple[RAISING] = RAISES[situation, number]
    triple[FOLDING] = 1.0 if number == UNPLAYABLE and row.to_call > 0 else 0.0
    triple[CALLING] = 1.0 - triple[RAISING] - triple[FOLDING]
