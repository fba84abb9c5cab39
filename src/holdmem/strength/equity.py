"""All-in equity of known hands: the mean share of the pot that each wins over all completions of the board.

    equity = (boards won alone + sum over tied boards of 1 / number of tied hands) / boards

Exact, for two to ten hands on any street. DIVAT's all-in baselines use this equity (Rubin and Watson 2011,
§4.2). Two hands before the flop come from a table (`preflop_equity`); everything else is enumerated board by
board.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.evaluator import checked
from holdmem.cards.notation import BOARD_LENGTHS
from holdmem.core.errors import NotationError
from holdmem.strength.kernels.equity import WHOLE, equities
from holdmem.strength.preflop_equity import BOARDS_OF_PAIR, pair_wins

MOST_PLAYERS = 10


@dataclass(frozen=True, eq=False)
class Equities:
    """Equities as shares from 0 to 1; arrays have one row per situation and one column per hand."""

    equity: NDArray[np.float64]
    """Mean share of the pot, ties split; each row sums to 1."""
    wins: NDArray[np.float64]
    """Share of boards on which the hand wins alone."""
    ties: NDArray[np.float64]
    """Share of boards on which the hand ties for the win."""
    boards: int
    """Number of completions of the board."""


def hand_equities(hands: ArrayLike, boards: ArrayLike | None = None, dead: ArrayLike = ()) -> Equities:
    """Return the equities of `hands` (n, players, 2) on `boards` (n, 0, 3, 4 or 5; None before the flop).

    `dead` cards are removed from the deck in all n situations: they are in no hand and cannot come.

    >>> from holdmem.cards import cards
    >>> hand_equities([[cards("AsAh"), cards("KsKh")]]).equity.round(4).tolist()
    [[0.8264, 0.1736]]
    """
    known, dealt, gone = _situations(hands, boards, dead)
    if known.shape[1] == 2 and not dealt.shape[1] and not len(gone):
        return _from_table(known)
    missing = 5 - dealt.shape[1]
    ways = comb(52 - 2 * known.shape[1] - dealt.shape[1] - len(gone), missing)
    if not ways:
        raise NotationError(f"the board needs {missing} more cards, but fewer are left in the deck")
    wins, ties, shares = (np.zeros(known.shape[:2], np.int64) for _ in range(3))
    equities(known, dealt, gone, wins, ties, shares)
    return Equities(shares / (WHOLE * ways), wins / ways, ties / ways, ways)


def _from_table(hands: NDArray[np.uint8]) -> Equities:
    """Return the equities of two hands before the flop."""
    wins = pair_wins(hands.reshape(-1, 4).astype(np.int8))
    ties = np.repeat(BOARDS_OF_PAIR - wins.sum(axis=1, keepdims=True), 2, axis=1)
    equity = (2 * wins + ties) / (2 * BOARDS_OF_PAIR)
    return Equities(equity, wins / BOARDS_OF_PAIR, ties / BOARDS_OF_PAIR, BOARDS_OF_PAIR)


def _situations(
    hands: ArrayLike, boards: ArrayLike | None, dead: ArrayLike
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return hands, boards and dead cards in the kernel's layout, checked for repeated cards."""
    known = np.asarray(hands)
    if known.ndim != 3 or known.shape[2] != 2 or not 2 <= known.shape[1] <= MOST_PLAYERS:
        raise NotationError(f"expected hands of shape (n, 2 to {MOST_PLAYERS}, 2), got shape {known.shape}")
    n, players, _ = known.shape
    dealt = np.zeros((n, 0), np.uint8) if boards is None else np.asarray(boards)
    if dealt.ndim != 2 or len(dealt) != n or dealt.shape[1] not in BOARD_LENGTHS:
        raise NotationError(f"expected boards of shape ({n}, 0, 3, 4 or 5), got shape {dealt.shape}")
    gone = np.asarray(dead if np.size(dead) else np.zeros(0, np.uint8))
    row = [known.reshape(n, 2 * players), dealt, np.broadcast_to(gone, (n, gone.size))]
    rows = checked(np.hstack(row), "hands, board and dead cards", (sum(part.shape[1] for part in row),))
    split = np.split(rows, [2 * players, 2 * players + dealt.shape[1]], axis=1)
    known, dealt = split[0].reshape(n, players, 2), np.ascontiguousarray(split[1])
    return np.ascontiguousarray(known), dealt, np.ascontiguousarray(gone, dtype=np.uint8)
