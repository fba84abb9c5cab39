"""Kernels: one hand against every holding of an opponent, on every board that can come.

An opponent's holding is classified from our side: AHEAD if we beat it, TIED, or BEHIND.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import strength_with
from holdmem.core.jit import kernel
from holdmem.strength.kernels.card_kinds import (
    KINDS,
    LEFT,
    NO_SUIT,
    PLACES,
    RANKS,
    holdings_of,
    no_card_seen,
    see,
    sort_kinds,
    strength_of_kinds,
)

AHEAD, TIED, BEHIND = 0, 1, 2


@kernel
def look_ahead(holes, boards, to_come, moments, tallies):
    """Write, per hand, the moments of HS over all boards with `to_come` more cards, and tallies of holdings.

    moments[i, k - 1] is the mean of HS ** k. tallies[i, now, then] counts the pairs of an opponent's holding
    and a board by our standing on the present board and at the end (Rubin 2007, figure 3.4). Without a
    present board every holding counts as TIED now.
    """
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    standing = np.full((PLACES, PLACES), TIED, np.int8)
    for i in range(len(holes)):
        known = np.concatenate((holes[i], boards[i]))
        if len(boards[i]):
            stand_now(holes[i], boards[i], left[0], kinds[0], standing)
        flush_now = kinds[0].suit if len(boards[i]) else NO_SUIT
        moments[i] = 0
        tallies[i] = 0
        count = 0
        for more in combinations_left(known, to_come):
            final = np.concatenate((boards[i], more))
            meet_rivals(holes[i], final, left[0], kinds[0])
            score = tally_rivals(holes[i], final, kinds[0], standing, flush_now != NO_SUIT, tallies[i])
            add_powers(score, moments[i])
            count += 1
        moments[i] /= count


@kernel
def combinations_left(known, size):
    """Return all sets of `size` cards without the known ones, as rows."""
    unseen = np.empty(52 - len(known), np.uint8)
    count = 0
    for card in range(52):
        if not np.any(known == card):
            unseen[count] = card
            count += 1
    rows = np.empty((choose(count, size), size), np.uint8)
    at = np.arange(size)
    for row in range(len(rows)):
        for k in range(size):
            rows[row, k] = unseen[at[k]]
        next_combination(at)
    return rows


@kernel
def choose(n, k):
    """Binomial coefficient C(n, k)."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def next_combination(at):
    """Advance to the next combination of places, in colexicographic order."""
    for k in range(len(at)):
        at[k] += 1
        if k + 1 == len(at) or at[k] < at[k + 1]:
            return
        at[k] = k


@kernel
def meet_rivals(hole, board, left, kinds):
    """Group the cards that an opponent may hold on this board into kinds."""
    no_card_seen(left)
    see(left, hole)
    see(left, board)
    sort_kinds(board, left, kinds)


@kernel
def stand_now(hole, board, left, kinds, standing):
    """Write our standing on the present board against each holding of an opponent, by places of its cards."""
    meet_rivals(hole, board, left, kinds)
    own = strength_with(board, kinds.start, hole)
    for one in range(kinds.count):
        for other in range(kinds.count):
            rival = strength_of_kinds(kinds, one, other)
            standing[kinds.place[one], kinds.place[other]] = stand(own, rival)


@kernel
def stand(own, rival):
    """AHEAD, TIED or BEHIND, from two strengths."""
    return 1 + (rival > own) - (rival < own)


@kernel
def tally_rivals(hole, board, kinds, standing, flush_now, tally):
    """Count every holding of an opponent in the tally; return HS, our share of the showdowns on this board.

    `standing` distinguishes places by suit only if a flush was possible on the present board (`flush_now`);
    if so, it is in the suit of the flush possible at the end.
    """
    own = strength_with(board, kinds.start, hole)
    score = holdings = 0
    for one in range(kinds.count):
        first = kinds.place[one] if flush_now else kinds.place[one] % RANKS
        for other in range(one + 1):
            second = kinds.place[other] if flush_now else kinds.place[other] % RANKS
            ways = holdings_of(kinds, one, other)
            then = stand(own, strength_of_kinds(kinds, one, other))
            tally[standing[first, second], then] += ways
            score += ways * (2 - then)
            holdings += ways
    return score / (2 * holdings)


@kernel
def add_powers(value, sums):
    """Add value, value ** 2, value ** 3, ... to the sums."""
    power = 1.0
    for k in range(len(sums)):
        power *= value
        sums[k] += power


@kernel
def present_strength(holes, boards, out):
    """Write IHS of each hand: the share of an opponent's holdings beaten on the present board, ties half."""
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    for i in range(len(holes)):
        meet_rivals(holes[i], boards[i], left[0], kinds[0])
        own = strength_with(boards[i], kinds[0].start, holes[i])
        score = holdings = 0
        for one in range(kinds[0].count):
            for other in range(one + 1):
                ways = holdings_of(kinds[0], one, other)
                score += ways * (2 - stand(own, strength_of_kinds(kinds[0], one, other)))
                holdings += ways
        out[i] = score / (2 * holdings)
