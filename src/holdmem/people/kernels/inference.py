"""Kernels: what a player can hold given what it did, and the expected counts that follow from it.

Tables have one row per node of a tree, one column per class of holdings and one entry per answer: `what` has
three answers (fold, call, raise), `size` the six sizes of a raise. `expected` arrays have a leading axis:
0 for holdings that were shown, 1 for inferred ones.
"""

import numpy as np

from holdmem.cards.classes import CLASS_OF_HOLDING, COMBOS, HOLDINGS
from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.jit import kernel
from holdmem.people.kernels.holdings import CARDS, HOLDING_COUNT, POSTFLOP, PREFLOP
from holdmem.people.kernels.situations import CLASSES, RAISES

HOLDING_CLASS = CLASS_OF_HOLDING.astype(np.int64)
WAYS = COMBOS.astype(np.float64)
SHOWN, INFERRED = 0, 1


@kernel
def fill_column(action, what, size, what_leaf, size_leaf, column):
    """Write the probability of an action for each class of holdings."""
    answer = min(np.int64(action), RAISES)
    for c in range(what.shape[1]):
        column[c] = what[what_leaf, c, answer]
    if action >= RAISES:
        for c in range(what.shape[1]):
            column[c] *= size[size_leaf, c, action - RAISES]


@kernel
def add_counts(action, what, size, what_leaf, size_leaf, column):
    """Add weights by class to the expected counts of an action."""
    answer = min(np.int64(action), RAISES)
    for c in range(what.shape[1]):
        what[what_leaf, c, answer] += column[c]
    if action >= RAISES:
        for c in range(what.shape[1]):
            size[size_leaf, c, action - RAISES] += column[c]


