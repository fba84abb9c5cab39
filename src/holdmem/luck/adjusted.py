"""`adjusted`: the money without the luck of the cards, with exactly the same mean.

    adjusted = money - sum over chance events of (value after the event - mean value over all that could come)

Each term has mean zero given all that went before it, whatever the value is: so the sum has mean zero for any
agents, any number of seats and any betting. The nearer the value is to what the hand is worth, the more
variance goes. The value of a seat is pot equity of the known hands:

    value = sum over pots of (chips in the pot when the card falls) * (all-in equity of the seat in it) - paid

with the hole cards of everybody, folded ones too, out of the deck. The mean of that equity over the cards
that can come is the equity before them, so flop, turn and river each subtract chips * (equity after - equity
before); a pot that is run out all-in is the same three events with no betting between.

The deal of the hole cards is the first event. Its value is the equity of the seat's hand against all others
in the pot that there is if everybody just calls:

    value of the deal = seats * b * equity,    mean = b,    b = the big blind, or the shortest stack if less

The mean is exact since every seat is dealt every hand equally often. This luck is subtracted in every hand,
played or folded: what is folded depends on the cards, and leaving such hands out would be a bias. Where the
same cards are played in every order of the players it cancels out; where each hand has new cards it does not.
"""

import numpy as np

from holdmem.luck.equities import Floats, Ints, equities
from holdmem.luck.pot_kernels import CARDS, add_gains, open_pots
from holdmem.rules.state import ACTION, HAND, PARTS, SEATS, STREETS
from holdmem.table import Finished


def adjusted(hands: Finished) -> Ints:
    """(hands, seats): the result without luck in whole parts of a chip; every hand sums to zero.

    Luck is rounded to whole parts (2520ths of a chip) hand by hand, so that sums are exact and the same for
    any batch; the last seat makes up the difference, at most half a part for each other seat.
    """
    parts: Ints = hands.parts - whole_parts(luck_by_street(hands).sum(axis=1))
    return parts


def luck_by_street(hands: Finished) -> Floats:
    """(hands, 4, seats): chips of pot equity that each seat had from the deal, flop, turn and river."""
    luck = np.zeros((len(hands), STREETS, hands.game.seats))
    luck[:, 0] = deal_luck(hands)
    pots = pots_at_cards(hands)
    add_gains(pots, *_equities_around_cards(hands, pots), luck)
    return luck


def deal_luck(hands: Finished) -> Floats:
    """(hands, seats): chips of pot equity that the hole cards gave each seat, in the pot of a mere call."""
    seats, batch = hands.game.seats, hands.batch
    bet = np.minimum(hands.game.big_blind, batch.stacks.min(axis=1))
    everybody = np.full(len(hands), (1 << seats) - 1)
    equity = equities(batch.hands["hole"][:, :seats], batch.hands["board"], everybody, street=0)
    found: Floats = bet[:, None] * (seats * equity - 1)
    return found


def pots_at_cards(hands: Finished) -> Ints:
    """(pots, 4): hand, street of the card, chips, seats that can win (bits), of every pot at every card."""
    batch, game = hands.batch, hands.game
    room = np.empty((len(hands) * CARDS * game.seats, 4), dtype=np.int64)
    hand, spare = np.zeros(1, HAND), np.zeros(game.longest, ACTION)
    count = open_pots(game.rules, batch.stacks, batch.decks, batch.hands, batch.history, hand[0], spare, room)
    return room[:count]


def _equities_around_cards(hands: Finished, pots: Ints) -> tuple[Floats, Floats]:
    """(pots, seats) twice: who wins each pot on average before its card and after it.

    After the flop and before the turn is the same question where the same seats are in: it is asked once.
    """
    hand, street, _, inside = pots.T
    before, after = ((hand * STREETS + at) << SEATS | inside for at in (street - 1, street))
    asked, which = np.unique(np.concatenate([before, after]), return_inverse=True)
    found = _equities_of_seats(hands, asked >> SEATS, asked & ((1 << SEATS) - 1))
    return found[which[: len(pots)]], found[which[len(pots) :]]


def _equities_of_seats(hands: Finished, places: Ints, inside: Ints) -> Floats:
    """Equities of the seats `inside`, where a place is a hand and a street, as hand * STREETS + street."""
    cards, seats = hands.batch.hands, hands.game.seats
    found = np.empty((len(places), seats))
    for street in range(STREETS):
        which = np.flatnonzero(places % STREETS == street)
        hand = places[which] // STREETS
        found[which] = equities(cards["hole"][hand, :seats], cards["board"][hand], inside[which], street)
    return found


def whole_parts(chips: Floats) -> Ints:
    """Chips in whole parts that sum to zero in every row: each rounded, the last seat has the rest."""
    parts = np.rint(chips * PARTS).astype(np.int64)
    parts[:, -1] = -parts[:, :-1].sum(axis=1)
    return parts
