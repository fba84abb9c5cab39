"""The memory of people, the slow and obvious way: one decision, one hand at a time, in plain Python."""

from bisect import bisect_right
from collections import Counter
from itertools import groupby
from math import log

import numpy as np

from holdmem.cards import class_of, evaluate_board, rank, suit
from holdmem.engine import CALL, FOLD
from holdmem.people.kernels import situations as told
from holdmem.people.pooling import pooled, sums_over
from naive.opponents import HOLDINGS, outs
from naive.strength import ihs

CUTS = (0.2, 0.35, 0.5, 0.62, 0.72, 0.8, 0.86, 0.91, 0.95, 0.98)


def holding_class(hole, board):
    """Class of a holding: one of 169, or by strength and draws."""
    if not board:
        return class_of(*hole)
    strength, hope = ihs(hole, board), outs(hole, board) if len(board) < 5 else 0
    if hope >= 8 and strength < 0.86:
        return 12 if strength >= 0.5 else 11
    if hope >= 4 and strength < 0.62:
        return 13
    return bisect_right(CUTS, strength)


def action_class(view, action):
    """Fold 0, check or call 1, six sizes of a raise from 2."""
    if action in (FOLD, CALL):
        return 1 + action
    if view.street == 0:
        return 2 + bisect_right((2.34, 2.68, 3.02, 3.36, 3.70), action / view.highest)
    return 2 + bisect_right((0.2, 0.4, 0.6, 0.8, 1.0), (action - view.highest) / (view.pot + view.to_call))


def features(view, codes):
    """All features of a view by name; `codes` are the positions of the seats."""
    return {**betting(view, codes), **chips(view), **board(view)}


def last_of(actions, seat, street):
    """What a seat did last on a street: nothing, check, call, bet or raise."""
    bets, found = 0, 0
    for who, to in actions:
        if who == seat and to != FOLD:
            found = 3 if to > 0 else 2 if bets or street == 0 else 1
        bets += to > 0
    return found


def betting(view, codes):
    """Features of the players and what they did."""
    streets = {street: [] for street in range(4)}
    for street, seat, to in view.history:
        streets[street].append((seat, to))
    here, before = streets[view.street], streets[view.street - 1] if view.street else []
    raises = [place for place, (_, to) in enumerate(here) if to > 0]
    after = here[raises[-1] :] if raises else here
    leader = here[raises[-1]][0] if raises else None
    led = [next((who for who, to in reversed(streets[s]) if to > 0), None) for s in range(4)]
    others = [seat for seat in range(view.game.seats) if view.live[seat] and seat != view.seat]
    waiting = [seat for seat in others if view.stacks[seat] > 0 and seat not in [who for who, _ in after]]
    role, bets = 0, 0
    for who, to in streets[0]:
        bets += to > 0
        if who == view.seat and to != FOLD:
            role = max(role, min(2 + bets, 5) if to > 0 else min(1 + bets, 2))
    past = led[view.street - 1] if view.street else None
    callers = sum(to == CALL for _, to in after) if raises or view.street == 0 else 0
    flops = range(1, view.street)
    return {
        "seats": view.game.seats, "position": codes[view.seat], "opponents": len(others),
        "behind": len(waiting), "in_position": sum(seat > view.seat for seat in others),
        "bets": min(len(raises), 5), "callers": min(callers, 4),
        "aggressor": 0 if leader is None else 1 + codes[leader],
        "aggressor_after": leader is not None and leader > view.seat,
        "aggressor_all_in": leader is not None and view.stacks[leader] == 0,
        "own_last": last_of(here, view.seat, view.street), "own_preflop": role,
        "previous_aggressor": 0 if past is None else 3 if past == view.seat else 1 + view.live[past],
        "previous_bets": min(sum(to > 0 for _, to in before), 4),
        "own_previous": last_of(before, view.seat, view.street - 1),
        "barrels": sum(led[s] == leader for s in flops) if leader is not None else 0,
        "own_barrels": sum(led[s] == view.seat for s in flops),
        "pot_type": min(sum(to > 0 for _, to in streets[0]), 5),
        "first_in": view.street == 0 and not raises and not callers,
        "bb_faces": any(codes[seat] == 1 for seat in waiting), "street": view.street,
    }  # fmt: skip


