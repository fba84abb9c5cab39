"""Kernels of the Outcome Learner: action probabilities from wins and losses, and the update after a hand.

`values[table, state]` is the pair (W, L) of equation 4.1.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.players.learners.kernels.learner import (
    CALL_AT_FIRST,
    CALLING,
    DEEDS,
    EVEN,
    FOLDING,
    POSITIONS,
    RAISE_AT_FIRST,
    RAISING,
    STAGES,
    STEP_OF,
    TRACK,
    UNKNOWN,
    WON,
    draw_actions,
    note_others,
    outcome_of,
    retrace,
    scratch_room,
    see_views,
)

WINS, LOSSES = 0, 1
STEEPNESS, SHIFT, CALLED, RAISED = 3.5, 0.05, 0.25, 0.75


@kernel
def probabilities_of(wins, losses, weights):
    """Set the probabilities of fold, call and raise from wins W and losses L (equations 4.7 to 4.11).

    P(fold) = min(1, exp(-3.5 · (W / (W + L) - 0.05))); the rest is 25% call and 75% raise. If W + L is not
    positive, as before anything was learned, it is the random strategy.
    """
    if wins + losses <= 0:
        weights[FOLDING], weights[CALLING], weights[RAISING] = 0.0, CALL_AT_FIRST, RAISE_AT_FIRST
        return
    weights[FOLDING] = min(1.0, np.exp(-STEEPNESS * (wins / (wins + losses) - SHIFT)))
    weights[CALLING] = CALLED * (1 - weights[FOLDING])
    weights[RAISING] = RAISED * (1 - weights[FOLDING])


@kernel
def decide(tables, states, memory, minimum, explore, weights):
    """Fill weights[view] with the probabilities of fold, call and raise in the view's state.

    They are those of the random strategy until `minimum` hands have been seen, and a share `explore` of it
    is mixed in after that.
    """
    for i in range(len(states)):
        wins, losses = memory.values[tables[i], states[i]]
        if memory.hands[tables[i]] < minimum:
            wins = losses = 0.0
        probabilities_of(wins, losses, weights[i])
        weights[i] *= 1 - explore
        weights[i, CALLING] += explore * CALL_AT_FIRST
        weights[i, RAISING] += explore * RAISE_AT_FIRST


@kernel
def act(rules, rows, played, tables, players, lookup, memory, how, key, out):
    """Find the states, decide and sample in one step; equivalent to sampling from the legal policy."""
    states, weights = np.empty(len(rows), np.int64), np.empty((len(rows), 3))
    see_views(rules, rows, played[0], played[1], tables, players, lookup, memory, states)
    decide(tables, states, memory, how.minimum, how.explore, weights)
    draw_actions(key, rows, weights, how.sizes, out)


@kernel
def best_visited(values, trail, found, at, column):
    """Return the maximum of W or L (`column`) over the states visited on the next street we acted on.

    It is 0 if we did not act on a later street.
    """
    following, best = -1, 0.0
    for k in range(at + 1, found):
        if trail[k].seat == trail[at].seat and trail[k].street > trail[at].street:
            if following < 0:
                following = trail[k].street
            if trail[k].street == following:
                best = max(best, values[trail[k].state, column])
    return best


@kernel
def best_anywhere(values, street, types, column):
    """Return the maximum of W or L (`column`) over all states in which the next street can begin.

    Those are the states whose last street acted on is this one. It is 0 on the river.
    """
    best = 0.0
    size = types * DEEDS * POSITIONS
    if street < 3:
        for start in range((street + 1) * size, len(values), STAGES * size):
            for state in range(start, start + size):
                best = max(best, values[state, column])
    return best


@kernel
def update(values, trail, found, at, won, rate, anywhere, types):
    """Update one visited state by equations 4.12 and 4.13.

    The reward R is `won` for W and 1 - `won` for L, with `won` 1 for a win, 0 for a loss and 1/2 otherwise.
    """
    state = trail[at].state
    for column in range(2):
        if anywhere:
            following = best_anywhere(values, trail[at].street, types, column)
        else:
            following = best_visited(values, trail, found, at, column)
        reward = won if column == WINS else 1 - won
        values[state, column] += rate * (reward + following - values[state, column])


@kernel
def learn(rules, hands, history, mine, lineup, tables, lookup, memory, rate, anywhere, learning):
    """Update memory from finished hands.

    Each visited state, first to last, learns from the outcome unless it is unknown. Then the actions of the
    other players are counted.
    """
    tracks, scratch = np.zeros(1, TRACK), scratch_room()
    trail, sizes = np.zeros(history.shape[1], STEP_OF), np.zeros(1)
    types = (len(lookup.kinds.loose) + 1) * (len(lookup.kinds.aggressive) + 1)
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
                memory.visits[table, trail[k].state] += 1
                outcome = outcome_of(rules[0], hand, trail[k].seat)
                if outcome != UNKNOWN:
                    won = 1.0 if outcome == WON else 0.5 if outcome == EVEN else 0.0
                    memory.lessons[table, trail[k].state] += 1
                    update(memory.values[table], trail, found, k, won, rate, anywhere, types)
        note_others(rules[0], hand, history[i], mine[i], lineup[i], memory.counts[table], tracks[0])
