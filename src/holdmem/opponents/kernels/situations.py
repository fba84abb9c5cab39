"""Kernels: classify the situation in which a player acts, and replay hands up to a decision.

A situation is the street and the price: nothing to call, a usual price or a high one. In limit a usual price
is at most one bet. In no-limit it is at most a big blind before the flop, and half of the pot (including the
bet to be called) after it. Models may tell the situations of players who have entered the pot, by a call or a
raise of their own, from those who have not: `SITUATIONS` numbers more.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, deal, may_raise, to_call
from holdmem.engine.state import CALL, HAND, SEATS

PRICES = 3
SITUATIONS = 4 * PRICES
KINDS_OF_ACTION = 3
FOLDED, CALLED, RAISED = 0, 1, 2


@kernel
def kind_of(action):
    """Return FOLDED, CALLED or RAISED."""
    return FOLDED if action < CALL else CALLED if action == CALL else RAISED


@kernel
def pot_of(rules, hand):
    """Return the chips paid so far."""
    pot = 0
    for seat in range(rules.seats):
        pot += hand.paid[seat]
    return pot


@kernel
def price_of(rules, hand, owed):
    """Return 0 if nothing is owed, 1 for a usual price, 2 for a high one."""
    if owed == 0:
        return 0
    if rules.limit:
        usual = rules.raise_size[hand.street]
    elif hand.street == 0:
        usual = rules.big_blind
    else:
        usual = pot_of(rules, hand) // 2
    return 1 if owed <= usual else 2


@kernel
def situation_of(rules, hand, seat):
    """Return the situation in which a seat acts, or would act now."""
    return PRICES * hand.street + price_of(rules, hand, to_call(hand, seat))


@kernel
def enters(hand, seat, action):
    """Whether an action puts chips into the pot of a player's own choice."""
    return action > CALL or (action == CALL and to_call(hand, seat) > 0)


@kernel
def deal_blank(rules, stacks, hand):
    """Start a hand with arbitrary cards, when only the betting matters."""
    deck = np.arange(2 * rules.seats + 5).astype(np.int8)
    deal(rules, stacks, deck, hand)


@kernel
def stacks_at_start(row):
    """Return each seat's stack at the start of a view's hand."""
    return row.stack + row.paid


@kernel
def count_actions(rules, history, lengths, stacks, lineup, tables, counts):
    """Count actions of these hands into counts[table, player, situation, kind].

    Only actions for which a raise was legal count, as those show a player's preferences. Where `counts` has
    room for them, situations of players who have entered the pot are counted apart.
    """
    apart = SITUATIONS if counts.shape[2] > SITUATIONS else 0
    entered = np.zeros(SEATS, np.int64)
    hands = np.zeros(1, HAND)
    scratch = history[:1].copy()
    for i in range(len(history)):
        deal_blank(rules[0], stacks[i], hands[0])
        entered[:] = 0
        for step in range(lengths[i]):
            seat = hands[0].to_act
            action = np.int64(history[i, step].to)
            if may_raise(rules[0], hands[0], seat):
                situation = situation_of(rules[0], hands[0], seat) + apart * entered[seat]
                counts[tables[i], lineup[i, seat], situation, kind_of(action)] += 1
            if enters(hands[0], seat, action):
                entered[seat] = 1
            act(rules[0], hands[0], action, scratch[0])


@kernel
def probabilities_by_seat(players, tables, counts, prior, weight, out):
    """Write to out[view, seat, situation, kind] the action probabilities of the player in each seat.

    The prior counts as `weight` observations; unknown players (-1) have the prior alone.
    """
    for i in range(len(players)):
        for seat in range(players.shape[1]):
            for situation in range(len(prior)):
                smooth(counts, tables[i], players[i, seat], situation, prior, weight, out[i, seat, situation])


@kernel
def smooth(counts, table, player, situation, prior, weight, out):
    """Write the relative frequencies of a player's actions in one situation, smoothed by the prior."""
    seen = 0
    if player >= 0:
        for kind in range(KINDS_OF_ACTION):
            seen += counts[table, player, situation, kind]
    for kind in range(KINDS_OF_ACTION):
        done = counts[table, player, situation, kind] if player >= 0 else 0
        out[kind] = (done + weight * prior[situation, kind]) / (seen + weight)
