"""Poki, the slow and obvious way: what it expects of a hand, and the formula by which it acts on that."""

from collections.abc import Mapping, Sequence
from math import prod

from holdmem.cards import class_of, evaluate
from holdmem.opponents.preflop import PreflopTables
from naive.dealing import deal
from naive.decision import Decision, situation_of
from naive.opponents import FOLDED, HOLDINGS
from naive.strength import BEHIND, outcomes

Weights = Mapping[int, Sequence[float]]


def outlook(
    decision: Decision,
    weights: Weights,
    shares: Mapping[int, Sequence[Sequence[float]]],
    tables: PreflopTables,
    draws: Sequence[Sequence[float]],
) -> dict[str, float]:
    """All numbers of Poki's outlook on one decision, by name."""
    view, others = decision.view, decision.opponents()
    bet = 3 * view.street + 1
    found = {
        "opponents": len(others),
        "staying": len(others),
        "giving_up": prod(shares[seat][bet][FOLDED] for seat in others),
    }
    if view.street == 0:
        return found | before_the_flop(decision, weights, shares, tables)
    ahead = prod(strength_against(view.hole, view.board, weights[seat]) for seat in others)
    if view.street == 3:
        return found | {"ahead": ahead, "winning": ahead}
    ppot, npot = potentials(decision, weights, draws)
    winning = ahead * (1 - npot) + (1 - ahead) * ppot
    return found | {"ahead": ahead, "ppot": ppot, "npot": npot, "winning": winning}


def strength_against(hole: Sequence[int], board: Sequence[int], weights: Sequence[float]) -> float:
    """The share of a range that is beaten now, ties counted half."""
    standing = outcomes(hole, board)
    by_holding = dict(zip(HOLDINGS, weights, strict=True))
    total = sum(by_holding[rival] for rival in standing)
    return sum(by_holding[rival] * (1 - how / 2) for rival, how in standing.items()) / total


