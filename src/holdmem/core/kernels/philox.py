"""Philox 4x32-10, a counter-based generator, and the draws made from it. All words are uint64 below 2**32.

A stream's key is an array of three uint64: the generator's own key and 128 bits of whitening, which are XORed
with the counter and with the result (the FX construction of Kilian and Rogaway, 1996). Whitening of zero is
plain Philox.
"""

import numpy as np

from holdmem.core.jit import kernel

MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
MULTIPLY_0, MULTIPLY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
DECISION_SHIFT = np.uint64(16)
"""The block number within one decision occupies the 16 bits below this shift."""
LANES = 64
"""Blocks that are computed side by side, so that the compiler can use vector instructions."""


@kernel
def philox(key, c0, c1, c2, c3):
    """Return four random words from a 64-bit key and a counter of four words."""
    k0, k1 = key & MASK, key >> HALF
    for _ in range(10):
        p0, p1 = c0 * MULTIPLY_0, c2 * MULTIPLY_1
        c0, c1, c2, c3 = (p1 >> HALF) ^ c1 ^ k0, p1 & MASK, (p0 >> HALF) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + WEYL_0) & MASK, (k1 + WEYL_1) & MASK
    return c0, c1, c2, c3


@kernel
def philox_of_lanes(key, c0, c1, c2, c3):
    """Replace the counters in four arrays of words by what `philox` makes of them."""
    k0, k1 = key & MASK, key >> HALF
    for _ in range(10):
        for lane in range(len(c0)):
            p0, p1 = (c0[lane] & MASK) * MULTIPLY_0, (c2[lane] & MASK) * MULTIPLY_1
            c0[lane] = (p1 >> HALF) ^ c1[lane] ^ k0
            c1[lane] = p1 & MASK
            c2[lane] = (p0 >> HALF) ^ c3[lane] ^ k1
            c3[lane] = p0 & MASK
        k0, k1 = (k0 + WEYL_0) & MASK, (k1 + WEYL_1) & MASK


@kernel
def whitening(key):
    """Return the four words of a stream's key that whiten counters and results."""
    low, high = key[1], key[2]
    return low & MASK, low >> HALF, high & MASK, high >> HALF


@kernel
def counter(key, hand_id, decision, number):
    """Return the whitened counter of the `number`th block for a decision of a hand."""
    w0, w1, w2, w3 = whitening(key)
    last = (np.uint64(decision) << DECISION_SHIFT) | np.uint64(number)
    return (
        np.uint64(hand_id.hand) ^ w0,
        np.uint64(hand_id.table) ^ w1,
        np.uint64(hand_id.match) ^ w2,
        last ^ w3,
    )


@kernel
def block(key, hand_id, decision, number):
    """Return the `number`th block of four random words for a decision of a hand."""
    w0, w1, w2, w3 = whitening(key)
    c0, c1, c2, c3 = counter(key, hand_id, decision, number)
    a, b, c, d = philox(key[0], c0, c1, c2, c3)
    return a ^ w0, b ^ w1, c ^ w2, d ^ w3


@kernel
def uniform(high, low):
    """Convert 53 bits of two words to a number in [0, 1)."""
    bits = ((high >> np.uint64(5)) << np.uint64(26)) | (low >> np.uint64(6))
    return np.float64(bits) / 9007199254740992.0


@kernel
def fill_uniforms(key, hand_ids, decisions, out):
    """Fill each row of `out` with uniform numbers for its hand and decision, two from each block."""
    lanes = np.empty((4, LANES), np.uint64)
    for start in range(0, len(out), LANES):
        part = out[start : start + LANES]
        for column in range(0, out.shape[1], 2):
            for i in range(len(part)):
                row = start + i
                set_lane(lanes, i, counter(key, hand_ids[row], decisions[row], column >> 1))
            fill_columns(key, lanes, column, part)


@kernel
def fill_uniforms_of_views(key, rows, out):
    """Fill each row of `out` for the hand and decision of a view, without copying the columns."""
    lanes = np.empty((4, LANES), np.uint64)
    for start in range(0, len(out), LANES):
        part = out[start : start + LANES]
        for column in range(0, out.shape[1], 2):
            for i in range(len(part)):
                view = rows[start + i]
                set_lane(lanes, i, counter(key, view.hand_id, view.actions, column >> 1))
            fill_columns(key, lanes, column, part)


@kernel
def set_lane(lanes, lane, four):
    """Write the four words of one lane."""
    for place in range(4):
        lanes[place, lane] = four[place]


@kernel
def fill_columns(key, lanes, column, out):
    """Fill one or two columns of `out` from the blocks of these counters, which are overwritten."""
    w0, w1, w2, w3 = whitening(key)
    n = len(out)
    c0, c1, c2, c3 = (
        lanes[0, :n],
        lanes[1, :n],
        lanes[2, :n],
        lanes[3, :n],
    )  # contiguous, or nothing is gained
    philox_of_lanes(key[0], c0, c1, c2, c3)
    for i in range(len(out)):
        out[i, column] = uniform(c0[i] ^ w0, c1[i] ^ w1)
    if column + 1 < out.shape[1]:
        for i in range(len(out)):
            out[i, column + 1] = uniform(c2[i] ^ w2, c3[i] ^ w3)


@kernel
def deal_decks(key, hand_ids, out):
    """Fill each row of `out` with the top of a deck shuffled for its hand (Fisher-Yates from the top).

    Positions are drawn without bias from one word each by Lemire's multiplication; the few words that would
    favour some positions are rejected.
    """
    deck = np.arange(52).astype(np.int8)
    size = out.shape[1]
    for i in range(len(out)):
        for card in range(52):
            deck[card] = card
        number = 0
        words = block(key, hand_ids[i], 0, number)
        used = 0
        for place in range(size):
            left = np.uint64(52 - place)
            unfair = np.uint64(4294967296) % left
            while True:
                if used == 4:
                    number += 1
                    words = block(key, hand_ids[i], 0, number)
                    used = 0
                product = words[used] * left
                used += 1
                if (product & MASK) >= unfair:
                    break
            chosen = place + np.int64(product >> HALF)
            deck[place], deck[chosen] = deck[chosen], deck[place]
            out[i, place] = deck[place]
