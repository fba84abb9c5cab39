"""Kernels of the case-based unit with bucketing (§4.2.2, algorithm 3).

A case is a hand that went to showdown: the opponent's betting pattern and the bucket of the strength it
showed. Two situations are similar if the opponent took the same actions on this street and made the same
number of bets and raises on each earlier street. All similar cases therefore form one row of counts by
bucket. A hand adds to the row of each of our postflop decisions in it.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL
from holdmem.players.plicas.kernels.postflop import bets_on_street, price_of
from holdmem.players.plicas.kernels.starting_hands import CALLING, FOLDING, RAISING
from holdmem.strength.kernels.bucket_cuts import equal_width_bucket
from holdmem.strength.kernels.river import share_on_the_river

BETS, CALLS, CHECKS = 3, 3, 2
"""What is distinguished of the opponent's actions on a street.

Number of bets and raises (0, 1, 2 or more), number of calls (0, 1, 2 or more), and whether it checked.
"""
ACTIONS = BETS * CALLS * CHECKS
FIRST = (0, 0, BETS * ACTIONS, (BETS + BETS**2) * ACTIONS)
"""Number of the first pattern of each street, from the flop on."""
PATTERNS = (BETS + BETS**2 + BETS**3) * ACTIONS

WIDTH = 0.3
"""The raise probability rises from 0 to 1 over this width of winning probability,"""
RAISE_FROM = np.array([0.5, 0.6, 0.7, 0.7])
"""starting at this winning probability, by number of bets on this street."""
SOFT = 0.2
"""Width, centred on the pot odds, over which the call probability rises from 0 to 1."""


@kernel
def follow(seen, street, action, owes):
    """Count an action of the opponent in seen[street] as a bet or raise, a call, or a check.

    `owes` says whether the opponent faces a bet.
    """
    if action > CALL:
        seen[street, 0] = min(seen[street, 0] + 1, BETS - 1)
    elif owes:
        seen[street, 1] = min(seen[street, 1] + 1, CALLS - 1)
    else:
        seen[street, 2] = CHECKS - 1


@kernel
def pattern_of(seen, street):
    """Return the number of the opponent's betting pattern at a decision on this street (flop or later)."""
    before = 0
    for earlier in range(street):
        before = before * BETS + seen[earlier, 0]
    now = (seen[street, 0] * CALLS + seen[street, 1]) * CHECKS + seen[street, 2]
    return FIRST[street] + before * ACTIONS + now


@kernel
def pattern_at(rules, history, actions, row):
    """Return the number of the opponent's betting pattern at a view, from the action history."""
    seen = np.zeros((4, 3), np.int64)
    bets = opening_bets(rules, row.stack, row.paid)
    street = np.int64(0)
    for step in range(actions):
        street = next_street(bets, street, history[step])
        follow_step(seen, bets, history[step], 1 - np.int64(row.seat))
    return pattern_of(seen, np.int64(row.street))


@kernel
def opening_bets(rules, stack, paid):
    """Return the blinds posted by each seat, in chips."""
    bets = np.zeros(2, np.int64)
    for seat in range(2):
        bets[seat] = min(rules.blind[seat], stack[seat] + paid[seat])
    return bets


@kernel
def next_street(bets, street, entry):
    """Return the street of an action, resetting `bets` to 0 if it differs from `street`."""
    if entry.street != street:
        bets[:] = 0
    return np.int64(entry.street)


@kernel
def follow_step(seen, bets, entry, other):
    """Update `bets` by one action, and `seen` if the opponent (seat `other`) made it."""
    seat, action = np.int64(entry.seat), np.int64(entry.to)
    if seat == other:
        follow(seen, np.int64(entry.street), action, bets[seat] < bets[1 - seat])
    if action == CALL:
        bets[seat] = max(bets[0], bets[1])
    elif action > CALL:
        bets[seat] = action


@kernel
def retain(rules, hands, history, lineup, player, tables, ranks, counts, cases):
    """Add each hand in which the opponent showed its cards to the case base of its table.

    The strength shown is HS on the full board. Hands in which `player` does not hold exactly one seat are
    skipped.
    """
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
        bucket = equal_width_bucket(strength[0], counts.shape[2])
        retain_hand(rules[0], hands[i], history[i], own, bucket, counts[tables[i]])
        cases[tables[i]] += 1


@kernel
def retain_hand(rules, hand, history, own, bucket, counts):
    """Count the bucket in the row of the opponent's pattern at each of our decisions from the flop on."""
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
    """Return the share of similar cases in which the opponent's bucket is below ours, ties counting half."""
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
    """Interpolate linearly from 0 at `low` to 1 at `low + width`, clipped outside."""
    return min(max((value - low) / width, 0.0), 1.0)


@kernel
def by_the_cases(row, counts, bucket, mapped, triple):
    """Set the triple from the strengths the opponent showed in similar cases.

    The stronger these were, the more it folds. `mapped` is the bucket used for raises, `bucket` the hand's
    own, used for calls.
    """
    raising = between(chance_against(counts, mapped), RAISE_FROM[bets_on_street(row)], WIDTH)
    calling = 1.0
    if row.to_call > 0:
        calling = between(chance_against(counts, bucket), price_of(row) - SOFT / 2, SOFT)
    triple[RAISING] = raising
    triple[CALLING] = (1.0 - raising) * calling
    triple[FOLDING] = (1.0 - raising) * (1.0 - calling)
