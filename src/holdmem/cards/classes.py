"""The 169 starting-hand classes and the 1,326 holdings that they group.

Before the flop suits matter only by being equal or not, so hole cards fall into 13 pairs ("AA"), 78 suited
classes ("AKs") and 78 offsuit classes ("AKo"), of 6, 4 and 12 combinations each. The class numbers 0 to 168
read the usual 13 x 13 grid row by row: rows and columns run from the ace down to the deuce, pairs lie on the
diagonal, suited classes above it and offsuit classes below. Thus `13 * row + column` is 0 for AA, 1 for AKs,
13 for AKo, 14 for KK, 168 for 22.

A holding is a pair of cards, low < high. Holdings are numbered by the higher card, then by the lower: `high *
(high - 1) // 2 + low`, from 0 for 2d2c to 1,325 for AsAh.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.notation import DECK, RANKS, distinct
from holdmem.core.errors import NotationError


def _fixed(table: NDArray[np.int16]) -> NDArray[np.int16]:
    """Make a table read-only and return it, since all importers share it."""
    table.flags.writeable = False
    return table


def _grid_name(row: int, column: int) -> str:
    """Name of the class at one cell of the grid, higher rank first: `_grid_name(1, 0)` is "AKo"."""
    kind = "s" if row < column else "o" if row > column else ""
    return RANKS[12 - min(row, column)] + RANKS[12 - max(row, column)] + kind


def _class_of_cards() -> NDArray[np.int16]:
    """Class of each ordered pair of cards, -1 for a card paired with itself."""
    rank, suit = np.divmod(np.arange(52), 4)
    high = 12 - np.maximum.outer(rank, rank)
    low = 12 - np.minimum.outer(rank, rank)
    suited = np.equal.outer(suit, suit)
    table: NDArray[np.int16] = np.where(suited, 13 * high + low, 13 * low + high).astype(np.int16)
    np.fill_diagonal(table, -1)
    return table


def _holding_of_cards() -> NDArray[np.int16]:
    """Holding of each ordered pair of cards, -1 for a card paired with itself."""
    low, high = HOLDINGS.T
    table = np.full((52, 52), -1, np.int16)
    table[low, high] = table[high, low] = np.arange(len(HOLDINGS))
    return table


CLASSES = tuple(_grid_name(row, column) for row in range(13) for column in range(13))
CLASS_OF = _fixed(_class_of_cards())
"""(52, 52): class of two cards in either order, -1 on the diagonal."""

HOLDINGS = _fixed(np.array([(low, high) for high in DECK for low in range(high)], np.int16))
"""(1326, 2): cards of each holding, low < high."""
HOLDING_OF = _fixed(_holding_of_cards())
"""(52, 52): holding of two cards in either order, -1 on the diagonal."""
CLASS_OF_HOLDING = _fixed(CLASS_OF[HOLDINGS[:, 0], HOLDINGS[:, 1]])
"""(1326,): class of each holding."""
COMBOS = _fixed(np.bincount(CLASS_OF_HOLDING).astype(np.int16))
"""(169,): number of holdings in each class: 6 for a pair, 4 suited, 12 offsuit."""

_INDEX = {name: index for index, name in enumerate(CLASSES)}


def class_of(first: int, second: int) -> int:
    """Return the class of two hole cards, in either order: `class_of(*hole("AhKd"))` is 13, "AKo"."""
    distinct([first, second])
    return int(CLASS_OF[first, second])


def class_index(name: str) -> int:
    """Return the number of a class, ranks in either order, letters in either case: "AKs" is 1."""
    shape = name.strip().replace("10", "T")
    ranks = sorted(shape[:2].upper(), key=RANKS.find, reverse=True)
    found = _INDEX.get("".join(ranks) + shape[2:].lower())
    if found is None:
        raise NotationError(f"expected one of the 169 classes such as AA, AKs or AKo, got {name!r}")
    return found


def combos(index: int) -> list[tuple[int, int]]:
    """Return the holdings of a class, low card first: 6 for a pair, 4 suited, 12 offsuit."""
    if not 0 <= index < 169:
        raise NotationError(f"expected a class from 0 to 168, got {index}")
    return [(low, high) for low, high in HOLDINGS[index == CLASS_OF_HOLDING].tolist()]


# Appendix B writes the lower rank first and an "o" after pairs: "KAs", "AAo".
_APPENDIX_B = """
    AA KK QQ JJ AKs AQs TT KQs AJs AKo KJs ATs QJs
    KTs AQo 99 QTs JTs KQo A9s AJo K9s 88 KJo A8s Q9s
    T9s QJo J9s ATo A7s A5s KTo A4s A6s QTo A3s K8s JTo
    77 A2s T8s Q8s K7s J8s 98s K6s 66 K5s A9o 87s K4s
    Q7s T7s 97s K9o J7s K3s T9o Q6s A8o 55 J9o Q9o K2s
    76s Q5s 86s Q4s A7o 44 65s 96s A5o T6s J6s Q3s Q2s
    75s A4o 54s J5s A6o K8o 33 T8o 85s J4s A3o 98o 22
    64s J8o Q8o J3s 95s K7o T5s J2s 53s A2o T4s 74s T3s
    43s K6o 84s 87o T2s 63s K5o 97o 94s T7o 52s Q7o 93s
    J7o K4o 73s 92s 42s 76o K3o 83s Q6o 62s 86o 32s 82s
    K2o 65o Q5o 96o 72s T6o Q4o 54o 75o J6o Q3o J5o 85o
    64o Q2o J4o 95o 53o J3o T5o 74o T4o J2o 43o T3o 84o
    63o T2o 94o 52o 93o 73o 42o 92o 83o 62o 32o 82o 72o
"""
CASPER_RANKING = tuple(_APPENDIX_B.split())
"""Casper's 169 classes from best to worst (Rubin 2007, Appendix B)."""
CASPER_RANK = _fixed(np.array([1 + CASPER_RANKING.index(name) for name in CLASSES], np.int16))
"""(169,): Casper's rank of each class, 1 for AA to 169 for 72o."""
