"""The evaluator against counts known for centuries, against its naive twin, and on input it must refuse."""

import os
import subprocess
import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdmem.cards import cards, category, evaluate, evaluate_board
from holdmem.cards.evaluator_tables import CATEGORIES, HAND_SIZES, RANK_KEYS, TABLES, build, rank_counts
from holdmem.core.errors import NotationError
from naive.evaluator import rank_of, rank_of_five

FIVE_CARD_COUNTS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}


def shuffled(size: int, count: int, seed: int) -> NDArray[np.int64]:
    """Random hands of `size` cards."""
    deck = np.tile(np.arange(52), (count, 1))
    return np.random.default_rng(seed).permuted(deck, axis=1)[:, :size]


def telling(size: int, count: int, seed: int) -> NDArray[np.int64]:
    """Random hands from short decks, of few ranks or few suits, in which the rare categories are common."""
    rng = np.random.default_rng(seed)
    few_ranks = rng.permuted(np.tile(np.arange(13), (count, 1)), axis=1)[:, :4, None] * 4 + np.arange(4)
    one_suit = np.arange(13) * 4 + rng.integers(4, size=(count, 1))
    low_cards = np.concatenate(
        [np.tile(np.arange(16), (count, 1)), np.tile(np.arange(48, 52), (count, 1))], axis=1
    )
    decks = (few_ranks.reshape(count, 16), one_suit, low_cards)
    return np.concatenate([rng.permuted(deck, axis=1)[:, :size] for deck in decks])


def test_all_five_card_hands_fall_into_the_known_numbers_of_each_category() -> None:
    hands = np.fromiter(combinations(range(52), 5), dtype=np.dtype((np.uint8, 5)), count=2_598_960)
    by_strength = np.bincount(evaluate(hands), minlength=7463)
    assert by_strength[0] == 0
    assert (by_strength[1:] > 0).all()
    counts = dict.fromkeys(CATEGORIES, 0)
    for strength, number in enumerate(by_strength[1:].tolist(), start=1):
        counts[category(strength)] += number
    assert counts == FIVE_CARD_COUNTS


@pytest.mark.parametrize("size", HAND_SIZES)
def test_order_and_ties_are_those_of_the_naive_twin(size: int) -> None:
    hands = np.concatenate([shuffled(size, 1500, seed=size), telling(size, 300, seed=size)])
    strengths, rankings = evaluate(hands).tolist(), [rank_of(hand) for hand in hands.tolist()]
    by_strength = sorted(zip(strengths, rankings, strict=True))
    for (weaker, worse), (stronger, better) in pairwise(by_strength):
        assert (weaker < stronger, weaker == stronger) == (worse < better, worse == better)
    assert [CATEGORIES.index(category(strength)) for strength in strengths] == [r[0] for r in rankings]


@given(st.data(), st.sampled_from(HAND_SIZES))
@settings(max_examples=300, deadline=None)
def test_any_two_hands_compare_as_the_naive_twin_compares_them(data: st.DataObject, size: int) -> None:
    hand = st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
    one, other = data.draw(hand), data.draw(hand)
    first, second = evaluate([one, other]).tolist()
    assert np.sign(first - second) == (rank_of(one) > rank_of(other)) - (rank_of(one) < rank_of(other))


@given(st.data(), st.sampled_from(HAND_SIZES), st.permutations(range(4)))
def test_permuting_suits_or_cards_changes_nothing(data: st.DataObject, size: int, suits: list[int]) -> None:
    hand = data.draw(st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True))
    recoloured = [card // 4 * 4 + suits[card % 4] for card in hand]
    strengths = evaluate([hand, recoloured, data.draw(st.permutations(hand))])
    assert len(set(strengths.tolist())) == 1


@pytest.mark.parametrize("size", [6, 7])
def test_the_best_five_of_more_cards_decide(size: int) -> None:
    hands = np.concatenate([shuffled(size, 500, seed=1), telling(size, 100, seed=1)])
    fives = [evaluate(hands[:, chosen]) for chosen in map(list, combinations(range(size), 5))]
    assert (evaluate(hands) == np.max(fives, axis=0)).all()


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_holdings_on_a_board_have_the_strength_of_all_their_cards(size: int, seed: int) -> None:
    board = telling(size, 1, seed)[seed % 3]
    rest = [card for card in range(52) if card not in board]
    holdings = np.array(list(combinations(rest, 2)))
    together = np.concatenate([np.tile(board, (len(holdings), 1)), holdings], axis=1)
    assert (evaluate_board(board, holdings) == evaluate(together)).all()


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 1000])
def test_a_batch_of_any_size_is_evaluated_hand_by_hand(count: int) -> None:
    hands = shuffled(7, count, seed=3)
    assert evaluate(hands).tolist() == [evaluate(hand[None]).item() for hand in hands]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("AsKsQsJsTs 2c2d", "straight flush"),
        ("5h4h3h2hAh KsKd", "straight flush"),
        ("9c9d9h9s2c 3d4h", "four of a kind"),
        ("9c9d9h2s2c 2d4h", "full house"),
        ("2c4c6c8cTc AsAd", "flush"),
        ("Ac2d3h4s5c KdKh", "straight"),
        ("QcKdAh2s3c 5d8h", "high card"),
    ],
)
def test_strengths_have_the_names_that_people_use(text: str, name: str) -> None:
    hand = cards(text)
    assert category(evaluate([hand]).item()) == name
    assert CATEGORIES[rank_of(hand)[0]] == name


