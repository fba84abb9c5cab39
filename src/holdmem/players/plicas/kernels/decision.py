"""Kernels that combine the units before the flop (figure 2) and after it (figure 3, algorithm 2)."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.core.records import record
from holdmem.opponents.kernels.profiles import smoothed
from holdmem.opponents.profiles import PRIOR_WEIGHT, USUAL_AGGRESSION, USUAL_RANGE
from holdmem.players.plicas.kernels.aggression import bluff_probability, moved, shift_of
from holdmem.players.plicas.kernels.cases import by_the_cases, pattern_at
from holdmem.players.plicas.kernels.postflop import by_the_rules
from holdmem.players.plicas.kernels.range_control import choose_range, nearest_range
from holdmem.players.plicas.kernels.starting_hands import (
    CALLING,
    FOLDING,
    RAISING,
    before_the_flop,
    class_of_share,
)
from holdmem.strength.kernels.bucket_cuts import equal_width_bucket
from holdmem.strength.kernels.playable import flop_parts

SETTINGS = record(
    [
        ("opponent", "u1"),  # 1 for each unit that is on
        ("preflop", "u1"),
        ("dprc", "u1"),
        ("postflop", "u1"),
        ("cases", "u1"),
        ("bluff", "u1"),
        ("dpac", "u1"),
        ("weighing", "u1"),  # f of range control: by the share played, as printed, or with stolen blinds
        ("calling", "u1"),  # whether aggression control answers aggression by calls
        ("range", "f8"),  # share of hands played without a model or without range control
        ("shift", "f8"),  # maximum buckets by which aggression control moves a hand
        ("merge", "f8"),  # weight of the cases' triple
        ("n_hands", "i8"),  # hands of the opponent that must be exceeded before its model is used
        ("n_cases", "i8"),  # showdowns that must be exceeded before cases are used
        ("n_similar", "i8"),  # similar cases that must be exceeded before they are used
        ("buckets", "i8"),
        ("small_blind", "f8"),
    ]
)

DECISION = record(
    [
        ("triple", "f8", 3),  # final probabilities of fold, call and raise
        ("rules", "f8", 3),  # triple of the rules, or of the bluff unit in their place
        ("cases", "f8", 3),  # triple of the case-based unit
        ("similar", "i8"),  # number of similar cases; 0 where the unit is not used
        ("bluff", "f8"),  # probability of a bluff; -1 where the bluff unit does not apply
        ("bucket", "i8"),  # of the hand; -1 before the flop
        ("shift", "f8"),  # of aggression control, in buckets
        ("number", "i8"),  # class of the starting hand, from 0; -1 after the flop
        ("range", "f8"),  # share of hands played by plicas; set before the flop only
        ("other_range", "f8"),  # share of hands played by the opponent
        ("aggression", "f8"),  # of the opponent
        ("pot", "f8"),  # average pot, in small blinds
    ]
)
"""Contribution of each unit to one decision."""


@kernel
def decide_all(rules, rows, history, looks, tables, profiles, counts, cases, book, settings, out):
    """Fill out[view] with a `DECISION` per view."""
    five = np.empty(5, np.int8)
    for i in range(len(rows)):
        profile, decision = profiles[tables[i]], out[i]
        know(profile, settings[0], decision)
        if rows[i].street == 0:
            preflop(rows[i], profile, book, settings[0], decision)
        else:
            decision.bucket = equal_width_bucket(looks.e_hs[i], settings[0].buckets)
            five[:2] = rows[i].hole
            five[2:] = rows[i].board[:3]
            bluff(rows[i], five, book, settings[0], decision)
            shift(profile, book, settings[0], decision)
            pattern = pattern_at(rules[0], history[i], rows[i].actions, rows[i])
            matching = counts[tables[i], pattern]
            remember(matching, cases[tables[i]], settings[0], decision)
            postflop(rows[i], looks.ppot[i], matching, settings[0], decision)


@kernel
def know(profile, settings, decision):
    """Copy the opponent model's range, aggression and average pot, and reset the other fields."""
    decision.other_range = smoothed(profile.stayed, profile.asked, USUAL_RANGE, PRIOR_WEIGHT)
    decision.aggression = smoothed(
        profile.raises, profile.raises + profile.calls, USUAL_AGGRESSION, PRIOR_WEIGHT
    )
    decision.pot = profile.chips / (max(profile.pots, 1) * settings.small_blind)
    decision.bluff = -1.0
    decision.shift = 0.0
    decision.similar = 0
    decision.bucket = decision.number = -1
    decision.cases[:] = 0.0


