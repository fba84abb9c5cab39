"""Who takes what from which pot, for writers: whole chips from main and side pots."""

from fractions import Fraction
from typing import NamedTuple

from holdmem.core.errors import NotationError
from holdmem.engine import PARTS, Game
from holdmem.history.hands import RecordedHand
from holdmem.history.steps import HandReplay, collected

COVERING = (1000, 10)
"""Big blinds, and multiples of the most anyone paid: the larger is written for an unlimited stack."""


class Payment(NamedTuple):
    """Chips that a seat takes from a pot; the main pot is 0, the side pots follow."""

    pot: int
    seat: int
    chips: int


def chips_won(replay: HandReplay) -> list[int]:
    """Return the chips each seat takes from the pots; NotationError unless they are whole and add up."""
    parts = collected(replay)
    if parts is None:
        raise NotationError("the result is unknown: not all cards were shown")
    if any(won < 0 or won % PARTS for won in parts):
        raise NotationError(f"winnings must be whole chips, got {[Fraction(won, PARTS) for won in parts]}")
    won = [part // PARTS for part in parts]
    pot = sum(replay.paid) - replay.uncalled[1]
    if sum(won) + replay.rake != pot:
        raise NotationError(f"expected {pot} chips won or raked, got {sum(won)} and {replay.rake}")
    return won


def pot_sizes(hand: RecordedHand, replay: HandReplay) -> list[int]:
    """Return the main pot and the side pots, including rake."""
    dead = hand.terms.game.dead or (0,) * hand.terms.game.seats
    paid = [chips - less for chips, less in zip(replay.paid, dead, strict=True)]
    if replay.uncalled[1]:
        paid[replay.uncalled[0]] -= replay.uncalled[1]
    levels = sorted({chips for chips, live in zip(paid, replay.live, strict=True) if live})
    pots, below = [], 0
    for level in levels:
        top = max(paid) if level == levels[-1] else level
        pots.append(sum(min(chips, top) - min(chips, below) for chips in paid))
        below = level
    return [pots[0] + sum(dead), *pots[1:]]


def payments(hand: RecordedHand, replay: HandReplay) -> list[Payment]:
    """Return what each seat takes; short stacks are paid first, as they have no share in side pots."""
    won, pots = chips_won(replay), pot_sizes(hand, replay)
    paid, seats = list[Payment](), sorted(range(len(won)), key=lambda seat: replay.paid[seat])
    for number, pot in enumerate(pots):
        left = pot
        for seat in seats:
            chips = won[seat] if number == len(pots) - 1 else min(won[seat], left)
            if chips:
                paid.append(Payment(number, seat, chips))
            won[seat] -= chips
            left -= chips
    return paid


def covering(game: Game, replay: HandReplay) -> int:
    """Return a stack that covers all bets of the hand, to write in place of an unlimited one."""
    return max(COVERING[0] * game.big_blind, COVERING[1] * max(replay.paid))
