"""The learners by the thesis: states are tuples, tables dictionaries, one decision at a time."""

from math import exp

from holdmem.cards import evaluate
from holdmem.engine import CALL, FOLD

ENDS = {"none": ((), ()), "four": ((0.28,), (1,)), "sixteen": ((0.14, 0.28, 0.56), (0.5, 1, 2))}


def kind(seen, typing):
    """The type of a player of whom `seen` = (hands, hands played, bets and raises, calls)."""
    hands, played, bets, calls = seen
    loose, aggressive = ENDS[typing]
    looseness = sum(hands > 0 and played / hands > end for end in loose)
    factor = bets / calls if calls else (float("inf") if bets else 0)
    return looseness * (len(aggressive) + 1) + sum(factor > end for end in aggressive)


def order_on(game, street, live):
    """The seats still in, in their order to act."""
    seats = [(game.first[street] + step) % game.seats for step in range(game.seats)]
    return [seat for seat in seats if live[seat]]


def state(view, bucket, players, seen, typing):
    """(bucket, last street or -1, type and action of the last player, position) for one view."""
    acts = [(street, seat, to) for street, seat, to in view.history if to != FOLD]
    own = [street for street, seat, _ in view.history if seat == view.seat]
    here = [(seat, to) for street, seat, to in acts if street == view.street]
    if here and here[-1][0] != view.seat:
        last, raised = here[-1][0], int(here[-1][1] > CALL)
    else:
        others = [(view.seat - step) % view.game.seats for step in range(1, view.game.seats)]
        last, raised = next(seat for seat in others if view.live[seat]), 0
    order = order_on(view.game, view.street, view.live)
    position = 0 if order[0] == view.seat else 2 if order[-1] == view.seat else 1
    type_of_last = kind(seen.get(players.get(last), (0, 0, 0, 0)), typing)
    return bucket, own[-1] if own else -1, type_of_last, raised, position


def result(hole, board, live, net, others):
    """1 won, 0 lost, 0.5 neither, None if we folded and saw no cards."""
    if live:
        return 1 if net > 0 else 0 if net < 0 else 0.5
    if not others:
        return None
    own, *shown = evaluate([[*hand, *board] for hand in (hole, *others)]).tolist()
    return 1 if own > max(shown) else 0 if own < max(shown) else 0.5


def outcome_chances(wins, losses):
    """Equations 4.7 to 4.11."""
    if wins + losses == 0:
        return 0, 0.7, 0.3
    fold = min(1, exp(-3.5 * (wins / (wins + losses) - 0.05)))
    return fold, (1 - fold) / 4, 3 * (1 - fold) / 4


def outcome_update(table, visits, won, rate=0.9):
    """Equations 4.12 and 4.13 for [(street, state)]; the maximum is over the next street acted on."""
    for place, (street, now) in enumerate(visits):
        later = [later for later, _ in visits[place + 1 :] if later > street]
        following = [state for at, state in visits[place + 1 :] if later and at == min(later)]
        best = [max((table.get(state, (0, 0))[i] for state in following), default=0) for i in (0, 1)]
        wins, losses = table.get(now, (0, 0))
        wins = wins + rate * (won + best[0] - wins)
        losses = losses + rate * (1 - won + best[1] - losses)
        table[now] = (wins, losses)


TABLE_4_1 = {  # action taken, outcome: what fold, call and raise gain, in amounts won or lost
    ("fold", "win"): (-1, 1, 2),
    ("fold", "loss"): (2, -1, -1),
    ("call", "win"): (-1, 1, 2),
    ("call", "loss"): (2, -1, -2),
    ("raise", "win"): (-1, -1, 2),
    ("raise", "loss"): (2, 1, -1),
}


def action_update(table, visits, won, amount, first):
    """Equation 4.20 for [(state, action)] by table 4.1; weights end at zero."""
    for now, action in visits:
        weights = table.get(now) or first(now)
        gains = TABLE_4_1[action, "win" if won else "loss"] if won != 0.5 else (0, 0, 0)
        table[now] = tuple(
            max(weight + amount * gain, 0) for weight, gain in zip(weights, gains, strict=True)
        )
