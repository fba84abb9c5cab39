"""Cards, hands and ranges: notation, the 7-card evaluator, the 169 classes, suit isomorphism."""

from holdmem.cards.notation import DECK, RANKS, SUITS, board, card, cards, hole, name, names, rank, suit

__all__ = ["DECK", "RANKS", "SUITS", "board", "card", "cards", "hole", "name", "names", "rank", "suit"]
