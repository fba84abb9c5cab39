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
def block(key, hand_id, decision, number):
    """Return the `number`th block of four random words for a decision of a hand."""
    last = (np.uint64(decision) << DECISION_SHIFT) | np.uint64(number)
    plain, low, high = key[0], key[1], key[2]
    w0, w1, w2, w3 = low & MASK, low >> HALF, high & MASK, high >> HALF
    a, b, c, d = philox(
        plain,
        np.uint64(hand_id.hand) ^ w0,
        np.uint64(hand_id.table) ^ w1,
        np.uint64(hand_id.match) ^ w2,
        last ^ w3,
    )
    return a ^ w0, b ^ w1, c ^ w2, d ^ w3


@kernel
def uniform(high, low):
    """Convert 53 bits of two words to a number in [0, 1)."""
    bits = ((high >> np.uint64(5)) << np.uint64(26)) | (low >> np.uint64(6))
    return np.float64(bits) / 9007199254740992.0


@kernel
def fill_uniforms(key, hand_ids, decisions, out):
    """Fill each row of `out` with uniform numbers for its hand and decision."""
    for i in range(len(out)):
        fill_row(key, hand_ids[i], decisions[i], out[i])


@kernel
def fill_uniforms_of_views(key, rows, out):
    """Fill each row of `out` for the hand and decision of a view, without copying the columns."""
    for i in range(len(out)):
        fill_row(key, rows[i].hand_id, rows[i].actions, out[i])


@kernel
def fill_row(key, hand_id, decision, out):
    """Fill `out` with uniform numbers for one hand and decision, two from each block."""
    for j in range(0, len(out), 2):
        a, b, c, d = block(key, hand_id, decision, j >> 1)
        out[j] = uniform(a, b)
        if j + 1 < len(out):
            out[j + 1] = uniform(c, d)


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
