"""Kernels: weights of holdings given the actions of their owners, under the tables of a remembered person."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.people.kernels.holdings import HOLDING_COUNT, POSTFLOP, PREFLOP
from holdmem.people.kernels.inference import HOLDING_CLASS, fill_column


@kernel
def multiply_by_person(
    spots, seats, classes, boards, what_leaf, size_leaf, held, what_pre, size_pre, what_post, size_post, out
):
    """Multiply the weights (spots, seats, 1326) by the probability of each action with each holding.

    `boards[k]` is the row of `held` (classes of all holdings) of action k, -1 before the flop. Holdings that
    contain a card of the board get weight zero.
    """
    pre, post = np.empty(PREFLOP), np.empty(POSTFLOP)
    for k in range(len(spots)):
        weights = out[spots[k], seats[k]]
        if boards[k] < 0:
            fill_column(classes[k], what_pre, size_pre, what_leaf[k], size_leaf[k], pre)
            for h in range(HOLDING_COUNT):
                weights[h] *= pre[HOLDING_CLASS[h]]
        else:
            fill_column(classes[k], what_post, size_post, what_leaf[k], size_leaf[k], post)
            of_board = held[boards[k]]
            for h in range(HOLDING_COUNT):
                weights[h] = weights[h] * post[of_board[h]] if of_board[h] < POSTFLOP else 0.0
