"""Luck once more, by fractions: every board is dealt, every pot is shared, every bet is made one by one."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np

from holdmem.cards import evaluate
from holdmem.cards.classes import CLASSES, COMBOS, class_of
from holdmem.engine import CALL, FOLD, Game
from holdmem.strength import EQUITY_RANKING
from naive.rules import Hand, settle

DEALT = (0, 3, 4, 5)
Shares = list[Fraction]


def hole(hand: Hand, seat: int) -> list[int]:
    """The cards of a seat."""
    return list(hand.deck[2 * seat : 2 * seat + 2])


def board(hand: Hand, street: int) -> list[int]:
    """What lies there on a street."""
    first = 2 * hand.game.seats
    return list(hand.deck[first : first + DEALT[street]])


def value(hand: Hand, street: int) -> Shares:
    """What every seat would have on average if the board were run out now: the mean of all settlements."""
    paid, live = [hand.paid(seat) for seat in hand.seats()], hand.live()
    if len(live) == 1:
        return settle(paid, {live[0]: ()}, "exact")
    known = tuple(tuple(hole(hand, seat)) for seat in hand.seats())
    total = [Fraction(0)] * len(paid)
    boards = endings(known, tuple(live), tuple(board(hand, street)))
    for places, count in boards:
        ended = settle(paid, {seat: (place,) for seat, place in zip(live, places, strict=True)}, "exact")
        total = [so_far + count * part for so_far, part in zip(total, ended, strict=True)]
    return [part / sum(count for _, count in boards) for part in total]


@cache
def endings(
    known: tuple[tuple[int, ...], ...], live: tuple[int, ...], shared: tuple[int, ...]
) -> list[tuple[list[int], int]]:
    """Who beats whom among the live hands, and on how many of all boards that can still come."""
    gone = {card for cards in [*known, shared] for card in cards}
    left, missing = [card for card in range(52) if card not in gone], 5 - len(shared)
    drawn = np.fromiter(chain.from_iterable(combinations(left, missing)), np.int64)
    rest = drawn.reshape(comb(len(left), missing), missing)
    hands = [[np.tile([*known[seat], *shared], (len(rest), 1)), rest] for seat in live]
    strengths = np.array([evaluate(np.hstack(cards)) for cards in hands])
    places = (strengths[:, None, :] > strengths[None, :, :]).sum(axis=1)
    orders, counts = np.unique(places.T @ 16 ** np.arange(len(live)), return_counts=True)
    rows = [[order >> 4 * place & 15 for place in range(len(live))] for order in orders.tolist()]
    return list(zip(rows, counts.tolist(), strict=True))


def before_each_card(
    game: Game, deck: Sequence[int], start: Sequence[int], actions: Sequence[int]
) -> Iterator[tuple[Hand, int]]:
    """The hand as it stood when flop, turn and river came, and which of them came."""
    hand, cards = Hand(game, deck, start), 0
    for action in actions:
        hand.act(action)
        now = 3 if hand.to_act() is None and len(hand.live()) > 1 else hand.street
        for street in range(cards + 1, now + 1):
            yield hand, street
        cards = max(cards, now)


def luck_by_street(
    game: Game, deck: Sequence[int], start: Sequence[int], actions: Sequence[int]
) -> list[Shares]:
    """What flop, turn and river gave to each seat: value after minus value before, of the pots then."""
    luck = [[Fraction(0)] * game.seats for _ in range(4)]
    for hand, street in before_each_card(game, deck, start, actions):
        pairs = zip(value(hand, street), value(hand, street - 1), strict=True)
        luck[street] = [after - before for after, before in pairs]
    return luck


def deal_luck(game: Game, deck: Sequence[int], start: Sequence[int]) -> Shares:
    """What the hole cards gave to each seat: the value of a pot into which everybody paid the big blind."""
    bet = min(game.big_blind, *start)
    even = Game("even", blinds=(bet,) * game.seats, stacks=(bet,) * game.seats)
    return value(Hand(even, deck, even.stacks), 0)


# DIVAT


@cache
def behind(cards: tuple[int, ...], shared: tuple[int, ...]) -> Fraction:
    """The share of other hands that are behind, ties half: by rank of the class before the flop."""
    if not shared:
        combos = dict(zip(CLASSES, COMBOS.tolist(), strict=True))
        name = CLASSES[class_of(*cards)]
        better, own = EQUITY_RANKING[: EQUITY_RANKING.index(name)], combos[name]
        worse = 1326 - sum(combos[name] for name in better) - own
        return (worse + Fraction(own, 2)) / 1326
    others = list(combinations([card for card in range(52) if card not in {*cards, *shared}], 2))
    own, *theirs = evaluate([[*other, *shared] for other in [cards, *others]]).tolist()
    return Fraction(sum((strength < own) + (strength <= own) for strength in theirs), 2 * len(others))


def divat(game: Game, deck: Sequence[int], start: Sequence[int], actions: Sequence[int]) -> Fraction:
    """The sum over rounds of value as played minus value by the baseline, for seat 0."""
    hand, total = Hand(game, deck, start), Fraction(0)
    left = list(actions)
    for street in range(4):
        if hand.street != street or hand.to_act() is None:
            break
        other = Hand(game, deck, start, list(hand.steps), hand.street)
        play_round(other, _bettor(other) if game.limit else lambda: CALL)
        play_round(hand, lambda: left.pop(0))
        total += value(hand, street)[0] - value(other, street)[0]
    return total


def play_round(hand: Hand, decide: Callable[[], int]) -> None:
    """Play to the end of the street."""
    street = hand.street
    while hand.street == street and hand.to_act() is not None:
        hand.act(decide())


def _bettor(hand: Hand) -> Callable[[], int]:
    """The bet-for-value baseline, which remembers what each seat has told by its betting."""
    street = hand.street
    told = {0: (Fraction(0), Fraction(1)), 1: (Fraction(0), Fraction(1))}

    def decide() -> int:
        seat = hand.to_act()
        assert seat is not None
        strength = behind(tuple(hole(hand, seat)), tuple(board(hand, street)))
        owed, least, _ = hand.legal()
        low, high = told[seat]
        middle = sum(told[1 - seat]) / 2
        if strength >= middle and least:
            told[seat] = max(low, middle), high
            return least
        if strength < low + (high - low) * Fraction(owed, hand.paid(0) + hand.paid(1)):
            return FOLD
        told[seat] = low, min(high, middle)
        return CALL

    return decide
