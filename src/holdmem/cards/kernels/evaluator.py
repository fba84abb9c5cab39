"""Compiled kernels of `evaluator`."""

import numpy as np

from holdmem.cards.evaluator_tables import (
    MIXER,
    PLACE_MASK,
    PLACE_SHIFT,
    RANK_KEYS,
    ROW_SHIFT,
    ROWS,
    TABLES,
)
from holdmem.core.jit import kernel

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
    """Write the strength of each holding on one shared board, in blocks as in `strengths_of_seven`."""
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
