"""Follow the chips of scanned PokerStars hands and write them to columns.

The same as `ChipTracker` and `record` do for any text, for hands of no-limit hold'em with plain posts. Where
those would object, the hand is left to them.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import CALL, FOLD, SEATS
from holdmem.history.formats.kernels.stars_words import (
    ANTE,
    CALLS,
    CHECKS,
    FOLDS,
    MOST_SEATS,
    RAISES,
    SMALL,
)

FOLLOWED = record(
    [
        ("place", "i8", MOST_SEATS),  # index of each listed player from the left of the button, or -1
        ("listed", "i8", SEATS),  # and the reverse
        ("left", "i8", SEATS),
        ("bet", "i8", SEATS),
        ("paid", "i8", SEATS),
        ("live", "i8", SEATS),
        ("acted", "i8", SEATS),
        ("seats", "i8"),
        ("highest", "i8"),
        ("street", "i8"),
        ("turn", "i8"),
    ]
)
"""Chips of one hand; seats are counted from the left of the button."""


@kernel
def seat_players(desk, table):
    """Order the players who were dealt in from the left of the button; return whether that is a table."""
    around = desk.button
    table.seats = 0
    for seat in range(desk.listed):
        around = max(around, desk.number[seat])
        table.place[seat] = -1
    for step in range(1, around + 2):
        number = (desk.button + step) % (around + 1)
        for seat in range(desk.listed):
            if desk.number[seat] == number and desk.dealt[seat]:
                if table.seats == SEATS:
                    return False
                table.place[seat], table.listed[table.seats] = table.seats, seat
                table.seats += 1
    for seat in range(desk.listed):
        if table.place[seat] < 0 and (desk.won[seat] > 0 or desk.back[seat] > 0):
            return False
    return table.seats >= 2


@kernel
def open_table(desk, table):
    """Reset the chips of all seats."""
    for place in range(table.seats):
        table.left[place] = desk.stack[table.listed[place]]
        table.bet[place] = table.paid[place] = table.acted[place] = 0
        table.live[place] = 1
    table.highest = table.street = 0


@kernel
def pay(table, place, chips, live):
    """Move chips from a stack to the pot, `live` of them as a bet; return whether the seat has them."""
    table.left[place] -= chips
    table.paid[place] += chips
    table.bet[place] += live
    table.highest = max(table.highest, table.bet[place])
    return table.left[place] >= 0


@kernel
def post_all(desk, deeds, table):
    """Apply the posts: antes, then at most one small blind, then big blinds; return how many, or -1."""
    count, smalls, bigs, blinded, anted = 0, 0, 0, 0, 0
    for k in range(desk.deeds):
        deed = deeds[k]
        if deed.verb < SMALL:
            break
        place, count = table.place[deed.seat], count + 1
        bit = 1 << place
        if deed.verb == ANTE:
            if anted & bit or smalls + bigs > 0 or not pay(table, place, deed.chips, 0):
                return -1
            anted |= bit
            continue
        if blinded & bit or not pay(table, place, deed.chips, deed.chips):
            return -1
        blinded |= bit
        if deed.verb == SMALL:
            if smalls + bigs > 0 or (table.seats > 2 and place != 0):
                return -1
            smalls += 1
        else:
            table.turn = place + 1 if bigs == 0 else table.turn
            bigs += 1
    return count if bigs > 0 else -1


@kernel
def end_street(table, row, betting):
    """Add the check that the engine requires of the last seat with chips if no action could follow it."""
    able, alive, last, acted, highest = 0, 0, 0, 0, np.int64(0)
    for place in range(table.seats):
        alive += table.live[place]
        acted += table.acted[place]
        highest = max(highest, table.bet[place])
        if table.live[place] and table.left[place] > 0:
            able, last = able + 1, place
    asked = acted > 0 and not table.acted[last] and table.bet[last] == highest
    if table.street == 0 and able == 1 and alive > 1 and asked:
        betting[row.start + row.actions] = CALL
        row.actions += 1


@kernel
def is_in_turn(table, place):
    """Return whether no other seat with cards and chips has to act first; the turn then passes."""
    turn = table.turn
    for step in range(table.seats):
        other = (turn + step) % table.seats
        if table.live[other] and table.left[other] > 0:
            if other != place:
                return False
            break
    table.turn = place + 1
    return True


@kernel
def next_street(table, street, row, betting):
    """Begin another street."""
    end_street(table, row, betting)
    table.street, table.highest, table.turn = street, 0, 0
    for place in range(table.seats):
        table.bet[place] = table.acted[place] = 0


@kernel
def do(table, deed, note):
    """Apply an action; return it as the engine's, and whether the chips are as expected."""
    place = table.place[deed.seat]
    if deed.verb == FOLDS:
        table.live[place] = 0
        return np.int64(FOLD), True
    if deed.verb in (CHECKS, CALLS):
        due = min(table.highest - table.bet[place], table.left[place])
        return np.int64(CALL), deed.chips == due and pay(table, place, due, due)
    total = deed.total if deed.verb == RAISES else table.bet[place] + deed.chips
    more = total - table.bet[place]
    note.most = max(note.most, total)
    return total, deed.verb <= RAISES and more > 0 and pay(table, place, more, more)


@kernel
def play(desk, deeds, table, row, note, betting):
    """Follow all actions of a hand; return the number of posts, or -1 if something does not fit."""
    open_table(desk, table)
    posts = post_all(desk, deeds, table)
    for k in range(max(posts, 0), desk.deeds if posts > 0 else 0):
        deed = deeds[k]
        place = table.place[deed.seat]
        if deed.street != table.street:
            next_street(table, deed.street, row, betting)
        if not is_in_turn(table, place):
            return -1
        table.acted[place] = 1
        action, fits = do(table, deed, note)
        if not fits:
            return -1
        betting[row.start + row.actions] = action
        row.actions += 1
    end_street(table, row, betting)
    return posts


@kernel
def uncalled(table):
    """Return the seat with the highest bet on this street and the part of it that no seat matched."""
    top, second = 0, np.int64(0)
    for place in range(1, table.seats):
        if table.bet[place] > table.bet[top]:
            top = place
    for place in range(table.seats):
        if place != top:
            second = max(second, table.bet[place])
    return top, table.bet[top] - second


@kernel
def settle(desk, table, row):
    """Write stacks and results in hundredths; return whether paid, returned and collected chips add up."""
    paid, back, won = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(desk.listed):
        back += desk.back[seat]
        won += desk.won[seat]
    for place in range(table.seats):
        paid += table.paid[place]
    if back == 0:
        top, chips = uncalled(table)
        if desk.pot == paid - chips and paid - chips - won == desk.rake:
            desk.back[table.listed[top]] = back = chips
    for place in range(table.seats):
        seat = table.listed[place]
        row.stack[place] = desk.stack[seat]
        row.net[place] = desk.back[seat] + desk.won[seat] - table.paid[place]
        row.hole[place, 0], row.hole[place, 1] = desk.hole[seat, 0], desk.hole[seat, 1]
    row.rake, row.scored = paid - back - won, 1
    return desk.pot == paid - back and row.rake == desk.rake
