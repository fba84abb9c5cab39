"""Kernels: the strength of each of the 1,326 holdings from the point of view of the player who has it.

After the flop the strength of a holding is IHS + (1 - IHS) · PPOT (Rubin 2007, equation 3.5). IHS is exact.
PPOT is approximated by the share of unseen cards that complete a flush or a straight (at most 15 of 47),
because the exact potential of all holdings takes milliseconds and every decision needs it. Before the flop
the strength is the share of holdings with a lower equity against a random hand.
"""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.cards.kernels.evaluator import strength_with
from holdmem.cards.kernels.straights import STRAIGHT_OUTS
from holdmem.core.jit import kernel
from holdmem.strength.kernels.bucket_cuts import equal_width_bucket
from holdmem.strength.kernels.card_kinds import KINDS, LEFT, PLACES, holdings_of, place_of, strength_of_kinds
from holdmem.strength.kernels.enumerate_board import rank_kinds
from holdmem.strength.kernels.enumerate_hand import meet_rivals
from holdmem.strength.ranking import share_ranked_below

LEVELS = 256
"""Number of levels into which strengths from 0 to 1 are quantised."""
HOLDINGS_COUNT = len(HOLDINGS)
DEAD = LEVELS
"""Level of an impossible holding, one that contains a card of the board."""
FLUSH_OUTS, MOST_OUTS, UNSEEN = 9, 15, 47


PREFLOP_LEVELS = (share_ranked_below() * LEVELS).astype(np.uint16)


@kernel
def level_of(strength):
    """Return the level of a strength from 0 to 1."""
    return equal_width_bucket(strength, LEVELS)


@kernel
def outs(low, high, ranks, suits):
    """Approximate the number of unseen cards that complete a flush or straight on a flop or turn.

    `ranks` is a bit mask of the board's ranks, `suits` its number of cards per suit. Straights that the board
    offers to everybody do not count.
    """
    found = 0
    same = (low & 3) == (high & 3)
    if suits[low & 3] + 1 + same == 4 or suits[high & 3] + 1 + same == 4:
        found = FLUSH_OUTS
    bits = STRAIGHT_OUTS[ranks | (1 << np.int64(low >> 2)) | (1 << np.int64(high >> 2))]
    bits &= ~STRAIGHT_OUTS[ranks]
    while bits:
        bits &= bits - 1
        found += 4
    return min(found, MOST_OUTS)


@kernel
def describe(board, suits):
    """Return the ranks of a board as a bit mask and write its number of cards per suit into `suits`."""
    suits[:] = 0
    ranks = 0
    for card in board:
        suits[card & 3] += 1
        ranks |= 1 << np.int64(card >> 2)
    return ranks


@kernel
def effective(ihs, outs, cards):
    """IHS + (1 - IHS) · PPOT on a board of `cards` cards; on the river there is no potential."""
    return ihs if cards == 5 else ihs + (1 - ihs) * outs / UNSEEN


@kernel
def rank_holdings(board, levels, places):
    """Write the strength level and the rank of every holding on a board.

    Ranks in `places` go from the weakest up, equal for equal hands. Holdings that contain a card of the board
    get level DEAD and rank -1.
    """
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    scores, order = np.empty((PLACES, PLACES)), np.empty((PLACES, PLACES), np.int64)
    suits = np.empty(4, np.int64)
    ranks = describe(board, suits)
    rank_kinds(board, left[0], kinds[0], scores, order)
    on_board = np.zeros(52, np.bool_)
    on_board[board] = True
    suit = kinds[0].suit
    for h in range(HOLDINGS_COUNT):
        low, high = np.int64(HOLDINGS[h, 0]), np.int64(HOLDINGS[h, 1])
        if on_board[low] or on_board[high]:
            levels[h] = DEAD
            places[h] = -1
        else:
            place = place_of(low, suit), place_of(high, suit)
            strength = effective(scores[place], outs(low, high, ranks, suits), len(board))
            levels[h] = level_of(strength)
            places[h] = order[place]


@kernel
def strength_of_one(hole, board, left, kinds, suits):
    """Return the strength of a single holding in a few hundred nanoseconds; `left` to `suits` are scratch.

    IHS is taken over the holdings that a rival can have given these hole cards.
    """
    meet_rivals(hole, board, left, kinds)
    ranks = describe(board, suits)
    score = holdings = 0
    own = np.int64(strength_with(board, kinds.start, hole))
    for one in range(kinds.count):
        for other in range(one + 1):
            ways = holdings_of(kinds, one, other)
            rival = strength_of_kinds(kinds, one, other)
            score += ways * (1 + (own > rival) - (own < rival))
            holdings += ways
    hope = outs(np.int64(hole[0]), np.int64(hole[1]), ranks, suits)
    return effective(score / (2 * holdings), hope, len(board))
