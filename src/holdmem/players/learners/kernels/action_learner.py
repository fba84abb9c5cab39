"""Kernels of the Action Learner: action probabilities from weights, and the update after a hand.

`values[table, state]` are the weights of fold, call and each raise size in increasing order (equation 4.14
has one size). They are stored only for states about which something has been learned; until then a state has
random initial weights.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import PARTS
from holdmem.players.learners.kernels.learner import (
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


@kernel
def recall(memory, table, state, match, first, weights):
    """Fill `weights` with the learned weights of a state, or its initial ones if nothing was learned there.

    Initial weights are 0 for a fold and random from 0 to `first.scale` for the other actions.
    """
    if memory.lessons[table, state]:
        weights[:] = memory.values[table, state]
        return
    weights[FOLDING] = 0.0
    for action in range(CALLING, len(weights)):
        weights[action] = first.scale * first_weight(first.key, match, state, action)


@kernel
def normalise(weights, explore):
    """Turn non-negative weights into probabilities in place (equations 4.21 to 4.23).

    A share `explore` of the random strategy is mixed in; weights that sum to 0 give only the random strategy.
    """
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
    """Fill weights[view] with the probabilities of fold, call and each raise in the view's state."""
    for i in range(len(states)):
        recall(memory, tables[i], states[i], np.int64(rows[i].hand_id.match), first, weights[i])
        normalise(weights[i], explore)


@kernel
def act(rules, rows, played, tables, players, lookup, memory, how, key, out):
    """Find the states, decide and sample in one step; equivalent to sampling from the legal policy."""
    states, weights = np.empty(len(rows), np.int64), np.empty((len(rows), 2 + len(how.sizes)))
    see_views(rules, rows, played[0], played[1], tables, players, lookup, memory, states)
    decide(rows, tables, states, memory, how.first, how.explore, weights)
    draw_actions(key, rows, weights, how.sizes, out)


@kernel
def reward_of(considered, taken, won):
    """Return the reward of the `considered` action's weight after action `taken` (table 4.1).

    It is a multiple of the amount won or lost. With several raise sizes, a smaller raise relates to a larger
    one as a call relates to a raise.
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
    """Apply equation 4.20 to all weights of a state; weights are clipped at 0, as equation 4.14 requires."""
    for action in range(len(weights)):
        weights[action] = max(weights[action] + amount * reward_of(action, taken, won), 0.0)


@kernel
def learn(rules, hands, history, mine, lineup, hand_ids, tables, lookup, memory, first, sizes, learning):
    """Update memory from finished hands.

    The weights of each of our decisions, in order, are rewarded by outcome, action and amount (in big
    blinds), except where the outcome is unknown; an even outcome leaves them unchanged. Then the actions of
    the other players are counted.
    """
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
                    recall(memory, table, state, np.int64(hand_ids[i].match), first, weights)
                    memory.lessons[table, state] += 1
                    if outcome != EVEN:
                        amount = abs(hand.net[seat]) / (PARTS * rules[0].big_blind)
                        reward(weights, trail[k].action, outcome == WON, amount)
        note_others(rules[0], hand, history[i], mine[i], lineup[i], memory.counts[table], tracks[0])
