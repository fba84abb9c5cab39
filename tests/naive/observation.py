"""What a player observes, written down item after item; chips by street are counted as they are paid."""

from collections.abc import Sequence

from holdmem.agent.single_hand import SingleHand
from holdmem.engine import CALL, FOLD, UNLIMITED


def one_of(size: int, *places: int) -> list[float]:
    """Zeros with ones at the places."""
    return [float(place in places) for place in range(size)]


def observation(hand: SingleHand, player: int, paid: Sequence[Sequence[int]]) -> list[float]:
    """The whole row; `paid` are chips by street and seat, told by who watched the stacks."""
    game, row, unit = hand.game, hand.row, hand.game.unit[0]
    me = hand.lineup.index(player)
    around = [*range(me, game.seats), *range(me)]
    street = int(row["street"])
    board = row["board"].tolist()[: 5 if row["shown"] else (0, 3, 4, 5)[street]]
    live = [int(row["live"]) >> seat & 1 for seat in range(game.seats)]
    out = one_of(52, *row["hole"][me].tolist())
    out += one_of(52, *board[:3]) + one_of(52, *board[3:4]) + one_of(52, *board[4:5])
    out += one_of(4, street) + one_of(game.seats, me) + [float(live[seat]) for seat in around]
    if any(stack < UNLIMITED for stack in game.stacks):
        out += [int(row["stack"][seat]) / unit for seat in around]
    out += [paid[s][seat] / unit for s in range(4) for seat in around]
    done = [(s, seat, "call" if code == CALL else "raise") for s, seat, code in hand.history if code != FOLD]
    for kind in ("raise", "call"):
        out += [float(done.count((s, seat, kind))) for s in range(4) for seat in around]
    out.append((sum(map(sum, paid)) + sum(game.dead)) / unit)
    blind = max(game.blinds) if game.short_blinds == "in-full" and street == 0 else 0
    owed = max(blind, *row["bet"].tolist()) - int(row["bet"][me]) if live[me] and not hand.over else 0
    return [*out, min(owed, int(row["stack"][me])) / unit]
