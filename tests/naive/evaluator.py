"""Hands ranked by sorting them: five cards by their shape, more by the best five among them."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from holdmem.cards import rank, suit

Ranking = tuple[int, ...]
"""Larger is better; equal if the hands tie. First the category, 0 for high card to 8 for straight flush."""

SHAPES = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 6,
    (4, 1): 7,
}
"""The category of a hand by how many cards it has of each rank; straights and flushes come on top."""

WHEEL = [12, 3, 2, 1, 0]


def rank_of_five(cards: Sequence[int]) -> Ranking:
    """The ranking of exactly five cards."""
    counts = Counter(rank(card) for card in cards)
    ranks = sorted(counts, key=lambda r: (counts[r], r), reverse=True)
    category = SHAPES[tuple(sorted(counts.values(), reverse=True))]
    straight = category == 0 and (ranks[0] - ranks[4] == 4 or ranks == WHEEL)
    if ranks == WHEEL:
        ranks = [3, 2, 1, 0, -1]  # the ace stands below the deuce
    flush = len({suit(card) for card in cards}) == 1
    if straight or flush:
        category = 8 if straight and flush else 5 if flush else 4
    return category, *ranks


def rank_of(cards: Sequence[int]) -> Ranking:
    """The ranking of five, six or seven cards: that of the best five of them."""
    return max(rank_of_five(five) for five in combinations(cards, 5))
