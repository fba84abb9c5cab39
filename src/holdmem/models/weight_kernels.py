"""Kernels: weight tables, re-weighted action by action, and how own cards stand against them.

A player who folds, calls and raises with the shares (F, C, R) in a situation is taken to fold the weakest F
of what it can hold there, to raise the strongest R and to call with the rest, with soft borders. "Weakest"
is by the weights so far: of a holding at the quantile q (0 the weakest it may have, 1 the strongest),

    fold(q) falls from 1 to 0 around F,    raise(q) rises from 0 to 1 around 1 - R,    call(q) is the rest;

a border is `SPREAD` wide, or as wide as keeps the mean of fold(q) at F and of raise(q) at R. A share `NOISE`
of all actions is made without looking at the cards. The weight of each holding is multiplied by the
probability of what was done.
"""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.compiled import kernel
from holdmem.models.holding_kernels import (
    DEAD,
    HOLDINGS_COUNT,
    LEVELS,
    PREFLOP_LEVELS,
    rank_holdings,
)
from holdmem.models.situation_kernels import (
    CALLED,
    FOLDED,
    RAISED,
    deal_blank,
    kind_of,
    situation_of,
    stacks_at_start,
)
from holdmem.rules.betting import act, may_raise
from holdmem.rules.state import HAND, SEATS

SPREAD = 0.25
NOISE = 0.1


@kernel
def border(x, share):
    """From 0 at quantiles far below 1 - `share` to 1 far above it, with the mean `share` over [0, 1]."""
    half = min(SPREAD / 2, share, 1 - share)
    edge = 1 - share
    if x <= edge - half:
        return 0.0
    return 1.0 if x >= edge + half else (x - edge + half) / (2 * half)


@kernel
def chance_to(kind, quantile, shares, raising):
    """How likely a player is to do this with a holding at this quantile of what it can hold.

    Where a raise is not legal (`raising`), those who would raise call.
    """
    fold = border(1 - quantile, shares[FOLDED])
    raises = border(quantile, shares[RAISED])
    call = max(1 - fold - raises, 0.0)
    chosen, usual = fold, shares[FOLDED]
    if kind == RAISED:
        chosen, usual = raises, shares[RAISED]
    elif kind == CALLED:
        chosen, usual = call, shares[CALLED]
        if not raising:
            chosen, usual = call + raises, usual + shares[RAISED]
    return (1 - NOISE) * chosen / (fold + call + raises) + NOISE * usual


@kernel
def quantiles(weights, levels, out):
    """out[level]: the share of the weight below a level, half of its own counted."""
    out[:] = 0
    for h in range(HOLDINGS_COUNT):
        out[levels[h]] += weights[h]
    total = 0.0
    for level in range(LEVELS):
        total += out[level]
    below = 0.0
    for level in range(LEVELS):
        mass = out[level]
        out[level] = (below + mass / 2) / total
        below += mass


@kernel
def reweigh(weights, levels, shares, kind, raising, scratch):
    """Multiply each weight by how likely the player was to act so; impossible holdings get none."""
    quantiles(weights, levels, scratch)
    for level in range(LEVELS):
        scratch[level] = chance_to(kind, scratch[level], shares, raising)
    scratch[DEAD] = 0
    for h in range(HOLDINGS_COUNT):
        weights[h] *= scratch[levels[h]]


@kernel
def rank_streets(row, levels, places):
    """Levels and places of all holdings on each street of a view so far."""
    levels[0] = PREFLOP_LEVELS
    places[0] = PREFLOP_LEVELS
    for street in range(1, row.street + 1):
        rank_holdings(row.board[: street + 2].astype(np.uint8), levels[street], places[street])


@kernel
def weigh_opponents(rules, row, history, chances, hands, levels, places, weights):
    """Play a hand over again up to a view: fills the weights of every opponent who is still in it.

    `hands[0]` is then the hand at the decision, with meaningless cards; `levels` and `places` are filled for
    the streets so far.
    """
    rank_streets(row, levels, places)
    scratch, copied = np.empty(LEVELS + 1), history.copy()
    deal_blank(rules, stacks_at_start(row), hands[0])
    for seat in range(rules.seats):
        if (row.live >> seat) & 1:
            weights[seat] = 1.0
    for step in range(row.actions):
        seat = hands[0].to_act
        action = np.int64(history[step].to)
        if seat != row.seat and (row.live >> seat) & 1:
            shares = chances[seat, situation_of(rules, hands[0], seat)]
            raising = may_raise(rules, hands[0], seat)
            reweigh(weights[seat], levels[hands[0].street], shares, kind_of(action), raising, scratch)
        act(rules, hands[0], action, copied)
    for seat in range(rules.seats):
        if seat != row.seat and (row.live >> seat) & 1:
            bury(weights[seat], levels[row.street])


@kernel
def bury(weights, levels):
    """No weight for holdings with a card of the board; the others add up to one."""
    total = 0.0
    for h in range(HOLDINGS_COUNT):
        if levels[h] == DEAD:
            weights[h] = 0.0
        total += weights[h]
    for h in range(HOLDINGS_COUNT):
        weights[h] /= total


@kernel
def fill_weights(rules, rows, history, chances, out):
    """out[view, seat, holding]: the weight tables of the opponents at each view; zeros for all others."""
    hands = np.zeros(1, HAND)
    levels = np.empty((4, HOLDINGS_COUNT), np.uint16)
    places = np.empty((4, HOLDINGS_COUNT), np.int16)
    weights = np.empty((SEATS, HOLDINGS_COUNT))
    for i in range(len(rows)):
        row = rows[i]
        weigh_opponents(rules[0], row, history[i], chances[i], hands, levels, places, weights)
        for seat in range(rules[0].seats):
            if seat != row.seat and (row.live >> seat) & 1:
                out[i, seat] = weights[seat]


@kernel
def score_against(low, high, places, out):
    """out[holding]: what own cards score against each, 1, a half or 0 now; -1 where they share a card."""
    own = places_of(low, high, places)
    for h in range(HOLDINGS_COUNT):
        one, other = HOLDINGS[h, 0], HOLDINGS[h, 1]
        if places[h] < 0 or one in (low, high) or other in (low, high):
            out[h] = -1.0
        else:
            out[h] = 0.5 * (1 + (own > places[h]) - (own < places[h]))


@kernel
def places_of(low, high, places):
    """The place of a holding given by its cards, in either order."""
    top, bottom = max(low, high), min(low, high)
    return places[top * (top - 1) // 2 + bottom]


@kernel
def strength_against(weights, scores):
    """The share of the weight that loses now to the own cards, a tie counting half."""
    total, ahead = 0.0, 0.0
    for h in range(HOLDINGS_COUNT):
        if scores[h] >= 0:
            total += weights[h]
            ahead += weights[h] * scores[h]
    return ahead / total
