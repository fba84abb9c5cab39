"""Kernels: all holdings at once on one flop or turn, over every board that can come.

On each final board the pairs of kinds (see `card_kinds`) are sorted by strength. A sweep from the weakest
pair up keeps the number of holdings passed, and for each kind the number of those that contain one given card
of it. The holdings that lose to (a, b) are then: all passed, less those with a, less those with b.

For the potentials, holdings are numbered and sets of them are rows of 64-bit words. The sets that a holding
beats now (`weaker`) and ties now (`tied`), without holdings that share a card with it, are fixed; the set
that it beats at the end is the set passed so far in the sweep. The sizes of three intersections on each board
give PPOT and NPOT.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.jit import kernel
from holdmem.strength.kernels.card_kinds import (
    KINDS,
    LEFT,
    PLACES,
    holdings_of,
    no_card_seen,
    place_of,
    see,
    sort_kinds,
    strength_of_kinds,
)
from holdmem.strength.kernels.enumerate_hand import add_powers, choose, combinations_left

MOST_PAIRS = PLACES * (PLACES + 1) // 2
PAIR_BITS = 10  # low bits, below the strength: the two kinds, five bits each
WORD = 64


@kernel
def moments_on_board(board, to_come, holdings, moments):
    """Write to moments[h, k - 1] the mean of HS ** k of each holding over all draws of `to_come` cards.

    `holdings` are all pairs of cards that are not on the board, in any order.
    """
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    scores, order = np.empty((PLACES, PLACES)), np.empty((PLACES, PLACES), np.int64)
    dead = np.zeros(52, np.bool_)
    moments[:] = 0
    for more in combinations_left(board, to_come):
        final = np.concatenate((board, more))
        rank_kinds(final, left[0], kinds[0], scores, order)
        dead[more] = True
        for h in range(len(holdings)):
            low, high = holdings[h]
            if not (dead[low] or dead[high]):
                place = place_of(low, kinds[0].suit), place_of(high, kinds[0].suit)
                add_powers(scores[place], moments[h])
        dead[more] = False
    moments /= choose(50 - len(board), to_come)


@kernel
def rank_kinds(board, left, kinds, scores, order):
    """Write HS of each pair of places on a final board, and its strength group, numbered from the weakest.

    Pairs of equal strength are in one group. Returns the number of groups.
    """
    no_card_seen(left)
    see(left, board)
    sort_kinds(board, left, kinds)
    pairs = pairs_by_strength(kinds)
    total, beside = 0, np.zeros(PLACES, np.int64)
    rivals = choose(50 - len(board), 2)
    number = start = 0
    while start < len(pairs):
        end = end_of_group(pairs, start)
        for pair in pairs[start:end]:
            one, other = (pair >> 5) & 31, pair & 31
            note(scores, kinds, one, other, total - beside[one] - beside[other])
        total = add_group(kinds, pairs[start:end], beside, total)
        for pair in pairs[start:end]:
            one, other = (pair >> 5) & 31, pair & 31
            lower = scores[kinds.place[one], kinds.place[other]]
            lower_or_tied = total - beside[one] - beside[other] + 1  # the holding itself was subtracted twice
            note(scores, kinds, one, other, (lower + lower_or_tied) / (2 * rivals))
            note(order, kinds, one, other, number)
        number += 1
        start = end
    return number


@kernel
def pairs_by_strength(kinds):
    """The pairs of kinds that form holdings, encoded as integers that sort by strength."""
    pairs = np.empty(MOST_PAIRS, np.int64)
    count = 0
    for one in range(kinds.count):
        for other in range(one + 1):
            if holdings_of(kinds, one, other):
                pairs[count] = strength_of_kinds(kinds, one, other) << PAIR_BITS | one << 5 | other
                count += 1
    pairs = pairs[:count]
    pairs.sort()
    return pairs


@kernel
def end_of_group(pairs, start):
    """End of the run of pairs as strong as the one at `start`."""
    end = start + 1
    while end < len(pairs) and pairs[end] >> PAIR_BITS == pairs[start] >> PAIR_BITS:
        end += 1
    return end


@kernel
def note(table, kinds, one, other, value):
    """Write the value of a pair of kinds at its places, in both orders."""
    table[kinds.place[one], kinds.place[other]] = value
    table[kinds.place[other], kinds.place[one]] = value


@kernel
def add_group(kinds, pairs, beside, total):
    """Add the holdings of these pairs to the total, and to `beside` those that contain one given card.

    Returns the new total.
    """
    for pair in pairs:
        one, other = (pair >> 5) & 31, pair & 31
        total += holdings_of(kinds, one, other)
        if one == other:
            beside[one] += kinds.cards[one] - 1
        else:
            beside[one] += kinds.cards[other]
            beside[other] += kinds.cards[one]
    return total


@kernel
def potentials_on_board(board, to_come, holdings, ihs, ppot, npot):
    """Write IHS now, and PPOT and NPOT with `to_come` more cards, of all holdings (see `moments_on_board`).

    Let W, T and B be the pairs of an opponent's holding and a board for which we are ahead, tied and behind
    now. With w, t and b our shares of those showdowns, ties counting half, and t+ the wins and t0 the ties
    among those tied now:

        PPOT = (b + t+ / 2) / (B + T / 2)        NPOT = ((W - w) + (T - t+ - t0) / 2) / (W + T / 2)
    """
    weaker, tied = sets_now(board, holdings)
    doubled, tied_wins, tied_kept, all_doubled = shares_at_the_end(board, to_come, holdings, weaker, tied)
    boards = choose(48 - len(board), to_come)
    rivals = choose(50 - len(board), 2)
    for h in range(len(holdings)):
        ahead, even = size_of(weaker[h]), size_of(tied[h])
        behind = rivals - ahead - even
        from_behind = all_doubled[h] - doubled[h] - tied_wins[h] - tied_kept[h]
        lost = 2 * ahead * boards - doubled[h] + even * boards - tied_kept[h]
        ihs[h] = (ahead + even / 2) / rivals
        ppot[h] = share(from_behind + tied_wins[h], (2 * behind + even) * boards)
        npot[h] = share(lost, (2 * ahead + even) * boards)


@kernel
def share(part, whole):
    """Quotient, or 0 if the denominator is 0: a hand that is never behind has no positive potential."""
    return part / whole if whole else 0.0


@kernel
def sets_now(board, holdings):
    """For each holding, the sets of holdings weaker on this board and tied, without those sharing a card."""
    strengths = np.empty(len(holdings), np.uint16)
    strengths_on_board(board, holdings, strengths)
    words = (len(holdings) + WORD - 1) // WORD
    weaker = np.empty((len(holdings), words), np.uint64)
    tied = np.empty((len(holdings), words), np.uint64)
    passed, reached = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    apart = sets_without(holdings, words)
    in_order = np.argsort(strengths)
    start = 0
    while start < len(holdings):
        end = start
        while end < len(holdings) and strengths[in_order[end]] == strengths[in_order[start]]:
            put(reached, in_order[end])
            end += 1
        for h in in_order[start:end]:
            others = apart[holdings[h, 0]] & apart[holdings[h, 1]]
            weaker[h] = passed & others
            tied[h] = reached & ~passed & others
        passed[:] = reached
        start = end
    return weaker, tied


@kernel
def sets_without(holdings, words):
    """For each card, the set of holdings that do not contain it."""
    apart = np.zeros((52, words), np.uint64)
    for h in range(len(holdings)):
        for card in range(52):
            if card not in (holdings[h, 0], holdings[h, 1]):
                put(apart[card], h)
    return apart


@kernel
def put(members, number):
    """Add a number to a set."""
    members[number // WORD] |= np.uint64(1) << np.uint64(number % WORD)


@kernel
def size_of(members):
    """Number of members of a set."""
    size = np.uint64(0)
    for word in members:
        size += ones(word)
    return np.int64(size)


@kernel
def ones(word):
    """Number of set bits in a word; LLVM compiles this form to a single instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    low = word & np.uint64(0x3333333333333333)
    word = low + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def shares_at_the_end(board, to_come, holdings, weaker, tied):
    """Sum, for each holding, how it ends against the others over all boards to come.

    Returns twice its wins (a tie is half of one) against the holdings weaker now; its wins, and its wins or
    ties, against those tied now; and twice its wins against all.
    """
    count = len(holdings)
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    scores, order = np.empty((PLACES, PLACES)), np.empty((PLACES, PLACES), np.int64)
    doubled, tied_wins = np.zeros(count, np.int64), np.zeros(count, np.int64)
    tied_kept, all_doubled = np.zeros(count, np.int64), np.zeros(count, np.int64)
    passed, reached = np.empty_like(weaker[0]), np.empty_like(weaker[0])
    for more in combinations_left(board, to_come):
        final = np.concatenate((board, more))
        strengths = rank_kinds(final, left[0], kinds[0], scores, order)
        rivals = choose(50 - len(final), 2)
        in_order, ends = holdings_by_strength(holdings, more, kinds[0].suit, order, strengths)
        passed[:] = 0
        reached[:] = 0
        start = 0
        for end in ends:
            for h in in_order[start:end]:
                put(reached, h)
            for h in in_order[start:end]:
                doubled[h] += shared(weaker[h], passed) + shared(weaker[h], reached)
                tied_wins[h] += shared(tied[h], passed)
                tied_kept[h] += shared(tied[h], reached)
                place = place_of(holdings[h, 0], kinds[0].suit), place_of(holdings[h, 1], kinds[0].suit)
                all_doubled[h] += np.int64(np.round(2 * rivals * scores[place]))
            passed[:] = reached
            start = end
    return doubled, tied_wins, tied_kept, all_doubled


