"""Compiled kernels of `style`."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD

COUNTS = (
    "hands",
    "voluntary",
    "raised_preflop",
    "aggressive",
    "calls",
    "flops",
    "showdowns",
    "won_showdowns",
)
HANDS, VOLUNTARY, RAISED, AGGRESSIVE, CALLS, FLOPS, SHOWDOWNS, WON = range(len(COUNTS))


@kernel
def count_style(hands, history, lineup, rules, counts):
    """Add what each player did in these hands to its row of counts."""
    bets = np.zeros(len(hands[0].stack), dtype=np.int64)
    for i in range(len(hands)):
        hand = hands[i]
        count_actions(hand, history[i], lineup[i], rules, bets, counts)
        for seat in range(rules.seats):
            row = counts[lineup[i, seat]]
            row[HANDS] += 1
            if hand.shown and (hand.live >> seat) & 1:
                row[SHOWDOWNS] += 1
                row[WON] += hand.net[seat] > 0


@kernel
def count_actions(hand, actions, lineup, rules, bets, counts):
    """Count bets and raises, calls (not checks) and voluntary money before the flop in one hand."""
    voluntary, raised = 0, 0
    gone = 0
    street, highest = 0, 0
    for seat in range(rules.seats):  # a short stack posts what it has
        chips = hand.stack[seat] + hand.paid[seat]
        bets[seat] = min(rules.blind[seat], chips - min(rules.ante[seat], chips))
        highest = max(highest, bets[seat])
    if rules.full_blinds:
        highest = max(highest, rules.big_blind)
    for k in range(hand.actions):
        action = actions[k]
        if action.street != street:
            if street == 0:
                count_flop(hand, gone, lineup, rules, counts)
            street, highest = action.street, 0
            bets[:] = 0
        row, bit = counts[lineup[action.seat]], 1 << np.int64(action.seat)
        if action.to == FOLD:
            gone |= bit
        elif action.to != CALL:
            row[AGGRESSIVE] += 1
            bets[action.seat] = highest = action.to
            if street == 0:
                row[RAISED] += not raised & bit
                row[VOLUNTARY] += not voluntary & bit
                raised |= bit
                voluntary |= bit
        elif bets[action.seat] < highest:
            row[CALLS] += 1
            bets[action.seat] = highest
            if street == 0:
                row[VOLUNTARY] += not voluntary & bit
                voluntary |= bit
    if street == 0 and hand.shown:  # all-in before the flop: the board is dealt nevertheless
        count_flop(hand, gone, lineup, rules, counts)


@kernel
def count_flop(hand, gone, lineup, rules, counts):
    """Count the flop as seen for every seat that has not folded."""
    for seat in range(rules.seats):
        if not (gone >> seat) & 1:
            counts[lineup[seat], FLOPS] += 1
