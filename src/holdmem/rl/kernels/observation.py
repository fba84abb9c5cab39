"""Kernels that fill a player's observation in one pass over the hand."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import to_call
from holdmem.engine.state import BOARD_CARDS, CALL, FOLD, NOBODY, SEATS, STREETS

HOLE, FLOP, TURN, RIVER, STREET, SEAT, LIVE, STACK, BETS, RAISES, CALLS, POT, TO_CALL = range(13)
"""Parts of an observation, in order."""


@kernel
def observe_all(rules, hands, histories, tables, seats, unit, starts, out):
    """Fill row k of `out` with what a seat observes at table k of `tables`; `seats` has its seat by table."""
    for k in range(len(tables)):
        table = tables[k]
        out[k] = 0
        observe(rules[0], hands[table], histories[table], seats[table], unit, starts, out[k])


@kernel
def observe(rules, hand, history, me, unit, starts, out):
    """Fill in what seat `me` observes; part k begins at `starts[k]` of `out`, which must be zero on entry."""
    seats = rules.seats
    show_cards(hand, me, starts, out)
    out[starts[STREET] + hand.street] = 1
    out[starts[SEAT] + me] = 1
    pot = rules.all_dead
    for place in range(seats):
        seat = (me + place) % seats
        out[starts[LIVE] + place] = (hand.live >> seat) & 1
        if starts[STACK] < starts[BETS]:
            out[starts[STACK] + place] = hand.stack[seat] / unit
        pot += hand.paid[seat]
    out[starts[POT]] = pot / unit
    if (hand.live >> me) & 1 and hand.to_act != NOBODY:
        out[starts[TO_CALL]] = to_call(hand, me) / unit
    tell_betting(rules, hand, history, me, unit, starts, out)


@kernel
def show_cards(hand, me, starts, out):
    """Fill in the player's hole cards and the visible board cards."""
    for card in hand.hole[me]:
        out[starts[HOLE] + card] = 1
    dealt = 5 if hand.shown else BOARD_CARDS[hand.street]
    for place in range(dealt):
        part = FLOP if place < 3 else (TURN if place == 3 else RIVER)
        out[starts[part] + hand.board[place]] = 1


@kernel
def tell_betting(rules, hand, history, me, unit, starts, out):
    """Fill in chips, raises and calls by street and seat, by replaying the betting from the blinds on."""
    seats = rules.seats
    paid = np.zeros((STREETS, SEATS), np.int64)
    bet = np.zeros(SEATS, np.int64)
    left = hand.stack + hand.paid
    highest, street = 0, 0
    for seat in range(seats):
        ante = min(rules.ante[seat], left[seat])
        bet[seat] = min(rules.blind[seat], left[seat] - ante)
        paid[0, seat] = ante + bet[seat]
        left[seat] -= paid[0, seat]
        highest = max(highest, bet[seat])
    if rules.full_blinds:
        highest = max(highest, rules.big_blind)
    for k in range(hand.actions):
        entry = history[k]
        seat = entry.seat
        if entry.street != street:
            street, highest = entry.street, 0
            bet[:] = 0
        if entry.to != FOLD:
            part = CALLS if entry.to == CALL else RAISES
            out[starts[part] + street * seats + (seat - me) % seats] += 1
            chips = min((highest if entry.to == CALL else entry.to) - bet[seat], left[seat])
            bet[seat] += chips
            left[seat] -= chips
            paid[street, seat] += chips
            highest = max(highest, bet[seat])
    for row in range(STREETS):
        for place in range(seats):
            out[starts[BETS] + row * seats + place] = paid[row, (me + place) % seats] / unit
