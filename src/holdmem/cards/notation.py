"""Card notation. Cards are the ints 0 to 51: 4 * rank (0 for a deuce to 12 for an ace) + suit (cdhs).

Text is converted only at the edges: `card("As")` is 51, `name(51)` is "As", `cards("Ah Kd")` and
`cards("AhKd")` are both [50, 45]. Text that names no card, or one card twice, raises NotationError.
"""

from collections.abc import Iterable

from holdmem.core.errors import NotationError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = range(52)
BOARD_LENGTHS = (0, 3, 4, 5)

_INDEX = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_NAMES = tuple(_INDEX)


def card(text: str) -> int:
    """Parse one card: `card("Td")` is 33. Letters in either case, `10` for T."""
    shape = text.strip().replace("10", "T")
    found = _INDEX.get(shape[:1].upper() + shape[1:].lower())
    if found is None:
        raise NotationError(f"expected a card such as As or Td (ranks {RANKS}, suits {SUITS}), got {text!r}")
    return found


def name(card: int) -> str:
    """Return the name of a card: `name(33)` is "Td"."""
    if not 0 <= card < 52:
        raise NotationError(f"expected a card from 0 to 51, got {card}")
    return _NAMES[card]


def cards(text: str) -> list[int]:
    """Parse several cards, in order: `cards("Kc7s2d")`. Spaces and commas may separate them."""
    shape = "".join(text.replace(",", " ").split()).replace("10", "T")
    if len(shape) % 2:
        raise NotationError(f"expected cards of two letters each such as AhKd, got {text!r}")
    return distinct([card(shape[i : i + 2]) for i in range(0, len(shape), 2)])


def names(cards: Iterable[int]) -> str:
    """Return the names of several cards without separators: "AhKd"."""
    return "".join(name(card) for card in cards)


def hole(text: str) -> tuple[int, int]:
    """Parse two hole cards: `hole("AhKd")`."""
    found = cards(text)
    if len(found) != 2:
        raise NotationError(f"expected two hole cards such as AhKd, got {len(found)} in {text!r}")
    return found[0], found[1]


def board(text: str) -> list[int]:
    """Parse a board: no cards, or three (flop), four (turn) or five (river)."""
    found = cards(text)
    if len(found) not in BOARD_LENGTHS:
        raise NotationError(f"expected a board of 0, 3, 4 or 5 cards, got {len(found)} in {text!r}")
    return found


def distinct(cards: list[int]) -> list[int]:
    """Return the cards unchanged after checking that each is in the deck and none occurs twice."""
    for position, one in enumerate(cards):
        if not 0 <= one < 52:
            raise NotationError(f"expected cards from 0 to 51, got {one}")
        if one in cards[:position]:
            raise NotationError(f"expected each card once, got {name(one)} twice in {names(cards)}")
    return cards


def rank(card: int) -> int:
    """Return the rank of a card: 0 for a deuce to 12 for an ace."""
    return card // 4


def suit(card: int) -> int:
    """Return the suit of a card: 0 to 3 for clubs, diamonds, hearts, spades."""
    return card % 4
