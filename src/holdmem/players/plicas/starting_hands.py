"""Starting hands: eight classes by all-in equity (table 1) and the preflop rules (§4.1.1).

Table 1 is an image missing from the paper's text. Known are only that class one contains {AA, KK, QQ, JJ,
AKs}, that J8o is just playable, and that class eight is not playable. The classes here are cut from the exact
ranking by equity against a random holding. Class one is the smallest that contains all five hands; J8o is in
class seven.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASSES, class_index
from holdmem.players.plicas.kernels.starting_hands import PLAYED, class_of_share
from holdmem.strength import EQUITY_RANKING
from holdmem.strength.top_ranges import nested_ranges


@cache
def starting_classes() -> NDArray[np.int64]:
    """Return the class, from 1 to 8, of each of the 169 starting hands in the order of `CLASSES`."""
    found = np.zeros(len(CLASSES), np.int64)
    for name, share in zip(EQUITY_RANKING, nested_ranges().shares.tolist(), strict=True):
        found[class_index(name)] = 1 + class_of_share(share, PLAYED)
    return found
