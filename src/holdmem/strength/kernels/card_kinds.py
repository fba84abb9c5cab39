"""Kernels: group the unseen cards into kinds that are interchangeable on a board.

At a showdown a card counts by its rank, and by its suit only if the board has three or more cards of that
suit. So the cards that an opponent may hold fall into at most 26 kinds: each rank outside the suit of a
possible flush, and each rank inside it. Pairs of kinds represent all 990 holdings of an opponent: 91 pairs if
no flush is possible, some 300 otherwise.
"""

import numpy as np

from holdmem.cards.kernels.evaluator import (
    CARD_KEYS,
    FLUSH_BITS,
    FLUSHES,
    SUIT_SHIFT,
    SUM_MASK,
    flush_suit,
    ranks_of_suit,
    strength_without_flush,
    total_of,
)
from holdmem.core.jit import kernel
from holdmem.core.records import record

RANKS = 13
PLACES = 2 * RANKS
NO_SUIT = -1
TWO_MORE = 0x2222 << SUIT_SHIFT  # with two more cards per suit, three on the board make a flush

LEFT = record([("of_rank", "i8", RANKS), ("seen", "i8", 4)])
"""The unseen cards: the number left of each rank, and for each suit the ranks already seen, as bits."""

KINDS = record(
    [
        ("count", "i8"),
        ("dealt", "i8"),  # cards on the board plus two hole cards
        ("start", "i8"),  # sum of the keys of the board
        ("suit", "i8"),  # suit of which the board has three or more, or NO_SUIT
        ("ranks", "i8"),  # ranks of that suit on the board, as bits
        ("cards", "i8", PLACES),  # [kind] number of unseen cards
        ("key", "i8", PLACES),
        ("flush", "i8", PLACES),  # [kind] its rank as a bit if of that suit, else 0
        ("place", "i8", PLACES),  # [kind] its rank, plus 13 if of that suit
    ]
)
"""The kinds of unseen cards on a board."""


@kernel
def no_card_seen(left):
    """Reset `left` to a full deck."""
    left.of_rank[:] = 4
    left.seen[:] = 0


@kernel
def see(left, cards):
    """Remove these cards from the unseen cards."""
    for card in cards:
        left.of_rank[card >> 2] -= 1
        left.seen[card & 3] |= 1 << np.int64(card >> 2)


@kernel
def possible_flush(start):
    """Suit of which the board has three or more cards, or NO_SUIT; `start` is the board's evaluator key."""
    if (start + TWO_MORE) & FLUSH_BITS:
        return flush_suit(start + TWO_MORE)
    return NO_SUIT


@kernel
def sort_kinds(board, left, kinds):
    """Group the unseen cards into kinds on this board."""
    kinds.start = total_of(board)
    kinds.dealt = len(board) + 2
    kinds.suit = possible_flush(kinds.start)
    kinds.ranks = 0 if kinds.suit == NO_SUIT else ranks_of_suit(board, kinds.suit)
    kinds.count = 0
    for rank in range(RANKS):
        suited = 0
        if kinds.suit != NO_SUIT and not (left.seen[kinds.suit] >> rank) & 1:
            suited = 1
            key = CARD_KEYS[4 * rank + kinds.suit]
            add_kind(kinds, 1, key, 1 << rank, RANKS + rank)
        if left.of_rank[rank] > suited:
            add_kind(kinds, left.of_rank[rank] - suited, CARD_KEYS[4 * rank] & SUM_MASK, 0, rank)


@kernel
def add_kind(kinds, cards, key, flush, place):
    """Append a kind of `cards` cards."""
    kind = kinds.count
    kinds.cards[kind] = cards
    kinds.key[kind] = key
    kinds.flush[kind] = flush
    kinds.place[kind] = place
    kinds.count += 1


@kernel
def holdings_of(kinds, one, other):
    """Number of holdings with one card of each of two kinds (which may be equal)."""
    if one == other:
        return kinds.cards[one] * (kinds.cards[one] - 1) // 2
    return kinds.cards[one] * kinds.cards[other]


@kernel
def strength_of_kinds(kinds, one, other):
    """Strength of a holding of these two kinds on the board."""
    total = kinds.start + kinds.key[one] + kinds.key[other]
    if total & FLUSH_BITS:
        return np.int64(FLUSHES[kinds.ranks | kinds.flush[one] | kinds.flush[other]])
    return np.int64(strength_without_flush(total, kinds.dealt))


@kernel
def place_of(card, suit):
    """Place of a card on a board with a possible flush in `suit`: its rank, plus 13 if of that suit."""
    return (card >> 2) + RANKS * ((card & 3) == suit)
