"""Kernels that compute the quantities on which Poki decides: strength, potentials, winning probability."""

import numpy as np

from holdmem.cards.classes import CLASS_OF, CLASS_OF_HOLDING
from holdmem.cards.kernels.evaluator import strength_with, total_of
from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.engine.state import HAND, SEATS
from holdmem.opponents.kernels.dealing import cumulate, deal_hidden, is_opponent
from holdmem.opponents.kernels.holdings import HOLDINGS_COUNT
from holdmem.opponents.kernels.situations import FOLDED, PRICES, situation_of
from holdmem.opponents.kernels.weight_tables import score_against, strength_against, weigh_opponents

OUTLOOK = record(
    [
        ("ahead", "f8"),  # probability of being ahead of all opponents now (after the flop)
        ("ppot", "f8"),  # share of the pot won in the end when some opponent is ahead now
        ("npot", "f8"),  # share of the pot lost in the end when no opponent is ahead now
        ("winning", "f8"),  # expected share of the pot at showdown
        ("staying", "f8"),  # expected number of opponents that stay in the hand
        ("giving_up", "f8"),  # probability that all opponents fold to a bet
        ("opponents", "i8"),  # number of opponents in the hand
    ]
)
"""Quantities behind one decision, given the opponents' weight tables and action frequencies."""


@kernel
def look_ahead(rules, rows, history, probabilities, tables, draws, out):
    """Fill out[view], an `OUTLOOK`: opponents, probability of being ahead, share of the pot in the end."""
    hands = np.zeros(1, HAND)
    levels = np.empty((4, HOLDINGS_COUNT), np.uint16)
    places = np.empty((4, HOLDINGS_COUNT), np.int16)
    weights = np.empty((SEATS, HOLDINGS_COUNT))
    scores = np.empty(HOLDINGS_COUNT)
    for i in range(len(rows)):
        row = rows[i]
        weigh_opponents(rules[0], row, history[i], probabilities[i], hands, levels, places, weights)
        count_opponents(rules[0], row, probabilities[i], out[i])
        if row.street == 0:
            acted = who_has_acted(row, history[i])
            look_before_the_flop(rules[0], row, hands[0], acted, probabilities[i], weights, tables, out[i])
            continue
        score_against(np.int64(row.hole[0]), np.int64(row.hole[1]), places[row.street], scores)
        out[i].ahead = 1.0
        for seat in range(rules[0].seats):
            if is_opponent(row, seat):
                out[i].ahead *= strength_against(weights[seat], scores)
        if row.street == 3:
            out[i].winning = out[i].ahead
        else:
            draw_the_rest(rules[0], row, weights, scores, draws, out[i])


@kernel
def draw_the_rest(rules, row, weights, scores, draws, outlook):
    """Estimate potentials and share of the pot by sampling opponents' holdings and the rest of the board.

    Each row of `draws` is one deal. The random numbers are the same at every decision, so the result is a
    deterministic function of the situation and the weights.
    """
    sums = np.empty((SEATS, HOLDINGS_COUNT))
    drawn, hole = np.zeros(SEATS, np.int64), np.zeros((SEATS, 2), np.int8)
    board = np.zeros(5, np.int8)
    cases, won = np.zeros(2), np.zeros(2)
    cumulate(rules, row, weights, sums)
    for case in range(len(draws)):
        if deal_hidden(rules, row, sums, draws[case], drawn, hole, board):
            now = best_now(rules, row, drawn, scores)
            cases[now] += 1
            won[now] += part_won(rules, row, hole, board)
    outlook.ppot = won[0] / cases[0] if cases[0] else 0.0
    outlook.npot = 1 - won[1] / cases[1] if cases[1] else 0.0
    outlook.winning = outlook.ahead * (1 - outlook.npot) + (1 - outlook.ahead) * outlook.ppot


@kernel
def best_now(rules, row, drawn, scores):
    """Return 1 if no opponent's holding beats our cards on the current board, otherwise 0."""
    for seat in range(rules.seats):
        if is_opponent(row, seat) and scores[drawn[seat]] < 0.5:
            return 0
    return 1


@kernel
def part_won(rules, row, hole, board):
    """Return the share of the pot that our cards win on a full board; ties split it."""
    start = total_of(board)
    own = strength_with(board, start, row.hole)
    sharing = 1
    for seat in range(rules.seats):
        if is_opponent(row, seat):
            other = strength_with(board, start, hole[seat])
            if other > own:
                return 0.0
            sharing += other == own
    return 1.0 / sharing


@kernel
def count_opponents(rules, row, probabilities, outlook):
    """Set the number of opponents and the probability that all of them fold to a bet."""
    outlook.opponents = 0
    outlook.giving_up = 1.0
    for seat in range(rules.seats):
        if is_opponent(row, seat):
            outlook.opponents += 1
            outlook.giving_up *= probabilities[seat, PRICES * row.street + 1, FOLDED]
    outlook.staying = outlook.opponents


@kernel
def who_has_acted(row, history):
    """Return the seats that have acted in the hand, as bits."""
    acted = 0
    for step in range(row.actions):
        acted |= 1 << np.int64(history[step].seat)
    return acted


@kernel
def look_before_the_flop(rules, row, hand, acted, probabilities, weights, tables, outlook):
    """Set the preflop probability of winning at showdown and the expected number of opponents staying.

    The holdings of opponents that have acted are weighted by their weight tables. Other opponents stay in
    with probability s = 1 - fold frequency, and are then assumed to hold the best share s of holdings. Each
    opponent that stays is one more to beat, with probability E[HS^(k+1)] / E[HS^k] for random cards, scaled
    by our equity against its holdings relative to our equity against random ones.
    """
    against, against_best, shares, one_more = tables
    own = CLASS_OF[row.hole[0], row.hole[1]]
    outlook.winning = 1.0
    outlook.staying = 0.0
    for seat in range(rules.seats):
        if not is_opponent(row, seat):
            continue
        if (acted >> seat) & 1:
            stays = 1.0
            equity = equity_against(against[own], weights[seat])
        else:
            stays = 1 - probabilities[seat, situation_of(rules, hand, seat), FOLDED]
            best = min(np.searchsorted(shares, stays), len(shares) - 1)
            equity = against_best[own, best]
        share = min(next_to_beat(one_more[own], outlook.staying) * equity / one_more[own, 0], 1.0)
        outlook.winning *= 1 - stays * (1 - share)
        outlook.staying += stays


@kernel
def next_to_beat(one_more, beaten):
    """Return the probability of beating one more random hand after `beaten` of them.

    A fractional `beaten` is interpolated linearly.
    """
    whole = int(beaten)
    part = beaten - whole
    return one_more[whole] * (1 - part) + one_more[min(whole + 1, len(one_more) - 1)] * part


@kernel
def equity_against(equities, weights):
    """Return the equity of a hand class against weighted holdings; `equities` is by opponent's class."""
    total, won = 0.0, 0.0
    for h in range(HOLDINGS_COUNT):
        total += weights[h]
        won += weights[h] * equities[CLASS_OF_HOLDING[h]]
    return won / total
