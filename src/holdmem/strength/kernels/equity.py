"""Compiled kernels of `equity`: enumerate the completions of the board and find the winners.

A hand is represented by two integers: the sum of its cards' keys (see `evaluator`) and the set of its cards,
four lanes of rank bits, one per suit. Drawn cards are added to both, and together they give the strength.

Completions of the board are processed in blocks, and each block in passes over all its boards: table look-ups
for one hand after another, then the few flushes, then comparisons. Within a pass no step depends on the
previous one.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import (
    CARD_KEYS,
    FLUSH_BITS,
    FLUSHES,
    NO_CARDS,
    flush_suit,
    strength_without_flush,
)
from holdmem.cards.kernels.isomorphism import LANE, RANK_BITS
from holdmem.core.jit import kernel

CARD_BITS = np.array([1 << LANE * (card % 4) + card // 4 for card in range(52)], np.int64)
BLOCK = 256
WHOLE = 2520
"""Parts of a pot: the smallest number that one to ten winners divide evenly."""
PARTS = np.array([0, *(WHOLE // winners for winners in range(1, 11))], np.int16)


@kernel
def equities(hands, boards, dead, wins, ties, shares):
    """Add boards won alone, boards tied and parts of pots won, for each hand of each situation.

    `hands` is (n, players, 2), `boards` (n, 0 to 5); `dead` cards are in no hand and cannot come. `shares`
    counts in parts of a pot (see `WHOLE`).
    """
    players = hands.shape[1]
    keys, bits = np.empty(players, np.int64), np.empty(players, np.int64)
    deck = np.empty(52, np.int64)
    places = np.empty(5 - boards.shape[1], np.int64)
    block_keys, block_bits = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    strengths = np.empty((players, BLOCK), np.int16)
    best, parts = np.empty(BLOCK, np.int16), np.empty(BLOCK, np.int16)
    for i in range(len(hands)):
        left = remaining(hands[i], boards[i], dead, deck)
        for player in range(players):
            keys[player], bits[player] = sums(hands[i, player], boards[i])
        places[:] = np.arange(len(places))
        more = True
        while more:
            size, more = fill_block(deck[:left], places, block_keys, block_bits)
            for player in range(players):
                evaluate_block(keys[player], bits[player], block_keys[:size], block_bits, strengths[player])
            find_winners(strengths, best[:size], parts[:size])
            for player in range(players):
                alone, tied, won = count_block(strengths[player], best[:size], parts)
                wins[i, player] += alone
                ties[i, player] += tied
                shares[i, player] += won


@kernel
def remaining(hands, board, dead, deck):
    """Write the cards that can still come to `deck`; return their number."""
    taken = 0
    for hand in hands:
        taken |= 1 << np.int64(hand[0]) | 1 << np.int64(hand[1])
    for card in board:
        taken |= 1 << np.int64(card)
    for card in dead:
        taken |= 1 << np.int64(card)
    left = 0
    for card in range(52):
        if not taken >> card & 1:
            deck[left] = card
            left += 1
    return left


@kernel
def sums(hand, board):
    """Sum of keys and set of cards of a hand and a board."""
    key, bits = NO_CARDS + CARD_KEYS[hand[0]] + CARD_KEYS[hand[1]], CARD_BITS[hand[0]] | CARD_BITS[hand[1]]
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    return key, bits


@kernel
def fill_block(deck, places, keys, bits):
    """Fill a block with key sums and card sets of the next draws; return its size and whether more follow.

    `places` is the next draw, as positions in the deck. The last place runs through the deck; a block may end
    short of its capacity when the other places advance.
    """
    if len(places) == 0:
        keys[0] = bits[0] = 0
        return 1, False
    size, last = 0, len(places) - 1
    while size + len(deck) <= len(keys):
        key, drawn = 0, 0
        for place in places[:last]:
            key += CARD_KEYS[deck[place]]
            drawn |= CARD_BITS[deck[place]]
        for place in range(places[last], len(deck)):
            keys[size] = key + CARD_KEYS[deck[place]]
            bits[size] = drawn | CARD_BITS[deck[place]]
            size += 1
        places[last] = len(deck) - 1
        if not next_choice(places, len(deck)):
            return size, False
    return size, True


@kernel
def next_choice(places, size):
    """Advance rising `places` below `size` to the next combination; return False after the last one."""
    i = len(places) - 1
    while i >= 0 and places[i] == size - len(places) + i:
        i -= 1
    if i < 0:
        return False
    places[i] += 1
    for j in range(i + 1, len(places)):
        places[j] = places[j - 1] + 1
    return True


@kernel
def evaluate_block(key, bits, block_keys, block_bits, strengths):
    """Strength of one hand with each draw of a block."""
    for j in range(len(block_keys)):
        strengths[j] = strength_without_flush(key + block_keys[j], 7)
    for j in range(len(block_keys)):
        if (key + block_keys[j]) & FLUSH_BITS:
            strengths[j] = strength_of_flush(key + block_keys[j], bits | block_bits[j])


@kernel
def strength_of_flush(key, bits):
    """Strength of seven cards, five or more of one suit."""
    return np.int64(FLUSHES[bits >> LANE * flush_suit(key) & RANK_BITS])


@kernel
def strength_of_seven(key, bits):
    """Strength of seven cards from the sum of their keys and their set."""
    if key & FLUSH_BITS:
        return strength_of_flush(key, bits)
    return np.int64(strength_without_flush(key, 7))


@kernel
def find_winners(strengths, best, parts):
    """Write the best strength on each board of a block and the part of the pot that each winner receives."""
    best[:] = 0
    parts[:] = 0
    for player in range(len(strengths)):
        for j in range(len(best)):
            best[j] = max(best[j], strengths[player, j])
    for player in range(len(strengths)):
        for j in range(len(best)):
            parts[j] += strengths[player, j] == best[j]
    for j in range(len(best)):
        parts[j] = PARTS[parts[j]]


@kernel
def count_block(strengths, best, parts):
    """Number of boards of a block that a hand wins alone and that it ties, and the parts of pots it wins."""
    alone, wins_or_ties, won = 0, 0, 0
    for j in range(len(best)):
        wins_or_ties += strengths[j] == best[j]
        alone += (strengths[j] == best[j]) & (parts[j] == WHOLE)
        won += np.int64(parts[j]) if strengths[j] == best[j] else 0  # 64 bits, also when not compiled
    return alone, wins_or_ties - alone, won
