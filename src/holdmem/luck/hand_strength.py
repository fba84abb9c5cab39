"""Hand strength for the bet-for-value baseline: the share of all other hands that a hand is ahead of."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS, HOLDING_OF
from holdmem.luck.hand_strength_kernels import shares_behind
from holdmem.rules.state import BOARD_CARDS
from holdmem.strength.ranking import EQUITY_RANK

Floats = NDArray[np.float64]


def strengths(hole: NDArray[np.int8], board: NDArray[np.int8], street: int) -> Floats:
    """(n, seats): how strong each of `hole` (n, seats, 2) is on `street`, from 0 to 1.

    On flop, turn and river it is the share of all other holdings that are behind on the board as it lies,
    ties half. Before the flop it is the share behind in the order of all-in equity against a random hand. So
    it is even over (0, 1) for a random hand, which the thresholds of the baseline need; on the river it is
    the all-in equity against a random hand.
    """
    if street == 0:
        return _preflop()[HOLDING_OF[hole[..., 0], hole[..., 1]]]
    found = np.empty(hole.shape[:2])
    shares_behind(np.ascontiguousarray(hole), np.ascontiguousarray(board[:, : BOARD_CARDS[street]]), found)
    return found


@cache
def _preflop() -> Floats:
    """(1326,): the share of holdings of a worse class, and half of those of the same."""
    combos = COMBOS.astype(np.float64)
    worse = (EQUITY_RANK[None, :] > EQUITY_RANK[:, None]) @ combos
    found: Floats = ((worse + combos / 2) / combos.sum())[CLASS_OF_HOLDING]
    return found
