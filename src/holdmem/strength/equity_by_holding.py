"""Equity of known hands against each of the 1,326 holdings.

    equity[i, h] = mean share of the pot that hand i wins against holding h, ties split, over all boards

The equity against a range is the mean of a row weighted by that range.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.classes import HOLDING_OF
from holdmem.cards.evaluator import as_array, checked
from holdmem.cards.notation import BOARD_LENGTHS
from holdmem.core.errors import NotationError
from holdmem.strength.kernels.equity_by_holding import against_each
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, compatible, wins_of_holdings


def equity_against_each(holes: ArrayLike, boards: ArrayLike) -> NDArray[np.float64]:
    """Return the equities (n, 1326) of hands (n, 2) on boards (n, 0, 3, 4 or 5) against every holding.

    Entries are 0 for holdings that share a card with the hand or the board. Before the flop they come from
    the table of all pairs; hands on equal boards are enumerated together.
    """
    hands, dealt = as_array(holes), as_array(boards)
    if hands.ndim != 2 or hands.shape[1:] != (2,) or dealt.ndim != 2 or len(dealt) != len(hands):
        raise NotationError(
            f"expected hands (n, 2) and one board per hand, got shapes {hands.shape} and {dealt.shape}"
        )
    if dealt.shape[1] not in BOARD_LENGTHS:
        raise NotationError(f"expected boards of 0, 3, 4 or 5 cards, got {dealt.shape[1]}")
    rows = checked(np.hstack([hands, dealt.astype(hands.dtype)]), "a hand and a board", (2 + dealt.shape[1],))
    if dealt.shape[1] == 0:
        return _before_the_flop(rows)
    found = np.empty((len(rows), len(compatible())))
    distinct, group = np.unique(np.sort(rows[:, 2:], axis=1), axis=0, return_inverse=True)
    order = np.argsort(group.reshape(-1), kind="stable")
    first = np.searchsorted(group.reshape(-1)[order], np.arange(len(distinct) + 1))
    in_order = np.empty_like(found)
    against_each(distinct, first, np.ascontiguousarray(rows[order, :2]), in_order)
    found[order] = in_order
    return found


def _before_the_flop(hands: NDArray[np.uint8]) -> NDArray[np.float64]:
    own = HOLDING_OF[hands[:, 0], hands[:, 1]]
    wins, losses = wins_of_holdings()[own].astype(np.int64), wins_of_holdings()[:, own].T
    shares: NDArray[np.float64] = (BOARDS_OF_PAIR + wins - losses) / (2 * BOARDS_OF_PAIR)
    return np.where(compatible()[own], shares, 0.0)
