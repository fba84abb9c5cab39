"""Kernels of the postflop rules and hand-strength buckets (§4.2.1).

The rules follow Sklansky: bet good hands, raise better ones, and call with the rest only at the right price.
docs/plicas.md gives them as a table.
"""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.players.plicas.kernels.starting_hands import CALLING, FOLDING, RAISING

LEVELS = 10
"""Number of strength levels in the rules, independent of the number of buckets."""
BETS = np.array([0.0, 0.0, 0.0, 0.05, 0.2, 0.5, 0.85, 1.0, 1.0, 1.0])
"""Probability of betting when no player has bet, by level."""
RAISES_AFTER = np.array(
    [
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.35, 0.8, 1.0),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.9),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5),
    ]
)
"""Probability of raising, shape (3, LEVELS): facing a bet, a raise, and a re-raise or more; by level."""
DRAW, SEMI_BLUFF = 0.2, 0.5
"""With at least this PPOT on the flop or turn it bets with at least this probability."""
RIVER = 3


@kernel
def level_of(bucket, buckets):
    """Return the rules' strength level of a bucket."""
    return bucket * LEVELS // buckets


@kernel
def price_of(row):
    """Return the pot odds: the cost of a call as a share of the pot after it."""
    return row.to_call / (row.pot + row.to_call)


@kernel
def bets_on_street(row):
    """Return the number of bets and raises on this street so far, at most 3."""
    return min(row.raises, 3)


@kernel
def ruled_raise(row, bucket, ppot, buckets):
    """Return the probability that the rules bet or raise with a bucket."""
    level = level_of(bucket, buckets)
    if row.to_call == 0:
        draws = row.street < RIVER and ppot >= DRAW
        return max(BETS[level], SEMI_BLUFF) if draws else BETS[level]
    return RAISES_AFTER[max(bets_on_street(row), 1) - 1, level]


@kernel
def pays_to_call(row, bucket, ppot, buckets):
    """Whether a call is worth the pot odds.

    A hand that beats a share s of all holdings (the middle of its bucket) is assumed to win with probability
    s² against a bet, s³ against a raise and s⁴ against a re-raise or more. On the flop and turn a call is
    also worth it if PPOT, for the next card, reaches the pot odds.
    """
    middle = (bucket + 0.5) / buckets
    price = price_of(row)
    worth = middle ** (1 + max(bets_on_street(row), 1)) >= price
    return worth or (row.street < RIVER and ppot >= price)


@kernel
def by_the_rules(row, bucket, mapped, ppot, buckets, triple):
    """Set the triple of the rules; `mapped` is the bucket for bets and raises, `bucket` the hand's own."""
    triple[RAISING] = ruled_raise(row, mapped, ppot, buckets)
    stays = row.to_call == 0 or pays_to_call(row, bucket, ppot, buckets)
    triple[CALLING] = 1.0 - triple[RAISING] if stays else 0.0
    triple[FOLDING] = 0.0 if stays else 1.0 - triple[RAISING]
