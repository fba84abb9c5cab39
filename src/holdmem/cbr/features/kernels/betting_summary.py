"""Kernels: condense the betting of any number of seats to what matters to the player to act."""

import numpy as np

from holdmem.cbr.features.kernels.bet_sizes import ALL_IN, BIG, MIDDLE, SMALL, grouped, spell
from holdmem.core.jit import kernel
from holdmem.engine.state import SEATS, STREETS

MOST_RAISES, MOST_CALLERS = 4, 2
GROUPS = 5
NOBODY, MINE, THEIRS, GONE = range(4)


@kernel
def group_of(letter):
    """Return the size group of a raise: 1 up to half a pot, 2 up to a pot, 3 more, 4 all-in."""
    size = grouped(letter)
    return 1 if size == SMALL else 2 if size == MIDDLE else 3 if size == BIG else 4 if size == ALL_IN else 0


@kernel
def round_now(limit, row, letters, count):
    """Encode the active round as ((raises · 5 + group of the last raise) · 2 + own raise) · 3 + callers.

    Raises count up to 4, callers since the last raise up to 2; own raise is 1 if one of the raises is ours.
    Limit has a single size, so group is 0.
    """
    raises = group = own = callers = 0
    for place in range(count):
        letter, seat, street = letters[place, 0], letters[place, 1], letters[place, 2]
        if street != row.street:
            continue
        if letter > 1:
            raises, callers = raises + 1, 0
            group = 0 if limit else group_of(letter)
            if seat == row.seat:
                own = 1
        elif letter == 1:
            callers += 1
    return ((min(raises, MOST_RAISES) * GROUPS + group) * 2 + own) * 3 + min(callers, MOST_CALLERS)


@kernel
def rounds_before(row, letters, count, seen):
    """Encode each round before the active one as a digit, the latest first.

    A digit is 0 if no player raised, else 1 + 3 · (raises - 1, at most 2) + the last raiser: 0 for us, 1
    for an opponent still in the hand, 2 for one who has folded. `seen` (streets, 2) is scratch for raises and
    the last raiser.
    """
    seen[:] = 0
    for place in range(count):
        if letters[place, 0] > 1:
            street = letters[place, 2]
            seen[street, 0] += 1
            seat = letters[place, 1]
            live = (row.live >> seat) & 1
            seen[street, 1] = MINE if seat == row.seat else THEIRS if live else GONE
    code, digit = 0, 1000
    for street in range(row.street - 1, -1, -1):
        digit //= 10
        if seen[street, 0]:
            code += digit * (1 + 3 * (min(seen[street, 0], 3) - 1) + seen[street, 1] - 1)
    return code


@kernel
def condense(rules, rows, history, fractions, borders, now, before):
    """Write both codes of the betting before each view."""
    chips, seen = np.zeros((SEATS, 3), np.int64), np.zeros((STREETS, 2), np.int64)
    letters = np.zeros((max(history.shape[1], 1), 3), np.int64)
    for i in range(len(rows)):
        count = spell(rules[0], rows[i], history[i], fractions, borders, chips, letters)
        now[i] = round_now(rules[0].limit, rows[i], letters, count)
        before[i] = rounds_before(rows[i], letters, count, seen)


@kernel
def positions(rows, out):
    """Write 10 * (opponents still in that act after this seat on later streets) + opponents still in."""
    for i in range(len(rows)):
        row = rows[i]
        behind = others = 0
        for seat in range(SEATS):
            if seat != row.seat and (row.live >> seat) & 1:
                others += 1
                behind += seat > row.seat
        out[i] = behind * SEATS + others


@kernel
def stack_classes(rows, out):
    """Write the class of what can still be bet after a call, relative to the pot after it.

    Class 0 is below 1/4, class 1 below 1/2, …, class 9 from 64 on.
    """
    for i in range(len(rows)):
        row = rows[i]
        deepest = 0
        for seat in range(SEATS):
            if seat != row.seat and (row.live >> seat) & 1:
                deepest = max(deepest, row.stack[seat] + row.bet[seat] - row.highest)
        rest = min(deepest, row.stack[row.seat] - row.to_call)
        pot = row.pot + row.to_call
        found, border = 0, 0.25
        while found < 9 and rest >= border * pot:
            found, border = found + 1, border * 2
        out[i] = found
