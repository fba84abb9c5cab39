"""Sources of a dealer's cards: HoldMem's random streams, or a log whose cards are dealt again."""

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from holdmem.acpc.matchstate import parse_cards
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import Game

DeckArray = NDArray[np.int8]
AT_ONCE = 64


class DeckSource(Protocol):
    """Source of the deck of every hand: hole cards of seat 0, of seat 1 and so on, then the board."""

    def deck(self, number: int) -> DeckArray:
        """Return the deck of a hand; hands are numbered from 0."""
        ...


class ShuffledDecks:
    """Decks shuffled by a stream, determined by seed and match. This is not the C dealer's generator."""

    game: Game
    cards: Streams
    match: int

    def __init__(self, game: Game, cards: Streams, match: int = 0) -> None:
        self.game, self.cards, self.match = game, cards, match
        self._first, self._decks = -AT_ONCE, np.empty((0, game.deck_cards), dtype=np.int8)

    def deck(self, number: int) -> DeckArray:
        """Return the deck of this hand; AT_ONCE decks are shuffled at a time."""
        if not self._first <= number < self._first + len(self._decks):
            self._first = number - number % AT_ONCE
            where = hand_ids(AT_ONCE, match=self.match, first_hand=self._first)
            self._decks = self.cards.decks(where, self.game.deck_cards)
        found: DeckArray = self._decks[number - self._first]
        return found


class FixedDecks:
    """Decks known in advance, such as those of a log."""

    def __init__(self, decks: list[DeckArray]) -> None:
        self.decks: list[DeckArray] = decks

    def __len__(self) -> int:
        return len(self.decks)

    def deck(self, number: int) -> DeckArray:
        """Return the deck of this hand."""
        return self.decks[number]


def decks_of_log(path: Path, game: Game, rng: Streams) -> FixedDecks:
    """Return decks that deal the hands of an ACPC log again; cards not in the log come from `rng`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"{path}: cannot be read: {error}") from None
    decks: list[DeckArray] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("STATE:"):
            fields = line.split(":")
            if len(fields) != 6:
                raise NotationError(
                    f"{path}:{number}: expected STATE:hand:betting:cards:results:names, got {line!r:.80}"
                )
            try:
                decks.append(_completed(fields[3], game, rng, len(decks)))
            except NotationError as error:
                raise NotationError(f"{path}:{number}: {error}") from None
    if not decks:
        raise NotationError(f"{path}: no line begins with STATE:")
    return FixedDecks(decks)


def _completed(cards: str, game: Game, rng: Streams, number: int) -> DeckArray:
    """Return the deck of a log's line, with unknown cards drawn from the remaining ones."""
    hole, board = parse_cards(cards, game.seats)
    known = [card for pair in hole for card in (pair or (-1, -1))] + list(board)
    known += [-1] * (game.deck_cards - len(known))
    shuffled = rng.decks(hand_ids(1, first_hand=number), 52)[0].tolist()
    left = (card for card in shuffled if card not in known)
    return np.array([next(left) if card < 0 else card for card in known], dtype=np.int8)
