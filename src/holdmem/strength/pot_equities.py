"""All-in equity of the seats still in a hand, with all other hole cards dead.

Every hole card of a finished hand is known. The cards that can still come are those that are neither on the
board nor in anybody's hole cards, folded ones included. The mean of the equity over all possible next cards
is the equity before them.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from holdmem.core.types import Floats, Ints
from holdmem.engine.state import BOARD_CARDS
from holdmem.strength.kernels.equity import WHOLE
from holdmem.strength.kernels.pot_equities import board_equities
from holdmem.strength.kernels.preflop_equity import preflop_shares
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, pair_wins

SignedCards = NDArray[np.int8]


def pot_equities(hole: SignedCards, board: SignedCards, inside: Ints, street: int) -> Floats:
    """Return the mean share of a pot that each seat in `inside` wins without further betting, (n, seats).

    `hole` (n, seats, 2) and `board` (n, 5) are complete; only the board cards dealt by `street` are used.
    `inside` (n,) is a bit mask of the seats that can win the pot.
    """
    hole = np.ascontiguousarray(hole)
    if street == 0:
        return _pairs(hole) if hole.shape[1] == 2 else _before_the_flop(hole, inside)
    found = np.empty(hole.shape[:2])
    board_equities(hole, np.ascontiguousarray(board[:, : BOARD_CARDS[street]]), inside, found)
    return found


def _pairs(hole: SignedCards) -> Floats:
    """Look up the preflop equities of two seats in the table."""
    wins = pair_wins(hole.reshape(-1, 4)).astype(np.int64)
    found: Floats = (BOARDS_OF_PAIR + wins - wins[:, ::-1]) / (2 * BOARDS_OF_PAIR)
    return found


def _before_the_flop(hole: SignedCards, inside: Ints) -> Floats:
    """Compute preflop equities for three or more seats, once per distinct deal.

    Duplicate play repeats the same deal in several hands.
    """
    seats = hole.shape[1]
    asked = np.column_stack([hole.reshape(len(hole), 2 * seats), inside & 127, inside >> 7]).astype(np.int8)
    rows = np.ascontiguousarray(asked).view(np.dtype((np.void, asked.shape[1]))).ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    shares = np.empty((len(first), seats), np.int64)
    preflop_shares(np.ascontiguousarray(hole[first]), inside[first], shares)
    found: Floats = (shares / (WHOLE * comb(52 - 2 * seats, 5)))[which]
    return found
