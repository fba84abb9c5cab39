"""Compiled kernels of `isomorphism`: from hands to class numbers and back.

`tables` is the `IsomorphismTables` tuple of `isomorphism`, where the terms are explained too. The two outer
kernels unpack the arrays from that tuple before they loop, because numba counts a reference on every access
to it.
"""

import numpy as np

from holdmem.core.jit import kernel

RANK_BITS = 0x1FFF  # mask of the 13 ranks
LANE = 16  # a set of cards is an integer with one lane of rank bits per suit, this many bits apart
CODE = 32  # a holding is an integer too: its shape's code from this bit up, its number in the shape below
NUMBER = (1 << CODE) - 1
FACTORIAL = (1.0, 1.0, 2.0, 6.0, 24.0)


@kernel
def index_hands(hands, tables, found):
    """Write the class of each hand to `found`; return the first invalid row, or -1."""
    first, stride, ranks_in = tables.first, tables.stride, tables.ranks_in
    colex, holdings, follow = tables.colex, tables.holdings, tables.follow
    offset, left, weight = tables.offset, tables.left, tables.weight
    for row in range(len(hands)):
        a = b = c = d = 0
        seen = 0
        for dealt in range(len(stride)):
            free, seen = free_places(hands[row, first[dealt] : first[dealt + 1]], seen, ranks_in)
            if seen < 0:
                return row
            a = with_round(a, free & RANK_BITS, stride[dealt], ranks_in, colex, holdings)
            b = with_round(b, free >> LANE & RANK_BITS, stride[dealt], ranks_in, colex, holdings)
            c = with_round(c, free >> 2 * LANE & RANK_BITS, stride[dealt], ranks_in, colex, holdings)
            d = with_round(d, free >> 3 * LANE, stride[dealt], ranks_in, colex, holdings)
        found[row] = index_holdings(a, b, c, d, follow, offset, left, weight)
    return -1


@kernel
def free_places(cards, earlier, ranks_in):
    """Return a round's cards as places among the ranks that `earlier` cards left free, and all cards seen.

    The second value is -1 if a card is not in the deck or occurs twice.
    """
    free, seen = 0, earlier
    for one in cards:
        card = int(one)
        if card < 0 or card > 51:
            return 0, -1
        lane, rank = LANE * (card & 3), card >> 2
        bit = 1 << (lane + rank)
        if seen & bit:
            return 0, -1
        seen |= bit
        free |= bit >> int(ranks_in[earlier >> lane & ((1 << rank) - 1)])
    return free, seen


@kernel
def with_round(holding, ranks, stride, ranks_in, colex, holdings):
    """Add a round to a suit's holding; `ranks` is the set of free places dealt in that round."""
    code = int(ranks_in[ranks]) * stride
    return holding + (code << CODE) + int(colex[ranks]) * holdings[holding >> CODE]


@kernel
def index_holdings(a, b, c, d, follow, offset, left, weight):
    """Class of a hand with these holdings in the four suits."""
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    pattern = follow[follow[follow[0, a >> CODE], b >> CODE], c >> CODE]
    return (
        offset[pattern]
        + weight[pattern, 0] * multisets(a & NUMBER, left[pattern, 0])
        + weight[pattern, 1] * multisets(b & NUMBER, left[pattern, 1])
        + weight[pattern, 2] * multisets(c & NUMBER, left[pattern, 2])
        + weight[pattern, 3] * multisets(d & NUMBER, left[pattern, 3])
    )


@kernel
def multisets(kinds, suits):
    """Number of multisets of `suits` elements from `kinds` kinds: C(kinds + suits - 1, suits)."""
    pairs = kinds * (kinds + 1) // 2
    if suits > 2:
        return pairs * (kinds + 2) // 3 if suits == 3 else pairs * (kinds + 2) * (kinds + 3) // 12
    return kinds if suits == 1 else pairs


@kernel
def unindex_hands(classes, tables, hands):
    """Write the canonical hand of each class to `hands`: the inverse of `index_hands`."""
    ranks_in, ranks_at, choose = tables.ranks_in, tables.ranks_at, tables.choose
    shapes, ends = tables.shapes, tables.ends
    offset, left, weight = tables.offset, tables.left, tables.weight
    for row in range(len(classes)):
        pattern = np.searchsorted(offset, classes[row], side="right") - 1
        rest = classes[row] - offset[pattern]
        for suit in range(4):
            number = most_kinds(rest // weight[pattern, suit], left[pattern, suit])
            rest -= weight[pattern, suit] * multisets(number, left[pattern, suit])
            held = 0
            for dealt in range(shapes.shape[2]):
                cards = shapes[pattern, suit, dealt]
                if cards:
                    ways = choose[13 - ranks_in[held], cards]
                    ranks = among_free(int(ranks_at[cards, number % ways]), held)
                    write_suit(ranks, 3 - suit, ranks_in, hands[row, : ends[pattern, suit, dealt]])
                    number //= ways
                    held |= ranks


@kernel
def most_kinds(ways, suits):
    """Largest number of kinds that has at most `ways` multisets of `suits` elements."""
    if suits == 1:
        return ways
    kinds = int((FACTORIAL[suits] * ways) ** (1.0 / suits)) + 1  # never too few: k ** p <= p! * multisets
    while multisets(kinds, suits) > ways:
        kinds -= 1
    return kinds


@kernel
def among_free(places, held):
    """Set of ranks at these places among the ranks not held."""
    while held:
        lowest = held & -held
        places += places & -lowest  # shifts everything from this rank on up by one
        held -= lowest
    return places


@kernel
def write_suit(ranks, suit, ranks_in, hand):
    """Write the cards of one suit and round, from high to low, to the end of the slice `hand`."""
    place = len(hand)
    while ranks:
        lowest = ranks & -ranks
        place -= 1
        hand[place] = 4 * ranks_in[lowest - 1] + suit
        ranks -= lowest
