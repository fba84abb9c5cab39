"""One decision as plain values: what its player sees, and the hand played on by the naive rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdmem.agent import View
from naive.opponents import situation
from naive.rules import Hand

BOARD_CARDS = (0, 3, 4, 5)
Holes = Mapping[int, tuple[int, int]]


@dataclass
class Decision:
    """A view, the stacks that its hand began with, and the key of its simulations."""

    view: View
    stacks: Sequence[int]
    key: int = 0
    played: Hand = field(init=False)
    paid: int = field(init=False)
    entered: set[int] = field(init=False, default_factory=set)
    """Seats that have called or raised."""

    def __post_init__(self) -> None:
        self.played = Hand(self.view.game, [], self.stacks)
        for _, seat, action in self.view.history:
            if action > 0 or (action == 0 and self.played.legal()[0]):
                self.entered.add(seat)
            self.played.act(action)
        self.paid = self.played.paid(self.view.seat)

    def opponents(self) -> list[int]:
        """The other seats that have not folded."""
        return [seat for seat in self.played.live() if seat != self.view.seat]

    def hand(self, holes: Holes, board: Sequence[int]) -> Hand:
        """The hand at the decision once more, with these cards; cards of others are never looked at."""
        hidden = (-1, -1)
        deck = [card for seat in self.played.seats() for card in holes.get(seat, hidden)]
        return Hand(self.view.game, [*deck, *board], self.stacks, list(self.played.steps), self.played.street)


def pot_of(hand: Hand) -> int:
    """All chips paid so far."""
    return sum(hand.paid(seat) for seat in hand.seats())


def situation_of(hand: Hand, seat: int) -> int:
    """The situation in which a seat acts, or would act now."""
    to_call = min(hand.owed(seat), hand.stack(seat))
    return situation(hand.game, hand.street, pot_of(hand), to_call)


def sized_raise(hand: Hand) -> int:
    """A raise by two thirds of the pot after a call, or the nearest legal one."""
    to_call, least, most = hand.legal()
    return min(max(hand.highest() + int(2 / 3 * (pot_of(hand) + to_call)), least), most)
