"""Kernels: look up what a person does at views, and how large its raises are."""

import numpy as np

from holdmem.cards.kernels.evaluator import strength_with
from holdmem.core.jit import kernel
from holdmem.opponents.kernels.holdings import describe, outs
from holdmem.people.kernels.holdings import class_of_strength
from holdmem.people.kernels.situations import CLASSES, RAISES
from holdmem.strength.kernels.card_kinds import KINDS, LEFT, holdings_of, strength_of_kinds
from holdmem.strength.kernels.enumerate_hand import meet_rivals


@kernel
def class_of_hand(hole, board, left, kinds, suits):
    """Class of a hand on a board of three to five cards; `left`, `kinds` and `suits` are scratch."""
    meet_rivals(hole, board, left, kinds)
    ranks = describe(board, suits)
    own = np.int64(strength_with(board, kinds.start, hole))
    score = holdings = 0
    for one in range(kinds.count):
        for other in range(one + 1):
            ways = holdings_of(kinds, one, other)
            rival = strength_of_kinds(kinds, one, other)
            score += ways * (1 + (own > rival) - (own < rival))
            holdings += ways
    low, high = np.int64(min(hole[0], hole[1])), np.int64(max(hole[0], hole[1]))
    hope = outs(low, high, ranks, suits) if len(board) < 5 else 0
    return class_of_strength(score / (2 * holdings), hope)


@kernel
def classes_of_hands(rows, classes, out):
    """Write the class of the hole cards of each view; `classes` are the 169 classes of two cards."""
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        if row.street == 0:
            out[i] = classes[row.hole[0], row.hole[1]]
        else:
            out[i] = class_of_hand(row.hole, row.board[: row.street + 2], left[0], kinds[0], suits)


@kernel
def look_up(rows, held, what_leaf, size_leaf, what, size, sizes, weights, totals):
    """Write the weights of fold, call and six raises at each view of a group of streets, and their totals."""
    for i in range(len(rows)):
        row, answers, by_size = rows[i], what[what_leaf[i], held[i]], size[size_leaf[i], held[i]]
        weights[i, 0], weights[i, 1] = answers[0], answers[1]
        for k in range(CLASSES - RAISES):
            weights[i, RAISES + k] = answers[RAISES] * by_size[k]
            typical = sizes[size_leaf[i], k]
            if row.street == 0:
                total = typical * row.highest
            else:
                total = row.highest + typical * (row.pot + row.to_call)
            totals[i, k] = max(np.int64(min(total, 4e9) + 0.5), 1)
