"""Exact strength of five, six or seven cards: 1 (seven-high) to 7462 (royal flush), equal for ties.

Every card contributes a key to a sum: its rank's key in the low bits and a count for its suit in the high
bits. Five cards of a suit show up in the high bits; otherwise the low bits are looked up (see
`evaluator_tables`). Interfaces are batched; `evaluate` and `evaluate_board` validate their input once,
kernels trust it.
"""

import reprlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.evaluator_tables import (
    CATEGORIES,
)
from holdmem.cards.kernels.evaluator import (
    FIRST_OF_CATEGORY,
    first_double,
    strengths,
    strengths_of_seven,
    strengths_on_board,
)
from holdmem.cards.notation import BOARD_LENGTHS, names
from holdmem.core.errors import NotationError


def evaluate(cards: ArrayLike) -> NDArray[np.uint16]:
    """Return the strength of poker hands.

    Parameters
    ----------
    cards : cards from 0 to 51, shape (n, 5, 6 or 7).

    Returns
    -------
    strengths : 1 to 7462 for each row, larger is better.

    Raises
    ------
    NotationError : the shape is different, or a row has a card twice.

    Examples
    --------
    >>> evaluate([[48, 44, 40, 36, 32, 0, 5]]).item()  # a royal flush
    7462
    """
    hands = checked(cards, "hands of 5, 6 or 7 cards", (5, 6, 7))
    out = np.empty(len(hands), dtype=np.uint16)
    (strengths_of_seven if hands.shape[1] == 7 else strengths)(hands, out)
    return out


def evaluate_board(board: ArrayLike, holdings: ArrayLike) -> NDArray[np.uint16]:
    """Return the strength of each of `holdings` (n, 2) on one board of three, four or five cards."""
    shared = checked(np.atleast_2d(as_array(board)), "a board of 3, 4 or 5 cards", BOARD_LENGTHS[1:])
    if len(shared) != 1:
        raise NotationError(f"expected one board, got {len(shared)}")
    pairs = checked(holdings, "holdings of 2 cards", (2,))
    clash = np.isin(pairs, shared[0])
    if clash.any():
        raise NotationError(
            f"holding {names(pairs[clash.any(axis=1)][0].tolist())} contains a card of the board"
            f" {names(shared[0].tolist())}"
        )
    out = np.empty(len(pairs), dtype=np.uint16)
    strengths_on_board(shared[0], pairs, out)
    return out


def as_array(numbers: ArrayLike) -> NDArray[Any]:
    """Convert to an array; raise NotationError for rows of different lengths, which numpy cannot hold."""
    try:
        return np.asarray(numbers)
    except ValueError:
        raise NotationError(f"expected rows of the same length, got {reprlib.repr(numbers)}") from None


def checked(cards: ArrayLike, what: str, sizes: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return the cards as uint8 rows, checked to be `what`: all in the deck, no card twice in a row."""
    rows = as_array(cards)
    if rows.ndim != 2 or rows.shape[1] not in sizes or rows.dtype.kind not in "iu":
        raise NotationError(f"expected {what} as rows of ints, got {rows.dtype} of shape {rows.shape}")
    if rows.size and (rows.min() < 0 or rows.max() > 51):
        raise NotationError(f"expected cards from 0 to 51, got {rows[(rows < 0) | (rows > 51)][0]}")
    rows = np.ascontiguousarray(rows, dtype=np.uint8)
    double = first_double(rows)
    if double >= 0:
        raise NotationError(f"expected each card once, got {names(rows[double].tolist())} in row {double}")
    return rows


def category(strength: int) -> str:
    """Return the hand category of a strength: `category(7462)` is "straight flush"."""
    if not 1 <= strength <= 7462:
        raise NotationError(f"expected a strength from 1 to 7462, got {strength}")
    return CATEGORIES[int(np.searchsorted(FIRST_OF_CATEGORY, strength, side="right")) - 1]
