"""Compiled kernels of `whlbot`."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine import CALL, FOLD, PARTS

POSITIONS, TYPES, BETTINGS = 3, 4, 4
FOLDING, CALLING, RAISING = 0, 1, 2
SEEN, PLAYED, AGGRESSIVE, CALLS = 0, 1, 2, 3
LOOSE = 0.28
"""A player is loose if it plays more than this share of its hands (Marques n.d.)."""


@kernel
def type_of(seen):
    """Return the type of the opponents at a table, taken together.

    0 is tight passive, 1 tight aggressive, 2 loose passive, 3 loose aggressive.
    """
    return 2 * (seen[PLAYED] > LOOSE * seen[SEEN]) + (seen[AGGRESSIVE] > seen[CALLS])


@kernel
def state_of(cards, position, kind, betting):
    """Return the index of a state: hole-card class, position, type of the opponents, betting so far."""
    return ((cards * POSITIONS + position) * TYPES + kind) * BETTINGS + betting


@kernel
def position_of(rules, seat):
    """Return the third of the preflop acting order a seat is in, from 0 (first to act) to 2 (last)."""
    return POSITIONS * ((seat - rules.first[0]) % rules.seats) // rules.seats


@kernel
def betting_of(rules, paid):
    """Classify the preflop betting.

    0 if no player has entered the pot, 1 after calls only, 2 after a raise to at most two big blinds, else 3.
    """
    betting = 0
    for seat in range(rules.seats):
        if paid[seat] > 2 * rules.big_blind:
            return 3
        if paid[seat] > rules.big_blind:
            betting = 2
        elif paid[seat] > rules.blind[seat]:
            betting = max(betting, 1)
    return betting


@kernel
def decide(rules, rows, tables, classes, values, visits, seen, explore, weights, totals):
    """Fill weights[view] with the weights of fold, call and raise, and totals[view] with the raise total.

    Before the flop it takes the action of highest value, but with probability
    max(explore, 1 / sqrt(1 + visits)) one of the three at random; raises are the minimum. After the flop it
    makes the maximum raise.
    """
    for i in range(len(rows)):
        row, table = rows[i], tables[i]
        weights[i] = 0.0
        if row.street > 0:
            weights[i, RAISING] = 1.0
            totals[i] = row.max_raise_to
            continue
        cards = np.int64(classes[row.hole[0], row.hole[1]])
        betting = betting_of(rules[0], row.paid)
        state = state_of(cards, position_of(rules[0], row.seat), type_of(seen[table]), betting)
        random = max(explore, 1.0 / np.sqrt(1.0 + visits[table, state].sum()))
        weights[i] = random / 3
        weights[i, values[table, state].argmax()] += 1.0 - random
        totals[i] = row.min_raise_to


@kernel
def learn(rules, hands, history, mine, tables, classes, values, visits, seen, rate):
    """Update the values of our preflop actions by what each hand won, and count the others' actions."""
    bets = np.zeros(len(hands[0].stack), np.int64)
    for i in range(len(hands)):
        hand, table = hands[i], tables[i]
        kind = type_of(seen[table])
        street, played = 0, 0
        for seat in range(rules[0].seats):
            bets[seat] = min(rules[0].blind[seat], hand.stack[seat] + hand.paid[seat])
            seen[table, SEEN] += not mine[i, seat]
        for k in range(hand.actions):
            seat, code = np.int64(history[i, k].seat), history[i, k].to
            if history[i, k].street != street:
                street = history[i, k].street
                bets[:] = 0
            owes = bets[seat] < bets.max()
            if not mine[i, seat]:
                played = note_other(seen[table], seat, code, owes, street, played)
            elif street == 0:
                cards = np.int64(classes[hand.hole[seat, 0], hand.hole[seat, 1]])
                betting = betting_of(rules[0], bets)
                state = state_of(cards, position_of(rules[0], seat), kind, betting)
                won = hand.net[seat] / (PARTS * rules[0].big_blind)
                update(values[table, state], visits[table, state], code, won, rate)
            if code == CALL:
                bets[seat] = min(bets.max(), hand.stack[seat] + hand.paid[seat])
            elif code != FOLD:
                bets[seat] = code


@kernel
def note_other(seen, seat, code, owes, street, played):
    """Count an action of another player in `seen`.

    Return `played`, the bits of the seats that voluntarily put chips in before the flop, updated.
    """
    if code == CALL:
        seen[CALLS] += owes
    elif code != FOLD:
        seen[AGGRESSIVE] += 1
    if street == 0 and code != FOLD and (owes or code != CALL):
        seen[PLAYED] += not played >> seat & 1
        return played | 1 << seat
    return played


@kernel
def update(values, visits, code, won, rate):
    """Move the value of one action towards what was won.

    The step is 1 / visits, which gives the mean, but at least `rate`.
    """
    action = FOLDING if code == FOLD else CALLING if code == CALL else RAISING
    visits[action] += 1
    values[action] += max(1.0 / visits[action], rate) * (won - values[action])
