"""What happened in a hand as values: posts, pots, returned bets and winnings."""

from typing import Any

from holdmem.agent.single_hand import SingleHand
from holdmem.engine.state import PARTS


def _stacks(hand: SingleHand) -> list[int]:
    """Return the chips of each seat after antes and before blinds."""
    row, game = hand.row, hand.game
    antes = game.antes or (0,) * game.seats
    whole = [int(row["stack"][seat]) + int(row["paid"][seat]) for seat in range(game.seats)]
    return [max(0, stack - ante) for stack, ante in zip(whole, antes, strict=True)]


def posts(hand: SingleHand) -> list[dict[str, Any]]:
    """Return the antes and blinds that were posted."""
    game, stacks = hand.game, _stacks(hand)
    antes = [(seat, "ante", ante) for seat, ante in enumerate(game.antes) if ante]
    order = sorted(range(game.seats), key=lambda seat: (game.blinds[seat], seat))
    blinds = [
        (seat, "big blind" if game.blinds[seat] == game.big_blind else "small blind",
         min(game.blinds[seat], stacks[seat]))
        for seat in order if game.blinds[seat]
    ]  # fmt: skip
    return [
        {"player": hand.lineup[seat], "kind": kind, "amount": amount}
        for seat, kind, amount in antes + blinds
        if amount
    ]


def pots(hand: SingleHand) -> list[dict[str, Any]]:
    """Return the main pot and the side pots, each with the players who can win it.

    A side pot begins where a player is all-in for less than others have paid. Bets of the present street are
    included.
    """
    row, seats = hand.row, range(hand.game.seats)
    paid = {seat: int(row["paid"][seat]) for seat in seats}
    live = [seat for seat in seats if int(row["live"]) >> seat & 1]
    top = max(paid.values())
    levels = sorted({paid[seat] for seat in live if not row["stack"][seat]} | {top})
    found, below = list[dict[str, Any]](), 0
    for level in levels:
        amount = sum(min(paid[seat], level) - min(paid[seat], below) for seat in seats)
        can_win = [hand.lineup[seat] for seat in live if paid[seat] > below or row["stack"][seat]]
        if amount:
            found.append({"amount": amount, "players": can_win})
        below = level
    if found:
        found[0]["amount"] += sum(hand.game.dead)
    return found


def returned(hand: SingleHand) -> tuple[int, int] | None:
    """Return the seat whose last bet was not matched and the chips that came back to it, if any."""
    row = hand.row
    paid = [int(row["paid"][seat]) for seat in range(hand.game.seats)]
    second, top = sorted(paid)[-2:]
    seat = paid.index(top)
    return (seat, top - second) if top > second and int(row["live"]) >> seat & 1 else None


def won(hand: SingleHand) -> list[float]:
    """Return the chips that each seat took from the pot, without returned bets."""
    row, back, dead = hand.row, returned(hand), hand.game.dead or (0,) * hand.game.seats
    gained = [int(row["net"][seat]) / PARTS + int(row["paid"][seat]) + gone for seat, gone in enumerate(dead)]
    if back is not None:
        gained[back[0]] -= back[1]
    return gained
