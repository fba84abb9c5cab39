"""Kernel of `outlook` for few hands: looks up or computes hand by hand, all streets in one call."""

import numpy as np

from holdmem.cards.kernels.isomorphism import index_hands
from holdmem.core.jit import kernel
from holdmem.strength.kernels.river import share_on_the_river
from holdmem.strength.kernels.turn import look_to_the_river
from holdmem.strength.table_files import STEP

IHS, PPOT, E_HS = 0, 1, 2


@kernel
def glance_all(holes, boards, flops, forms, ranks, preflop, classes, out):
    """Write IHS, PPOT with one card to come and E[HS] of each hand to the columns of `out`.

    Board cards not yet dealt are -1.
    """
    five, number = np.empty((1, 5), np.int8), np.empty(1, np.int64)
    hole, board = np.empty((1, 2), np.uint8), np.empty((1, 5), np.uint8)
    turn, river = np.empty((1, 4), np.uint8), np.empty(1)
    for i in range(len(holes)):
        hole[0], board[0] = holes[i], boards[i]
        out[i] = 0.0
        if boards[i, 0] < 0:
            out[i, E_HS] = preflop[classes[holes[i, 0], holes[i, 1]]]
        elif boards[i, 3] < 0:
            five[0, :2] = holes[i]
            five[0, 2:] = boards[i, :3]
            index_hands(five, forms, number)
            for column in range(3):
                out[i, column] = flops[column][number[0]] * STEP
        elif boards[i, 4] < 0:
            turn[0] = board[0, :4]
            look_to_the_river(hole, turn, ranks, out[i : i + 1])
        else:
            share_on_the_river(hole, board, ranks, river)
            out[i, IHS] = out[i, E_HS] = river[0]
