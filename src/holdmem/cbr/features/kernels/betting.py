"""Kernels: betting sequences as numbers, with the letters c, r, f and - as digits in base five."""

import numpy as np

from holdmem.core.jit import kernel

CALLED, RAISED, FOLDED, NEXT_STREET = 1, 2, 3, 4
BASE = 5
LETTERS = 25
"""Letters that fit into a number of 60 bits; heads-up limit hold'em never needs more."""
PRIME = 2**60 - 93
"""Longer sequences are reduced modulo this prime and made negative: distinguishable, not readable."""


@kernel
def letter_of(action):
    """Return the letter of an action."""
    if action < 0:
        return FOLDED
    return RAISED if action > 0 else CALLED


@kernel
def code_of(history, actions, street):
    """Encode the betting so far, with a separator for every street that has begun."""
    code = np.int64(0)
    letters = now = 0
    for place in range(actions):
        while now < history[place].street:
            code = (code * BASE + NEXT_STREET) % PRIME
            letters += 1
            now += 1
        code = (code * BASE + letter_of(history[place].to)) % PRIME
        letters += 1
    while now < street:
        code = (code * BASE + NEXT_STREET) % PRIME
        letters += 1
        now += 1
    return code if letters <= LETTERS else -code - 1


@kernel
def betting_codes(history, rows, out):
    """Encode the betting before each view."""
    for i in range(len(rows)):
        out[i] = code_of(history[i], rows[i].actions, rows[i].street)


@kernel
def read_letters(code, letters):
    """Decode the letters of a code into `letters`, first one first; return their number."""
    count = 0
    while code:
        letters[count] = code % BASE
        code //= BASE
        count += 1
    for place in range(count // 2):
        letters[place], letters[count - 1 - place] = letters[count - 1 - place], letters[place]
    return count


@kernel
def next_live(seat, live, seats):
    """Return the first seat, from this one on, that has not folded."""
    for step in range(seats):
        if (live >> ((seat + step) % seats)) & 1:
            return (seat + step) % seats
    return 0


@kernel
def first_to_act(street, seats):
    """Return the seat that acts first.

    Before the flop that is the seat after the blinds, or heads-up the button; later the seat after the
    button.
    """
    if street:
        return 0
    return 1 if seats == 2 else 2 % seats


@kernel
def and_number(key, number):
    """Append a number below 64 to a key."""
    key = (key * 8 + number // 8) % PRIME
    return (key * 8 + number % 8) % PRIME


@kernel
def steps_of(code, seats, letters, raises, out):
    """Write the three levels of a betting sequence as numbers that are equal where the sequences agree.

    Level 0 is the sequence; level 1 the letters of the active round and each player's raises on each earlier
    street; level 2 the same with the earlier streets summed. `raises` (4, seats) is scratch.
    """
    out[0] = out[1] = out[2] = code
    if code < 0:
        return
    count = read_letters(code, letters)
    raises[:] = 0
    live, street = (1 << seats) - 1, 0
    seat, active = first_to_act(0, seats), np.int64(0)
    for place in range(count):
        letter = letters[place]
        if letter == NEXT_STREET:
            street += 1
            seat, active = first_to_act(street, seats), np.int64(0)
            continue
        seat = next_live(seat, live, seats)
        active = (active * BASE + letter) % PRIME
        raises[street, seat] += letter == RAISED
        if letter == FOLDED:
            live &= ~(1 << seat)
        seat = (seat + 1) % seats
    by_street = together = active
    for who in range(seats):
        total = np.int64(0)
        for before in range(street):
            by_street = and_number(by_street, raises[before, who])
            total += raises[before, who]
        together = and_number(together, total)
    out[1] = -2 - ((by_street * 4 + street) % PRIME)
    out[2] = -2 - ((together * 4 + street) % PRIME)


@kernel
def all_steps(codes, seats, out):
    """Apply `steps_of` to each betting sequence."""
    letters, raises = np.zeros(2 * LETTERS, np.int64), np.zeros((4, seats), np.int64)
    for i in range(len(codes)):
        steps_of(codes[i], seats, letters, raises, out[i])
