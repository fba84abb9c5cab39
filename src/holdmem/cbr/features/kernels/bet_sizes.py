"""Kernels: categories of no-limit bet sizes, and betting sequences in the letters of these categories.

The size of a raise is what it adds beyond a call, as a fraction of the pot after a call.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD, SEATS

FOLDS, CALLS, QUARTER, HALF, THREE_QUARTER, POT, DOUBLE, FIVE, TEN, ALL_IN = range(10)
NEXT_STREET = 10
"""Start of a street: the eleventh letter of a betting sequence, after the ten categories."""

BASE = 12
LETTERS = 16
"""Letters that fit into a number of 59 bits; heads-up, few hands need more."""
PRIME = 2**59 - 55
"""Longer sequences are reduced modulo this prime and made negative: distinguishable, not readable."""

WIDER = BASE + 1
"""Base with room for a separator in addition to the digits; WIDER * PRIME still fits into 63 bits."""

SMALL, MIDDLE, BIG = QUARTER, THREE_QUARTER, DOUBLE
LEVELS = 4


@kernel
def own_total(fraction, highest, pot):
    """Return the amount, in whole chips, that a raise by this fraction of the pot raises to."""
    return highest + int(fraction * pot + 0.5)


@kernel
def category_of(total, highest, pot, covers, fractions, borders):
    """Return the category of a raise.

    It is all-in if it covers everything, else the category whose amount it equals, else the one given by the
    borders between sizes.
    """
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
    """Return the street total that no player can add to: all-in, or the deepest opponent's total."""
    deepest = 0
    for seat in range(SEATS):
        if seat != row.seat and (row.live >> seat) & 1:
            deepest = max(deepest, row.bet[seat] + row.stack[seat])
    return min(row.bet[row.seat] + row.stack[row.seat], deepest)


@kernel
def categories(rows, codes, fractions, borders, out):
    """Write the category of each action at its view."""
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
    """Write the amount that each category raises to.

    It is at least the minimum raise, and all-in where the amount covers everything.
    """
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
    """Post the blinds and antes of a hand.

    `chips` receives one row per seat: starting stack, total paid, bet on this street.
    """
    for seat in range(rules.seats):
        start = row.stack[seat] + row.paid[seat]
        ante = min(rules.ante[seat], start)
        chips[seat, 0] = start
        chips[seat, 2] = min(rules.blind[seat], start - ante)
        chips[seat, 1] = ante + chips[seat, 2]


@kernel
def highest_bet(rules, chips, street):
    """Return the bet that a call must match: the highest, or a big blind posted short that counts in full."""
    highest = rules.big_blind if rules.full_blinds and street == 0 else 0
    for seat in range(rules.seats):
        highest = max(highest, chips[seat, 2])
    return highest


@kernel
def raise_letter(rules, chips, live, actor, total, highest, fractions, borders):
    """Return the category of a raise at the current point of a hand, where `highest` is the bet to call."""
    pot, deepest = rules.all_dead, 0
    for seat in range(rules.seats):
        pot += chips[seat, 1]
        if seat != actor and (live >> seat) & 1:
            deepest = max(deepest, chips[seat, 0] - chips[seat, 1] + chips[seat, 2])
    owed = highest - chips[actor, 2]
    all_in = chips[actor, 0] - chips[actor, 1] + chips[actor, 2]
    return category_of(total, highest, pot + owed, min(all_in, deepest), fractions, borders)


@kernel
def pay(chips, actor, action, highest):
    """Move the chips of a raise, or of a call of the bet `highest`."""
    total = highest if action == CALL else action
    paid = min(total - chips[actor, 2], chips[actor, 0] - chips[actor, 1])
    chips[actor, 1] += paid
    chips[actor, 2] += paid


@kernel
def spell(rules, row, history, fractions, borders, chips, letters):
    """Write the betting before a view into `letters` as (letter, seat, street); return their number."""
    open_betting(rules, row, chips)
    live, street = (1 << rules.seats) - 1, 0
    for place in range(row.actions):
        # Widen to int: without compilation, sums and shifts of narrow integers overflow.
        seat, total = int(history[place].seat), int(history[place].to)
        if history[place].street != street:
            street = int(history[place].street)
            chips[:, 2] = 0
        letter = CALLS
        if total == FOLD:
            letter = FOLDS
            live &= ~(1 << seat)
        else:
            highest = highest_bet(rules, chips, street)
            if total != CALL:
                letter = raise_letter(rules, chips, live, seat, total, highest, fractions, borders)
            pay(chips, seat, total, highest)
        letters[place, 0], letters[place, 1], letters[place, 2] = letter, seat, street
    return row.actions


@kernel
def add_letter(code, letter):
    """Append a letter to a code."""
    return (code * BASE + letter + 1) % PRIME


@kernel
def sized_codes(rules, rows, history, fractions, borders, out):
    """Encode the betting before each view, with a letter for every street that has begun."""
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
    """Map sizes to groups: up to half a pot, up to a pot, more, all-in; other letters are unchanged."""
    if letter < QUARTER or letter >= ALL_IN:
        return letter
    return SMALL if letter <= HALF else MIDDLE if letter <= POT else BIG


@kernel
def size_steps(code, letters, raises, out):
    """Write the four levels of a heads-up betting sequence as numbers that are equal where sequences agree.

    All of them include the street:

        0   the whole sequence
        1   the active round as it is, and earlier rounds with sizes in groups
        2   the active round in groups, and how often each player raised in all earlier rounds
        3   how often each player raised in the active round, and the group of the last raise; nothing earlier
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
    """Combine two numbers into one: append the digits of `other` to `one`, followed by a separator."""
    while other:
        one = (one * WIDER + other % BASE) % PRIME
        other //= BASE
    return (one * WIDER + BASE) % PRIME


@kernel
def all_size_steps(codes, out):
    """Write the levels of each sequence."""
    letters, raises = np.zeros(2 * LETTERS, np.int64), np.zeros((2, 2), np.int64)
    for i in range(len(codes)):
        size_steps(codes[i], letters, raises, out[i])
