"""Cards, hands and ranges: notation, 7-card evaluator, the 169 starting-hand classes, suit isomorphism."""

from holdmem.cards.classes import (
    CASPER_RANK,
    CASPER_RANKING,
    CLASSES,
    HOLDINGS,
    class_index,
    class_of,
    combos,
)
from holdmem.cards.evaluator import category, evaluate, evaluate_board
from holdmem.cards.isomorphism import Isomorphism
from holdmem.cards.notation import DECK, RANKS, SUITS, board, card, cards, hole, name, names, rank, suit
from holdmem.cards.ranges import Range

__all__ = [
    "CASPER_RANK",
    "CASPER_RANKING",
    "CLASSES",
    "DECK",
    "HOLDINGS",
    "RANKS",
    "SUITS",
    "Isomorphism",
    "Range",
    "board",
    "card",
    "cards",
    "category",
    "class_index",
    "class_of",
    "combos",
    "evaluate",
    "evaluate_board",
    "hole",
    "name",
    "names",
    "rank",
    "suit",
]