@kernel
def preflop(row, profile, book, settings, decision):
    """Decide before the flop: range control sets the share of hands played, the rules the action."""
    decision.range = settings.range
    if settings.dprc and profile.hands > settings.n_hands:
        theirs = nearest_range(book.shares, decision.other_range)
        chosen = choose_range(book.shares, book.equity, theirs, decision.pot, settings.weighing)
        decision.range = book.shares[chosen]
    share = book.top[row.hole[0], row.hole[1]]
    decision.number = class_of_share(share, decision.range)
    if settings.preflop:
        before_the_flop(row, decision.number, decision.rules)
    else:
        call_only(decision.rules)
    decision.triple[:] = decision.rules


@kernel
def call_only(triple):
    """Set the triple to always call, used where the rules are switched off."""
    triple[FOLDING] = triple[RAISING] = 0.0
    triple[CALLING] = 1.0


@kernel
def playable_chance(book, share):
    """Return the probability that a hand of a range has a playable flop (figure 4)."""
    return book.playable[nearest_range(book.shares, share)]


@kernel
def bluff(row, five, book, settings, decision):
    """Set the bluff probability; it applies on the flop with an unplayable hand and no bet to call."""
    if settings.bluff and row.street == 1 and row.to_call == 0 and not flop_parts(five):
        playable = playable_chance(book, decision.other_range)
        decision.bluff = bluff_probability(playable, row.pot, row.min_raise_to - row.highest)


@kernel
def shift(profile, book, settings, decision):
    """Set the number of buckets by which aggression control moves the hand."""
    if settings.dpac and profile.hands > settings.n_hands:
        playable = playable_chance(book, decision.other_range)
        usual = playable_chance(book, USUAL_RANGE)
        decision.shift = shift_of(decision.aggression, playable, usual, settings.shift)


@kernel
def remember(matching, cases, settings, decision):
    """Set the number of similar cases, or 0 if there are not enough of them."""
    if settings.cases and cases > settings.n_cases:
        similar = matching.sum()
        decision.similar = similar if similar > settings.n_similar else 0


@kernel
def postflop(row, ppot, matching, settings, decision):
    """Decide after the flop (algorithm 2).

    A fractional shift maps the hand to one of two buckets at random; their triples are averaged with the
    probabilities of the two, so nothing is drawn here. It moves hands for bets and raises; with `calling` a
    shift down, against aggression, moves them up for calls instead.
    """
    decision.rules[:] = 0.0
    decision.triple[:] = 0.0
    rules, cases = np.zeros(3), np.zeros(3)
    calling = settings.calling and decision.shift < 0
    size = -decision.shift if calling else decision.shift
    steps = int(np.floor(size))
    upper = size - steps
    for more in range(2):
        probability = upper if more else 1.0 - upper
        shifted = moved(decision.bucket, steps + more, settings.buckets)
        own, mapped = (shifted, decision.bucket) if calling else (decision.bucket, shifted)
        ruled(row, ppot, own, mapped, settings, decision, rules)
        weight = 0.0
        if decision.similar > 0:
            by_the_cases(row, matching, own, mapped, cases)
            weight = settings.merge
        for kind in range(3):
            decision.rules[kind] += probability * rules[kind]
            decision.cases[kind] += probability * cases[kind]
            decision.triple[kind] += probability * ((1.0 - weight) * rules[kind] + weight * cases[kind])


@kernel
def ruled(row, ppot, own, mapped, settings, decision, triple):
    """Set the triple of the first half of algorithm 2: the bluff unit, else the rules, else a call."""
    if decision.bluff >= 0.0:
        triple[FOLDING] = 0.0
        triple[CALLING] = 1.0 - decision.bluff
        triple[RAISING] = decision.bluff
    elif settings.postflop:
        by_the_rules(row, own, mapped, ppot, settings.buckets, triple)
    else:
        call_only(triple)
