"""What rule players look at: turns by pairs of ranks against enumeration, every street against the twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.cfr.card_abstraction import strengths_of
from holdmem.strength import HandCards, e_hs, e_hs2, outlook, values
from holdmem.strength.hands import kernel_layout
from holdmem.strength.table_files import STEP
from holdmem.strength.turn import turn_values
from naive import strength as naive

SEEDS = st.integers(0, 2**32 - 1)


def random_hands(rng: np.random.Generator, count: int, board: int) -> HandCards:
    cards = rng.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, : 2 + board]
    return HandCards(cards[:, :2], cards[:, 2:])


def suited_turns(rng: np.random.Generator, count: int) -> HandCards:
    """Turns with two, three or four cards of one suit on the board, and often some in the hand."""
    rows = []
    for _ in range(count):
        suit, held = rng.integers(4), rng.integers(0, 3)
        of_suit, others = rng.permutation(13) * 4 + suit, rng.permutation(52)
        others = others[others % 4 != suit]
        on_board = rng.integers(2, 5)
        board = [*of_suit[:on_board], *others[: 4 - on_board]]
        hole = [*of_suit[on_board : on_board + held], *others[10 : 12 - held]]
        rows.append([*hole, *board])
    cards = np.array(rows)
    return HandCards(cards[:, :2], cards[:, 2:])


def exactly(hands: HandCards) -> np.ndarray:
    return values(hands, ("ihs", "ppot", "hs1"), rounding="exact")


def by_ranks(hands: HandCards) -> np.ndarray:
    return turn_values(hands.hole.astype(np.uint8), np.ascontiguousarray(hands.board[:, :4]).astype(np.uint8))


@pytest.mark.parametrize(
    "deal", [lambda rng: random_hands(rng, 3000, 4), lambda rng: suited_turns(rng, 3000)]
)
def test_turns_are_those_of_enumeration(deal) -> None:
    hands = deal(np.random.default_rng(6))
    np.testing.assert_allclose(by_ranks(hands), exactly(hands), rtol=0, atol=1e-12)


@settings(max_examples=8)
@given(SEEDS)
def test_turns_are_those_of_the_twin(seed: int) -> None:
    hands = suited_turns(np.random.default_rng(seed), 1)
    hole, board = hands.hole[0].tolist(), hands.board[0, :4].tolist()
    ihs, ppot, e_hs = by_ranks(hands)[0].tolist()
    assert ihs == pytest.approx(naive.ihs(hole, board), abs=1e-12)
    assert ppot == pytest.approx(naive.potential(hole, board, 1)[0], abs=1e-12)
    assert e_hs == pytest.approx(naive.mean_hs(hole, board, 1), abs=1e-12)


@pytest.mark.parametrize("board", [3, 4, 5])
def test_the_outlook_on_a_board_is_that_of_the_twin(board: int) -> None:
    hands = random_hands(np.random.default_rng(board), 4, board)
    seen = outlook(hands)
    reach = STEP if board == 3 else 1e-12
    for i in range(len(hands)):
        hole, cards = hands.hole[i].tolist(), hands.board[i, :board].tolist()
        assert seen.ihs[i] == pytest.approx(naive.ihs(hole, cards), abs=reach)
        expected = naive.potential(hole, cards, 1)[0] if board < 5 else 0
        assert seen.ppot[i] == pytest.approx(expected, abs=reach)


@settings(max_examples=20)
@given(SEEDS)
def test_streets_may_be_mixed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [random_hands(rng, 3, board) for board in (0, 3, 4, 5)]
    order = rng.permutation(12)
    mixed = HandCards.__new__(HandCards)
    object.__setattr__(mixed, "hole", np.vstack([part.hole for part in parts])[order])
    object.__setattr__(mixed, "board", np.vstack([part.board for part in parts])[order])
    apart = np.hstack([np.stack(outlook(part)) for part in parts])[:, order]
    np.testing.assert_array_equal(np.stack(outlook(mixed)), apart)


@pytest.mark.parametrize("board", [0, 3, 4, 5])
def test_every_path_to_the_mean_strength_leads_to_the_same(board: int) -> None:
    hands = random_hands(np.random.default_rng(board), 6, board)
    mean, square = (values(hands, (name,), rounding="shipped")[:, 0] for name in ("hs1", "hs2"))
    np.testing.assert_array_equal(outlook(hands).e_hs, mean)
    np.testing.assert_allclose(e_hs(hands, rounding="shipped"), mean, rtol=0, atol=1e-12)
    np.testing.assert_allclose(e_hs2(hands, rounding="shipped"), square, rtol=0, atol=1e-12)
    if board:
        steps, _ = strengths_of(kernel_layout(hands.hole), kernel_layout(hands.board[:, :board]))
        assert np.abs(steps - mean / STEP).max() <= 0.5 + 1e-6


def test_before_the_flop_there_is_only_the_mean_to_the_river() -> None:
    seen = outlook(HandCards.read("AsAh"))
    assert (seen.ihs[0], seen.ppot[0]) == (0, 0)
    assert seen.e_hs[0] == pytest.approx(0.852, abs=5e-4)


def test_few_hands_are_looked_at_one_by_one_and_it_makes_no_difference() -> None:
    rng = np.random.default_rng(3)
    for size in (0, 3, 4, 5):
        cards = np.array([rng.permutation(52)[: 2 + size] for _ in range(60)])
        together, *apart = (
            np.stack(outlook(HandCards(rows[:, :2], rows[:, 2:] if size else None)))
            for rows in (cards, *cards[:, None])
        )
        np.testing.assert_array_equal(together, np.hstack(apart))
