"""Kernels: play the rest of a hand out many times against the opponent models.

Each case deals the opponents holdings by their weights and completes the board. Then every candidate action
is tried in that case, with the same cards and the same random numbers for what follows.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.kernels.philox import block, philox
from holdmem.core.records import record
from holdmem.engine.kernels.betting import act, count, least_raise, may_raise, most_raise, to_call
from holdmem.engine.state import CALL, FOLD, HAND, PARTS, SEATS
from holdmem.opponents.kernels.dealing import cards_on, cumulate, deal_hidden, is_opponent
from holdmem.opponents.kernels.holdings import (
    HOLDINGS_COUNT,
    LEVELS,
    PREFLOP_LEVELS,
    level_of,
    strength_of_one,
)
from holdmem.opponents.kernels.situations import FOLDED, RAISED, pot_of, situation_of
from holdmem.opponents.kernels.weight_tables import chance_to, quantiles, weigh_opponents
from holdmem.strength.kernels.card_kinds import KINDS, LEFT

NO_ACTION = -2
"""Pads rows with fewer actions than others."""
NUMBERS = 96
"""Random numbers per case: the first third deals the cards, the rest decide actions."""
DEALING = 32
SIZE = 2 / 3
"""Size of no-limit raises in play-outs, as a multiple of the pot."""

CASE = record(
    [
        ("hole", "i1", (SEATS, 2)),
        ("board", "i1", 5),
        ("drawn", "i8", SEATS),  # indices of the holdings
        ("strength", "f8", (SEATS, 4)),  # by street, negative until computed
        ("quantile", "f8", (SEATS, 2, LEVELS + 1)),  # of a level in the seat's range: now, on later streets
        ("shares", "f8", (SEATS, 12, 3)),  # action probabilities by situation and kind
        ("number", "f8", NUMBERS),
        ("used", "i8"),
        ("own", "i8"),
        ("street", "i8"),  # of the decision
    ]
)
"""State of one case: the hidden cards, the opponent models and the random numbers."""


@kernel
def expected_values(rules, rows, history, probabilities, key, actions, rollouts, to_showdown, values, errors):
    """Write the mean result of each action in chips, relative to folding, and its standard error.

    `values` and `errors` are indexed [view, action]. With `to_showdown` opponents only respond to the action
    by folding or calling, and everybody checks afterwards; otherwise everybody plays on.
    """
    hands, case = np.zeros(1, HAND), np.zeros(1, CASE)
    levels = np.empty((4, HOLDINGS_COUNT), np.uint16)
    places = np.empty((4, HOLDINGS_COUNT), np.int16)
    weights, sums = np.empty((SEATS, HOLDINGS_COUNT)), np.empty((SEATS, HOLDINGS_COUNT))
    for i in range(len(rows)):
        row = rows[i]
        weigh_opponents(rules[0], row, history[i], probabilities[i], hands, levels, places, weights)
        cumulate(rules[0], row, weights, sums)
        prepare(rules[0], row, probabilities[i], weights, levels[row.street], case[0])
        trials = key_of_decision(key, row), rollouts, to_showdown
        try_actions(rules[0], row, history[i], hands, sums, trials, actions[i], case, values[i], errors[i])


@kernel
def key_of_decision(key, row):
    """Return the key from which all random numbers of one decision are generated."""
    high, low, _, _ = block(key, row.hand_id, row.actions, 0)
    return (high << np.uint64(32)) | low


@kernel
def prepare(rules, row, probabilities, weights, levels, case):
    """Fill in what all cases of a decision share."""
    case.own = row.seat
    case.street = row.street
    for seat in range(rules.seats):
        case.shares[seat] = probabilities[seat]
        for level in range(LEVELS):
            case.quantile[seat, 1, level] = (level + 0.5) / LEVELS
        if is_opponent(row, seat):
            quantiles(weights[seat], levels, case.quantile[seat, 0])
            if row.street > 0:
                case.quantile[seat, 1] = case.quantile[seat, 0]


@kernel
def fill_numbers(key, trial, case):
    """Fill in the random numbers of one case, four per Philox block."""
    for start in range(0, NUMBERS, 4):
        words = philox(key, np.uint64(start), np.uint64(trial), np.uint64(1), np.uint64(0))
        for k in range(4):
            case.number[start + k] = np.float64(words[k]) / 4294967296.0


@kernel
def next_number(case):
    """Return the next random number for a player's action."""
    number = case.number[DEALING + case.used % (NUMBERS - DEALING)]
    case.used += 1
    return number


