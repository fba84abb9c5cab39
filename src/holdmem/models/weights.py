"""Weight tables: how likely each opponent is to have each of the 1,326 holdings, given what it has done."""

import numpy as np
from numpy.typing import NDArray

from holdmem.models.holding_kernels import HOLDINGS_COUNT
from holdmem.models.weight_kernels import fill_weights
from holdmem.rules import SEATS
from holdmem.table import Views


def weight_tables(views: Views, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 10, 1326): the weights of each opponent's holdings at these views, each table adding up to one.

    `chances` are those of `Frequencies.chances`. Holdings are numbered as in `holdmem.cards.HOLDINGS`; seats
    that have folded, empty ones and the own have zeros. Own cards are not taken out: the weights are what
    the others could know of each other. A thousand views take 106 MB.

    The weights are a function of the hand so far and of the chances, so they need no memory of their own
    and are the same in any batch.
    """
    out = np.zeros((len(views), SEATS, HOLDINGS_COUNT))
    fill_weights(views.game.rules_row, np.ascontiguousarray(views.rows), views.history, chances, out)
    return out
