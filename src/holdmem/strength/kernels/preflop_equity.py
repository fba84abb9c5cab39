"""Equity of known hands before the flop by ranks: some ten thousand rank patterns, not a million boards.

Without a flush the strength depends on ranks alone, so boards with equal ranks are counted together, weighted
by the number of ways in which the remaining cards can form them. Boards on which some player has a flush are
then subtracted and added back with it: they have three or more cards of one suit, enumerated rank by rank,
and their other cards are again counted by ranks. Any cards may be dead, and counts are exact.
"""

from itertools import combinations_with_replacement, groupby
from math import comb

import numpy as np

from holdmem.cards.evaluator_tables import RANK_KEYS
from holdmem.cards.kernels.evaluator import CARD_KEYS, FLUSHES, strength_without_flush
from holdmem.core.jit import kernel
from holdmem.strength.kernels.equity import find_winners, next_choice

BLOCK = 256
BOARD = 5
CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.int64)


def _kinds_of_boards():
    """Return all multisets of up to five ranks: ranks, multiplicities, key sums, and first index per size."""
    ranks, times, keys, first = [], [], [], [0]
    for size in range(BOARD + 1):
        for kind in combinations_with_replacement(range(13), size):
            runs = [(rank, len(list(run))) for rank, run in groupby(kind)]
            if all(length <= 4 for _, length in runs):
                padded = runs + [(0, 0)] * (BOARD - len(runs))
                ranks.append([rank for rank, _ in padded])
                times.append([length for _, length in padded])
                keys.append(sum(int(RANK_KEYS[rank]) for rank in kind))
        first.append(len(keys))
    return np.array(ranks, np.int8), np.array(times, np.int8), np.array(keys, np.int64), np.array(first)


RANKS, TIMES, KEYS, FIRST = _kinds_of_boards()
KINDS, PAIRS = int(FIRST[BOARD + 1] - FIRST[BOARD]), int(FIRST[3] - FIRST[2])


@kernel
def preflop_shares(hole, inside, shares):
    """Write the parts of pots won over all boards, in 2520ths, for the seats whose bits are set in `inside`.

    `hole` is (n, seats, 2), `inside` (n,), `shares` (n, seats). The shares of the other seats are 0; their
    cards are dead.
    """
    seats = hole.shape[1]
    keys, held = np.empty(seats, np.int64), np.empty((4, seats), np.int64)
    who = np.empty(seats, np.int64)
    left = np.empty((4, 13), np.int64)
    won = np.empty(seats, np.int64)
    for i in range(len(hole)):
        players = 0
        for seat in range(seats):
            shares[i, seat] = 0
            if inside[i] >> seat & 1:
                who[players] = seat
                players += 1
        cards_left(hole[i], left)
        for place in range(players):
            keys[place] = CARD_KEYS[hole[i, who[place], 0]] + CARD_KEYS[hole[i, who[place], 1]]
            for suit in range(4):
                held[suit, place] = ranks_held(hole[i, who[place]], suit)
        won[:] = 0
        share_all(left, keys[:players], won)
        for suit in range(4):
            share_flushes(left, suit, keys[:players], held[suit, :players], won)
        for place in range(players):
            shares[i, who[place]] = won[place]


@kernel
def cards_left(hole, left):
    """Write 1 for each card, by suit and rank, that no player holds, else 0."""
    left[:] = 1
    for hand in hole:
        for card in hand:
            left[card & 3, card >> 2] = 0


@kernel
def ranks_held(hand, suit):
    """Ranks of a hand in one suit, as a mask."""
    mask = 0
    for card in hand:
        if card & 3 == suit:
            mask |= 1 << np.int64(card >> 2)
    return mask


@kernel
def count_kinds(size, left, keys, ways):
    """Write the keys of the possible multisets of `size` ranks and their numbers of ways; return how many.

    `left` counts the remaining cards of each rank.
    """
    found = 0
    for kind in range(FIRST[size], FIRST[size + 1]):
        product = 1
        for j in range(size):
            product *= CHOOSE[left[RANKS[kind, j]], TIMES[kind, j]]
        keys[found], ways[found] = KEYS[kind], product
        found += product > 0
    return found


@kernel
def share_all(left, players, won):
    """Add each player's winnings over all boards, ignoring flushes."""
    keys, ways = np.empty(KINDS + 1, np.int64), np.empty(KINDS + 1, np.int64)
    kinds = count_kinds(BOARD, left.sum(axis=0), keys, ways)
    strengths = np.empty((len(players), BLOCK), np.int16)
    best, parts = np.empty(BLOCK, np.int16), np.empty(BLOCK, np.int16)
    for start in range(0, kinds, BLOCK):
        size = min(BLOCK, kinds - start)
        without_flush(players, keys[start : start + size], strengths)
        share_block(strengths, best[:size], parts[:size], ways[start : start + size], 1, won)


@kernel
def share_flushes(left, suit, players, held, won):
    """Correct each player's winnings on the boards that give some player a flush in this suit."""
    most = 0
    for mask in held:
        most = max(most, cards_in(mask))
    others = left.sum(axis=0) - left[suit]
    suited = np.flatnonzero(left[suit])
    keys, ways = np.empty(PAIRS + 1, np.int64), np.empty(PAIRS + 1, np.int64)
    for count in range(BOARD - most, BOARD + 1):
        kinds = count_kinds(BOARD - count, others, keys, ways)
        share_suited(suited, count, keys[:kinds], ways, players, held, won)


@kernel
def cards_in(mask):
    """Number of cards of a two-card hand in a mask."""
    return (mask != 0) + (mask & (mask - 1) != 0)


@kernel
def share_suited(suited, count, rest, ways, players, held, won):
    """Correct winnings on boards with `count` cards of the suit, ranks from `suited`, and any of the rest."""
    keys, masks, weights = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    places, size, more = np.arange(count), 0, count <= len(suited)
    while more:
        key, mask = 0, 0
        for place in places:
            key += RANK_KEYS[suited[place]]
            mask |= 1 << suited[place]
        for kind in range(len(rest)):
            keys[size + kind] = key + rest[kind]
            masks[size + kind] = mask
            weights[size + kind] = ways[kind]
        size += len(rest)
        more = next_choice(places, len(suited))
        if not more or size + len(rest) > BLOCK:
            exchange(keys[:size], masks, weights[:size], count, players, held, won)
            size = 0


@kernel
def exchange(keys, masks, weights, count, players, held, won):
    """Subtract a block of boards evaluated without flushes and add it back evaluated with them."""
    strengths = np.empty((len(players), BLOCK), np.int16)
    best, parts = np.empty(len(keys), np.int16), np.empty(len(keys), np.int16)
    without_flush(players, keys, strengths)
    share_block(strengths, best, parts, weights, -1, won)
    for player in range(len(players)):
        mask = held[player]
        if count + cards_in(mask) >= BOARD:
            for j in range(len(keys)):
                strengths[player, j] = FLUSHES[masks[j] | mask]
    share_block(strengths, best, parts, weights, 1, won)


@kernel
def without_flush(players, keys, strengths):
    """Write the strength of each player on each of these boards, ignoring flushes."""
    for player in range(len(players)):
        for j in range(len(keys)):
            strengths[player, j] = strength_without_flush(players[player] + keys[j], 7)


@kernel
def share_block(strengths, best, parts, weights, sign, won):
    """Add each player's parts of pots on a block of boards, times weight and sign."""
    find_winners(strengths, best, parts)
    for player in range(len(strengths)):
        total = 0
        for j in range(len(best)):
            total += weights[j] * parts[j] if strengths[player, j] == best[j] else 0
        won[player] += sign * total
