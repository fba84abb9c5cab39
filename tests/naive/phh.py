"""What PHH leaves out, put back by the naive rules."""

from collections.abc import Sequence

from holdmem.engine import CALL, Game
from naive.rules import Hand


def with_every_check(
    game: Game, stacks: Sequence[int], told: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]] | None:
    """The whole betting, and what each seat has in the pot; None if somebody acts out of turn."""
    hand, actions = Hand(game, range(game.deck_cards), stacks), []
    for seat, action in told:
        while hand.to_act() not in (seat, None) and nothing_to_decide(hand):
            do(hand, CALL, actions)
        if hand.to_act() != seat:
            return None
        do(hand, action, actions)
    while hand.to_act() is not None and nothing_to_decide(hand):
        do(hand, CALL, actions)
    return actions, [hand.paid(seat) + hand.dead(seat) - uncalled(hand, seat) for seat in hand.seats()]


def do(hand: Hand, action: int, actions: list[int]) -> None:
    hand.act(action)
    actions.append(action)


def nothing_to_decide(hand: Hand) -> bool:
    """Nothing to call, and everybody else who is left is all-in."""
    seat = hand.to_act()
    others = [other for other in hand.live() if other != seat and hand.stack(other)]
    return seat is not None and hand.owed(seat) == 0 and not others


def uncalled(hand: Hand, seat: int) -> int:
    """What this seat bet on the last street beyond everybody else."""
    return max(0, hand.bet(seat) - max(hand.bet(other) for other in hand.seats() if other != seat))
