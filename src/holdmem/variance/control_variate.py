"""`adjusted`: winnings without the luck of the cards, with exactly the same mean.

    adjusted = winnings - sum over chance events of (value after the event - mean value over all its outcomes)

Each term has mean zero given everything before it, whatever the value function. So the sum has mean zero for
any agents, any number of seats and any betting. The closer the value is to what the hand is worth, the more
variance is removed. The value of a seat is its pot equity, given all known hands:

    value = sum over pots of (chips in the pot when the card falls) * (all-in equity of the seat in it) - paid

Everybody's hole cards, including folded ones, are out of the deck. The mean of that equity over the possible
next cards is the equity before them, so flop, turn and river each subtract chips * (equity after - equity
before). A pot that is run out all-in is these three events with no betting in between.

The deal of the hole cards is the first event. Its value is the equity of the seat's hand against all others
in the pot that results if everybody just calls:

    value of the deal = seats * b * equity,    mean = b,    b = min(big blind, shortest stack)

The mean is exact because every seat is dealt every hand equally often. This luck is subtracted in every hand,
played or folded: folding depends on the cards, so leaving out folded hands would introduce a bias. It cancels
out when the same cards are played in every order of the players, but not when each hand has new cards.
"""

import numpy as np

from holdmem.agent import FinishedHands
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import ACTION, HAND, PARTS, SEATS, STREETS
from holdmem.strength.pot_equities import pot_equities
from holdmem.variance.kernels.pots import CARDS, add_gains, open_pots


def adjusted(hands: FinishedHands) -> Ints:
    """Return the result without luck in whole parts of a chip, (hands, seats); every hand sums to zero.

    Luck is rounded to whole parts (1/2520 of a chip) per hand, so that sums are exact and independent of the
    batch. The last seat takes the rounding difference, at most half a part for each other seat.
    """
    parts: Ints = hands.parts - whole_parts(luck_by_street(hands).sum(axis=1))
    return parts


def luck_by_street(hands: FinishedHands) -> Floats:
    """Return the chips of pot equity that each seat gained on each street, of shape (hands, 4, seats).

    The streets are the deal, flop, turn and river.
    """
    luck = np.zeros((len(hands), STREETS, hands.game.seats))
    luck[:, 0] = deal_luck(hands)
    pots = pots_at_cards(hands)
    add_gains(pots, *_equities_around_cards(hands, pots), luck)
    return luck


def deal_luck(hands: FinishedHands) -> Floats:
    """Return the chips of pot equity that the hole cards gave each seat, of shape (hands, seats).

    The pot is the one that results if everybody just calls.
    """
    seats, batch = hands.game.seats, hands.batch
    bet = np.minimum(hands.game.big_blind, batch.stacks.min(axis=1))
    everybody = np.full(len(hands), (1 << seats) - 1)
    equity = pot_equities(batch.hands["hole"][:, :seats], batch.hands["board"], everybody, street=0)
    found: Floats = bet[:, None] * (seats * equity - 1)
    return found


def pots_at_cards(hands: FinishedHands) -> Ints:
    """Return one row (hand, street of the card, chips, bit mask of seats that can win) per pot and card."""
    batch, game = hands.batch, hands.game
    room = np.empty((len(hands) * CARDS * game.seats, 4), dtype=np.int64)
    hand, spare = np.zeros(1, HAND), np.zeros(game.longest, ACTION)
    count = open_pots(game.rules, batch.stacks, batch.decks, batch.hands, batch.history, hand[0], spare, room)
    return room[:count]


def _equities_around_cards(hands: FinishedHands, pots: Ints) -> tuple[Floats, Floats]:
    """Return each seat's equity in each pot before and after its card, two arrays of shape (pots, seats).

    The equity after the flop is the equity before the turn if the same seats are in, so each distinct
    question is computed once.
    """
    hand, street, _, inside = pots.T
    before, after = ((hand * STREETS + at) << SEATS | inside for at in (street - 1, street))
    asked, which = np.unique(np.concatenate([before, after]), return_inverse=True)
    found = _equities_of_seats(hands, asked >> SEATS, asked & ((1 << SEATS) - 1))
    return found[which[: len(pots)]], found[which[len(pots) :]]


def _equities_of_seats(hands: FinishedHands, places: Ints, inside: Ints) -> Floats:
    """Return the equities of the seats `inside` at each place, encoded as hand * STREETS + street."""
    cards, seats = hands.batch.hands, hands.game.seats
    found = np.empty((len(places), seats))
    for street in range(STREETS):
        which = np.flatnonzero(places % STREETS == street)
        hand = places[which] // STREETS
        found[which] = pot_equities(cards["hole"][hand, :seats], cards["board"][hand], inside[which], street)
    return found


def whole_parts(chips: Floats) -> Ints:
    """Round chips to whole parts so that every row sums to zero: the last seat takes the remainder."""
    parts = np.rint(chips * PARTS).astype(np.int64)
    parts[:, -1] = -parts[:, :-1].sum(axis=1)
    return parts
