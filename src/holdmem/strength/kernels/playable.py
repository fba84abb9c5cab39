"""Kernels: playable features of two hole cards and a flop (Friedrich and Schwind 2011, figure 4)."""

import numpy as np

from holdmem.cards.kernels.evaluator import FIRST_OF_CATEGORY, strength
from holdmem.cards.kernels.straights import STRAIGHT_OUTS
from holdmem.core.jit import kernel

PAIR, OVERCARDS, FLUSH_DRAW, STRAIGHT_DRAW = 1, 2, 4, 8
PARTS = 4
LOWEST_PAIR = int(FIRST_OF_CATEGORY[1])


@kernel
def flop_parts(five):
    """Features of two hole cards and a flop (in this order), as bits.

    They are a pair or better, two overcards, a flush draw and a straight draw. Overcards are two different
    ranks above all of the board. A draw lacks one card: four of a suit, or any rank that completes a
    straight, inside or at an end.
    """
    one, other = np.int64(five[0] >> 2), np.int64(five[1] >> 2)
    found = PAIR if strength(five) >= LOWEST_PAIR else 0
    highest, ranks = np.int64(0), 0
    for place in range(5):
        rank = np.int64(five[place] >> 2)
        ranks |= 1 << rank
        if place >= 2:
            highest = max(highest, rank)
    if one != other and min(one, other) > highest:
        found |= OVERCARDS
    if most_of_a_suit(five) == 4:
        found |= FLUSH_DRAW
    if STRAIGHT_OUTS[ranks]:
        found |= STRAIGHT_DRAW
    return found


@kernel
def most_of_a_suit(cards):
    """Number of cards in the longest suit."""
    most = 0
    for suit in range(4):
        number = 0
        for card in cards:
            number += (card & 3) == suit
        most = max(most, number)
    return most


@kernel
def count_playable(hands, ways, classes, counts):
    """Add the `ways` of each hand to counts[class]: all flops, flops with each feature, and with any."""
    for i in range(len(hands)):
        found = flop_parts(hands[i])
        row = counts[classes[hands[i, 0], hands[i, 1]]]
        row[0] += ways[i]
        for part in range(PARTS):
            if found >> part & 1:
                row[1 + part] += ways[i]
        if found:
            row[1 + PARTS] += ways[i]
