"""Kernels: the strength class of each of the 1,326 holdings on a board."""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.jit import kernel
from holdmem.opponents.kernels.holdings import describe, outs
from holdmem.strength.kernels.card_kinds import KINDS, LEFT, PLACES, place_of
from holdmem.strength.kernels.enumerate_board import rank_kinds

PREFLOP = 169
CUTS = np.array([0.2, 0.35, 0.5, 0.62, 0.72, 0.8, 0.86, 0.91, 0.95, 0.98])
"""Hand strength (share of holdings beaten now, ties by half) at which a new class begins."""
MADE = len(CUTS) + 1
DRAWS = 3
POSTFLOP = MADE + DRAWS
"""After the flop: eleven classes of hand strength, and three of draws among the weaker ones."""
DEAD = 255
"""Class of a holding that contains a card of the board."""
STRONG_DRAW, WEAK_DRAW = 8, 4
HOLDING_COUNT = len(HOLDINGS)
CARDS = HOLDINGS.astype(np.uint8)


@kernel
def class_of_strength(strength, out_cards):
    """Class of a hand strength and a number of outs on a board."""
    if out_cards >= STRONG_DRAW and strength < CUTS[6]:
        return MADE + (strength >= CUTS[2])
    if out_cards >= WEAK_DRAW and strength < CUTS[3]:
        return MADE + 2
    found = 0
    while found < len(CUTS) and strength >= CUTS[found]:
        found += 1
    return found


@kernel
def classes_on_boards(boards, out):
    """Write the class of all holdings on each board (-1 for cards to come)."""
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    scores, order = np.empty((PLACES, PLACES)), np.empty((PLACES, PLACES), np.int64)
    suits = np.empty(4, np.int64)
    on_board = np.zeros(52, np.bool_)
    for i in range(len(boards)):
        cards = 5
        while boards[i, cards - 1] < 0:
            cards -= 1
        board = boards[i, :cards]
        ranks = describe(board, suits)
        rank_kinds(board, left[0], kinds[0], scores, order)
        on_board[:] = False
        for card in board:
            on_board[card] = True
        for h in range(HOLDING_COUNT):
            low, high = np.int64(HOLDINGS[h, 0]), np.int64(HOLDINGS[h, 1])
            if on_board[low] or on_board[high]:
                out[i, h] = DEAD
            else:
                place = place_of(low, kinds[0].suit), place_of(high, kinds[0].suit)
                hope = outs(low, high, ranks, suits) if cards < 5 else 0
                out[i, h] = class_of_strength(scores[place], hope)


@kernel
def strengths_of_holdings(board, out):
    """Write the strength of each of the 1,326 holdings on a full board.

    Entries of holdings that share a card with the board are meaningless.
    """
    strengths_on_board(board, CARDS, out)