@kernel
def try_actions(rules, row, history, hands, sums, trials, actions, case, values, errors):
    """Play every action out in `rollouts` cases; write means and standard errors of the results in chips.

    Cases in which the hidden cards could not be dealt are left out.
    """
    key, rollouts, to_showdown = trials
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    play, past = np.zeros(1, HAND), history.copy()
    values[:] = 0
    errors[:] = 0
    done = 0
    for trial in range(rollouts):
        fill_numbers(key, trial, case[0])
        one = case[0]
        if not deal_hidden(rules, row, sums, one.number[:DEALING], one.drawn, one.hole, one.board):
            continue
        done += 1
        one.strength[:] = -1.0
        for k in range(len(actions)):
            if actions[k] != NO_ACTION:
                start_at(rules, hands[0], one, play)
                one.used = 0
                act(rules, play[0], actions[k], past)
                play_on(rules, play[0], past, to_showdown, one, left[0], kinds[0], suits)
                won = play[0].net[row.seat] / PARTS + row.paid[row.seat]
                values[k] += won
                errors[k] += won * won
    for k in range(len(actions)):
        values[k] /= max(done, 1)
        errors[k] = np.sqrt(max(errors[k] / max(done, 1) - values[k] ** 2, 0.0) / max(done, 1))


@kernel
def start_at(rules, hand, case, play):
    """Copy the hand at the decision into `play`, with the cards of the case."""
    play[0] = hand
    for seat in range(rules.seats):
        play[0].hole[seat] = case.hole[seat]
    play[0].board[:] = case.board


@kernel
def play_on(rules, hand, past, to_showdown, case, left, kinds, suits):
    """Play the hand to its end."""
    while hand.to_act >= 0:
        seat = hand.to_act
        if to_showdown:
            action = answer(rules, hand, seat, case, left, kinds, suits)
        elif seat == case.own:
            action = own_action(rules, hand, seat, case, left, kinds, suits)
        else:
            action = modelled_action(rules, hand, seat, case, left, kinds, suits)
        act(rules, hand, action, past)


@kernel
def strength_at(hand, seat, case, left, kinds, suits):
    """Return the strength of a seat's holding on the current board, computed once per case and street."""
    street = hand.street
    if case.strength[seat, street] < 0:
        if street == 0:
            high, low = max(case.hole[seat]), min(case.hole[seat])
            h = np.int64(high) * (np.int64(high) - 1) // 2 + low
            found = (PREFLOP_LEVELS[h] + 0.5) / LEVELS
        else:
            board = case.board[: cards_on(street)]
            found = strength_of_one(case.hole[seat], board, left, kinds, suits)
        case.strength[seat, street] = found
    return case.strength[seat, street]


@kernel
def sized_raise(rules, hand, seat):
    """Return a raise by two thirds of the pot, or the nearest legal one; some raise must be legal."""
    price = to_call(hand, seat)
    total = hand.highest + int(SIZE * (pot_of(rules, hand) + price))
    return min(max(total, least_raise(rules, hand, seat)), most_raise(rules, hand, seat))


@kernel
def modelled_action(rules, hand, seat, case, left, kinds, suits):
    """Sample the action of an opponent from its model, given its holding."""
    raising = may_raise(rules, hand, seat)
    fold, raises = fold_and_raise(rules, hand, seat, raising, case, left, kinds, suits)
    number = next_number(case)
    if number < fold:
        return FOLD
    if raising and number < fold + raises:
        return sized_raise(rules, hand, seat)
    return CALL


@kernel
def fold_and_raise(rules, hand, seat, raising, case, left, kinds, suits):
    """Return the probabilities that a seat folds (0 if it can check) and that it raises."""
    level = level_of(strength_at(hand, seat, case, left, kinds, suits))
    later = 1 if hand.street > case.street else 0
    quantile = case.quantile[seat, later, level]
    shares = case.shares[seat, situation_of(rules, hand, seat)]
    fold = chance_to(FOLDED, quantile, shares, raising) if to_call(hand, seat) > 0 else 0.0
    return fold, chance_to(RAISED, quantile, shares, raising)


@kernel
def answer(rules, hand, seat, case, left, kinds, suits):
    """Fold or call for an opponent facing a bet on the street of the decision; otherwise check or call."""
    if seat == case.own or hand.street > case.street or to_call(hand, seat) == 0:
        return CALL
    fold, _ = fold_and_raise(rules, hand, seat, False, case, left, kinds, suits)
    return FOLD if next_number(case) < fold else CALL


@kernel
def own_action(rules, hand, seat, case, left, kinds, suits):
    """Play on by a simple rule, based on the probability of beating all opponents.

    Bet if that probability exceeds 0.5, raise if it exceeds 0.75 + 0.08 per raise on this street, call by pot
    odds. Every action draws one random number, used or not, so that opponents get the same numbers in every
    play-out.
    """
    next_number(case)
    strength = strength_at(hand, seat, case, left, kinds, suits)
    probability = strength ** (count(hand.live) - 1)
    price = to_call(hand, seat)
    border = 0.5 if price == 0 else 0.75 + 0.08 * hand.raises
    if probability > border and may_raise(rules, hand, seat):
        return sized_raise(rules, hand, seat)
    if price > 0 and probability < price / (pot_of(rules, hand) + price):
        return FOLD
    return CALL
