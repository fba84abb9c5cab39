"""Means and intervals: against numpy and scipy, and whether 95% intervals hold the truth 95% of the time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from holdmem import match
from holdmem.arena import Estimate, difference, estimate, plan
from holdmem.arena.design import Design
from holdmem.arena.units import WorkUnit, play_unit
from holdmem.core.errors import GameError, NotationError
from holdmem.core.statistics import FEWEST_MATCHES, odds, share
from holdmem.engine import PARTS, find_game
from strangers import called

SIMULATED = 1000
COVERED = (0.93, 0.97)
SAMPLES = st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=30)


def of(samples: list[int], scale: float = 1.0, fewest: int = 2) -> Estimate:
    """The estimate from the samples themselves."""
    total, squares = sum(samples), sum(x * x for x in samples)
    return estimate(len(samples), total, squares, scale, "sb/h", fewest)


def share_that_cover(found: list[Estimate], truth: float) -> float:
    """How many of the intervals hold the true mean."""
    return float(np.mean([one.low <= truth <= one.high for one in found]))


@given(SAMPLES)
def test_mean_error_and_interval_are_those_of_the_textbook(samples: list[int]) -> None:
    found = of(samples)
    assert found.mean == pytest.approx(np.mean(samples), rel=1e-9, abs=1e-3)
    error = np.std(np.array(samples, dtype=float), ddof=1) / math.sqrt(len(samples))
    assert found.standard_error == pytest.approx(error, rel=1e-6, abs=1e-3)
    reach = stats.t.ppf(0.975, len(samples) - 1) * found.standard_error
    assert (found.low, found.high) == pytest.approx((found.mean - reach, found.mean + reach))


def test_the_other_side_has_its_interval_in_order() -> None:
    one, other = of([1, 2, 4, 8, 16, 32, 64]), of([-1, -2, -4, -8, -16, -32, -64])
    turned = one.scaled(-1.0, one.unit)
    assert (turned.mean, turned.standard_error) == pytest.approx((other.mean, other.standard_error))
    assert (turned.low, turned.high) == pytest.approx((other.low, other.high))


@given(SAMPLES, st.floats(1e-6, 1e6))
def test_a_scale_scales_everything(samples: list[int], scale: float) -> None:
    one, other = of(samples, scale), of(samples).scaled(scale, "sb/h")
    assert (one.mean, one.standard_error) == pytest.approx((other.mean, other.standard_error))
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_equal_samples_have_no_error_at_all() -> None:
    assert of([2**70 + 1] * 1000).standard_error == 0


@pytest.mark.parametrize("count", range(1, 7))
def test_no_interval_below_the_fewest(count: int) -> None:
    found = of(list(range(count)), fewest=FEWEST_MATCHES)
    assert (found.low is None) == (count < 5) == (found.significant is None)


@given(st.floats(0.001, 10), st.floats(0.6, 100), st.integers(100, 10**6))
def test_that_many_more_hands_make_it_significant(mean: float, ratio: float, hands: int) -> None:
    """With n times the hands the error shrinks by the root of n; just enough is asked for."""
    error = mean * ratio
    found = Estimate(mean, error, mean - 1.96 * error, mean + 1.96 * error, "sb/h", hands)
    more = found.more_hands(hands)
    assert more is not None
    assert 1.96 * error * math.sqrt(hands / (hands + more)) <= mean * (1 + 1e-9)
    if more > 1:
        assert 1.96 * error * math.sqrt(hands / (hands + more - 2)) > mean * (1 - 1e-9)


def test_what_is_significant_or_nothing_asks_for_no_hands() -> None:
    assert Estimate(1.0, 0.1, 0.8, 1.2, "sb/h", 10).more_hands(10) is None
    assert Estimate(0.0, 0.1, -0.2, 0.2, "sb/h", 10).more_hands(10) is None
    assert Estimate(0.5, None, None, None, "sb/h", 3).more_hands(10) is None


@given(SAMPLES, SAMPLES)
def test_a_difference_is_welchs(one: list[int], other: list[int]) -> None:
    found = difference(of(one), of(other))
    assert found.mean == pytest.approx(of(one).mean - of(other).mean)
    if found.standard_error and min(len(set(one)), len(set(other))) > 1:
        sides = [(of(x).mean, np.std(np.array(x, dtype=float), ddof=1), len(x)) for x in (one, other)]
        p = stats.ttest_ind_from_stats(*sides[0], *sides[1], equal_var=False).pvalue
        if abs(p - 0.05) > 1e-4:
            assert found.significant == (p < 0.05)


def test_means_in_different_units_have_no_difference() -> None:
    with pytest.raises(NotationError, match="bb/h"):
        difference(of([1, 2]), of([1, 2]).scaled(1.0, "bb/h"))


@pytest.mark.parametrize("shape", ["normal", "skewed", "pots"])
def test_intervals_cover_a_known_mean(shape: str) -> None:
    """1,000 matches of 400 samples; pots are mostly small and sometimes huge, as in no-limit."""
    rng = np.random.default_rng(7)
    size = (SIMULATED, 400)
    drawn, truth = {
        "normal": (rng.normal(30, 1000, size), 30.0),
        "skewed": (rng.exponential(1000, size), 1000.0),
        "pots": (rng.choice([-1, 1], size) * rng.geometric(0.02, size) * 100 + 25, 25.0),
    }[shape]
    found = [of(row.tolist()) for row in np.rint(drawn).astype(int)]
    assert COVERED[0] <= share_that_cover(found, truth) <= COVERED[1]


def test_intervals_over_deck_pairs_cover_the_truth() -> None:
    """Random against random wins nothing in truth: 1,000 matches of 60 decks each way."""
    decks = 60
    one = plan(Design(find_game("limit"), ("random", "random"), hands=decks, matches=SIMULATED, seed=3))
    found = []
    for number in range(SIMULATED):
        result = play_unit(WorkUnit(one, number * decks, (number + 1) * decks))
        found.append(estimate(decks, *result["moments"]["money"][0], 1 / PARTS, "chips"))
    assert COVERED[0] <= share_that_cover(found, 0.0) <= COVERED[1]


def test_intervals_over_matches_of_learners_cover_the_truth() -> None:
    """6,000 matches of an agent that plays at random but might learn, by Student's t over six at a time."""
    result = match(find_game("limit"), called("Oblivious"), "random", hands=5, matches=6 * SIMULATED, seed=11)
    nets = [entry["net"]["money"][0] for _, entry in sorted(result.totals.items())]
    found = [of(nets[start : start + 6], fewest=FEWEST_MATCHES) for start in range(0, len(nets), 6)]
    assert len(found) == SIMULATED
    assert COVERED[0] <= share_that_cover(found, 0.0) <= COVERED[1]


