"""Bluff unit (§4.2.3) and Dynamic Postflop Aggression Control (§4.2.4).

Both adapt how often to bet to the opponent's range and aggression.
"""

from holdmem.core.jit import kernel
from holdmem.opponents.profiles import USUAL_AGGRESSION

GAIN = 2.5
"""Shift, as a fraction of its maximum, per unit by which the opponent's aggression misses the expected."""


@kernel
def bluff_probability(playable, pot, bet):
    """Return the probability of bluffing an unplayable hand.

    `playable` is the probability that the opponent's flop is playable; it is assumed to fold with probability
    q = 1 - playable. The bluff probability is q (the paper does not give its "optimal frequency"), or 0 where
    a bluff does not pay even then: q · pot ≤ (1 - q) · bet.
    """
    folds = 1.0 - playable
    return folds if folds * pot > playable * bet else 0.0


@kernel
def shift_of(aggression, playable, usual_playable, most):
    """Return the number of buckets by which hands move up for bets and raises, from -`most` to `most`.

    Hands move up against passive opponents and down (negative) against aggressive ones. A tight range hits
    more flops, so its expected aggression is higher, in proportion to the probability of a playable flop.
    """
    expected = USUAL_AGGRESSION * playable / usual_playable
    return min(max(GAIN * (expected - aggression), -1.0), 1.0) * most


@kernel
def moved(bucket, steps, buckets):
    """Return the bucket moved by `steps`, clipped to the existing buckets."""
    return min(max(bucket + steps, 0), buckets - 1)
