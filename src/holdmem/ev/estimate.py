"""Value the candidates of many decisions, with more samples where the difference is still uncertain."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from holdmem.core.random import Streams
from holdmem.core.types import Flags, Floats, Ints
from holdmem.engine.state import FOLD
from holdmem.ev.candidates import Candidates
from holdmem.ev.models import PlayerModel
from holdmem.ev.moments import HALVES, Moments
from holdmem.ev.ranges import ranges_at
from holdmem.ev.rollouts import RolloutModels, roll_out
from holdmem.ev.spots import Spots

CHUNK = 128
"""Decisions whose ranges are held at once."""


@dataclass(frozen=True)
class Precision:
    """How many samples a decision gets: `first`, then more until the standard error is small enough.

    `error_bb` and `error_pot` bound the standard error of the difference between the action taken and every
    other, in big blinds and as a share of the pot, whichever is larger; `most` bounds the samples. With
    `apart`, a decision also gets no more once the difference exceeds that many standard errors.
    """

    first: int = 64
    most: int = 2048
    error_bb: float = 0.2
    error_pot: float = 0.1
    apart: float | None = None

    def bound(self, spots: Spots) -> Floats:
        """Return the largest standard error allowed at each decision, in chips."""
        pot = self.error_pot * spots.views.pot
        return np.maximum(self.error_bb * spots.game.big_blind, pot)  # type: ignore[no-any-return]


SCREENING = Precision()
THOROUGH = Precision(first=512, most=20_000, error_bb=0.05, error_pot=0.0, apart=4.0)


def value_actions(
    spots: Spots, candidates: Candidates, models: RolloutModels, ranges_by: PlayerModel, precision: Precision,
    rng: Streams, done: Callable[[int], None] = lambda count: None,
) -> Moments:  # fmt: skip
    """Return the sums of samples of every candidate at every decision; a fold is worth exactly 0.

    The result for a decision depends on the decision, its number and the random numbers alone.
    """
    found = Moments.zeros(len(spots), candidates.codes.shape[1], stakes(spots, candidates))
    for begin in range(0, len(spots), CHUNK):
        which = np.arange(begin, min(begin + CHUNK, len(spots)))
        some, ranges = spots[which], ranges_at(spots[which], ranges_by)
        first, more = 0, np.full(len(which), precision.first)
        while (more > 0).any():
            size = int(more[more > 0].min())
            now = np.flatnonzero(more > 0)
            _sample(some, ranges, candidates, which, now, first, size, models, rng, found)
            first += size
            # Samples are counted from zero at every decision, and all that go on have drawn as many.
            more[now] = _wanted(some[now], candidates, which[now], found, precision, first)
        done(len(which))
    return found


def stakes(spots: Spots, candidates: Candidates) -> Floats:
    """Return the pot after each candidate if one player calls it, (n, columns); 0 for a fold."""
    views, rows, seats = spots.views, np.arange(len(spots)), np.arange(spots.game.seats)
    hero = spots.hero
    mine = views.bet[rows, hero]
    live = ((views.live[:, None] >> seats & 1) != 0) & (seats != hero[:, None])
    total = (views.bet + views.stack)[:, : spots.game.seats]
    reach = np.minimum((total * live).max(axis=1), total[rows, hero])
    to = np.minimum(np.maximum(candidates.codes, views.highest[:, None]), reach[:, None])
    called = views.pot[:, None] + np.maximum(to - mine[:, None], 0)
    called = called + np.maximum(to - views.highest[:, None], 0)
    found: Floats = np.where(candidates.present & (candidates.codes != FOLD), called, 0).astype(np.float64)
    return found


def _sample(
    spots: Spots, ranges: Floats, candidates: Candidates, which: Ints, now: Ints, first: int, size: int,
    models: RolloutModels, rng: Streams, found: Moments,
) -> None:  # fmt: skip
    """Draw samples for the decisions `now` of a chunk, those with the same columns together."""
    played = candidates.present[which[now]]
    played[:, 0] = False
    for columns in np.unique(played, axis=0):
        same = now[(played == columns).all(axis=1)]
        codes = candidates.codes[which[same]][:, columns]
        chips, weights = roll_out(spots[same], ranges[same], codes, first, size, models, rng)
        full = np.zeros((*chips.shape[:2], candidates.codes.shape[1]))
        full[:, :, columns] = chips
        found.add(which[same], full, weights)


def _wanted(
    spots: Spots, candidates: Candidates, which: Ints, found: Moments, precision: Precision, first: int
) -> Ints:
    """Return how many more samples each decision gets: as many as it has, or none."""
    mean, error = differences(part(found, which), part_of(candidates, which))
    uncertain = error > precision.bound(spots)[:, None]
    if precision.apart is not None:
        uncertain &= np.abs(mean) < precision.apart * error
    go_on = (uncertain & candidates.present[which]).any(axis=1) & (first < precision.most)
    return np.where(go_on, min(first, precision.most - first), 0)


def differences(found: Moments, candidates: Candidates) -> tuple[Floats, Floats]:
    """Return the mean and standard error of every candidate less the action taken, both (n, columns).

    Where no action was taken, the candidates are compared with the reference's likeliest one.
    """
    base = np.where(candidates.chosen >= 0, candidates.chosen, candidates.reference.argmax(axis=1))
    whole, columns = found.whole, candidates.codes.shape[1]
    mean, error = np.zeros((len(base), columns)), np.zeros((len(base), columns))
    for column in range(columns):
        factors = np.zeros((len(base), 1, columns))
        factors[:, 0, column] += 1
        factors[np.arange(len(base)), 0, base] -= 1
        means, variances = whole.combined(factors)
        mean[:, column], error[:, column] = means[:, 0], np.sqrt(variances[:, 0])
    return mean, np.where(candidates.present, error, 0.0)


def part(found: Moments, which: Ints) -> Moments:
    """Return the sums of some decisions."""
    fields = (
        found.count, found.weight, found.square, found.first, found.mixed, found.second, found.stake,
    )  # fmt: skip
    return Moments(*(field[which] for field in fields))


def part_of(candidates: Candidates, which: Ints | Flags) -> Candidates:
    """Return the candidates of some decisions."""
    return Candidates(candidates.codes[which], candidates.reference[which], candidates.chosen[which])


def loss_of(found: Moments, candidates: Candidates) -> tuple[Floats, Floats, Ints]:
    """Return the expected value lost by the action taken, its standard error, and the best action's column.

    The best action is chosen by one half of the samples and priced by the other, and the other way round; the
    loss is the mean of the two. Its expectation is at most the true loss, so chance never makes a loss.
    """
    return _best_less(found, candidates, _one_hot(candidates.chosen, candidates.codes.shape[1]))


def cost_of(found: Moments, candidates: Candidates) -> tuple[Floats, Floats]:
    """Return the reference's expected value less that of the action taken, and its standard error.

    Unbiased, since nothing is chosen by the samples: a player who draws actions from the reference's policy
    has mean cost zero, whatever the values.
    """
    factors = candidates.reference - _one_hot(candidates.chosen, candidates.codes.shape[1])
    mean, variance = found.whole.combined(factors[:, None, :])
    return mean[:, 0], np.sqrt(variance[:, 0])


def _best_less(found: Moments, candidates: Candidates, taken: Floats) -> tuple[Floats, Floats, Ints]:
    means = np.where(candidates.present[:, None, :], found.means, -np.inf)
    best = means.argmax(axis=2)
    factors = np.stack(
        [_one_hot(best[:, 1 - half], taken.shape[1]) - taken for half in range(HALVES)], axis=1
    )
    mean, variance = found.combined(factors)
    whole = np.where(candidates.present, found.whole.means[:, 0], -np.inf).argmax(axis=1)
    return mean.mean(axis=1), np.sqrt(variance.sum(axis=1)) / HALVES, whole


def _one_hot(columns: Ints, width: int) -> Floats:
    found: Floats = (columns[:, None] == np.arange(width)).astype(np.float64)
    return found