@pytest.mark.parametrize(("matches", "interval"), [(1, False), (4, False), (5, True)])
@pytest.mark.parametrize("learner", ["Oblivious", "Counter"])
def test_where_anybody_learns_samples_are_matches(learner: str, matches: int, interval: bool) -> None:
    result = match(find_game("limit"), "random", called(learner), hands=4, matches=matches)
    for found in result.estimates():
        assert found.samples == matches
        assert (found.low is not None) == (found.standard_error is not None) == interval


def test_units_of_a_rate() -> None:
    limit = match(find_game("limit"), "random", "always-call", hands=50)
    assert [one.unit for one in limit.estimates()] == ["sb/h"] * 2
    (small, _), (big, _), (thousandths, _) = (limit.estimates(unit=u) for u in ("sb/h", "bb/h", "mbb/h"))
    assert (big.mean, big.low) == pytest.approx((small.mean, small.low))  # a small bet is a big blind here
    assert (thousandths.mean, thousandths.high) == pytest.approx((1000 * big.mean, 1000 * big.high))
    deep = match(find_game("nolimit"), "random", "always-call", hands=50)
    assert deep.estimates()[0].unit == "bb/h"
    with pytest.raises(GameError, match="small bet"):
        deep.estimates(unit="sb/h")
    with pytest.raises(GameError, match="sb/h, bb/h, mbb/h"):
        deep.estimates(unit="chips")


@given(st.integers(0, 500), st.integers(0, 500))
def test_shares_have_the_score_interval(made: int, missed: int) -> None:
    found, ratio = share(made, made + missed), odds(made, missed)
    if not made + missed:
        assert (found.value, found.low, found.high, ratio.value) == (None, None, None, None)
        return
    expected = stats.binomtest(made, made + missed).proportion_ci(method="wilson")
    assert found.value == made / (made + missed)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-4)
    assert ratio.value == (made / missed if missed else None)
    assert (ratio.high is None) == (not missed)
    if ratio.high is not None and found.high is not None:
        assert ratio.high / (1 + ratio.high) == pytest.approx(found.high)
