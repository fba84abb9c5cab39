"""Kernels for `hand_strength`: evaluate every holding on a board and rank given hands among them.

The deck here is the cards that are not on the board. The holding made of the cards at deck positions a > b
has index a(a - 1)/2 + b.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import CARD_KEYS, FLUSH_BITS, strength_without_flush
from holdmem.core.jit import kernel
from holdmem.strength.kernels.equity import CARD_BITS, strength_of_flush, sums
from holdmem.strength.kernels.equity_by_holding import deck_without

HOLDINGS = 1326


@kernel
def shares_behind(hole, boards, share):
    """Write the share of holdings that each hand of `hole` (n, seats, 2) beats on its board, ties half."""
    strengths = np.empty(HOLDINGS, np.int16)
    deck, place = np.empty(52, np.int64), np.empty(52, np.int64)
    for i in range(len(hole)):
        left = deck_without(boards[i], deck, place)
        all_strengths(boards[i], deck[:left], strengths)
        for seat in range(hole.shape[1]):
            one, other = place[hole[i, seat, 0]], place[hole[i, seat, 1]]
            share[i, seat] = share_behind(one, other, left, strengths)


@kernel
def all_strengths(board, deck, strengths):
    """Evaluate every holding of the deck on a board of three to five cards: first by rank, then flushes."""
    start, bits = sums(board[:2], board[2:])
    keys, size = np.empty(len(deck), np.int64), len(board) + 2
    for a in range(len(deck)):
        keys[a] = CARD_KEYS[deck[a]]
        row, key = a * (a - 1) // 2, start + keys[a]
        for b in range(a):
            strengths[row + b] = strength_without_flush(key + keys[b], size)
        for b in range(a):
            if (key + keys[b]) & FLUSH_BITS:
                drawn = CARD_BITS[deck[a]] | CARD_BITS[deck[b]]
                strengths[row + b] = strength_of_flush(key + keys[b], bits | drawn)


@kernel
def share_behind(one, other, left, strengths):
    """Return the share of the holdings without these two cards that are weaker than theirs, ties half."""
    own = strengths[number(one, other)]
    twice = -1  # cancels the tie with the hand's own holding
    for j in range(left * (left - 1) // 2):
        twice += np.int64(strengths[j] < own) + np.int64(strengths[j] <= own)
    for card in range(left):
        if card not in (one, other):
            for mine in (one, other):
                theirs = strengths[number(mine, card)]
                twice -= np.int64(theirs < own) + np.int64(theirs <= own)
    return twice / ((left - 2) * (left - 3))


@kernel
def number(a, b):
    """Return the index of the holding at two deck positions, given in either order."""
    return max(a, b) * (max(a, b) - 1) // 2 + min(a, b)