@kernel
def shared(one, other):
    """Size of the intersection of two sets."""
    size = np.uint64(0)
    for word in range(len(one)):
        size += ones(one[word] & other[word])
    return np.int64(size)


@kernel
def holdings_by_strength(holdings, dead, suit, order, strengths):
    """Holdings without a dead card, sorted by `order`, and the end of each strength group."""
    gone = np.zeros(52, np.bool_)
    gone[dead] = True
    ends = np.zeros(strengths + 1, np.int64)
    where = np.full(len(holdings), -1, np.int64)
    alive = 0
    for h in range(len(holdings)):
        low, high = holdings[h]
        if not (gone[low] or gone[high]):
            where[h] = order[place_of(low, suit), place_of(high, suit)]
            ends[where[h] + 1] += 1
            alive += 1
    for group in range(strengths):
        ends[group + 1] += ends[group]
    in_order = np.empty(alive, np.int64)
    for h in range(len(holdings)):
        if where[h] >= 0:
            in_order[ends[where[h]]] = h
            ends[where[h]] += 1
    return in_order, ends[:-1]


@kernel
def add_class_moments(boards, deals, holdings, classes, sums):
    """Add to sums[class, k - 1] HS ** k of each holding on each full board, times `deals` of the board."""
    left, kinds = np.empty(1, LEFT), np.empty(1, KINDS)
    scores, order = np.empty((PLACES, PLACES)), np.empty((PLACES, PLACES), np.int64)
    dead = np.zeros(52, np.bool_)
    powers = np.empty(sums.shape[1])
    for i in range(len(boards)):
        rank_kinds(boards[i], left[0], kinds[0], scores, order)
        dead[boards[i]] = True
        for h in range(len(holdings)):
            low, high = holdings[h]
            if not (dead[low] or dead[high]):
                powers[:] = 0
                add_powers(scores[place_of(low, kinds[0].suit), place_of(high, kinds[0].suit)], powers)
                sums[classes[h]] += deals[i] * powers
        dead[boards[i]] = False
