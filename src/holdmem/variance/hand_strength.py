"""Hand strength for the bet-for-value baseline: the share of all other holdings that a hand beats."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS, HOLDING_OF
from holdmem.core.types import Floats
from holdmem.engine.state import BOARD_CARDS
from holdmem.strength.ranking import EQUITY_RANK
from holdmem.variance.kernels.hand_strength import shares_behind


def strengths(hole: NDArray[np.int8], board: NDArray[np.int8], street: int) -> Floats:
    """Return the strength, from 0 to 1, of each of `hole` (n, seats, 2) on `street`, of shape (n, seats).

    On the flop, turn and river it is the share of all other holdings that are behind on the current board,
    ties counting half. Before the flop it is the share of holdings ranked lower by all-in equity against a
    random hand. The strength of a random hand is therefore uniform over (0, 1), as the thresholds of the
    baseline require. On the river it equals the all-in equity against a random hand.
    """
    if street == 0:
        return _preflop()[HOLDING_OF[hole[..., 0], hole[..., 1]]]
    found = np.empty(hole.shape[:2])
    shares_behind(np.ascontiguousarray(hole), np.ascontiguousarray(board[:, : BOARD_CARDS[street]]), found)
    return found


@cache
def _preflop() -> Floats:
    """Share of holdings in a worse class plus half the share in its own, for each of the 1,326."""
    combos = COMBOS.astype(np.float64)
    worse = (EQUITY_RANK[None, :] > EQUITY_RANK[:, None]) @ combos
    found: Floats = ((worse + combos / 2) / combos.sum())[CLASS_OF_HOLDING]
    return found
