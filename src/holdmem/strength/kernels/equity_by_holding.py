"""Compiled kernels of `equity_by_holding`: hands on one board against every holding of an opponent.

The cards not on the board form a deck in rising order; the holding at positions a > b of the deck has the
number a(a - 1)/2 + b. Hands on one board share its showdowns: every holding is ranked once for all of them.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import (
    CARD_KEYS,
    FLUSH_BITS,
    FLUSHES,
    TWO_OF_EACH_SUIT,
    flush_suit,
    ranks_of_suit,
    strength_without_flush,
    total_of,
)
from holdmem.core.jit import kernel
from holdmem.strength.kernels.equity import next_choice

BLOCKED = np.uint16(65535)  # above every strength: no hand beats or ties a holding that the board blocks
PAIRS = 1176  # holdings from the 49 cards not on the flop


@kernel
def against_each(boards, first, holes, equity):
    """Write the equity of each hand against each holding, over all completions of its board.

    Hands `first[g]` to `first[g + 1]` are on board g, of three to five cards. Rows of `equity` (hands, 1326)
    are set to 0 for holdings that contain a card of the board or of the hand.
    """
    to_come = 5 - boards.shape[1]
    full, deck, place = np.empty(5, np.uint8), np.empty(52, np.int64), np.empty(52, np.int64)
    strengths = np.empty(PAIRS, np.uint16)
    most = 0
    for g in range(len(boards)):
        most = max(most, first[g + 1] - first[g])
    points = np.empty((most, PAIRS), np.uint16)
    places = np.empty(to_come, np.int64)
    for g in range(len(boards)):
        hands = holes[first[g] : first[g + 1]]
        left = deck_without(boards[g], deck, place)
        full[: 5 - to_come] = boards[g]
        points[:] = 0
        places[:] = np.arange(to_come)
        more = True
        while more:
            for i in range(to_come):
                full[5 - to_come + i] = deck[places[i]]
            rank_pairs(full, deck[:left], places, strengths)
            for k in range(len(hands)):
                own = strengths[pair(place[hands[k, 0]], place[hands[k, 1]])]
                if own != BLOCKED:
                    add_points(strengths[: left * (left - 1) // 2], own, points[k])
            more = next_choice(places, left)
        for k in range(len(hands)):
            shares_of_points(points[k], deck[:left], to_come, hands[k], equity[first[g] + k])


@kernel
def deck_without(board, deck, place):
    """Write the cards not on a board to `deck` and their positions to `place`; return their number."""
    place[:] = 0
    for card in board:
        place[card] = -1
    left = 0
    for card in range(52):
        if place[card] >= 0:
            deck[left], place[card] = card, left
            left += 1
    return left


@kernel
def pair(a, b):
    """Number of the holding at two positions of the deck."""
    return max(a, b) * (max(a, b) - 1) // 2 + min(a, b)


@kernel
def rank_pairs(board, deck, drawn, strengths):
    """Write the strength of every holding on a board of five; `drawn` are the positions of its last cards."""
    start = total_of(board)
    suited = start + TWO_OF_EACH_SUIT
    suit = flush_suit(suited) if suited & FLUSH_BITS else -1
    ranks = ranks_of_suit(board, suit)
    size = len(deck)
    keys, of_suit = np.empty(size, np.int64), np.zeros(size, np.int64)
    for a in range(size):
        keys[a] = CARD_KEYS[deck[a]]
        if deck[a] & 3 == suit:
            of_suit[a] = 1 << (deck[a] >> 2)
    for a in range(size):
        row, begin = a * (a - 1) // 2, 0
        if a in drawn:
            strengths[row : row + a] = BLOCKED
        else:
            for i in range(len(drawn) + 1):  # one run between each two drawn cards
                end = min(drawn[i], a) if i < len(drawn) else a
                rank_run(start + keys[a], keys, begin, end, strengths[row : row + a])
                if begin <= end < a:
                    strengths[row + end] = BLOCKED
                begin = end + 1
            if suit >= 0:
                rank_flushes(start + keys[a], keys, ranks | of_suit[a], of_suit, strengths[row : row + a])


@kernel
def rank_run(total, keys, begin, end, strengths):
    """Write the strengths, ignoring flushes, for the second card at positions `begin` to before `end`."""
    for b in range(begin, end):
        strengths[b] = strength_without_flush(total + keys[b], 7)


@kernel
def rank_flushes(total, keys, ranks, of_suit, strengths):
    """Overwrite the strengths of holdings that make a flush."""
    for b in range(len(strengths)):
        if strengths[b] != BLOCKED and (total + keys[b]) & FLUSH_BITS:
            strengths[b] = FLUSHES[ranks | of_suit[b]]


@kernel
def add_points(strengths, own, points):
    """Add two points for every holding beaten and one for every holding tied."""
    for j in range(len(strengths)):
        points[j] += np.uint16(1) if strengths[j] < own else np.uint16(0)
        points[j] += np.uint16(1) if strengths[j] <= own else np.uint16(0)


@kernel
def shares_of_points(points, deck, to_come, hand, equity):
    """Convert points by deck position to equities by holding, over the boards compatible with both hands."""
    left = len(deck) - 4
    boards = 1 if to_come == 0 else left if to_come == 1 else left * (left - 1) // 2
    equity[:] = 0
    for a in range(len(deck)):
        high = deck[a]
        if high not in (hand[0], hand[1]):
            for b in range(a):
                if deck[b] not in (hand[0], hand[1]):
                    equity[high * (high - 1) // 2 + deck[b]] = points[a * (a - 1) // 2 + b] / (2 * boards)