def chips(view):
    """Features of bets, pot and stacks."""
    seat, blind = view.seat, view.game.big_blind
    paid = view.alone.paid[0].tolist()
    totals = [view.stacks[who] + paid[who] for who in range(view.game.seats)]
    effective = min(
        totals[seat], max(totals[who] for who in range(view.game.seats) if who != seat and view.live[who])
    )
    if view.street == 0:
        faced = bisect_right(told.FACED_PREFLOP.tolist(), view.highest / blind)
    else:
        faced = bisect_right(told.FACED.tolist(), view.to_call / max(view.pot - view.to_call, 1))
    left = max(effective - paid[seat], 0) / view.pot
    return {
        "faced": faced, "odds": bisect_right(told.ODDS.tolist(), view.to_call / (view.pot + view.to_call)),
        "depth": bisect_right(told.DEPTHS.tolist(), effective / blind),
        "own_depth": bisect_right(told.DEPTHS.tolist(), totals[seat] / blind),
        "commitment": bisect_right(told.COMMITMENTS.tolist(), left),
        "largest": action_class(view, view.max_raise_to) - 1 if view.max_raise_to else 0,
        "pot": bisect_right(told.POTS.tolist(), view.pot / blind),
    }  # fmt: skip


def board(view):
    """Features of the board."""
    cards = view.board
    if not cards:
        return dict.fromkeys(("suits", "paired", "connected", "high", "last_card"), 0)
    ranks, suits = Counter(map(rank, cards)), Counter(map(suit, cards))
    low_ace = {-1} if 12 in ranks else set()
    held = set(ranks) | low_ace
    last = 0
    if len(cards) > 3:
        over = rank(cards[-1]) > max(map(rank, cards[:-1]))
        pair = ranks[rank(cards[-1])] > 1
        last = 3 if suits[suit(cards[-1])] >= 3 else 2 if pair else int(over)
    return {
        "suits": max(suits.values()), "paired": min(len(cards) - len(ranks), 3),
        "connected": max(len(held & set(range(low, low + 5))) for low in range(-1, 9)),
        "high": max(ranks), "last_card": last,
    }  # fmt: skip


def leaf_of(tree, row):
    """Walk down a tree."""
    node = 0
    while tree.split[node] >= 0:
        node = int(tree.right[node]) if row[tree.split[node]] >= tree.cut[node] else node + 1
    return node


def player_hands(observed):
    """The decisions of each player-hand as lists of indices."""
    return [
        list(group)
        for _, group in groupby(range(len(observed.action)), key=observed.owner.tolist().__getitem__)
    ]


def posterior(tables, observed, leaves, number, cards_known=True):
    """Weights of the 1,326 holdings given everything that was seen of a player-hand."""
    final = [card for card in observed.cards[number].tolist() if card >= 0]
    held = tuple(sorted(observed.hole[number].tolist()))
    limit = observed.limit[number]
    weights = {}
    for place, holding in enumerate(HOLDINGS):
        if set(holding) & set(final) or (cards_known and held[0] >= 0 and holding != held):
            continue
        if limit and evaluate_board(final, [holding])[0] >= limit:
            continue
        weight = 1.0
        for k in range(observed.first[number], observed.first[number + 1]):
            weight *= chance(tables, observed, leaves, k, holding, place)
        weights[holding] = weight
    total = sum(weights.values())
    return {holding: weight / total for holding, weight in weights.items()}


def chance(tables, observed, leaves, k, holding, place):
    """Probability of a decision with a holding."""
    action = int(observed.action[k])
    before = observed.board[k] < 0
    kind = class_of(*holding) if before else observed.classes[observed.board[k], place]
    part = "pre" if before else "post"
    found = tables[f"what_{part}"][leaves.what[k], kind, min(action, 2)]
    return found * tables[f"size_{part}"][leaves.size[k], kind, action - 2] if action >= 2 else found


def likelihood_in_turn(tree, usual, strengths, leaves, answers):
    """Probability of each answer, multiplied up: the population's frequencies pooled with all before it."""
    counts, chances = np.zeros(usual.shape), []
    for leaf, answer in zip(leaves, answers, strict=True):
        chances.append(pooled(tree, usual, sums_over(tree, counts), strengths)[leaf, answer])
        counts[leaf, answer] += 1
    return sum(map(log, chances))