@kernel
def deal_holdings(cards, hole, limit, weights, strengths):
    """Give each holding that the player can have weight 1: none with a card of the board.

    Shown hole cards leave one holding. A hand mucked at a showdown is weaker than `limit`.
    """
    on_board = np.zeros(52, np.bool_)
    for card in cards:
        if card >= 0:
            on_board[card] = True
    if hole[0] >= 0:
        weights[:] = 0.0
        low, high = min(hole[0], hole[1]), max(hole[0], hole[1])
        weights[np.int64(high) * (np.int64(high) - 1) // 2 + np.int64(low)] = 1.0
        return
    for h in range(HOLDING_COUNT):
        weights[h] = 0.0 if on_board[HOLDINGS[h, 0]] or on_board[HOLDINGS[h, 1]] else 1.0
    if limit > 0:
        strengths_on_board(cards.astype(np.uint8), CARDS, strengths)
        for h in range(HOLDING_COUNT):
            if strengths[h] >= limit:
                weights[h] = 0.0


@kernel
def by_class(weights, classes, column):
    """Add up the weights of holdings by class."""
    column[:] = 0.0
    for h in range(HOLDING_COUNT):
        if weights[h] > 0.0:
            column[classes[h]] += weights[h]


@kernel
def only_preflop(first, last, board):
    """Whether all these decisions were made before the flop."""
    return last == first or board[last - 1] < 0


@kernel
def expect(
    first, action, board, what_leaf, size_leaf, hole, cards, limit, classes,
    what_pre, size_pre, what_post, size_post, n_what_pre, n_size_pre, n_what_post, n_size_post,
):  # fmt: skip
    """Add the expected counts of all player-hands; return the log-likelihood of what they did."""
    weights, strengths = np.empty(HOLDING_COUNT), np.empty(HOLDING_COUNT, np.uint16)
    pre, post, column, range_of = np.empty(PREFLOP), np.empty(POSTFLOP), np.empty(PREFLOP), np.empty(PREFLOP)
    likelihood = 0.0
    for i in range(len(first) - 1):
        start, end = first[i], first[i + 1]
        known = SHOWN if hole[i, 0] >= 0 else INFERRED
        if known == INFERRED and limit[i] == 0 and only_preflop(start, end, board):
            range_of[:] = WAYS
        else:
            deal_holdings(cards[i], hole[i], limit[i], weights, strengths)
            total = weights.sum()
            for k in range(start, end):
                if board[k] < 0:
                    fill_column(action[k], what_pre, size_pre, what_leaf[k], size_leaf[k], pre)
                    for h in range(HOLDING_COUNT):
                        weights[h] *= pre[HOLDING_CLASS[h]]
                else:
                    fill_column(action[k], what_post, size_post, what_leaf[k], size_leaf[k], post)
                    held = classes[board[k]]
                    for h in range(HOLDING_COUNT):
                        if weights[h] > 0.0:
                            weights[h] *= post[held[h]]
            found = weights.sum()
            if found <= 0.0:
                continue
            likelihood += np.log(found / total)
            weights /= found
            by_class(weights, HOLDING_CLASS, range_of)
            for k in range(start, end):
                if board[k] < 0:
                    add_counts(
                        action[k], n_what_pre[known], n_size_pre[known], what_leaf[k], size_leaf[k], range_of
                    )
                else:
                    by_class(weights, classes[board[k]], post)
                    add_counts(
                        action[k], n_what_post[known], n_size_post[known], what_leaf[k], size_leaf[k], post
                    )
            continue
        for k in range(start, end):
            fill_column(action[k], what_pre, size_pre, what_leaf[k], size_leaf[k], column)
            range_of *= column
        found = range_of.sum()
        if found <= 0.0:
            continue
        likelihood += np.log(found / HOLDING_COUNT)
        range_of /= found
        for k in range(start, end):
            add_counts(action[k], n_what_pre[known], n_size_pre[known], what_leaf[k], size_leaf[k], range_of)
    return likelihood


@kernel
def predict(
    first, action, board, what_leaf, size_leaf, hole, cards, limit, classes,
    what_pre, size_pre, what_post, size_post, use_cards, out, log_range, percentile,
):  # fmt: skip
    """Write the probability of every class of actions at each decision, given the actions before it.

    With `use_cards` the range is the shown holding. Otherwise cards are not used, and where they were shown
    `log_range` gets the log-probability of the holding at the end of the hand, and `percentile` the shares of
    the range that are weaker, and weaker or equal, on the final board.
    """
    weights, strengths = np.empty(HOLDING_COUNT), np.empty(HOLDING_COUNT, np.uint16)
    pre, post = np.empty(PREFLOP), np.empty(POSTFLOP)
    nothing = np.full(2, -1, np.int8)
    for i in range(len(first) - 1):
        deal_holdings(cards[i], hole[i] if use_cards else nothing, 0, weights, strengths)
        weights /= weights.sum()
        for k in range(first[i], first[i + 1]):
            if board[k] < 0:
                by_class(weights, HOLDING_CLASS, pre)
                mix(pre, what_pre[what_leaf[k]], size_pre[size_leaf[k]], out[k])
                fill_column(action[k], what_pre, size_pre, what_leaf[k], size_leaf[k], pre)
                for h in range(HOLDING_COUNT):
                    weights[h] *= pre[HOLDING_CLASS[h]]
            else:
                held = classes[board[k]]
                by_class(weights, held, post)
                mix(post, what_post[what_leaf[k]], size_post[size_leaf[k]], out[k])
                fill_column(action[k], what_post, size_post, what_leaf[k], size_leaf[k], post)
                for h in range(HOLDING_COUNT):
                    if weights[h] > 0.0:
                        weights[h] *= post[held[h]]
            weights /= max(weights.sum(), 1e-300)
        if hole[i, 0] >= 0 and not use_cards:
            low, high = np.int64(min(hole[i, 0], hole[i, 1])), np.int64(max(hole[i, 0], hole[i, 1]))
            held_one = high * (high - 1) // 2 + low
            log_range[i] = np.log(max(weights[held_one], 1e-12))
            if cards[i, 4] >= 0:
                strengths_on_board(cards[i].astype(np.uint8), CARDS, strengths)
                percentile[i] = 0.0
                for h in range(HOLDING_COUNT):
                    if weights[h] > 0.0 and strengths[h] <= strengths[held_one]:
                        percentile[i, 1] += weights[h]
                        if strengths[h] < strengths[held_one]:
                            percentile[i, 0] += weights[h]


@kernel
def mix(range_of, what, size, out):
    """Write the probabilities of the eight classes of actions of a range of classes of holdings."""
    out[:] = 0.0
    for c in range(len(range_of)):
        share = range_of[c]
        if share > 0.0:
            out[0] += share * what[c, 0]
            out[1] += share * what[c, 1]
            for k in range(CLASSES - RAISES):
                out[RAISES + k] += share * what[c, RAISES] * size[c, k]
