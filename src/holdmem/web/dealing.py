"""Which cards come next: new ones, or, in duplicate mode, those of an earlier hand from the other side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdmem.rules import Game
from holdmem.table import Streams, spots

WAITING = 6
"""Hands that lie between at least: a hand is not dealt again before so many wait for it."""

PERSON = 0


@dataclass(frozen=True)
class Deal:
    """One deal: the deck, who sits where, and which earlier hand it repeats."""

    deck: NDArray[np.int8]
    lineup: tuple[int, ...]
    again: int | None = None


class Dealer:
    """Deals new hands, and half of the time, once enough wait, an earlier one from the other side.

    The person then has the seat and cards of an opponent, who has those of the person. Suits are renamed and
    the two hole cards and the flop come in another order, so that nobody remembers them; the value of every
    hand stays what it was.
    """

    def __init__(self, game: Game, streams: Streams, duplicate: bool) -> None:
        self.game = game
        self.cards = streams.spawn("cards")
        self.choices = streams.spawn("duplicate")
        self.duplicate = duplicate
        self.waiting: list[tuple[int, Deal]] = []

    def deal(self, number: int) -> Deal:
        """The deal of this hand."""
        where = spots(1, first_hand=number)
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
        """The same hand to the rules, another to the eye."""
        order = self.choices.spawn("order").uniforms(spots(1, first_hand=number), np.zeros(1, np.int64), 64)[
            0
        ]
        suits = np.argsort(order[:4])
        cards = (deck // 4 * 4 + suits[deck % 4]).astype(np.int8)
        for seat in range(self.game.seats):
            if order[4 + seat] < 0.5:
                cards[[2 * seat, 2 * seat + 1]] = cards[[2 * seat + 1, 2 * seat]]
        flop = 2 * self.game.seats
        cards[flop : flop + 3] = cards[flop : flop + 3][np.argsort(order[20:23])]
        return cards


def _exchanged(lineup: tuple[int, ...], opponent: int) -> tuple[int, ...]:
    """The person and this opponent change places."""
    places = {PERSON: opponent, opponent: PERSON}
    return tuple(places.get(player, player) for player in lineup)
