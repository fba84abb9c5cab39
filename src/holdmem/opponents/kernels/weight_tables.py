"""Kernels: weight tables, updated action by action, and the strength of hole cards against them.

A player who folds, calls and raises with the frequencies (F, C, R) in a situation is assumed to fold the
weakest F of its range, raise the strongest R and call with the rest, with soft thresholds. "Weakest" refers
to the weights so far. For a holding at quantile q of the range (0 the weakest, 1 the strongest),

    fold(q) falls from 1 to 0 around F,    raise(q) rises from 0 to 1 around 1 - R,    call(q) is the rest.

A threshold is `SPREAD` wide, or narrower where needed to keep the mean of fold(q) at F and of raise(q) at R.
A share `NOISE` of all actions is taken regardless of the cards. The weight of each holding is multiplied by
the probability of the observed action.
"""

import numpy as np

from holdmem.cards.classes import HOLDINGS
from holdmem.core.jit import kernel
from holdmem.engine.kernels.betting import act, may_raise
from holdmem.engine.state import HAND, SEATS
from holdmem.opponents.kernels.holdings import DEAD, HOLDINGS_COUNT, LEVELS, PREFLOP_LEVELS, rank_holdings
from holdmem.opponents.kernels.situations import (
    CALLED,
    FOLDED,
    RAISED,
    deal_blank,
    kind_of,
    situation_of,
    stacks_at_start,
)

SPREAD = 0.25
NOISE = 0.1


@kernel
def border(x, share):
    """Ramp from 0 at quantiles well below 1 - `share` to 1 well above it, with mean `share` over [0, 1]."""
    half = min(SPREAD / 2, share, 1 - share)
    edge = 1 - share
    if x <= edge - half:
        return 0.0
    return 1.0 if x >= edge + half else (x - edge + half) / (2 * half)


@kernel
def chance_to(kind, quantile, shares, raising):
    """Return the probability of an action with a holding at this quantile of the player's range.

    If a raise is not legal (`raising` is false), holdings that would raise call.
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
    """Write to out[level] the share of the weight below a level, plus half of the level's own."""
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
    """Multiply each weight by the probability of the observed action; impossible holdings get 0."""
    quantiles(weights, levels, scratch)
    for level in range(LEVELS):
        scratch[level] = chance_to(kind, scratch[level], shares, raising)
    scratch[DEAD] = 0
    for h in range(HOLDINGS_COUNT):
        weights[h] *= scratch[levels[h]]


@kernel
def rank_streets(row, levels, places):
    """Compute levels and ranks of all holdings on each street of a view so far."""
    levels[0] = PREFLOP_LEVELS
    places[0] = PREFLOP_LEVELS
    for street in range(1, row.street + 1):
        rank_holdings(row.board[: street + 2].astype(np.uint8), levels[street], places[street])


@kernel
def weigh_opponents(rules, row, history, probabilities, hands, levels, places, weights):
    """Replay a hand up to a view and compute the weights of every opponent still in it.

    Afterwards `hands[0]` is the hand at the decision, with arbitrary cards, and `levels` and `places` are
    filled for the streets so far.
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
            shares = probabilities[seat, situation_of(rules, hands[0], seat)]
            raising = may_raise(rules, hands[0], seat)
            reweigh(weights[seat], levels[hands[0].street], shares, kind_of(action), raising, scratch)
        act(rules, hands[0], action, copied)
    for seat in range(rules.seats):
        if seat != row.seat and (row.live >> seat) & 1:
            bury(weights[seat], levels[row.street])


@kernel
def bury(weights, levels):
    """Set the weight of holdings that contain a card of the board to 0 and normalise the others to sum 1."""
    total = 0.0
    for h in range(HOLDINGS_COUNT):
        if levels[h] == DEAD:
            weights[h] = 0.0
        total += weights[h]
    for h in range(HOLDINGS_COUNT):
        weights[h] /= total


@kernel
def fill_weights(rules, rows, history, probabilities, out):
    """Write the weight tables of each view's opponents to out[view, seat, holding].

    The rows of all other seats are left unchanged.
    """
    hands = np.zeros(1, HAND)
    levels = np.empty((4, HOLDINGS_COUNT), np.uint16)
    places = np.empty((4, HOLDINGS_COUNT), np.int16)
    weights = np.empty((SEATS, HOLDINGS_COUNT))
    for i in range(len(rows)):
        row = rows[i]
        weigh_opponents(rules[0], row, history[i], probabilities[i], hands, levels, places, weights)
        for seat in range(rules[0].seats):
            if seat != row.seat and (row.live >> seat) & 1:
                out[i, seat] = weights[seat]


@kernel
def score_against(low, high, places, out):
    """Write to out[holding] the current score against each holding: 1, 0.5 or 0; -1 if it is impossible.

    A holding is impossible if it shares a card with the hole cards or the board.
    """
    own = places_of(low, high, places)
    for h in range(HOLDINGS_COUNT):
        one, other = HOLDINGS[h, 0], HOLDINGS[h, 1]
        if places[h] < 0 or one in (low, high) or other in (low, high):
            out[h] = -1.0
        else:
            out[h] = 0.5 * (1 + (own > places[h]) - (own < places[h]))


@kernel
def places_of(low, high, places):
    """Return the rank of a holding given by its two cards, in either order."""
    top, bottom = max(low, high), min(low, high)
    return places[top * (top - 1) // 2 + bottom]


@kernel
def strength_against(weights, scores):
    """Return the share of the weight that the hole cards currently beat, ties counting half."""
    total, ahead = 0.0, 0.0
    for h in range(HOLDINGS_COUNT):
        if scores[h] >= 0:
            total += weights[h]
            ahead += weights[h] * scores[h]
    return ahead / total
