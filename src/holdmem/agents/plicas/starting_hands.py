"""Starting hands: eight classes by all-in equity (table 1), and the rules before the flop (§4.1.1).

Table 1 itself is a figure that the paper's text does not contain; of it are known that class one has
{AA, KK, QQ, JJ, AKs}, that J8o is just playable, and that class eight is not playable. Ours are cut from the
exact ranking by equity against a random hand. Class one is the smallest that has all of the five; J8o is in
class seven.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASSES, class_index
from holdmem.compiled import kernel
from holdmem.strength import EQUITY_RANKING
from holdmem.strength.nested import nested_ranges

FOLDING, CALLING, RAISING = 0, 1, 2
PLAYED = 0.72
"""The share of holdings in classes one to seven, which are played."""
CLASS_ENDS = np.array([0.035, 0.08, 0.15, 0.23, 0.31, 0.40, PLAYED])
"""Where each class ends, as a share of all holdings; what is beyond the last is class eight."""
UNPLAYABLE = len(CLASS_ENDS)
CLOSE = 1e-9  # shares are quotients in doubles

RAISES = np.array(
    [
        (1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.25, 0.0),  # first to act: the small blind opens
        (1.0, 1.0, 0.8, 0.5, 0.3, 0.1, 0.0, 0.0),  # nothing to call: the other one limped
        (1.0, 0.7, 0.4, 0.15, 0.0, 0.0, 0.0, 0.0),  # one raise
        (1.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),  # two raises or more
    ]
)
"""[situation, class]: how often it raises. The rest it calls; class eight folds to any price."""
OPENING, LIMPED, RAISED, RAISED_AGAIN = 0, 1, 2, 3


@kernel
def class_of_share(share, played):
    """The class, from 0, of a hand than which `share` of all holdings are as good or better.

    The classes are stretched or shrunk with the range that is played: what is outside of it is class eight.
    """
    for number in range(len(CLASS_ENDS)):
        if share <= CLASS_ENDS[number] * played / PLAYED + CLOSE:
            return number
    return UNPLAYABLE


@kernel
def before_the_flop(row, number, triple):
    """The triple (fold, call, raise) of a class of starting hands."""
    if row.raises >= 2:
        situation = RAISED_AGAIN
    elif row.raises == 1:
        situation = RAISED
    else:
        situation = OPENING if row.to_call > 0 else LIMPED
    triple[RAISING] = RAISES[situation, number]
    triple[FOLDING] = 1.0 if number == UNPLAYABLE and row.to_call > 0 else 0.0
    triple[CALLING] = 1.0 - triple[RAISING] - triple[FOLDING]


@cache
def starting_classes() -> NDArray[np.int64]:
    """(169,): the class from 1 to 8 of each of the 169 starting hands, in the order of `CLASSES`."""
    found = np.zeros(len(CLASSES), np.int64)
    for name, share in zip(EQUITY_RANKING, nested_ranges().shares.tolist(), strict=True):
        found[class_index(name)] = 1 + class_of_share(share, PLAYED)
    return found
