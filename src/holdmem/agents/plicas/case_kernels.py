"""Kernels: the case-based unit with bucketing (§4.2.2, algorithm 3).

A case is a hand that went to a showdown: the opponent's betting pattern, and the bucket of the strength that
it showed. Two situations are alike if the opponent acted alike in them: the same actions on this street, and
on each street before it the same number of bets and raises. So all cases that are alike are one row of counts
by bucket, and a case stands in the row of each of our decisions in its hand.
"""

import numpy as np

from holdmem.agents.plicas.postflop_kernels import bets_on_street, bucket_of, price_of
from holdmem.agents.plicas.starting_hands import CALLING, FOLDING, RAISING
from holdmem.compiled import kernel
from holdmem.rules.state import CALL
from holdmem.strength.river_kernels import share_on_the_river

BETS, CALLS, CHECKS = 3, 3, 2
"""Told apart on a street: no, one, two own bets or raises; no, one, two calls; whether it checked first."""
ACTIONS = BETS * CALLS * CHECKS
FIRST = (0, 0, BETS * ACTIONS, (BETS + BETS**2) * ACTIONS)
"""[street]: the first pattern of it."""
PATTERNS = (BETS + BETS**2 + BETS**3) * ACTIONS

WIDTH = 0.3
"""From no raise to always raising the chance to win rises by so much,"""
RAISE_FROM = np.array([0.5, 0.6, 0.7, 0.7])
"""[bets on this street]: beginning here."""
SOFT = 0.2
"""From always folding to always calling it rises by so much around the price."""


@kernel
def follow(seen, street, action, owes):
    """Note an action of the opponent in seen[street]: bets and raises, calls, checks."""
    if action > CALL:
        seen[street, 0] = min(seen[street, 0] + 1, BETS - 1)
    elif owes:
        seen[street, 1] = min(seen[street, 1] + 1, CALLS - 1)
    else:
        seen[street, 2] = CHECKS - 1


@kernel
def pattern_of(seen, street):
    """The number of the opponent's betting pattern at a decision on this street, after the flop."""
    before = 0
    for earlier in range(street):
        before = before * BETS + seen[earlier, 0]
    now = (seen[street, 0] * CALLS + seen[street, 1]) * CHECKS + seen[street, 2]
    return FIRST[street] + before * ACTIONS + now


@kernel
def pattern_at(rules, history, actions, row):
    """The same from the history at a view."""
    seen = np.zeros((4, 3), np.int64)
    bets = opening_bets(rules, row.stack, row.paid)
    street = np.int64(0)
    for step in range(actions):
        street = next_street(bets, street, history[step])
        follow_step(seen, bets, history[step], 1 - np.int64(row.seat))
    return pattern_of(seen, np.int64(row.street))


@kernel
def opening_bets(rules, stack, paid):
    """The blinds, by seat."""
    bets = np.zeros(2, np.int64)
    for seat in range(2):
        bets[seat] = min(rules.blind[seat], stack[seat] + paid[seat])
    return bets


@kernel
def next_street(bets, street, entry):
    """The street of an action; bets begin anew if it is another than that of the action before."""
    if entry.street != street:
        bets[:] = 0
    return np.int64(entry.street)


@kernel
def follow_step(seen, bets, entry, other):
    """Move the bets on by one action, and note it if it is the opponent's."""
    seat, action = np.int64(entry.seat), np.int64(entry.to)
    if seat == other:
        follow(seen, np.int64(entry.street), action, bets[seat] < bets[1 - seat])
    if action == CALL:
        bets[seat] = max(bets[0], bets[1])
    elif action > CALL:
        bets[seat] = action


@kernel
def retain(rules, hands, history, lineup, player, tables, ranks, counts, cases):
    """Put each hand that went to a showdown into the case base of its table."""
    holes, boards, strength = np.empty((1, 2), np.uint8), np.empty((1, 5), np.uint8), np.empty(1)
    for i in range(len(hands)):
        own = 0 if lineup[i, 0] == player else 1
        other = 1 - own
        alone = lineup[i, own] != player or lineup[i, other] == player
        if alone or not hands[i].shown or hands[i].hole[other, 0] < 0:
            continue
        holes[0, 0], holes[0, 1] = hands[i].hole[other, 0], hands[i].hole[other, 1]
        boards[0] = hands[i].board
        share_on_the_river(holes, boards, ranks, strength)
        bucket = bucket_of(strength[0], counts.shape[2])
        retain_hand(rules[0], hands[i], history[i], own, bucket, counts[tables[i]])
        cases[tables[i]] += 1


@kernel
def retain_hand(rules, hand, history, own, bucket, counts):
    """Count the bucket in the row of the opponent's pattern at each of our decisions after the flop."""
    seen = np.zeros((4, 3), np.int64)
    bets = opening_bets(rules, hand.stack, hand.paid)
    street = np.int64(0)
    for step in range(hand.actions):
        street = next_street(bets, street, history[step])
        if history[step].seat == own and street > 0:
            counts[pattern_of(seen, street), bucket] += 1
        follow_step(seen, bets, history[step], 1 - own)


@kernel
def chance_against(counts, bucket):
    """The share of the opponent's buckets that are below ours, an equal one half."""
    won = total = 0.0
    for other in range(len(counts)):
        total += counts[other]
        if other < bucket:
            won += counts[other]
        elif other == bucket:
            won += 0.5 * counts[other]
    return won / total


@kernel
def between(value, low, width):
    """From 0 at `low` to 1 at `low + width`."""
    return min(max((value - low) / width, 0.0), 1.0)


@kernel
def by_the_cases(row, counts, bucket, mapped, triple):
    """The triple by what the opponent has shown in such cases: the better that was, the more folds."""
    raising = between(chance_against(counts, mapped), RAISE_FROM[bets_on_street(row)], WIDTH)
    calling = 1.0
    if row.to_call > 0:
        calling = between(chance_against(counts, bucket), price_of(row) - SOFT / 2, SOFT)
    triple[RAISING] = raising
    triple[CALLING] = (1.0 - raising) * calling
    triple[FOLDING] = (1.0 - raising) * (1.0 - calling)
