"""The index of hands up to suits: onto, the same under permuted suits, different for different classes."""

import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.cards.isomorphism import Isomorphism
from holdmem.cards.notation import cards as read
from holdmem.core.errors import NotationError
from naive import isomorphism as naive

SIZES = {(2,): 169, (2, 3): 1_286_792, (2, 4): 13_960_050, (2, 5): 123_156_254, (2, 3, 1): 55_190_538}
OTHERS = [(1,), (5,), (1, 1), (2, 2), (2, 2, 3), (4, 4), (8,), (9,), (2, 3, 1, 1), (1, 1, 1, 1, 1), (4, 5)]
HIGH, LOW = read("AsAh"), read("2c2d")


def hands(rounds):
    return st.lists(st.integers(0, 51), min_size=sum(rounds), max_size=sum(rounds), unique=True)


@st.composite
def twins(draw):
    """Rounds, a hand, and the same hand with other suits and another order inside the rounds."""
    rounds = draw(st.sampled_from([*SIZES, *OTHERS]))
    hand = draw(hands(rounds))
    renamed = naive.permuted(hand, rounds, draw(st.permutations(range(4))))
    return rounds, hand, [card for cards in renamed for card in draw(st.permutations(cards))]


def index(rounds, hand):
    return int(Isomorphism(rounds).index([hand])[0])


def deals(deck, rounds):
    """All hands of a deck, with the cards of each round rising."""
    if not rounds:
        yield ()
        return
    for cards in combinations(deck, rounds[0]):
        for later in deals([card for card in deck if card not in cards], rounds[1:]):
            yield cards + later


@pytest.mark.parametrize(("rounds", "size"), SIZES.items())
def test_published_sizes(rounds, size):
    assert Isomorphism(rounds).size == size


@pytest.mark.parametrize("rounds", [*SIZES, *OTHERS])
def test_size_is_the_number_of_orbits(rounds):
    assert Isomorphism(rounds).size == naive.classes(rounds)


@pytest.mark.parametrize("rounds", [(2,), (2, 3)])
def test_every_class_has_a_hand_of_its_own(rounds):
    classes = np.arange(Isomorphism(rounds).size)
    assert np.array_equal(Isomorphism(rounds).index(Isomorphism(rounds).cards(classes)), classes)


@pytest.mark.parametrize("rounds", [*SIZES, *OTHERS])
def test_classes_have_hands_of_their_own(rounds):
    form = Isomorphism(rounds)
    some = np.random.default_rng(0).integers(0, form.size, 50_000)
    ends = np.clip(np.arange(1000), 0, form.size - 1)
    classes = np.concatenate([some, ends, form.size - 1 - ends])
    assert np.array_equal(form.index(form.cards(classes)), classes)


@given(twins())
def test_suits_and_order_inside_a_round_do_not_matter(drawn):
    rounds, hand, twin = drawn
    assert index(rounds, hand) == index(rounds, twin)


@given(twins(), st.integers(0, 8), st.integers(0, 51))
def test_one_index_means_one_naive_form(drawn, place, card):
    rounds, hand, other = drawn
    if card not in other:
        other[place % len(other)] = card
    same = naive.canonical(hand, rounds) == naive.canonical(other, rounds)
    assert (index(rounds, hand) == index(rounds, other)) == same


@pytest.mark.parametrize(
    ("ranks", "rounds"), [(13, (2,)), (3, (2, 2)), (3, (2, 3)), (2, (2, 3, 1)), (2, (2, 5)), (2, (4, 4))]
)
def test_all_hands_of_a_small_deck(ranks, rounds):
    dealt = list(deals(range(52 - 4 * ranks, 52), rounds))
    found = Isomorphism(rounds).index(dealt).tolist()
    forms = [naive.canonical(hand, rounds) for hand in dealt]
    assert len(set(found)) == len(set(forms)) == len(set(zip(found, forms, strict=True)))


def test_a_sample_has_as_many_classes_as_naive_forms():
    deals = np.random.default_rng(1).random((5000, 52)).argsort(axis=1)[:, :5]
    forms = {naive.canonical(hand, (2, 3)) for hand in deals.tolist()}
    assert len(np.unique(Isomorphism((2, 3)).index(deals))) == len(forms)


