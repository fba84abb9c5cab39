"""The four bucketing strategies on all streets: exact values, the right bucket, sequences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.core.errors import NotationError
from holdmem.engine import STREET_NAMES
from holdmem.strength import HandCards, e_hs, e_hs2, hands_on, values
from holdmem.strength.bucketings import STRATEGIES, Bucketing
from holdmem.strength.expected_strength import means
from holdmem.strength.kernels.expected_strength import bucket_of
from holdmem.strength.table_files import STEP
from naive import strength as naive

SEEDS = st.integers(0, 2**32 - 1)
BOARDS = (0, 3, 4, 5)


def deal(seed: int, count: int, board: int) -> HandCards:
    cards = np.random.default_rng(seed).permuted(np.tile(np.arange(52), (count, 1)), axis=1)
    return HandCards(cards[:, :2], cards[:, 2 : 2 + board])


@pytest.mark.parametrize("opponents", [1, 2])
@pytest.mark.parametrize("board", BOARDS)
def test_means_are_those_of_enumeration(board: int, opponents: int) -> None:
    hands = deal(board + opponents, 60, board)
    expected = values(
        hands, [f"hs{opponents}", f"hs{2 * opponents}"], rounding="exact" if board else "tables"
    )
    reach = STEP / 2 if board == 3 else 0
    np.testing.assert_allclose(means(hands, opponents), expected, rtol=0, atol=reach + 1e-12)


@pytest.mark.parametrize("opponents", [3, 9])
def test_means_against_many_are_those_of_enumeration(opponents: int) -> None:
    for board in BOARDS:
        hands = deal(7, 3, board)
        exact = "exact" if board else "tables"
        expected = np.stack(
            [e_hs(hands, opponents, rounding=exact), e_hs2(hands, opponents, rounding=exact)], axis=1
        )
        np.testing.assert_allclose(means(hands, opponents), expected, rtol=0, atol=1e-12)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_turns_are_those_of_the_twin(seed: int, opponents: int) -> None:
    hands = deal(seed, 1, 4)
    hole, board = hands.hole[0].tolist(), hands.board[0, :4].tolist()
    expected = [naive.mean_hs(hole, board, power) for power in (opponents, 2 * opponents)]
    assert means(hands, opponents)[0].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("metric", ["e_hs", "e_hs2"])
def test_hands_are_in_the_bucket_of_their_street(strategy, metric) -> None:
    sorting = Bucketing(strategy, 24, 3, metric)
    assert sorting.on("flop").count == 24
    for street, board in zip(STREET_NAMES, BOARDS, strict=True):
        hands = deal(board, 400, board)
        found, both = sorting(hands), means(hands)
        buckets = sorting.on(street)
        columns = {"e_hs": both[:, 0], "e_hs2": both[:, 1]}
        assert found.tolist() == buckets.sort(*(columns[name] for name in buckets.metrics)).tolist()
        place = STREET_NAMES.index(street)
        assert found.tolist() == [bucket_of(place, row, sorting.cuts) for row in both]


def test_before_the_flop_the_document_s_ends_count() -> None:
    assert Bucketing("LNU", 12, metric="e_hs").on("preflop").edges[0][1] == pytest.approx(0.509801, abs=1e-6)
    assert Bucketing("LNU", 12, metric="e_hs2").on("preflop").edges[0][1] == pytest.approx(
        0.4158312, abs=1e-6
    )
    assert Bucketing("LNU", 12, metric="e_hs2").on("flop").edges[0][1] == pytest.approx(0.4761335, abs=1e-6)
    assert Bucketing("LNU", 12, low=0.3, high=0.5).on("river").edges[0][0] == 0.3


def test_a_sequence_has_a_bucket_for_each_street() -> None:
    sorting = Bucketing("NNU")
    hand = HandCards.read("AhKd", "Kc7s2dQsQh")
    streets = [HandCards.read("AhKd", "Kc7s2dQsQh"[: 2 * cards]) for cards in BOARDS]
    assert sorting.sequence(hand) == tuple(int(sorting(one)[0]) for one in streets)


def test_every_hand_before_the_flop_has_a_bucket() -> None:
    hands, _ = hands_on("preflop")
    found = Bucketing("LU", 24)(hands)
    assert found.min() >= 0
    assert found.max() < 24


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Bucketing("LUX"), "expected bucketing to be LU or LNU or NU or NNU, got 'LUX'"),
        (lambda: Bucketing("LU", metric="ihs"), "expected metric to be e_hs or e_hs2"),
        (lambda: Bucketing("NNU", 24, 5), "24 and 5"),
        (lambda: Bucketing("LU", 0), "0 and 3"),
        (lambda: Bucketing("LNU", low=0.9, high=0.2), "0.9 and 0.2"),
    ],
)
def test_what_is_no_bucketing(build, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        build()
