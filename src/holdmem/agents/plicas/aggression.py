"""Bluffs (§4.2.3) and Dynamic Postflop Aggression Control (§4.2.4): how often to bet, by the opponent's range
and aggression.
"""

from holdmem.compiled import kernel
from holdmem.models.profiles import USUAL_AGGRESSION

GAIN = 2.5
"""Buckets for a deviation of the opponent's aggression by one from what its range explains."""


@kernel
def bluff_chance(playable, pot, bet):
    """How often to bet an unplayable hand into an opponent whose flop is playable with this chance.

    It folds with the counter-probability q, and so often we bluff (the paper's "optimal frequency" is not
    given), unless a bluff loses even against folds as frequent as that: q · pot < (1 - q) · bet.
    """
    folds = 1.0 - playable
    return folds if folds * pot > playable * bet else 0.0


@kernel
def shift_of(aggression, playable, usual_playable, most):
    """By how many buckets hands move up (or down) for bets and raises, from -`most` to `most`.

    Up against passive opponents, down against aggressive ones. A tight range hits more flops, so that more
    aggression is to be expected of it, in proportion to the chance of a playable flop.
    """
    expected = USUAL_AGGRESSION * playable / usual_playable
    return min(max(GAIN * (expected - aggression), -1.0), 1.0) * most


@kernel
def moved(bucket, steps, buckets):
    """A bucket so many steps up or down, as far as there are any."""
    return min(max(bucket + steps, 0), buckets - 1)
