"""Style counted from the hand as it is told: who paid what when it was his turn."""

from holdmem.engine import CALL, FOLD, Game
from naive.rules import Hand


def counts(
    game: Game, deck: list[int], stacks: list[int], actions: list[int], lineup: list[int], players: int
) -> list[list[int]]:
    """For each player: hands, voluntary, raised before the flop, aggressive, calls, flops, showdowns, won."""
    hand = Hand(game, deck, stacks)
    told = []  # (player, street, action, price of a call)
    folded_on: dict[int, int] = {}
    for action in actions:
        seat = hand.to_act()
        assert seat is not None
        told.append((lineup[seat], hand.street, action, hand.legal()[0]))
        if action == FOLD:
            folded_on[seat] = hand.street
        hand.act(action)
    result = hand.result()
    shown = len(hand.live()) > 1
    flop_came = shown or any(street > 0 for _, street, _, _ in told)
    rows = []
    for player in range(players):
        mine = [(street, action, price) for who, street, action, price in told if who == player]
        seats = [seat for seat in hand.seats() if lineup[seat] == player]
        put_in = [s for s, action, price in mine if action > 0 or (action == CALL and price > 0)]
        rows.append(
            [
                len(seats),
                0 in put_in,
                any(street == 0 and action > 0 for street, action, _ in mine),
                sum(action > 0 for _, action, _ in mine),
                sum(action == CALL and price > 0 for _, action, price in mine),
                sum(flop_came and folded_on.get(seat, 9) > 0 for seat in seats),
                sum(shown and seat in hand.live() for seat in seats),
                sum(shown and seat in hand.live() and result[seat] > 0 for seat in seats),
            ]
        )
    return [[int(cell) for cell in row] for row in rows]
