"""Hands up to suits, the slow and obvious way: try all 24 permutations of the suits."""

from collections import Counter
from itertools import permutations

PERMUTATIONS = list(permutations(range(4)))


def canonical(hand, rounds):
    """The least of the 24 hands that come from permuting the suits, with the cards of each round sorted."""
    return min(permuted(hand, rounds, suits) for suits in PERMUTATIONS)


def permuted(hand, rounds, suits):
    """The rounds of the hand, each sorted, once suit s is called suits[s]."""
    cards = iter([4 * (card // 4) + suits[card % 4] for card in hand])
    return tuple(tuple(sorted(next(cards) for _ in range(count))) for count in rounds)


def classes(rounds):
    """How many classes there are, by Burnside's lemma: the mean number of deals that a permutation fixes."""
    return sum(fixed(rounds, suits) for suits in PERMUTATIONS) // 24


def fixed(rounds, suits):
    """How many deals stay the same: of each rank, suits of one cycle come in one round or not at all."""
    deals = Counter({(0,) * len(rounds): 1})
    for length in cycles(suits) * 13:
        before, deals = deals, deals.copy()
        for dealt, ways in before.items():
            for r, count in enumerate(rounds):
                if dealt[r] + length <= count:
                    deals[(*dealt[:r], dealt[r] + length, *dealt[r + 1 :])] += ways
    return deals[tuple(rounds)]


def cycles(suits):
    """The lengths of the cycles of a permutation of the suits."""
    lengths, seen = [], set()
    for start in range(4):
        before, suit = len(seen), start
        while suit not in seen:
            seen.add(suit)
            suit = suits[suit]
        lengths.append(len(seen) - before)
    return [length for length in lengths if length]
