"""Kernels: all holdings at once on one flop or turn, over every board that can come.

On each final board the pairs of kinds (see `alike`) are sorted by strength. Going up through them with a
count of the holdings so far, and for each kind of those that contain one given card of it, the holdings that
lose to (a, b) are: all so far, less those with a, less those with b.

For the potentials, holdings are numbered and sets of them are rows of 64-bit words. What a holding beats now
(`weaker`), what it ties with now (`tied`), neither sharing a card with it, are fixed; what it beats at the
end is the set passed so far on the way up. Three intersections counted on each board give PPOT and NPOT.
"""

import numpy as np

from holdmem.cards.evaluator import strengths_on_board
from holdmem.compiled import kernel
from holdmem.strength.alike import (
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
from holdmem.strength.look_ahead import add_powers, choose, combinations_left

MOST_PAIRS = PLACES * (PLACES + 1) // 2
PAIR_BITS = 10  # below the strength: the two kinds, five bits each
WORD = 64


@kernel
def moments_on_board(board, to_come, holdings, moments):
    """moments[h, k - 1]: the mean of HS ** k of each holding over all boards with `to_come` more cards.

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
    """HS of each pair of places on a final board, and its number from the weakest up, equal for equal.

    The number of different strengths is returned.
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
            lower_or_tied = total - beside[one] - beside[other] + 1  # the holding itself went off twice
            note(scores, kinds, one, other, (lower + lower_or_tied) / (2 * rivals))
            note(order, kinds, one, other, number)
        number += 1
        start = end
    return number


@kernel
def pairs_by_strength(kinds):
    """The pairs of kinds of which there are holdings, as numbers that sort by strength."""
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
    """The end of the pairs that are as strong as the one at `start`."""
    end = start + 1
    while end < len(pairs) and pairs[end] >> PAIR_BITS == pairs[start] >> PAIR_BITS:
        end += 1
    return end


@kernel
def note(table, kinds, one, other, value):
    """Write the value of a pair of kinds at both orders of its places."""
    table[kinds.place[one], kinds.place[other]] = value
    table[kinds.place[other], kinds.place[one]] = value


@kernel
def add_group(kinds, pairs, beside, total):
    """Count the holdings of these pairs in `total`, and in `beside` those that contain one given card."""
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
    """IHS now, and PPOT and NPOT with `to_come` more cards, of all holdings (as in `moments_on_board`).

    Of all pairs of a rival's holding and a board, let W, T and B have us ahead, tied and behind now. With w,
    t and b our shares of those showdowns, a tie half, and t+ the wins and t0 the ties among those tied now:

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
    """A share, and nothing of nothing: who is never behind has no positive potential."""
    return part / whole if whole else 0.0


@kernel
def sets_now(board, holdings):
    """For each holding, as sets: the holdings weaker on this board and those tied, without shared cards."""
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
    """For each card the set of the holdings that do not contain it."""
    apart = np.zeros((52, words), np.uint64)
    for h in range(len(holdings)):
        for card in range(52):
            if card not in (holdings[h, 0], holdings[h, 1]):
                put(apart[card], h)
    return apart


@kernel
def put(members, number):
    """Put a number into a set."""
    members[number // WORD] |= np.uint64(1) << np.uint64(number % WORD)


@kernel
def size_of(members):
    """How many members a set has."""
    size = np.uint64(0)
    for word in members:
        size += ones(word)
    return np.int64(size)


@kernel
def ones(word):
    """How many bits of a word are set: LLVM knows this form and makes it one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    low = word & np.uint64(0x3333333333333333)
    word = low + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def shares_at_the_end(board, to_come, holdings, weaker, tied):
    """Sums over all boards to come, for each holding: twice its share against what is weaker now; its wins
    and its wins or ties against what is tied now; twice its share against all."""
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
    """How many members two sets share."""
    size = np.uint64(0)
    for word in range(len(one)):
        size += ones(one[word] & other[word])
    return np.int64(size)


@kernel
def holdings_by_strength(holdings, dead, suit, order, strengths):
    """The numbers of the holdings without a dead card, sorted by `order`, and the end of each group."""
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
    """Add to sums[class, k - 1] HS ** k of each holding on each full board, times the deals of the board."""
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
