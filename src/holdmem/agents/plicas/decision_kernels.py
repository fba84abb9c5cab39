"""Kernels: the units put together, before the flop (figure 2) and after it (figure 3, algorithm 2)."""

import numpy as np

from holdmem.agents.plicas.aggression import bluff_chance, moved, shift_of
from holdmem.agents.plicas.case_kernels import by_the_cases, pattern_at
from holdmem.agents.plicas.postflop_kernels import bucket_of, by_the_rules
from holdmem.agents.plicas.range_control import choose_range, nearest_range
from holdmem.agents.plicas.starting_hands import CALLING, FOLDING, RAISING, before_the_flop, class_of_share
from holdmem.compiled import kernel
from holdmem.models.profile_kernels import smoothed
from holdmem.models.profiles import PRIOR_WEIGHT, USUAL_AGGRESSION, USUAL_RANGE
from holdmem.rules.state import record
from holdmem.strength.playable_kernels import flop_parts

SETTINGS = record(
    [
        ("opponent", "u1"),  # the units that are on
        ("preflop", "u1"),
        ("dprc", "u1"),
        ("postflop", "u1"),
        ("cases", "u1"),
        ("bluff", "u1"),
        ("dpac", "u1"),
        ("printed", "u1"),  # f of range control as printed
        ("range", "f8"),  # played before there is a model, or without range control
        ("shift", "f8"),  # most buckets by which aggression control moves a hand
        ("merge", "f8"),  # weight of the cases' triple
        ("n_hands", "i8"),  # hands of the opponent before its model is used
        ("n_cases", "i8"),  # showdowns before cases are used
        ("n_similar", "i8"),  # cases alike before they are used
        ("buckets", "i8"),
        ("small_blind", "f8"),
    ]
)

DECISION = record(
    [
        ("triple", "f8", 3),  # fold, call, raise: what is played
        ("rules", "f8", 3),  # by the rules (or the bluff unit in their place)
        ("cases", "f8", 3),  # by the cases
        ("similar", "i8"),  # cases alike; 0 where the unit says nothing
        ("bluff", "f8"),  # how often it bluffs; -1 where there is no occasion
        ("bucket", "i8"),
        ("shift", "f8"),
        ("number", "i8"),  # class of the starting hand, from 0
        ("range", "f8"),  # that is played
        ("other_range", "f8"),  # of the opponent
        ("aggression", "f8"),
        ("pot", "f8"),  # average, in small blinds
    ]
)
"""What each unit says to one decision."""


@kernel
def decide_all(rules, rows, history, looks, tables, profiles, counts, cases, book, settings, out):
    """Fill a decision for each view."""
    five = np.empty(5, np.int8)
    for i in range(len(rows)):
        profile, decision = profiles[tables[i]], out[i]
        know(profile, settings[0], decision)
        if rows[i].street == 0:
            preflop(rows[i], profile, book, settings[0], decision)
        else:
            decision.bucket = bucket_of(looks.e_hs[i], settings[0].buckets)
            five[:2] = rows[i].hole
            five[2:] = rows[i].board[:3]
            bluff(rows[i], five, book, settings[0], decision)
            shift(profile, book, settings[0], decision)
            pattern = pattern_at(rules[0], history[i], rows[i].actions, rows[i])
            alike = counts[tables[i], pattern]
            remember(alike, cases[tables[i]], settings[0], decision)
            postflop(rows[i], looks.ppot[i], alike, settings[0], decision)


@kernel
def know(profile, settings, decision):
    """What the opponent model says: range, aggression, average pot in small blinds."""
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
    """Range control chooses how much is played, the rules what is done with it."""
    decision.range = settings.range
    if settings.dprc and profile.hands > settings.n_hands:
        theirs = nearest_range(book.shares, decision.other_range)
        chosen = choose_range(book.shares, book.equity, theirs, decision.pot, settings.printed)
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
    """What is left without rules."""
    triple[FOLDING] = triple[RAISING] = 0.0
    triple[CALLING] = 1.0


@kernel
def playable_chance(book, share):
    """The chance that a hand of a range is playable on the flop (figure 4)."""
    return book.playable[nearest_range(book.shares, share)]


@kernel
def bluff(row, five, book, settings, decision):
    """On the flop, where nobody has bet and our hand is unplayable, how often to bluff."""
    if settings.bluff and row.street == 1 and row.to_call == 0 and not flop_parts(five):
        playable = playable_chance(book, decision.other_range)
        decision.bluff = bluff_chance(playable, row.pot, row.min_raise_to - row.highest)


@kernel
def shift(profile, book, settings, decision):
    """By how many buckets aggression control moves the hand."""
    if settings.dpac and profile.hands > settings.n_hands:
        playable = playable_chance(book, decision.other_range)
        usual = playable_chance(book, USUAL_RANGE)
        decision.shift = shift_of(decision.aggression, playable, usual, settings.shift)


@kernel
def remember(alike, cases, settings, decision):
    """How many cases are alike, if there are enough of them."""
    if settings.cases and cases > settings.n_cases:
        similar = alike.sum()
        decision.similar = similar if similar > settings.n_similar else 0


@kernel
def postflop(row, ppot, alike, settings, decision):
    """Algorithm 2, with the hand in each bucket to which aggression control may map it, by its chances."""
    decision.rules[:] = 0.0
    decision.triple[:] = 0.0
    rules, cases = np.zeros(3), np.zeros(3)
    steps = int(np.floor(decision.shift))
    upper = decision.shift - steps
    for more in range(2):
        chance = upper if more else 1.0 - upper
        mapped = moved(decision.bucket, steps + more, settings.buckets)
        ruled(row, ppot, mapped, settings, decision, rules)
        weight = 0.0
        if decision.similar > 0:
            by_the_cases(row, alike, decision.bucket, mapped, cases)
            weight = settings.merge
        for kind in range(3):
            decision.rules[kind] += chance * rules[kind]
            decision.cases[kind] += chance * cases[kind]
            decision.triple[kind] += chance * ((1.0 - weight) * rules[kind] + weight * cases[kind])


@kernel
def ruled(row, ppot, mapped, settings, decision, triple):
    """The first half of algorithm 2: a bluff, or the rule base."""
    if decision.bluff >= 0.0:
        triple[FOLDING] = 0.0
        triple[CALLING] = 1.0 - decision.bluff
        triple[RAISING] = decision.bluff
    elif settings.postflop:
        by_the_rules(row, decision.bucket, mapped, ppot, settings.buckets, triple)
    else:
        call_only(triple)
