"""Kernels: look up what a person does at views, and how large its raises are."""

import numpy as np

from holdmem.cards.kernels.evaluator import strength_with
from holdmem.core.jit import kernel
from holdmem.opponents.kernels.holdings import describe, outs
from holdmem.people.kernels.holdings import class_of_strength
from holdmem.people.kernels.situations import CLASSES, RAISES
from holdmem.people.kernels.tree import find_leaf
from holdmem.strength.kernels.card_kinds import KINDS, LEFT, holdings_of, strength_of_kinds
from holdmem.strength.kernels.enumerate_hand import meet_rivals

KEPT_BITS = 12
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of Fibonacci hashing: 2^64 over the golden ratio."""


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
def cards_of(row):
    """The hole cards and the board of a view after the flop as one number, its digits from 1 to 52."""
    found = np.uint64(row.hole[0] + 1) << np.uint64(6) | np.uint64(row.hole[1] + 1)
    for k in range(row.street + 2):
        found = found << np.uint64(6) | np.uint64(row.board[k] + 1)
    return found


@kernel
def classes_of_hands(rows, classes, out):
    """Write the class of the hole cards of each view; `classes` are the 169 classes of two cards.

    The same cards often come again, in other betting: the last ones are kept, by their product's first bits.
    """
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    kept, known = np.zeros(1 << KEPT_BITS, np.uint64), np.empty(1 << KEPT_BITS, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        if row.street == 0:
            out[i] = classes[row.hole[0], row.hole[1]]
            continue
        cards = cards_of(row)
        place = np.int64(cards * SPREAD >> np.uint64(64 - KEPT_BITS))
        if kept[place] != cards:
            kept[place] = cards
            known[place] = class_of_hand(row.hole, row.board[: row.street + 2], left[0], kinds[0], suits)
        out[i] = known[place]


@kernel
def look_up(rows, features, held, preflop, what_tree, size_tree, what, size, sizes, weights, totals):
    """Write the weights of fold, call and six raises, and their totals, at views before or after the flop."""
    for i in range(len(rows)):
        row = rows[i]
        if (row.street == 0) != preflop:
            continue
        leaf = find_leaf(features[i], *size_tree)
        answers, by_size = what[find_leaf(features[i], *what_tree), held[i]], size[leaf, held[i]]
        weights[i, 0], weights[i, 1] = answers[0], answers[1]
        for k in range(CLASSES - RAISES):
            weights[i, RAISES + k] = answers[RAISES] * by_size[k]
            typical = sizes[leaf, k]
            if row.street == 0:
                total = typical * row.highest
            else:
                total = row.highest + typical * (row.pot + row.to_call)
            totals[i, k] = max(np.int64(min(total, 4e9) + 0.5), 1)
