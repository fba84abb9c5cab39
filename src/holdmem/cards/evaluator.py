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
    MIXER,
    PLACE_MASK,
    PLACE_SHIFT,
    RANK_KEYS,
    ROW_SHIFT,
    ROWS,
    TABLES,
)
from holdmem.cards.notation import BOARD_LENGTHS, names
from holdmem.compiled import kernel
from holdmem.errors import NotationError

with np.load(TABLES) as _tables:
    SHIFTS, UNSUITED, FLUSHES = _tables["shifts"].ravel(), _tables["unsuited"], _tables["flushes"]
    FIRST_OF_CATEGORY = _tables["first_of_category"]

SUIT_SHIFT = 32  # bits from here on hold the suit counts, four bits per suit
NO_CARDS = 0x3333 << SUIT_SHIFT  # counts start at three, so that the fifth card of a suit sets the fourth bit
FLUSH_BITS = 0x8888 << SUIT_SHIFT
TWO_OF_EACH_SUIT = 0x2222 << SUIT_SHIFT  # exceeds any holding: no flush with these means no flush at all
SUM_MASK = (1 << SUIT_SHIFT) - 1
BLOCK = 256
CARD_KEYS = np.array([RANK_KEYS[c // 4] + (1 << SUIT_SHIFT + 4 * (c % 4)) for c in range(52)], dtype=np.int64)


@kernel
def strength_without_flush(total, size):
    """Strength of `size` cards, no five of one suit, from the sum of their keys."""
    mixed = ((total & SUM_MASK) * MIXER) & 0xFFFFFFFF
    place = (mixed >> PLACE_SHIFT) & PLACE_MASK
    row = np.uint64(
        (size - 5) * ROWS + (mixed >> ROW_SHIFT)
    )  # unsigned: avoids the check for a negative index
    return UNSUITED[np.uint64(SHIFTS[row] + place)]


@kernel
def flush_suit(total):
    """Suit of which the sum counts five or more cards; such a suit must exist."""
    bits = total >> (SUIT_SHIFT + 3)  # one of the bits 0, 4, 8, 12 is set; a loop would mispredict branches
    return ((bits >> 4) & 1) + 2 * ((bits >> 8) & 1) + 3 * ((bits >> 12) & 1)


@kernel
def ranks_of_suit(cards, suit):
    """Ranks of the cards of one suit, as a 13-bit mask."""
    mask = 0
    for card in cards:
        mask |= (1 << np.int64(card >> 2)) * ((card & 3) == suit)
    return mask


@kernel
def strength(cards):
    """Strength of five, six or seven distinct cards."""
    total = NO_CARDS
    for card in cards:
        total += CARD_KEYS[card]
    if total & FLUSH_BITS:
        return FLUSHES[ranks_of_suit(cards, flush_suit(total))]
    return strength_without_flush(total, len(cards))


@kernel
def strengths_of_seven(hands, out):
    """Strength of each row of seven cards.

    Works in blocks of three passes: sums, table look-ups, then the few flushes.
    """
    totals = np.empty(BLOCK, dtype=np.int64)
    for start in range(0, len(hands), BLOCK):
        size = min(BLOCK, len(hands) - start)
        for i in range(size):
            h = hands[start + i]
            low = CARD_KEYS[h[0]] + CARD_KEYS[h[1]] + CARD_KEYS[h[2]] + CARD_KEYS[h[3]]
            totals[i] = low + CARD_KEYS[h[4]] + CARD_KEYS[h[5]] + CARD_KEYS[h[6]] + NO_CARDS
        for i in range(size):
            out[start + i] = strength_without_flush(totals[i], 7)
        for i in range(size):
            if totals[i] & FLUSH_BITS:
                out[start + i] = FLUSHES[ranks_of_suit(hands[start + i], flush_suit(totals[i]))]


@kernel
def strengths(hands, out):
    """Strength of each row of five, six or seven cards."""
    for i in range(len(hands)):
        out[i] = strength(hands[i])


@kernel
def total_of(board):
    """Sum of the keys of a board, to which the keys of a holding are added."""
    total = NO_CARDS
    for card in board:
        total += CARD_KEYS[card]
    return total


@kernel
def strength_with(board, start, holding):
    """Strength of a holding on a board of three to five cards whose keys add up to `start`."""
    total = start + CARD_KEYS[holding[0]] + CARD_KEYS[holding[1]]
    if total & FLUSH_BITS:
        suit = flush_suit(total)
        return FLUSHES[ranks_of_suit(board, suit) | ranks_of_suit(holding, suit)]
    return strength_without_flush(total, len(board) + 2)


@kernel
def strengths_on_board(board, holdings, out):
    """Strength of each holding on one shared board, in blocks of passes as in `strengths_of_seven`."""
    board_total, cards = total_of(board), len(board) + 2
    best_suited = board_total + TWO_OF_EACH_SUIT
    flush_possible = best_suited & FLUSH_BITS
    suit = flush_suit(best_suited) if flush_possible else 0
    ranks = ranks_of_suit(board, suit)
    totals = np.empty(BLOCK, dtype=np.int64)
    for start in range(0, len(holdings), BLOCK):
        size = min(BLOCK, len(holdings) - start)
        for i in range(size):
            h = holdings[start + i]
            totals[i] = board_total + CARD_KEYS[h[0]] + CARD_KEYS[h[1]]
        for i in range(size):
            out[start + i] = strength_without_flush(totals[i], cards)
        if flush_possible:
            for i in range(size):
                if totals[i] & FLUSH_BITS:
                    out[start + i] = FLUSHES[ranks | ranks_of_suit(holdings[start + i], suit)]


def evaluate(cards: ArrayLike) -> NDArray[np.uint16]:
    """Return the strength of each row of `cards` (n, 5 to 7), 1 to 7462, larger is better.

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


@kernel
def first_double(rows):
    """Index of the first row that contains a card twice, or -1."""
    for i in range(len(rows)):
        seen = 0
        for card in rows[i]:
            bit = 1 << np.int64(card)
            if seen & bit:
                return i
            seen |= bit
    return -1


def category(strength: int) -> str:
    """Return the hand category of a strength: `category(7462)` is "straight flush"."""
    if not 1 <= strength <= 7462:
        raise NotationError(f"expected a strength from 1 to 7462, got {strength}")
    return CATEGORIES[int(np.searchsorted(FIRST_OF_CATEGORY, strength, side="right")) - 1]
