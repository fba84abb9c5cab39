"""Kernels of the Action Learner: chances to act from weights, and what a hand adds to these.

`values[table, state]` are the weights of fold, call and each size of raise, from the smallest (equation 4.14
has one size). They are kept where something was learned about a state; before that they are random.
"""

import numpy as np

from holdmem.agents.learner_kernels import (
    CALL_AT_FIRST,
    CALLING,
    EVEN,
    FOLDING,
    RAISE_AT_FIRST,
    RAISING,
    STEP_OF,
    TRACK,
    UNKNOWN,
    WON,
    draw_actions,
    first_weight,
    note_others,
    outcome_of,
    retrace,
    scratch_room,
    see_views,
)
from holdmem.compiled import kernel
from holdmem.rules.state import PARTS


@kernel
def recall(memory, table, state, match, first, weights):
    """The weights of a state: what was learned, or at first none for a fold and random ones for the rest."""
    if memory.lessons[table, state]:
        weights[:] = memory.values[table, state]
        return
    weights[FOLDING] = 0.0
    for action in range(CALLING, len(weights)):
        weights[action] = first.scale * first_weight(first.key, match, state, action)


@kernel
def normalise(weights, explore):
    """Equations 4.21 to 4.23, of weights that are never negative; a sum of zero is the random strategy."""
    total = weights.sum()
    sizes = len(weights) - RAISING
    random = explore if total > 0 else 1.0
    if total > 0:
        weights *= (1 - explore) / total
    weights[CALLING] += random * CALL_AT_FIRST
    for action in range(RAISING, len(weights)):
        weights[action] += random * RAISE_AT_FIRST / sizes


@kernel
def decide(rows, tables, states, memory, first, explore, weights):
    """The chances of fold, call and each raise in each state."""
    for i in range(len(states)):
        recall(memory, tables[i], states[i], np.int64(rows[i].spot.match), first, weights[i])
        normalise(weights[i], explore)


@kernel
def act(rules, rows, played, tables, players, lookup, memory, how, key, out):
    """See, decide and draw, in one step: what `decide` and a legal policy give."""
    states, weights = np.empty(len(rows), np.int64), np.empty((len(rows), 2 + len(how.sizes)))
    see_views(rules, rows, played[0], played[1], tables, players, lookup, memory, states)
    decide(rows, tables, states, memory, how.first, how.explore, weights)
    draw_actions(key, rows, weights, how.sizes, out)


@kernel
def reward_of(considered, taken, won):
    """Table 4.1, in amounts won or lost: what an action's weight gains when `taken` was done.

    With several sizes of raise a smaller one is to a larger one as a call is to a raise.
    """
    if considered == FOLDING:
        return -1 if won else 2
    if considered < taken:
        return -1 if won else 1
    if considered == taken:
        return (1 if taken == CALLING else 2) if won else -1
    if taken == FOLDING:
        return (1 if considered == CALLING else 2) if won else -1
    return 2 if won else -2


@kernel
def reward(weights, taken, won, amount):
    """Equation 4.20 for all weights of a state; below zero they stay at zero, where equation 4.14 ends."""
    for action in range(len(weights)):
        weights[action] = max(weights[action] + amount * reward_of(action, taken, won), 0.0)


@kernel
def learn(rules, hands, history, mine, lineup, spots, tables, lookup, memory, first, sizes, learning):
    """Every decision learns from outcome, action and amount, from the first on; then the others are noted."""
    tracks, scratch = np.zeros(1, TRACK), scratch_room()
    trail = np.zeros(history.shape[1], STEP_OF)
    for i in range(len(hands)):
        hand, table = hands[i], tables[i]
        memory.hands[table] += 1
        if learning:
            found = retrace(
                rules[0],
                hand,
                history[i],
                mine[i],
                lineup[i],
                table,
                lookup,
                memory,
                sizes,
                tracks[0],
                scratch,
                trail,
            )
            for k in range(found):
                state, seat = trail[k].state, trail[k].seat
                memory.visits[table, state] += 1
                outcome = outcome_of(rules[0], hand, seat)
                if outcome != UNKNOWN:
                    weights = memory.values[table, state]
                    recall(memory, table, state, np.int64(spots[i].match), first, weights)
                    memory.lessons[table, state] += 1
                    if outcome != EVEN:
                        amount = abs(hand.net[seat]) / (PARTS * rules[0].big_blind)
                        reward(weights, trail[k].action, outcome == WON, amount)
        note_others(rules[0], hand, history[i], mine[i], lineup[i], memory.counts[table], tracks[0])
