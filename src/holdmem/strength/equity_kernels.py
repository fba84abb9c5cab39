"""The compiled side of `equity`: known hands, every way to complete the board, who wins.

A hand is two numbers, the sum of its cards' keys (see `evaluator`) and its set of cards, four lanes of ranks,
one for each suit. Both grow by addition when cards are drawn, and together they give the strength.

Completions of the board are taken in blocks, and each block in passes over all its boards: look-ups for one
hand after another, the few flushes, comparisons. Nothing in a pass waits for what came before it.
"""

import numpy as np

from holdmem.cards.evaluator import (
    CARD_KEYS,
    FLUSH_BITS,
    FLUSHES,
    NO_CARDS,
    flush_suit,
    strength_without_flush,
)
from holdmem.cards.isomorphism_kernels import LANE, RANK_BITS
from holdmem.compiled import kernel

CARD_BITS = np.array([1 << LANE * (card % 4) + card // 4 for card in range(52)], np.int64)
BLOCK = 256
WHOLE = 2520
"""A pot in parts: the least number that one to ten winners can share evenly."""
PARTS = np.array([0, *(WHOLE // winners for winners in range(1, 11))], np.int16)


@kernel
def equities(hands, boards, dead, wins, ties, shares):
    """Boards won alone and tied, and parts of pots won, for each hand of each situation.

    `hands` (n, players, 2), `boards` (n, 0 to 5), `dead` cards that nobody holds and that cannot come.
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
    """Write the cards that can still come to `deck`; how many they are."""
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
    """The sum of keys and the set of a hand and a board."""
    key, bits = NO_CARDS + CARD_KEYS[hand[0]] + CARD_KEYS[hand[1]], CARD_BITS[hand[0]] | CARD_BITS[hand[1]]
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    return key, bits


@kernel
def fill_block(deck, places, keys, bits):
    """Sums and sets of the next choices of cards from the deck, `places` the first: how many, and if more.

    The last place runs through the deck; a block may end short of its size when the other places move on.
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
    """Move rising `places` below `size` on to the next choice of as many; False after the last one."""
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
    """The strength of one hand with each of the cards drawn in a block."""
    for j in range(len(block_keys)):
        strengths[j] = strength_without_flush(key + block_keys[j], 7)
    for j in range(len(block_keys)):
        if (key + block_keys[j]) & FLUSH_BITS:
            strengths[j] = strength_of_flush(key + block_keys[j], bits | block_bits[j])


@kernel
def strength_of_flush(key, bits):
    """Strength of seven cards of which five or more share a suit."""
    return np.int64(FLUSHES[bits >> LANE * flush_suit(key) & RANK_BITS])


@kernel
def strength_of_seven(key, bits):
    """Strength of seven cards from the sum of their keys and their set."""
    if key & FLUSH_BITS:
        return strength_of_flush(key, bits)
    return np.int64(strength_without_flush(key, 7))


@kernel
def find_winners(strengths, best, parts):
    """Write the best strength on each board of a block, and the part of the pot for each that has it."""
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
    """How many boards of a block a hand wins alone, how many it ties, and the parts of pots it wins."""
    alone, wins_or_ties, won = 0, 0, 0
    for j in range(len(best)):
        wins_or_ties += strengths[j] == best[j]
        alone += (strengths[j] == best[j]) & (parts[j] == WHOLE)
        won += np.int64(parts[j]) if strengths[j] == best[j] else 0  # wide, also when not compiled
    return alone, wins_or_ties - alone, won
