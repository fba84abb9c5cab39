"""The cards of a game for an exact best response: deck, holdings, boards up to exchange of suits, strengths.

The deck may be short (fewer ranks or suits) and a street may deal fewer cards, so that the very code that
values hold'em can be compared with a brute force. Cards keep their numbers of the full deck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cards.kernels.evaluator import strengths_on_board
from holdmem.core.errors import GameError
from holdmem.core.types import Ints

CardTuple = tuple[int, ...]


class PublicDeal(NamedTuple):
    """A representative of equivalent deals of one street, and how to get the others from it."""

    cards: CardTuple
    moves: Ints  # [deal, holding] what each holding becomes, one row per equivalent deal
    stabiliser: Ints  # [permutation, card] permutations of suits that leave this deal as it is

    @property
    def weight(self) -> int:
        """Number of equivalent deals."""
        return len(self.moves)


@dataclass(frozen=True)
class PublicGame:
    """Deck and deals: the highest `ranks` ranks, `suits` suits, `dealt` board cards by street."""

    ranks: int = 13
    suits: int = 4
    dealt: tuple[int, ...] = (0, 3, 1, 1)

    def __post_init__(self) -> None:
        if not (1 <= self.ranks <= 13 and 1 <= self.suits <= 4 and self.dealt[0] == 0):
            raise GameError(f"expected 1 to 13 ranks, 1 to 4 suits and no board before the flop, got {self}")
        if len(self.cards) < 4 + sum(self.dealt):
            raise GameError(f"{len(self.cards)} cards are too few for two players and {sum(self.dealt)} more")

    @property
    def streets(self) -> int:
        """Number of betting rounds."""
        return len(self.dealt)

    @cached_property
    def cards(self) -> Ints:
        """The cards of the deck, in ascending order."""
        return np.array([4 * r + s for r in range(13 - self.ranks, 13) for s in range(self.suits)])

    @cached_property
    def holdings(self) -> Ints:
        """(n, 2): cards of each holding, low < high; in the full deck the order of `cards.HOLDINGS`."""
        deck = self.cards.tolist()
        return np.array([(low, high) for place, high in enumerate(deck) for low in deck[:place]])

    @cached_property
    def permutations(self) -> Ints:
        """(k, 52): what each permutation of suits makes of each card."""
        cards = np.arange(52)
        fixed = tuple(range(self.suits, 4))
        return np.array(
            [
                4 * (cards // 4) + np.array((*some, *fixed))[cards % 4]
                for some in permutations(range(self.suits))
            ]
        )

    @cached_property
    def _numbers(self) -> Ints:
        table = np.full((52, 52), -1)
        low, high = self.holdings.T
        table[low, high] = table[high, low] = np.arange(len(self.holdings))
        return table

    def moved(self, permutation: Ints) -> Ints:
        """Return the holding that a permutation of cards makes of each holding."""
        low, high = self.holdings.T
        images: Ints = self._numbers[permutation[low], permutation[high]]
        return images

    @cached_property
    def classes(self) -> Ints:
        """[holding] number of its class up to exchange of suits; in the full deck these are 169."""
        least = np.min([self.moved(one) for one in self.permutations], axis=0)
        return np.unique(least, return_inverse=True)[1]

    def free(self, board: CardTuple) -> NDArray[np.bool_]:
        """Return whether each holding shares no card with the board."""
        return ~np.asarray(self._with_card[list(board)].any(axis=0))

    @cached_property
    def _with_card(self) -> NDArray[np.bool_]:
        """[card, holding] whether the holding has the card."""
        found = np.zeros((52, len(self.holdings)), np.bool_)
        for card in range(52):
            found[card] = (self.holdings == card).any(axis=1)
        return found

    def strengths(self, board: CardTuple, holdings: Ints) -> NDArray[np.uint16]:
        """Return the strength of these holdings (indices), which share no card with a full board."""
        if not 3 <= len(board) <= 5:  # the evaluator would read past its tables
            raise GameError(f"expected a board of 3 to 5 cards, since hands have five, got {list(board)}")
        found = np.empty(len(holdings), np.uint16)
        strengths_on_board(np.array(board, np.uint8), self._small_holdings[holdings], found)
        return found

    @cached_property
    def _small_holdings(self) -> NDArray[np.uint8]:
        """`holdings` as the evaluator takes them."""
        return self.holdings.astype(np.uint8)

    def deals(
        self, street: int, board: CardTuple = (), stabiliser: Ints | None = None
    ) -> Iterator[PublicDeal]:
        """Yield the deals of a street up to the permutations that leave the board so far as it is."""
        group = self.permutations if stabiliser is None else stabiliser
        left = [card for card in self.cards.tolist() if card not in board]
        seen: set[CardTuple] = set()
        for cards in combinations(left, self.dealt[street]):
            if cards not in seen:
                images = [tuple(sorted(row)) for row in group[:, list(cards)].tolist()]
                first = {image: place for place, image in reversed(list(enumerate(images)))}
                seen.update(first)
                fixes = np.array([image == cards for image in images])
                yield PublicDeal(
                    cards, np.array([self.moved(group[k]) for k in first.values()]), group[fixes]
                )

    def chance(self, street: int) -> float:
        """Return the probability of each deal of a street, given the cards of both players and the board."""
        unseen = len(self.cards) - 2 * self.hole_cards - sum(self.dealt[:street])
        return 1 / comb(unseen, self.dealt[street])

    @property
    def hole_cards(self) -> int:
        """Number of cards that a player holds."""
        return 2

    @property
    def pairs(self) -> int:
        """Number of ways to deal both players a holding."""
        return comb(len(self.cards), self.hole_cards) * comb(
            len(self.cards) - self.hole_cards, self.hole_cards
        )


HOLDEM = PublicGame()
