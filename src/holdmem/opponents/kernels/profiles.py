"""Kernels: statistics of the single opponent at a heads-up table (Friedrich and Schwind 2011, §4.1)."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import CALL, FOLD

PROFILE = record(
    [
        ("hands", "i8"),
        ("raised_before", "i8"),  # raises before the flop
        ("called_before", "i8"),  # calls before the flop, without checks
        ("folded_before", "i8"),  # folds before the flop
        ("asked", "i8"),  # hands in which it had to pay to see the flop
        ("stayed", "i8"),  # those of them in which it did not fold before the flop
        ("raises", "i8"),  # bets and raises on all streets
        ("calls", "i8"),  # calls on all streets, without checks
        ("pots", "i8"),  # hands in which we did not fold before the flop
        ("chips", "i8"),  # in the pots of those hands, counting only matched chips
    ]
)
"""Counts of one opponent's actions."""


@kernel
def note_hands(rules, hands, history, lineup, player, tables, profiles):
    """Count the opponent's actions of each hand into the profile of its table."""
    for i in range(len(hands)):
        own = 0 if lineup[i, 0] == player else 1
        if lineup[i, own] == player and lineup[i, 1 - own] != player:
            note_hand(rules[0], hands[i], history[i], own, profiles[tables[i]])


@kernel
def note_hand(rules, hand, history, own, profile):
    """Count one hand; `own` is the seat of the player who keeps the profile."""
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
    """Count one action of the opponent; checks, and folds after the flop, are not counted."""
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
    """Return the share seen / of, with the prior `usual` counted as `weight` additional observations."""
    return (seen + weight * usual) / (of + weight)
