"""Kernels: HS of a hand on a full board, by pairs of ranks as in `turn_kernels`."""

import numpy as np

from holdmem.cards.evaluator import FLUSHES
from holdmem.compiled import kernel
from holdmem.strength.turn_kernels import (
    RANKS,
    RIVALS_THEN,
    ROW,
    SPOT,
    code_of,
    has,
    most_of,
    pair_of,
    see_cards,
    without_suit,
)


@kernel
def share_on_the_river(holes, boards, tables, out):
    """Write HS of each hand on a full board: the share of an opponent's holdings beaten, ties half."""
    spots = np.zeros(1, SPOT)
    for i in range(len(holes)):
        out[i] = share_of_river(holes[i], boards[i], tables, spots[0])


@kernel
def share_of_river(hole, board, tables, spot):
    """HS of one hand on a full board; `spot` is scratch space."""
    see_cards(hole, board, spot)
    ranks = tables.five[tables.four[code_of(board)], np.int64(board[4] >> 2)]
    strengths, suit = tables.strengths_of_five[ranks], most_of(spot.cards)
    own = np.int64(strengths[spot.own_pair])
    if spot.cards[suit] < 3:
        count_pairs(spot, spot.left, strengths, own)
    else:
        count_with_flushes(spot, suit, strengths, own)
    return spot.share / (2 * RIVALS_THEN)


@kernel
def won_from(strength, own):
    """2 for a win, 1 for a tie, 0 for a loss."""
    return np.int64(strength < own) + np.int64(strength <= own)


@kernel
def count_pairs(spot, cards, strengths, own):
    """Add twice our wins (ties count one) against all pairs of cards, `cards` of each rank."""
    share = 0
    for one in range(RANKS):
        row = one * ROW
        for other in range(one):
            share += cards[one] * cards[other] * won_from(strengths[row + other], own)
        share += cards[one] * (cards[one] - 1) // 2 * won_from(strengths[row + one], own)
    spot.share += share


@kernel
def count_with_flushes(spot, suit, strengths, own):
    """Add twice our wins if the board has three or more cards of a suit."""
    board, unseen, held = spot.ranks[suit], spot.unseen[suit], spot.own_ranks[suit]
    on_board = spot.cards[suit]
    if on_board + (held > 0) + (held & (held - 1) > 0) >= 5:
        own = np.int64(FLUSHES[board | held])
    others = without_suit(spot, suit)
    if on_board == 5:
        count_flushes(spot, board, own, others.sum() * (others.sum() - 1) // 2)
    else:
        count_pairs(spot, others, strengths, own)
    for one in range(RANKS):
        if has(unseen, one):
            if on_board == 3:
                for other in range(RANKS):
                    spot.share += others[other] * won_from(strengths[pair_of(one, other)], own)
            else:
                count_flushes(spot, board | 1 << one, own, others.sum())
            for other in range(one):
                if has(unseen, other):
                    count_flushes(spot, board | 1 << one | 1 << other, own, 1)


@kernel
def count_flushes(spot, ranks, own, ways):
    """Add twice our wins against `ways` holdings that make a flush of these ranks."""
    spot.share += ways * won_from(np.int64(FLUSHES[ranks]), own)
