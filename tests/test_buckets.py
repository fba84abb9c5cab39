"""Buckets: thresholds as published, every hand in one bucket, counts that add up to all hands."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.core.errors import NotationError, TableError
from holdmem.strength import (
    METRICS,
    HandCards,
    LinearBuckets,
    NestedBuckets,
    e_hs,
    e_hs2,
    hands_on,
    hands_per_bucket,
)
from holdmem.strength import buckets as module
from holdmem.strength.tables import TABLES

FLOPS, HOLDINGS = 25_989_600, 1326
METRIC = st.sampled_from(sorted(METRICS))


def naive_bucket(thresholds, value):
    """Values in [0, f(0)] are in bucket 0, in (f(0), f(1)] in bucket 1, and so on; the last has the rest."""
    for bucket, end in enumerate(thresholds[:-1]):
        if value <= end:
            return bucket
    return len(thresholds) - 1


@pytest.mark.parametrize(
    ("buckets", "low", "high", "published"),
    [  # tables 5.1 to 5.4: the first thresholds, one in the middle, the last
        (12, 0.35, 0.88, {0: 0.35, 1: 0.509801, 5: 0.7073259, 11: 0.88}),
        (12, 0.25, 0.8, {0: 0.25, 1: 0.4158312, 5: 0.6208099, 11: 0.8}),
        (12, 0.25, 1, {0: 0.25, 1: 0.4761335, 5: 0.7556499, 11: 1}),
        (24, 0.35, 0.88, {0: 0.35, 1: 0.4605126, 11: 0.716529, 23: 0.88}),
        (24, 0.25, 1, {0: 0.25, 1: 0.4063858, 11: 0.7686731, 23: 1}),
    ],
)
def test_published_thresholds_of_equation_4_27(buckets, low, high, published):
    ends = LinearBuckets.non_uniform("e_hs", buckets, low, high).thresholds
    assert len(ends) == buckets
    for bucket, end in published.items():
        assert ends[bucket] == pytest.approx(end, abs=1e-6)


def test_the_document_s_uniform_example():
    eight = LinearBuckets.uniform("e_hs", 8)
    assert eight.sort([0.48]).tolist() == [3]  # the fourth
    assert eight.sort([0, 0.125, 0.1250001, 1]).tolist() == [0, 0, 1, 7]


@given(METRIC, st.lists(st.floats(0, 1), min_size=1), st.integers(1, 30), st.floats(0, 1), st.floats(0, 1))
def test_every_value_is_in_the_bucket_of_its_interval(metric, values, buckets, one, other):
    low, high = sorted([one, other])
    for split in (
        LinearBuckets.uniform(metric, buckets),
        LinearBuckets.non_uniform(metric, buckets, low, high),
    ):
        assert split.count == len(split.thresholds) == buckets
        apart = [v for v in values if all(abs(v - end) > 1e-11 for end in split.thresholds)]
        assert split.sort(apart).tolist() == [naive_bucket(split.thresholds, value) for value in apart]


@given(st.floats(0, 1), st.floats(0, 1))
def test_nested_buckets_are_rows_and_columns(hs2, hs):
    nested = NestedBuckets.by_hs2_and_hs(8, 3)
    assert nested.count == 24
    outer, inner = divmod(nested.sort([hs2], [hs]).item(), 3)
    assert outer == nested.outer.sort([hs2]).item()
    assert inner == nested.inner.sort([hs]).item()


def test_buckets_are_values():
    one, same = (NestedBuckets.by_hs2_and_hs(6, 2, (0.25, 1), (0.25, 1)) for _ in range(2))
    assert one == same == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(same)
    assert one != NestedBuckets.by_hs2_and_hs(6, 2)


def test_hands_are_sorted_by_their_values():
    deals = np.random.default_rng(0).random((500, 52)).argsort(axis=1)
    for size in (2, 5, 7):
        hands = HandCards(deals[:, :2], deals[:, 2:size])
        nested = NestedBuckets.by_hs2_and_hs(6, 2)
        assert np.array_equal(nested(hands), nested.sort(e_hs2(hands), e_hs(hands)))
        assert np.array_equal(
            LinearBuckets.uniform("e_hs", 9)(hands, 3), LinearBuckets.uniform("e_hs", 9).sort(e_hs(hands, 3))
        )


@pytest.mark.parametrize("metric", ["e_hs", "e_hs2"])
def test_preflop_counts_are_those_of_a_loop(metric):
    hands, counts = hands_on("preflop")
    assert counts.sum() == HOLDINGS
    split = LinearBuckets.uniform(metric, 24)
    expected = np.zeros(24, int)
    for value, count in zip(METRICS[metric](hands), counts, strict=True):
        expected[naive_bucket(split.thresholds, value)] += count
    assert hands_per_bucket(split, "preflop").tolist() == expected.tolist()


def test_flop_counts_are_all_hands_and_near_the_published_ones():
    """Table 5.3, LU-HS: sampled, and for a tenth of the hands (2,598,960); ours are exact."""
    published = [1, 13907, 240605, 399431, 408125, 367112, 327456, 318807, 228396, 164727, 100161, 30232]
    ours = hands_per_bucket(LinearBuckets.uniform("e_hs", 12), "flop")
    assert ours.sum() == FLOPS
    assert np.abs(ours / FLOPS - np.array(published) / sum(published)).max() < 0.025


def test_rounding_does_not_move_hands_over_a_threshold(monkeypatch):
    hands, counts = hands_on("flop")
    some = np.random.default_rng(0).choice(len(counts), 300, replace=False)
    few = HandCards(hands.hole[some], hands.board[some, :3])
    monkeypatch.setattr(module, "hands_on", lambda street: (few, counts[some]))
    exact = e_hs(few, rounding="exact")
    ends = np.sort(exact)[[50, 100, 150, 200, 250]]  # on the values themselves
    split = LinearBuckets("e_hs", (*ends.tolist(), 1.0))
    expected = np.bincount(split.sort(exact), counts[some], 6)
    assert hands_per_bucket(split, "flop").tolist() == expected.tolist()


@pytest.mark.parametrize(("street", "hands"), [("preflop", HOLDINGS), ("flop", FLOPS)])
def test_percentiles_divide_the_hands_evenly(street, hands):
    found = hands_per_bucket(LinearBuckets.percentile("e_hs2", 8, street), street)
    assert found.sum() == hands
    assert np.abs(found - hands / 8).max() <= (12 if street == "preflop" else hands / 1000)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: LinearBuckets.uniform("e_hs3", 5), "unknown metric 'e_hs3'; did you mean e_hs"),
        (lambda: LinearBuckets.uniform("e_hs", 0), "at least one bucket, got 0"),
        (lambda: LinearBuckets.non_uniform("e_hs", 5, 0.8, 0.2), "0 <= low <= high <= 1, got 0.8 and 0.2"),
        (lambda: LinearBuckets("e_hs", (0.5, 0.4)), "ascending numbers"),
        (lambda: LinearBuckets("e_hs", ()), "ascending numbers"),
        (
            lambda: LinearBuckets.percentile("e_hs", 5, "river"),
            "expected the street preflop or flop or turn, got 'river'",
        ),
        (lambda: hands_per_bucket(LinearBuckets.uniform("ihs", 5), "preflop"), "boards of 3 to 5 cards"),
    ],
)
def test_what_are_no_buckets(build, said):
    with pytest.raises(NotationError, match=said):
        build()


def test_a_street_without_its_table_has_no_counts(monkeypatch):
    monkeypatch.setattr(module, "columns_of", lambda table: None if table == TABLES["turn"] else {})
    with pytest.raises(TableError, match="the table turn is not built"):
        hands_per_bucket(LinearBuckets.uniform("e_hs", 5), "turn")
