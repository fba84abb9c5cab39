"""Write the listing of hand types and board textures in sartre.md, counted over all deals.

    python docs/make_listing.py > listing.md

Boards that differ only in suits are counted once with their number; takes a minute or two.
"""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import Isomorphism
from holdmem.cbr.features.hand_types import (
    HAND_TYPES,
    TEXTURES,
    hand_type_name,
    hand_types,
    texture_name,
    textures,
)

STREETS = (3, 4, 5)


def boards(cards: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """One board of each class and how many boards the class has."""
    classes = Isomorphism(rounds=(cards,))
    everything = np.fromiter(
        (card for board in combinations(range(52), cards) for card in board), np.int8, comb(52, cards) * cards
    )
    sizes = np.bincount(classes.index(everything.reshape(-1, cards)), minlength=classes.size)
    found = np.full((classes.size, 5), -1, np.int8)
    found[:, :cards] = classes.cards(np.arange(classes.size))
    return found, sizes


def count(cards: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many deals of two hole cards and a board have each hand type, and boards each texture."""
    found, sizes = boards(cards)
    types = np.zeros(max(HAND_TYPES) + 1, np.int64)
    for board, size in zip(found, sizes, strict=True):
        left = np.setdiff1d(np.arange(52), board)
        first, second = np.triu_indices(len(left), 1)
        holes = np.column_stack([left[first], left[second]])
        types += size * np.bincount(hand_types(holes, np.tile(board, (len(holes), 1))), minlength=len(types))
    return types, np.bincount(textures(found), weights=sizes, minlength=len(TEXTURES)).astype(np.int64)


def table(title: str, names: list[str], columns: list[list[int]]) -> None:
    """One table in Markdown: counts and shares of each street."""
    print(f"| {title} | flop | | turn | | river | |\n| --- | --: | --: | --: | --: | --: | --: |")
    totals = [sum(column) for column in columns]
    for row, name in enumerate(names):
        cells = [
            f"{column[row]:,} | {column[row] / total:.4%}" if column[row] else "– | –"
            for column, total in zip(columns, totals, strict=True)
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"| all | {' | '.join(f'{total:,} |' for total in totals)} |\n")


def main() -> None:
    """Both tables."""
    counts = [count(cards) for cards in STREETS]
    types = [[int(column[number]) for number in HAND_TYPES] for column, _ in counts]
    table("hand type", [hand_type_name(number) for number in HAND_TYPES], types)
    kinds = [[int(column[number]) for number in TEXTURES] for _, column in counts]
    table("texture", [texture_name(number) for number in TEXTURES], kinds)


if __name__ == "__main__":
    main()
