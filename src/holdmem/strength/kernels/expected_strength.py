"""Kernels: the means of HS ** n and HS ** 2n of a hand on any street, and the resulting bucket.

Before the flop and on flops against one or two opponents they are looked up; on turns and rivers they are
counted by pairs of ranks. River cards of equal rank that cannot make a flush possible are interchangeable and
counted together.
"""

import numpy as np

from holdmem.cards.kernels.isomorphism import index_hands
from holdmem.core.jit import kernel
from holdmem.strength.kernels.bucket_cuts import nested_bucket
from holdmem.strength.kernels.river import share_of_river
from holdmem.strength.kernels.turn import RANKS, SCRATCH

TURNS, RIVERS = 47, 46
NONE = -1


@kernel
def means_of(hole, board, opponents, tables, hand, found, scratch):
    """Means of HS ** n and HS ** 2n over all boards to come against n = `opponents`.

    `hand`, `found` and `scratch` are scratch space.
    """
    cards = 0
    while cards < 5 and board[cards] >= 0:
        cards += 1
    if cards == 0:
        row = tables.classes[hole[0], hole[1]]
        return tables.preflop[opponents - 1, row], tables.preflop[2 * opponents - 1, row]
    if cards == 3:
        return means_on_flop(hole, board, opponents, tables, hand, found, scratch)
    full = np.empty(5, np.int8)
    full[:] = board
    if cards == 4:
        return means_on_turn(hole, full, opponents, tables, scratch)
    share = share_of_river(hole, full, tables.ranks, scratch)
    return share**opponents, share ** (2 * opponents)


@kernel
def means_on_flop(hole, board, opponents, tables, hand, found, scratch):
    """Look up the means against one or two opponents; otherwise average over all turns."""
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
            mean, square = means_on_turn(hole, full, opponents, tables, scratch)
            one += mean
            two += square
    return one / TURNS, two / TURNS


@kernel
def lies_in(card, hole, board, cards):
    """Whether a card is a hole card or among the first `cards` cards of the board."""
    if card in (hole[0], hole[1]):
        return True
    found = False
    for place in range(cards):
        found |= board[place] == card
    return found


@kernel
def means_on_turn(hole, board, opponents, tables, scratch):
    """Average over all rivers; `board[4]` is scratch space.

    Rivers of equal rank in suits with fewer than two cards on the board are counted together.
    """
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
            share = share_of_river(hole, board, tables.ranks, scratch)
            one += share**opponents
            two += share ** (2 * opponents)
        if times:
            board[4] = plain
            share = share_of_river(hole, board, tables.ranks, scratch)
            one += times * share**opponents
            two += times * share ** (2 * opponents)
    return one / RIVERS, two / RIVERS


@kernel
def bucket_of(street, means, cuts):
    """Return the bucket of these two means on a street; `cuts` is a `StreetCuts`."""
    first, second = means[cuts.outer_by], means[cuts.inner_by]
    return nested_bucket(first, second, cuts.outer[street], cuts.inner[street], cuts.start)


@kernel
def fill_means(holes, boards, opponents, tables, out):
    """Write both means of each hand to `out`."""
    hand, found, scratch_rows = np.empty((1, 5), np.int8), np.empty(1, np.int64), np.zeros(1, SCRATCH)
    for i in range(len(holes)):
        out[i, 0], out[i, 1] = means_of(
            holes[i], boards[i], opponents[i], tables, hand, found, scratch_rows[0]
        )


@kernel
def key_of(hole, board, cards, opponents):
    """Encode hole cards, the first `cards` cards of a board and the number of opponents as one integer."""
    key = np.int64(opponents)
    key = key * 53 + hole[0] + 1
    key = key * 53 + hole[1] + 1
    for place in range(cards):
        key = key * 53 + board[place] + 1
    return key
