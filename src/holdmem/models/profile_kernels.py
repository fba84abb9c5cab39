"""Kernels: the one opponent of a heads-up table in a few numbers (plicas §4.1)."""

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules.state import CALL, FOLD, record

PROFILE = record(
    [
        ("hands", "i8"),
        ("raised_before", "i8"),  # actions before the flop: raises,
        ("called_before", "i8"),  # calls that cost something,
        ("folded_before", "i8"),  # folds
        ("asked", "i8"),  # hands in which it had to pay to see the flop
        ("stayed", "i8"),  # of these, hands in which it did not fold before the flop
        ("raises", "i8"),  # bets and raises on all streets
        ("calls", "i8"),  # calls that cost something, on all streets
        ("pots", "i8"),  # hands in which we did not fold before the flop
        ("chips", "i8"),  # in their pots, as far as both had paid
    ]
)
"""What was counted of an opponent."""


@kernel
def note_hands(rules, hands, history, lineup, player, tables, profiles):
    """Count what the other player did in each hand into the profile of its table."""
    for i in range(len(hands)):
        own = 0 if lineup[i, 0] == player else 1
        if lineup[i, own] == player and lineup[i, 1 - own] != player:
            note_hand(rules[0], hands[i], history[i], own, profiles[tables[i]])


@kernel
def note_hand(rules, hand, history, own, profile):
    """One hand; `own` is our seat."""
    bets = np.zeros(2, np.int64)
    for seat in range(2):
        bets[seat] = min(rules.blind[seat], hand.stack[seat] + hand.paid[seat])
    street, asked, stayed, played = 0, False, True, True
    for step in range(hand.actions):
        seat, action = np.int64(history[step].seat), np.int64(history[step].to)
        if history[step].street != street:
            street = np.int64(history[step].street)
            bets[:] = 0
        owes = bets[seat] < bets[1 - seat]
        if seat != own:
            note_action(profile, street, action, owes)
            asked |= street == 0 and owes
            stayed &= not (street == 0 and action == FOLD)
        elif street == 0 and action == FOLD:
            played = False
        if action == CALL:
            bets[seat] = max(bets[0], bets[1])
        elif action > CALL:
            bets[seat] = action
    profile.hands += 1
    profile.asked += asked
    profile.stayed += asked and stayed
    profile.pots += played
    profile.chips += 2 * min(hand.paid[0], hand.paid[1]) * played


@kernel
def note_action(profile, street, action, owes):
    """One action of the opponent; a check counts nowhere."""
    before = street == 0
    if action > CALL:
        profile.raises += 1
        profile.raised_before += before
    elif action == FOLD:
        profile.folded_before += before
    elif owes:
        profile.calls += 1
        profile.called_before += before


@kernel
def smoothed(seen, of, usual, weight):
    """A share, with an ordinary player's as `weight` more observations."""
    return (seen + weight * usual) / (of + weight)
