"""Kernels: the means of HS ** n and HS ** 2n of one hand on any street, and the bucket that they lead to.

Before the flop and on most flops they are looked up, on turns and rivers counted by pairs of ranks. Rivers
differ only by their rank where their suit can make no flush, so those are counted together.
"""

import numpy as np

from holdmem.cards.isomorphism_kernels import index_hands
from holdmem.compiled import kernel
from holdmem.strength.river_kernels import share_of_river
from holdmem.strength.turn_kernels import RANKS, SPOT

TURNS, RIVERS = 47, 46
NONE = -1


@kernel
def means_of(hole, board, opponents, tables, hand, found, spot):
    """The means of HS ** n and HS ** 2n over all boards to come, n opponents; `hand`, `found` are scratch."""
    cards = 0
    while cards < 5 and board[cards] >= 0:
        cards += 1
    if cards == 0:
        row = tables.classes[hole[0], hole[1]]
        return tables.preflop[opponents - 1, row], tables.preflop[2 * opponents - 1, row]
    if cards == 3:
        return means_on_flop(hole, board, opponents, tables, hand, found, spot)
    full = np.empty(5, np.int8)
    full[:] = board
    if cards == 4:
        return means_on_turn(hole, full, opponents, tables, spot)
    share = share_of_river(hole, full, tables.ranks, spot)
    return share**opponents, share ** (2 * opponents)


@kernel
def means_on_flop(hole, board, opponents, tables, hand, found, spot):
    """From the tables against one or two opponents, otherwise over all turns."""
    if opponents <= 2:
        hand[0, :2] = hole
        hand[0, 2:] = board[:3]
        index_hands(hand, tables.flops, found)
        row = found[0]
        if opponents == 1:
            return tables.flop[0, row] * tables.step, tables.flop[1, row] * tables.step
        return tables.flop[1, row] * tables.step, tables.flop_two[row] * tables.step
    one = two = 0.0
    full = np.empty(5, np.int8)
    full[:] = board
    for card in range(52):
        if not lies_in(card, hole, board, 3):
            full[3] = card
            mean, square = means_on_turn(hole, full, opponents, tables, spot)
            one += mean
            two += square
    return one / TURNS, two / TURNS


@kernel
def lies_in(card, hole, board, cards):
    """Whether a card is one of the hole cards or of the first cards of the board."""
    if card in (hole[0], hole[1]):
        return True
    found = False
    for place in range(cards):
        found |= board[place] == card
    return found


@kernel
def means_on_turn(hole, board, opponents, tables, spot):
    """Over all rivers; `board[4]` is scratch. Suits of which the board has fewer than two count as one."""
    of_suit = np.zeros(4, np.int64)
    for place in range(4):
        of_suit[board[place] & 3] += 1
    one = two = 0.0
    for rank in range(RANKS):
        times, plain = 0, NONE
        for suit in range(4):
            card = 4 * rank + suit
            if lies_in(card, hole, board, 4):
                continue
            if of_suit[suit] < 2:
                times, plain = times + 1, card
                continue
            board[4] = card
            share = share_of_river(hole, board, tables.ranks, spot)
            one += share**opponents
            two += share ** (2 * opponents)
        if times:
            board[4] = plain
            share = share_of_river(hole, board, tables.ranks, spot)
            one += times * share**opponents
            two += times * share ** (2 * opponents)
    return one / RIVERS, two / RIVERS


@kernel
def place_among(edges, value):
    """How many of these edges a value is above."""
    place = 0
    while place < len(edges) and value > edges[place]:
        place += 1
    return place


@kernel
def bucket_of(street, means, split):
    """The bucket of these two means on a street: outer · (inner buckets) + inner."""
    outer = place_among(split.outer[street], means[split.outer_by])
    inner = place_among(split.inner[street], means[split.inner_by])
    return outer * (split.inner.shape[1] + 1) + inner


@kernel
def fill_means(holes, boards, opponents, tables, out):
    """Both means of each hand."""
    hand, found, spots = np.empty((1, 5), np.int8), np.empty(1, np.int64), np.zeros(1, SPOT)
    for i in range(len(holes)):
        out[i, 0], out[i, 1] = means_of(holes[i], boards[i], opponents[i], tables, hand, found, spots[0])


@kernel
def key_of(hole, board, cards, opponents):
    """Hole cards, the first cards of a board and the number of opponents as one number."""
    key = np.int64(opponents)
    key = key * 53 + hole[0] + 1
    key = key * 53 + hole[1] + 1
    for place in range(cards):
        key = key * 53 + board[place] + 1
    return key
