"""Sizes of no-limit bets in categories, and betting sequences in letters of these categories.

The size of a raise is what it puts in beyond a call, in parts of the pot that there is after a call.
"""

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules.state import CALL, FOLD, SEATS

FOLDS, CALLS, QUARTER, HALF, THREE_QUARTER, POT, DOUBLE, FIVE, TEN, ALL_IN = range(10)
NEXT_STREET = 10
"""A street begins: after the ten categories the eleventh letter of a betting sequence."""

BASE = 12
LETTERS = 16
"""As many letters as a number of 59 bits holds; heads-up, hands that need more are rare."""
PRIME = 2**59 - 55
"""Longer sequences wrap round it and become negative: still told apart, but no longer readable."""

WIDER = BASE + 1
"""Room for a mark beside the digits; times PRIME it still fits into 63 bits."""

SMALL, MIDDLE, BIG = QUARTER, THREE_QUARTER, DOUBLE
LEVELS = 4


@kernel
def own_total(fraction, highest, pot):
    """What a raise by this part of the pot raises to, in whole chips."""
    return highest + int(fraction * pot + 0.5)


@kernel
def category_of(total, highest, pot, covers, fractions, borders):
    """The category of a raise: all-in if it covers everything, else the one whose own size it is, else by
    the borders between sizes."""
    if total >= covers:
        return ALL_IN
    for place in range(len(fractions)):
        if total == own_total(fractions[place], highest, pot):
            return QUARTER + place
    size = (total - highest) / pot
    for place in range(len(borders)):
        if size < borders[place]:
            return QUARTER + place
    return TEN


@kernel
def covering(row):
    """The total on this street at which nobody can add anything: all-in, or what the deepest other has."""
    deepest = 0
    for seat in range(SEATS):
        if seat != row.seat and (row.live >> seat) & 1:
            deepest = max(deepest, row.bet[seat] + row.stack[seat])
    return min(row.bet[row.seat] + row.stack[row.seat], deepest)


@kernel
def categories(rows, codes, fractions, borders, out):
    """The category of each action at its view."""
    for i in range(len(rows)):
        row = rows[i]
        if codes[i] == FOLD:
            out[i] = FOLDS
        elif codes[i] == CALL:
            out[i] = CALLS
        else:
            pot = row.pot + row.to_call
            out[i] = category_of(codes[i], row.highest, pot, covering(row), fractions, borders)


@kernel
def totals(rows, fractions, out):
    """What each category raises to: at least the least raise; everything where its size covers everything."""
    for i in range(len(rows)):
        row = rows[i]
        covers = covering(row)
        for place in range(len(fractions)):
            total = max(own_total(fractions[place], row.highest, row.pot + row.to_call), row.min_raise_to)
            out[i, place] = row.max_raise_to if total >= covers else total
        out[i, len(fractions)] = row.max_raise_to


# Betting sequences


@kernel
def open_betting(rules, row, chips):
    """The blinds and antes of a hand into `chips`, a row a seat: start, paid in all, bet on this street."""
    for seat in range(rules.seats):
        start = row.stack[seat] + row.paid[seat]
        ante = min(rules.ante[seat], start)
        chips[seat, 0] = start
        chips[seat, 2] = min(rules.blind[seat], start - ante)
        chips[seat, 1] = ante + chips[seat, 2]


@kernel
def raise_letter(rules, chips, live, actor, total, fractions, borders):
    """The category of a raise in the course of a hand."""
    pot, highest, deepest = rules.all_dead, 0, 0
    for seat in range(rules.seats):
        pot += chips[seat, 1]
        highest = max(highest, chips[seat, 2])
        if seat != actor and (live >> seat) & 1:
            deepest = max(deepest, chips[seat, 0] - chips[seat, 1] + chips[seat, 2])
    owed = highest - chips[actor, 2]
    all_in = chips[actor, 0] - chips[actor, 1] + chips[actor, 2]
    return category_of(total, highest, pot + owed, min(all_in, deepest), fractions, borders)


@kernel
def pay(rules, chips, actor, action):
    """Move the chips of a call or a raise."""
    total = action
    if action == CALL:
        total = 0
        for seat in range(rules.seats):
            total = max(total, chips[seat, 2])
    paid = min(total - chips[actor, 2], chips[actor, 0] - chips[actor, 1])
    chips[actor, 1] += paid
    chips[actor, 2] += paid