@given(twins())
def test_the_canonical_hand_is_a_twin(drawn):
    rounds, hand, twin = drawn
    canonical = Isomorphism(rounds).canonical([hand, twin]).tolist()
    assert canonical[0] == canonical[1]
    assert naive.canonical(canonical[0], rounds) == naive.canonical(hand, rounds)


def test_rounds_are_in_order():
    flop_and_turn, board = Isomorphism((2, 3, 1)), Isomorphism((2, 4))
    hand, later = read("AsAh Kd7c2s 9s"), read("AsAh 9s7c2s Kd")
    assert flop_and_turn.index([hand]) != flop_and_turn.index([later])
    assert board.index([hand]) == board.index([later])


def test_any_integers_and_layouts():
    form = Isomorphism((2, 3))
    rows = form.cards(np.arange(0, form.size, 9999))
    expected = form.index(rows)
    for dtype in (np.int16, np.int64, np.uint8, np.uint64):
        assert np.array_equal(form.index(rows.astype(dtype)), expected)
    frozen = np.asfortranarray(rows)
    frozen.flags.writeable = False
    assert np.array_equal(form.index(frozen), expected)
    assert np.array_equal(form.cards(expected[::-1].astype(np.uint32)), rows[::-1])


def test_no_hands_have_no_classes():
    assert Isomorphism((2,)).index(np.empty((0, 2), np.int8)).shape == (0,)
    assert Isomorphism((2, 3)).cards([]).shape == (0, 5)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([0, 1], r"rows of 2 cards, got shape \(2,\)"),
        ([[0, 1, 2]], r"rows of 2 cards, got shape \(1, 3\)"),
        ([[0, 1], [2]], "rows of equal length, got"),
        ([[0, 52]], "from 0 to 51, got 52"),
        ([[-1, 5]], "from 0 to 51, got -1"),
        ([[0, 256]], "from 0 to 51, got 0 to 256"),
        (np.array([[0, 2**64 - 1]], np.uint64), "from 0 to 51, got 0 to 18446744073709551615"),
        ([HIGH, LOW, [7, 7]], "each card once, got 3s twice"),
        ([[0.0, 1.0]], "as integers, got float64"),
        ([["As", "Ah"]], "as integers, got <U2"),
        ([[True, False]], "as integers, got bool"),
        ([[None, 1]], "as integers, got object"),
        (None, "as integers, got object"),
    ],
)
def test_what_is_no_hand(wrong, said):
    with pytest.raises(NotationError, match=said):
        Isomorphism((2,)).index(wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([0, 169], "from 0 to 168, got 169"),
        ([-1], "from 0 to 168, got -1"),
        ([2**63], "got 9223372036854775808"),
        ([0.5], "as integers, got float64"),
        ([[0]], r"in one row, got shape \(1, 1\)"),
        (0, r"in one row, got shape \(\)"),
    ],
)
def test_what_is_no_class(wrong, said):
    with pytest.raises(NotationError, match=said):
        Isomorphism((2,)).cards(wrong)


@pytest.mark.parametrize(
    "rounds", [(), (0,), (2, 0), (2, -1), (10,), (2, 3, 5), (2.0, 3), (True,), [2, 3], 2]
)
def test_what_are_no_rounds(rounds):
    with pytest.raises(NotationError, match="expected rounds such as"):
        Isomorphism(rounds)


def test_kernels_run_uncompiled():
    script = (
        "import numpy as np; from holdmem.cards.isomorphism import Isomorphism\n"
        "for rounds in ((2,), (2, 3), (2, 5), (2, 3, 1), (8,), (4, 4)):\n"
        "    form = Isomorphism(rounds)\n"
        "    classes = np.linspace(0, form.size - 1, 50).astype(np.int64)\n"
        "    hands = form.cards(classes)\n"
        "    assert np.array_equal(form.index(hands), classes)\n"
        "    print(rounds, hands.tolist())\n"
    )
    output = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for disabled in "01"
    ]
    assert output[0].count("\n") == 6
    assert output[0] == output[1]
