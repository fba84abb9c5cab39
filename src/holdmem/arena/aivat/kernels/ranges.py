"""Kernels: what each holding gains against a range of the opponent's, on a board and its runouts.

`strength[run, holding]` is the strength on a full board, 0 for holdings that share a card with it;
`order[run]` has the other holdings from the weakest to the strongest, and `ends[run]` one past the end of
each group of equal strength. A range is a row of 1,326 weights. An index `held` of 0 or more says that the
range is a single holding, which takes less time.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.jit import kernel

FREE = 1081
"""Holdings that a full board leaves."""
STRENGTHS = 1 << 13
"""More than the number of different strengths."""


@kernel
def shares_card(cards, h, board):
    """Whether a holding shares a card with the board."""
    found = False
    for card in board:
        found |= (cards[h, 0] == card) | (cards[h, 1] == card)
    return found


@kernel
def rank_run(board, cards, free, found, count, strength, order, ends, sort):
    """Fill in the strengths on a full board and, if `sort`, the holdings in their order.

    `free` (cards of 1,081 holdings), `found` (their strengths) and `count` are scratch.
    """
    size = 0
    for h in range(len(cards)):
        strength[h] = 0
        if not shares_card(cards, h, board):
            free[size, 0], free[size, 1] = cards[h, 0], cards[h, 1]
            order[size] = h
            size += 1
    strengths_on_board(board, free, found)
    for s in range(size):
        strength[order[s]] = found[s]
    if sort:
        sort_run(cards, found, count, strength, order, ends)


@kernel
def sort_run(cards, found, count, strength, order, ends):
    """Sort the holdings of a board by their strengths, by counting them."""
    count[:] = 0
    for s in range(len(found)):
        count[found[s]] += 1
    total, groups = 0, 0
    for s in range(len(count)):
        if count[s]:
            size, count[s] = count[s], total
            total += size
            ends[groups] = total
            groups += 1
    for h in range(len(cards)):
        if strength[h]:
            order[count[strength[h]]] = h
            count[strength[h]] += 1
    ends[groups:] = total


@kernel
def add_gains_of_range(cards, order, ends, weights, by_card, score, out):
    """Add each holding's gain on one board: the weight of the range that it beats less what beats it."""
    by_card[:] = 0.0
    total, start, group = 0.0, 0, 0
    while start < len(order):
        end = ends[group]
        for s in range(start, end):
            h = order[s]
            score[h] = total - by_card[cards[h, 0]] - by_card[cards[h, 1]]
        for s in range(start, end):
            h = order[s]
            total += weights[h]
            by_card[cards[h, 0]] += weights[h]
            by_card[cards[h, 1]] += weights[h]
        for s in range(start, end):
            h = order[s]
            score[h] += total - by_card[cards[h, 0]] - by_card[cards[h, 1]] + weights[h]
        start, group = end, group + 1
    for s in range(len(order)):
        h = order[s]
        out[h] += score[h] - (total - by_card[cards[h, 0]] - by_card[cards[h, 1]] + weights[h])


@kernel
def add_gains_of_holding(cards, strength, held, out):
    """Add each holding's gain against a single one on one board: 1 where it wins, -1 where it loses."""
    other = strength[held]
    if other == 0:
        return
    one, two = cards[held, 0], cards[held, 1]
    for h in range(len(strength)):
        mine = strength[h]
        if mine and mine != other:
            low, high = cards[h, 0], cards[h, 1]
            if (low != one) & (low != two) & (high != one) & (high != two):
                out[h] += 1.0 if mine > other else -1.0


@kernel
def gains_on_board(cards, runs, scale, strength, order, ends, weights, held, by_card, score, out):
    """Fill `out` with each holding's mean gain over the runouts, times the weight of the range."""
    out[:] = 0.0
    for run in range(runs):
        if held >= 0:
            add_gains_of_holding(cards, strength[run], held, out)
        else:
            add_gains_of_range(cards, order[run], ends[run], weights, by_card, score, out)
    for h in range(len(out)):
        out[h] *= scale


@kernel
def gains_before_flop(matrix, by_class, classes, weights, held, class_weights, out):
    """Fill `out` with each holding's gain before the flop.

    `matrix` [holding, holding] has the gains of single pairs, 0 for pairs that share a card. `by_class`
    [class, class] has their sums over the second class, which is enough if suits do not matter in the range.
    """
    if held >= 0:
        for h in range(len(out)):
            out[h] = matrix[h, held]
        return
    class_weights[:] = -1.0
    symmetric = True
    for h in range(len(weights)):
        if class_weights[classes[h]] < 0:
            class_weights[classes[h]] = weights[h]
        elif class_weights[classes[h]] != weights[h]:
            symmetric = False
    if not symmetric:
        for h in range(len(out)):
            total = 0.0
            for other in range(len(weights)):
                total += matrix[h, other] * weights[other]
            out[h] = total
        return
    gains = np.zeros(len(class_weights))
    for one in range(len(gains)):
        for other in range(len(class_weights)):
            gains[one] += by_class[one, other] * class_weights[other]
    for h in range(len(out)):
        out[h] = gains[classes[h]]


@kernel
def masses(cards, weights, by_card, out):
    """Fill `out` with the weight of the range over the holdings that share no card with each holding."""
    by_card[:] = 0.0
    total = 0.0
    for h in range(len(weights)):
        total += weights[h]
        by_card[cards[h, 0]] += weights[h]
        by_card[cards[h, 1]] += weights[h]
    for h in range(len(weights)):
        out[h] = total - by_card[cards[h, 0]] - by_card[cards[h, 1]] + weights[h]


@kernel
def dot(one, other):
    """Sum of products."""
    total = 0.0
    for k in range(len(one)):
        total += one[k] * other[k]
    return total
