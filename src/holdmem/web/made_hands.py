"""Names of made hands as players say them, and the five cards that make them."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from holdmem.agent.words.cards import RANK_NAMES, plural
from holdmem.cards import evaluate
from holdmem.cards.evaluator import category

KING = 11


def made_hand(cards: Sequence[int]) -> tuple[str, list[int]]:
    """Return the name of the best hand among two to seven cards, and the cards that make it.

    With fewer than five cards only pairs and high cards are named.

    >>> from holdmem.cards import cards, names
    >>> name, five = made_hand(cards("KsKh7d7c2h9sAd"))
    >>> name, names(five)
    ('two pair, kings and sevens', 'KsKh7d7cAd')
    """
    best = list(cards) if len(cards) <= 5 else _best_five(cards)
    groups = _grouped(best)
    return _name(best, groups), [card for _, group in groups for card in group]


def _best_five(cards: Sequence[int]) -> list[int]:
    choices = np.array(list(combinations(cards, 5)), dtype=np.int64)
    return [int(card) for card in choices[int(np.argmax(evaluate(choices)))]]


def _grouped(cards: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Return the cards by rank: the largest groups first, then the highest ranks."""
    ranks = {card // 4 for card in cards}
    groups = [(rank, [card for card in cards if card // 4 == rank]) for rank in ranks]
    return sorted(groups, key=lambda group: (-len(group[1]), -group[0]))


def _name(cards: Sequence[int], groups: list[tuple[int, list[int]]]) -> str:
    first, second = groups[0][0], groups[1][0] if len(groups) > 1 else 0
    kind = _kind(cards, groups)
    match kind:
        case "pair":
            return f"pair of {plural(first)}"
        case "two pair":
            return f"two pair, {plural(first)} and {plural(second)}"
        case "full house":
            return f"full house, {plural(first)} full of {plural(second)}"
        case "three of a kind" | "four of a kind":
            return f"{kind}, {plural(first)}"
        case "straight" | "straight flush":
            wheel = {card // 4 for card in cards} == {12, 0, 1, 2, 3}
            royal = kind != "straight" and second == KING
            return "royal flush" if royal else f"{kind}, {'five' if wheel else RANK_NAMES[first]} high"
        case "flush":
            return f"flush, {RANK_NAMES[first]} high"
    return f"{RANK_NAMES[first]} high"


def _kind(cards: Sequence[int], groups: list[tuple[int, list[int]]]) -> str:
    if len(cards) == 5:
        return category(int(evaluate([list(cards)])[0]))
    return "pair" if len(groups[0][1]) == 2 else "high card"
