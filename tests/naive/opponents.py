"""Models of opponents, the slow and obvious way: one hand at a time, in plain Python."""

from functools import cache

import numpy as np

from holdmem.cards import CLASSES, class_of, evaluate_board, rank, suit
from holdmem.engine import CALL, FOLD, Batch
from holdmem.strength import EQUITY_RANKING
from naive.strength import ihs

HOLDINGS = [(low, high) for high in range(52) for low in range(high)]
CLASS_NAMES = [CLASSES[class_of(*holding)] for holding in HOLDINGS]
LEVELS, SPREAD, NOISE = 256, 0.25, 0.1
FOLDED, CALLED, RAISED = range(3)


@cache
def preflop_strength():
    """For each holding the share of all that are ranked below it, half of its own class counted."""
    size = {name: CLASS_NAMES.count(name) for name in CLASSES}
    below, strength = 0, {}
    for name in reversed(EQUITY_RANKING):
        strength[name] = (below + size[name] / 2) / len(HOLDINGS)
        below += size[name]
    return [strength[name] for name in CLASS_NAMES]


def makes_straight(ranks):
    """Whether five of these ranks follow each other, the ace high or low."""
    low_ace = {-1} if 12 in ranks else set()
    return any(set(range(start, start + 5)) <= set(ranks) | low_ace for start in range(-1, 9))


def outs(holding, board):
    """Nine for four cards of a suit, four for each rank that makes a straight with the holding only."""
    suits = [suit(card) for card in (*holding, *board)]
    found = 9 if any(suits.count(suit(card)) == 4 for card in holding) else 0
    own = {rank(card) for card in (*holding, *board)}
    shared = {rank(card) for card in board}
    for more in range(13):
        with_holding = not makes_straight(own) and makes_straight(own | {more})
        without = not makes_straight(shared) and makes_straight(shared | {more})
        found += 4 * (with_holding and not without)
    return min(found, 15)


@cache
def strength_of(holding, board):
    """The strength of one holding; before the flop it is the middle of the level that its share is on."""
    if not board:
        return (level_of(preflop_strength()[HOLDINGS.index(tuple(sorted(holding)))]) + 0.5) / LEVELS
    now = ihs(holding, board)
    return now if len(board) == 5 else now + (1 - now) * outs(holding, board) / 47


def strengths(board):
    """For each holding IHS + (1 - IHS) · outs / 47, None if a card of it lies on the board."""
    if not board:
        return preflop_strength()
    alive = [holding for holding in HOLDINGS if not set(holding) & set(board)]
    ranks = dict(zip(alive, evaluate_board(board, alive).tolist(), strict=True))
    found = []
    for holding in HOLDINGS:
        if holding not in ranks:
            found.append(None)
            continue
        rivals = [ranks[other] for other in alive if not set(other) & set(holding)]
        own = ranks[holding]
        ihs = (sum(own > other for other in rivals) + sum(own == other for other in rivals) / 2) / len(rivals)
        hope = outs(holding, board) / 47 if len(board) < 5 else 0
        found.append(ihs + (1 - ihs) * hope)
    return found


def level_of(strength):
    """The level of a strength from 0 to 1; a holding that cannot be has none."""
    return None if strength is None else min(int(strength * LEVELS), LEVELS - 1)


def soft_border(x, share):
    """0 below 1 - share, 1 above it, a line between."""
    half = min(SPREAD / 2, share, 1 - share)
    if half == 0:
        return float(x > 1 - share)
    return min(max((x - (1 - share) + half) / (2 * half), 0.0), 1.0)


def chance(kind, quantile, shares, may_raise):
    """How likely somebody with these shares is to act so with a holding at this quantile."""
    fold, raises = soft_border(1 - quantile, shares[FOLDED]), soft_border(quantile, shares[RAISED])
    call = max(1 - fold - raises, 0)
    whole = fold + call + raises
    probabilities, usual = [fold / whole, call / whole, raises / whole], list(shares)
    if not may_raise:
        probabilities[CALLED] += probabilities[RAISED]
        usual[CALLED] += usual[RAISED]
    return (1 - NOISE) * probabilities[kind] + NOISE * usual[kind]


def quantiles(weights, levels):
    """For each level the share of the weight below it, half of its own counted."""
    masses = [0.0] * LEVELS
    for weight, level in zip(weights, levels, strict=True):
        if level is not None:
            masses[level] += weight
    total = sum(masses)
    return [(sum(masses[:level]) + masses[level] / 2) / total for level in range(LEVELS)]


def reweighed(weights, strength, kind, shares, may_raise):
    """The weights after an action."""
    levels = [level_of(each) for each in strength]
    likely = [chance(kind, quantile, shares, may_raise) for quantile in quantiles(weights, levels)]
    return [
        0.0 if level is None else weight * likely[level]
        for weight, level in zip(weights, levels, strict=True)
    ]


def kind_of(action):
    """Folded, called or raised."""
    return FOLDED if action == FOLD else CALLED if action == CALL else RAISED


def situation(game, street, pot, to_call):
    """Street and price: nothing, at most a bet (half of the pot after the flop in no-limit), or more."""
    if to_call == 0:
        return 3 * street
    no_limit = pot // 2 if street else game.big_blind
    usual = game.raise_sizes[street] if game.limit else no_limit
    return 3 * street + (1 if to_call <= usual else 2)


def entries(game, stacks, actions):
    """For each action of a hand, whether its player has already called or raised in it."""
    entered = set()
    for seat, _, where, kind, _ in told(game, stacks, actions):
        yield seat in entered
        if kind == RAISED or (kind == CALLED and where % 3):
            entered.add(seat)


def told(game, stacks, actions):
    """Each action of a hand: (seat, street, situation, kind, whether it could be a raise)."""
    batch = Batch(game, [list(range(game.deck_cards))], [stacks])
    for action in actions:
        hand, legal = batch.hands[0], batch.legal(np.array([0]))
        where = situation(game, int(hand.street), int(hand.paid.sum()), int(legal.to_call[0]))
        yield int(hand.to_act), int(hand.street), where, kind_of(action), bool(legal.most[0])
        batch.act(np.array([0]), np.array([action]))


def shown(history, live, hole, board, player_of, watching):
    """(player, raises, tenth of its strength) of all who showed their cards to somebody watching."""
    for seat in live:
        if player_of[seat] != watching and min(hole[seat]) >= 0:
            raises = sum(actor == seat and to > CALL for actor, to in history)
            strength = ihs(hole[seat], board)
            yield player_of[seat], min(raises, 3), min(int(strength * 10), 9)


def weights_of(game, stacks, actions, board, probabilities, seat):
    """The weights of a seat's holdings after these actions, adding up to one."""
    weights = [1.0] * len(HOLDINGS)
    by_street = {}
    for actor, street, where, kind, may_raise in told(game, stacks, actions):
        if actor == seat:
            if street not in by_street:
                by_street[street] = strengths(board[: (0, 3, 4, 5)[street]])
            weights = reweighed(weights, by_street[street], kind, probabilities[where], may_raise)
    weights = [
        0.0 if set(holding) & set(board) else weight
        for holding, weight in zip(HOLDINGS, weights, strict=True)
    ]
    return [weight / sum(weights) for weight in weights]
