"""Kernels: HS of a hand on a full board, by pairs of ranks as in `turn`."""

import numpy as np

from holdmem.cards.kernels.evaluator import FLUSHES
from holdmem.core.jit import kernel
from holdmem.strength.kernels.turn import (
    RANKS,
    RIVALS_THEN,
    ROW,
    SCRATCH,
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
    scratch_rows = np.zeros(1, SCRATCH)
    for i in range(len(holes)):
        out[i] = share_of_river(holes[i], boards[i], tables, scratch_rows[0])


@kernel
def share_of_river(hole, board, tables, scratch):
    """HS of one hand on a full board; `scratch` is scratch space."""
    see_cards(hole, board, scratch)
    ranks = tables.five[tables.four[code_of(board)], np.int64(board[4] >> 2)]
    strengths, suit = tables.strengths_of_five[ranks], most_of(scratch.cards)
    own = np.int64(strengths[scratch.own_pair])
    if scratch.cards[suit] < 3:
        count_pairs(scratch, scratch.left, strengths, own)
    else:
        count_with_flushes(scratch, suit, strengths, own)
    return scratch.share / (2 * RIVALS_THEN)


@kernel
def won_from(strength, own):
    """2 for a win, 1 for a tie, 0 for a loss."""
    return np.int64(strength < own) + np.int64(strength <= own)


@kernel
def count_pairs(scratch, cards, strengths, own):
    """Add twice our wins (ties count one) against all pairs of cards, `cards` of each rank."""
    share = 0
    for one in range(RANKS):
        row = one * ROW
        for other in range(one):
            share += cards[one] * cards[other] * won_from(strengths[row + other], own)
        share += cards[one] * (cards[one] - 1) // 2 * won_from(strengths[row + one], own)
    scratch.share += share


@kernel
def count_with_flushes(scratch, suit, strengths, own):
    """Add twice our wins if the board has three or more cards of a suit."""
    board, unseen, held = scratch.ranks[suit], scratch.unseen[suit], scratch.own_ranks[suit]
    on_board = scratch.cards[suit]
    if on_board + (held > 0) + (held & (held - 1) > 0) >= 5:
        own = np.int64(FLUSHES[board | held])
    others = without_suit(scratch, suit)
    if on_board == 5:
        count_flushes(scratch, board, own, others.sum() * (others.sum() - 1) // 2)
    else:
        count_pairs(scratch, others, strengths, own)
    for one in range(RANKS):
        if has(unseen, one):
            if on_board == 3:
                for other in range(RANKS):
                    scratch.share += others[other] * won_from(strengths[pair_of(one, other)], own)
            else:
                count_flushes(scratch, board | 1 << one, own, others.sum())
            for other in range(one):
                if has(unseen, other):
                    count_flushes(scratch, board | 1 << one | 1 << other, own, 1)


@kernel
def count_flushes(scratch, ranks, own, ways):
    """Add twice our wins against `ways` holdings that make a flush of these ranks."""
    scratch.share += ways * won_from(np.int64(FLUSHES[ranks]), own)
