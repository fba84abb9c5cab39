"""Weight tables: probability of each opponent's 1,326 holdings given its actions."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.engine import SEATS
from holdmem.opponents.kernels.holdings import HOLDINGS_COUNT
from holdmem.opponents.kernels.weight_tables import fill_weights


def weight_tables(views: Views, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of each opponent's holdings at these views, of shape (n, 10, 1326).

    The weights of each opponent sum to one; the view's own seat, folded and empty seats have zeros.
    `probabilities` comes from `Frequencies.probabilities`. Holdings are numbered as in
    `holdmem.cards.HOLDINGS`. The viewer's own cards are not removed: the weights are what the other players
    could know about each other. A thousand views take 106 MB.

    The weights depend only on the hand so far and on `probabilities`. They need no state of their own and are
    the same in any batch.
    """
    out = np.zeros((len(views), SEATS, HOLDINGS_COUNT))
    fill_weights(views.game.rules_row, np.ascontiguousarray(views.rows), views.history, probabilities, out)
    return out
