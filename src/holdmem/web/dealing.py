"""The next deal: new cards or, in duplicate mode, an earlier deal with the players exchanged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.core.random import Streams, hand_ids
from holdmem.engine import Game

WAITING = 6
"""Hands that must await their duplicate before one is dealt again, which is never one of the newest three."""

PERSON = 0


@dataclass(frozen=True)
class Deal:
    """A deal: the deck, the player in each seat, and the number of the earlier hand it repeats, if any."""

    deck: NDArray[np.int8]
    lineup: tuple[int, ...]
    again: int | None = None


class DuplicateDealer:
    """Deal new hands and, in duplicate mode, repeat earlier ones with the players exchanged.

    A repeat has probability 1/2 once `WAITING` hands await theirs. The person then gets the seat and cards of
    an opponent, who gets those of the person. Suits are permuted, and the two hole cards and the flop are
    reordered, so that the hand is not recognised; hand values do not change.
    """

    def __init__(self, game: Game, rng: Streams, duplicate: bool) -> None:
        self.game = game
        self.cards: Streams = rng.spawn("cards")
        self.choices: Streams = rng.spawn("duplicate")
        self.duplicate = duplicate
        self.waiting: list[tuple[int, Deal]] = []

    def deal(self, number: int) -> Deal:
        """Return the deal of the hand of this number."""
        where = hand_ids(1, first_hand=number)
        chance, which, other = self.choices.uniforms(where, np.zeros(1, dtype=np.int64), 3)[0]
        if self.duplicate and len(self.waiting) >= WAITING and chance < 0.5:
            first, deal = self.waiting.pop(int(which * (len(self.waiting) - WAITING // 2)))
            opponent = 1 + int(other * (self.game.seats - 1))
            return Deal(self._disguised(deal.deck, number), _exchanged(deal.lineup, opponent), first)
        seats = self.game.seats
        lineup = tuple((seat + number) % seats for seat in range(seats))
        deal = Deal(self.cards.decks(where, self.game.deck_cards)[0], lineup)
        if self.duplicate:
            self.waiting.append((number, deal))
        return deal

    def _disguised(self, deck: NDArray[np.int8], number: int) -> NDArray[np.int8]:
        """Return an isomorphic deck: suits permuted, hole cards and flop reordered."""
        order = self.choices.spawn("order").uniforms(
            hand_ids(1, first_hand=number), np.zeros(1, np.int64), 64
        )[0]
        suits = np.argsort(order[:4])
        cards = (deck // 4 * 4 + suits[deck % 4]).astype(np.int8)
        for seat in range(self.game.seats):
            if order[4 + seat] < 0.5:
                cards[[2 * seat, 2 * seat + 1]] = cards[[2 * seat + 1, 2 * seat]]
        flop = 2 * self.game.seats
        cards[flop : flop + 3] = cards[flop : flop + 3][np.argsort(order[20:23])]
        return cards


def _exchanged(lineup: tuple[int, ...], opponent: int) -> tuple[int, ...]:
    """Return the lineup with the person and this opponent exchanged."""
    places = {PERSON: opponent, opponent: PERSON}
    return tuple(places.get(player, player) for player in lineup)