@kernel
def spell(rules, row, history, fractions, borders, chips, letters):
    """The betting before a view as (letter, seat, street) in `letters`; how many there are."""
    open_betting(rules, row, chips)
    live, street = (1 << rules.seats) - 1, 0
    for place in range(row.actions):
        # As wide as can be: uncompiled, sums and shifts of narrow numbers overflow.
        seat, total = int(history[place].seat), int(history[place].to)
        if history[place].street != street:
            street = int(history[place].street)
            chips[:, 2] = 0
        letter = CALLS
        if total == FOLD:
            letter = FOLDS
            live &= ~(1 << seat)
        else:
            if total != CALL:
                letter = raise_letter(rules, chips, live, seat, total, fractions, borders)
            pay(rules, chips, seat, total)
        letters[place, 0], letters[place, 1], letters[place, 2] = letter, seat, street
    return row.actions


@kernel
def add_letter(code, letter):
    """A code with one more letter."""
    return (code * BASE + letter + 1) % PRIME


@kernel
def sized_codes(rules, rows, history, fractions, borders, out):
    """The code of the betting before each view, with a letter for every street that has begun."""
    chips = np.zeros((SEATS, 3), np.int64)
    letters = np.zeros((max(history.shape[1], 1), 3), np.int64)
    for i in range(len(rows)):
        count = spell(rules[0], rows[i], history[i], fractions, borders, chips, letters)
        code, written, now = np.int64(0), 0, 0
        for place in range(count):
            while now < letters[place, 2]:
                code, written, now = add_letter(code, NEXT_STREET), written + 1, now + 1
            code, written = add_letter(code, letters[place, 0]), written + 1
        while now < rows[i].street:
            code, written, now = add_letter(code, NEXT_STREET), written + 1, now + 1
        out[i] = code if written <= LETTERS else -code - 1


@kernel
def grouped(letter):
    """Sizes in groups: up to half a pot, up to a pot, beyond it, all-in; other letters stay what they are."""
    if letter < QUARTER or letter >= ALL_IN:
        return letter
    return SMALL if letter <= HALF else MIDDLE if letter <= POT else BIG


@kernel
def size_steps(code, letters, raises, out):
    """The four levels of a sized betting sequence between two, as numbers that are equal where they agree.

    0   the whole sequence
    1   the active round as it is, the rounds before it with sizes in groups
    2   the active round in groups, how often each player raised in all rounds before it
    3   of the active round how often each raised and the group of the last raise, nothing before it
    """
    out[:] = code
    if code < 0:
        return
    count = 0
    while code:
        letters[count] = code % BASE - 1
        code //= BASE
        count += 1
    raises[:] = 0
    before = now = now_grouped = np.int64(0)
    street, seat, last = 0, 1, 0
    for place in range(count - 1, -1, -1):
        letter = letters[place]
        if letter == NEXT_STREET:
            before, now, now_grouped = add_letter(before, NEXT_STREET), np.int64(0), np.int64(0)
            raises[0] += raises[1]
            raises[1] = 0
            street, seat, last = street + 1, 0, 0
            continue
        before = add_letter(before, grouped(letter))
        now, now_grouped = add_letter(now, letter), add_letter(now_grouped, grouped(letter))
        if letter >= QUARTER:
            raises[1, seat] += 1
            last = grouped(letter)
        seat = 1 - seat
    first = np.int64(1 + street)
    out[1] = -2 - joined(joined(first, before), now)
    out[2] = -2 - joined(joined(joined(first, raises[0, 0]), raises[0, 1]), now_grouped)
    out[3] = -2 - joined(joined(joined(first, raises[1, 0]), raises[1, 1]), last)


@kernel
def joined(one, other):
    """A number for a pair of numbers: the digits of the other after the one, with a mark behind them."""
    while other:
        one = (one * WIDER + other % BASE) % PRIME
        other //= BASE
    return (one * WIDER + BASE) % PRIME


@kernel
def all_size_steps(codes, out):
    """The levels of each sequence."""
    letters, raises = np.zeros(2 * LETTERS, np.int64), np.zeros((2, 2), np.int64)
    for i in range(len(codes)):
        size_steps(codes[i], letters, raises, out[i])
