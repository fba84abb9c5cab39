"""Kernels: buckets and the rule base after the flop (§4.2.1), after Sklansky: bet what is good, raise what is
better, pay for the rest only what it is worth. docs/plicas.md has the same as a table in words.
"""

import numpy as np

from holdmem.agents.plicas.starting_hands import CALLING, FOLDING, RAISING
from holdmem.compiled import kernel

LEVELS = 10
"""The rules know ten levels of strength, however many buckets there are."""
BETS = np.array([0.0, 0.0, 0.0, 0.05, 0.2, 0.5, 0.85, 1.0, 1.0, 1.0])
"""[level]: how often it bets where nobody has."""
RAISES_AFTER = np.array(
    [
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.35, 0.8, 1.0),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.9),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5),
    ]
)
"""[bets before, from one; level]: how often it raises a bet, a raise, a re-raise or more."""
DRAW, SEMI_BLUFF = 0.2, 0.5
"""With this positive potential on the flop or turn it bets at least so often."""
RIVER = 3


@kernel
def bucket_of(strength, buckets):
    """The bucket of a strength from 0 to 1, all of one width."""
    return min(int(strength * buckets), buckets - 1)


@kernel
def level_of(bucket, buckets):
    """The level at which the rules see a bucket."""
    return bucket * LEVELS // buckets


@kernel
def price_of(row):
    """The part of the pot that a call pays for."""
    return row.to_call / (row.pot + row.to_call)


@kernel
def bets_on_street(row):
    """Bets and raises on this street so far: 0, 1, 2, and 3 for more."""
    return min(row.raises, 3)


@kernel
def ruled_raise(row, bucket, ppot, buckets):
    """How often the rules bet or raise a bucket."""
    level = level_of(bucket, buckets)
    if row.to_call == 0:
        draws = row.street < RIVER and ppot >= DRAW
        return max(BETS[level], SEMI_BLUFF) if draws else BETS[level]
    return RAISES_AFTER[max(bets_on_street(row), 1) - 1, level]


@kernel
def pays_to_call(row, bucket, ppot, buckets):
    """Whether a call is worth its price.

    Against one who bets, raises, re-raises, a hand that beats a share s of all holdings is taken to win
    s², s³, s⁴; a draw is worth its price if it comes in often enough on the next card.
    """
    middle = (bucket + 0.5) / buckets
    price = price_of(row)
    worth = middle ** (1 + max(bets_on_street(row), 1)) >= price
    return worth or (row.street < RIVER and ppot >= price)


@kernel
def by_the_rules(row, bucket, mapped, ppot, buckets, triple):
    """The rule base's triple: `mapped` is the bucket for bets and raises, `bucket` the hand's own."""
    triple[RAISING] = ruled_raise(row, mapped, ppot, buckets)
    stays = row.to_call == 0 or pays_to_call(row, bucket, ppot, buckets)
    triple[CALLING] = 1.0 - triple[RAISING] if stays else 0.0
    triple[FOLDING] = 0.0 if stays else 1.0 - triple[RAISING]