def test_strengths_run_from_seven_high_to_the_royal_flush() -> None:
    assert evaluate([cards("7c5d4h3s2c"), cards("AsKsQsJsTs")]).tolist() == [1, 7462]
    assert rank_of_five(cards("7c5d4h3s2c")) == (0, 5, 3, 2, 1, 0)


# The tables


def test_the_shipped_tables_are_what_their_recipe_makes_now() -> None:
    made = build()
    with np.load(TABLES) as shipped:
        assert set(shipped) == set(made)
        for name, table in made.items():
            assert shipped[name].dtype == table.dtype
            assert np.array_equal(shipped[name], table), name


def test_the_tables_are_small() -> None:
    with np.load(TABLES) as shipped:
        assert sum(table.nbytes for table in shipped.values()) < 500_000
    assert TABLES.stat().st_size < 500_000


@pytest.mark.parametrize("size", HAND_SIZES)
def test_sums_of_rank_keys_tell_all_hands_apart(size: int) -> None:
    sums = np.array(rank_counts(size)) @ np.array(RANK_KEYS)
    assert len(np.unique(sums)) == len(sums)


UNCOMPILED = """
from holdmem.cards import evaluate, evaluate_board
from test_evaluator import telling
for size in (5, 6, 7):
    print(evaluate(telling(size, 15, seed=9)).tolist())
for board, *_ in (telling(size, 1, seed=9) for size in (3, 4, 5)):
    print(evaluate_board(board, [(c, c + 1) for c in range(51) if not {c, c + 1} & set(board)]).tolist())
"""


def test_uncompiled_kernels_give_the_same_strengths(capsys: pytest.CaptureFixture[str]) -> None:
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    exec(UNCOMPILED, {})
    assert plain.stderr == ""
    assert plain.stdout == capsys.readouterr().out


# What it refuses


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ([0, 1, 2, 3, 4], r"hands of 5, 6 or 7 cards as rows of ints, got int64 of shape \(5,\)"),
        ([[0, 1, 2, 3]], r"got int64 of shape \(1, 4\)"),
        ([list(range(8))], r"got int64 of shape \(1, 8\)"),
        ([[[0, 1, 2, 3, 4]]], r"got int64 of shape \(1, 1, 5\)"),
        (
            [[0, 1, 2, 3, 4], [0, 1, 2]],
            r"expected rows of the same length, got \[\[0, 1, 2, 3, 4\], \[0, 1, 2\]\]",
        ),
        ([[0.0, 1.0, 2.0, 3.0, 4.0]], "got float64"),
        ([[True, False, True, False, True]], "got bool"),
        ([["As", "Ks", "Qs", "Js", "Ts"]], "as rows of ints, got <U2"),
        ([[0, 1, 2, 3, None]], "got object"),
        ([[0, 1, 2, 3, 52]], "expected cards from 0 to 51, got 52"),
        ([[0, 1, 2, 3, -1]], "expected cards from 0 to 51, got -1"),
        ([[0, 1, 2, 3, 256]], "expected cards from 0 to 51, got 256"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]], "expected each card once, got 2c2d2h2s2c in row 1"),
    ],
)
def test_hands_that_are_none_are_refused(hands: object, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        evaluate(hands)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "holdings", "message"),
    [
        ([0, 1], [[2, 3]], "a board of 3, 4 or 5 cards"),
        (range(6), [[7, 8]], "a board of 3, 4 or 5 cards"),
        ([[0, 1, 2], [3, 4, 5]], [[6, 7]], "expected one board, got 2"),
        ([0, 1, 1], [[2, 3]], "each card once"),
        ([0, 1, 2], [3, 4], "holdings of 2 cards"),
        ([0, 1, 2], [[3, 4, 5]], "holdings of 2 cards"),
        ([0, 1, 2], [[3, 3]], "each card once"),
        ([0, 1, 2], [[3, 52]], "cards from 0 to 51, got 52"),
        ([0, 1, 2], [[3, 4], [2, 5]], "holding 2h3d contains a card of the board 2c2d2h"),
    ],
)
def test_boards_and_holdings_that_cannot_meet_are_refused(
    board: object, holdings: object, message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        evaluate_board(board, holdings)  # type: ignore[arg-type]


@pytest.mark.parametrize("strength", [0, -1, 7463])
def test_a_strength_that_no_hand_has_is_no_category(strength: int) -> None:
    with pytest.raises(NotationError, match=f"expected a strength from 1 to 7462, got {strength}"):
        category(strength)