def potentials(decision: Decision, weights: Weights, draws: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The share of the pot won from behind and the share lost from ahead, over the deals of these numbers."""
    view = decision.view
    standing = outcomes(view.hole, view.board)
    from_behind, from_ahead = [], []
    for numbers in draws:
        dealt = deal(decision, weights, numbers)
        if dealt is not None:
            holes, board = dealt
            behind = any(standing[holes[seat]] == BEHIND for seat in decision.opponents())
            (from_behind if behind else from_ahead).append(share_won(holes, board, view.seat))
    ppot = sum(from_behind) / len(from_behind) if from_behind else 0.0
    npot = 1 - sum(from_ahead) / len(from_ahead) if from_ahead else 0.0
    return ppot, npot


def share_won(holes: Mapping[int, tuple[int, int]], board: Sequence[int], own: int) -> float:
    """All, nothing, or a share of the pot among the best."""
    ranks = {seat: int(evaluate([[*hole, *board]])[0]) for seat, hole in holes.items()}
    best = [seat for seat in ranks if ranks[seat] == max(ranks.values())]
    return 1 / len(best) if own in best else 0.0


def before_the_flop(
    decision: Decision, weights: Weights, shares: Mapping, tables: PreflopTables
) -> dict[str, float]:
    """Opponents one by one: who acted has its weights, others have their best hands if they stay."""
    acted = {seat for _, seat, _ in decision.view.history}
    own = class_of(*decision.view.hole)
    random_hands = tables.one_more[own].tolist()
    winning, staying = 1.0, 0.0
    for seat in decision.opponents():
        if seat in acted:
            stays, equity = 1.0, equity_against(tables.against[own], weights[seat])
        else:
            stays = 1 - shares[seat][situation_of(decision.played, seat)][FOLDED]
            wide_enough = (j for j, share in enumerate(tables.shares) if share >= stays)
            equity = tables.against_best[own, next(wide_enough, 168)]
        beaten = min(between(random_hands, staying) * equity / random_hands[0], 1.0)
        winning *= stays * beaten + (1 - stays)
        staying += stays
    return {"winning": winning, "staying": staying}


def between(values: Sequence[float], place: float) -> float:
    """The value at a place, on the straight line between its neighbours."""
    whole = int(place)
    low, high = values[whole], values[min(whole + 1, len(values) - 1)]
    return low + (high - low) * (place - whole)


def equity_against(equities: Sequence[float], weights: Sequence[float]) -> float:
    """The mean equity over a range."""
    by_holding = [float(equities[class_of(*holding)]) for holding in HOLDINGS]
    return sum(w * equity for w, equity in zip(weights, by_holding, strict=True)) / sum(weights)


# The formula


def soft(x: float, border: float, width: float = 0.08) -> float:
    """0 below the border and 1 above it, with a ramp of this width."""
    return min(max((x - border) / width + 0.5, 0.0), 1.0)


def raise_to(decision: Decision) -> int:
    """Two thirds of the pot after a call, on top of the highest bet, as far as it is legal."""
    view = decision.view
    size = view.highest + int(2 / 3 * (view.pot + view.to_call))
    return min(max(size, view.min_raise_to), view.max_raise_to)


def triple(decision: Decision, found: Mapping[str, float]) -> list[float]:
    """The probabilities of fold, call and raise, before they are made legal."""
    raising, calling = (preflop if decision.view.street == 0 else postflop)(decision, found)
    return [(1 - raising) * (1 - calling), (1 - raising) * calling, raising]


def preflop(decision: Decision, found: Mapping[str, float]) -> tuple[float, float]:
    """Raise what wins 1.3 fair shares of the pot or steals it; call 1.1, or 1.6 times the pot odds."""
    view, fair_shares = decision.view, found["winning"] * (1 + found["staying"])
    raising = soft(fair_shares, 1.3 + 0.1 * max(view.raises - 1, 0))
    if view.raises == 0 and view.max_raise_to and steal_gain(decision, found) > 0:
        raising = 1.0
    odds = view.to_call / (view.pot + view.to_call)
    return raising, max(soft(fair_shares, 1.1), soft(found["winning"], 1.6 * odds, 0.02))


def steal_gain(decision: Decision, found: Mapping[str, float]) -> float:
    """The pot where all fold; where not, what 0.4 of the share at a showdown is worth, less the raise."""
    view, giving_up = decision.view, found["giving_up"]
    cost = raise_to(decision) - view.bets[view.seat]
    called = 0.4 * found["winning"] * (view.pot + 2 * cost - view.to_call) - cost
    return giving_up * view.pot + (1 - giving_up) * called


def postflop(decision: Decision, found: Mapping[str, float]) -> tuple[float, float]:
    """Bet 1.1 fair shares, raise 1.35 and 0.15 more each time, bluff where it pays, call by pot odds."""
    view, winning = decision.view, found["winning"]
    border = 1.35 + 0.15 * (view.raises - 1) if view.to_call else 1.1
    raising = soft(winning * (1 + found["opponents"]), border, 0.16)
    next_card = found.get("ppot", 0.0) / max(3 - view.street, 1)
    if view.to_call == 0 and bluff_gain(decision, found["giving_up"], next_card) > 0:
        raising = 1.0
    later = pay_later(decision)
    to_the_end = (view.to_call + later) / (view.pot + view.to_call + 2 * later)
    odds = view.to_call / (view.pot + view.to_call)
    return raising, max(soft(winning, to_the_end), soft(next_card, odds, 0.04))


def bluff_gain(decision: Decision, giving_up: float, improves: float) -> float:
    """A bet with a hand that wins only if all fold or the next card improves it, less a check with it."""
    pot, bet = decision.view.pot, raise_to(decision)
    called = improves * (pot + 2 * bet) - bet
    return giving_up * pot + (1 - giving_up) * called - improves * pot


def pay_later(decision: Decision) -> float:
    """One bet on each later street; in no-limit a pot from the flop on, half of one from the turn on."""
    view = decision.view
    if view.game.raise_sizes:
        return sum(view.game.raise_sizes[view.street + 1 :])
    return (0, 1, 0.5, 0)[view.street] * (view.pot + view.to_call)
