"""Hand strength: it agrees with its twins and with another evaluator, and keeps the laws it is made of."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.agent import CALL, Actions, play
from holdmem.cards import CLASSES, cards, names
from holdmem.cards.classes import CLASS_OF, COMBOS, HOLDINGS
from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import find_game
from holdmem.strength import HandCards, e_hs, e_hs2, ehs, hs, ihs, potential, values, whole_column
from holdmem.strength.build_tables import all_holdings
from holdmem.strength.hands import kernel_layout
from holdmem.strength.table_files import STEP
from holdmem.strength.tables import ON_BOARD, look_up
from naive import strength as naive

FULL = pytest.mark.skipif(not os.environ.get("HOLDMEM_FULL"), reason="HOLDMEM_FULL=1 runs it")
ROUNDED = 1 / 131070 + 1e-9


def deals(size):
    """Hole cards and a board, `size` cards in all."""
    return st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)


def random_deals(count, size, seed=0):
    return np.random.default_rng(seed).random((count, 52)).argsort(axis=1)[:, :size]


def hands_of(deals):
    rows = np.atleast_2d(deals)
    return HandCards(rows[:, :2], rows[:, 2:])


def both_potentials(hands, to_come=None, rounding="exact"):
    return [value.item() for value in potential(hands, to_come, rounding=rounding)]


# Twins


@settings(max_examples=15, deadline=None)
@given(st.integers(5, 7).flatmap(deals))
def test_ihs_is_the_twins(deal):
    found = ihs(hands_of(deal), rounding="exact").item()
    assert found == pytest.approx(naive.ihs(deal[:2], deal[2:]), abs=1e-15)


@settings(max_examples=4, deadline=None)
@given(deals(6))
def test_the_turn_is_the_twins(deal):
    hands = hands_of(deal)
    assert both_potentials(hands) == pytest.approx(naive.potential(deal[:2], deal[2:], 1), abs=1e-12)
    assert both_potentials(hands, 1) == both_potentials(hands)
    for power in (1, 3):
        expected = naive.mean_hs(deal[:2], deal[2:], power)
        assert e_hs(hands, power, rounding="exact").item() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("text", ["AhKd Kc7s2d", "9h8h Th7h2c", "QsQd 5h6h7h"])
def test_the_flop_is_the_twins(text):
    hole, board = cards(text)[:2], cards(text)[2:]
    hands = HandCards([hole], [board])
    assert both_potentials(hands, 1) == pytest.approx(naive.potential(hole, board, 1), abs=1e-12)
    if text.startswith("9h") or os.environ.get("HOLDMEM_FULL"):
        assert both_potentials(hands) == pytest.approx(naive.potential(hole, board, 2), abs=1e-12)
        found = e_hs2(hands, rounding="exact").item()
        assert found == pytest.approx(naive.mean_hs(hole, board, 2), abs=1e-12)


@pytest.mark.parametrize("board", ["Kc7s2d", "Kh7h2h", "7s7d2s", "Kc7s2d9c", "Kc7c2c9c", "7s7d2s2d"])
def test_all_holdings_at_once_are_the_same_as_one_by_one(board):
    shared = kernel_layout(np.array(cards(board)))
    holdings = kernel_layout(HOLDINGS[~np.isin(HOLDINGS, shared).any(axis=1)])
    table = ON_BOARD[len(shared)]
    found = all_holdings(shared, holdings, table.columns)
    assert set(found) == set(table.columns)
    some = np.random.default_rng(1).choice(len(holdings), 40, replace=False)
    hands = HandCards(holdings[some], np.tile(shared, (40, 1)))
    direct = values(hands, list(found), rounding="exact")
    at_once = np.stack([found[name][some] for name in found], axis=1)
    np.testing.assert_allclose(direct, at_once, atol=1e-12)


# Referees


@pytest.mark.parametrize("text", ["JhTh 9h8s2h", "AcAd AhKhQh"])
def test_another_evaluator_finds_the_same_on_the_flop(text):
    eval7 = pytest.importorskip("eval7")
    hole, board = cards(text)[:2], cards(text)[2:]
    deck = {number: eval7.Card(names([number])) for number in range(52)}
    total = squares = boards = 0
    for more in combinations(naive.left(hole, board), 2):
        full = [deck[number] for number in (*board, *more)]
        own = eval7.evaluate([*full, deck[hole[0]], deck[hole[1]]])
        rivals = [deck[number] for number in naive.left(hole, board, more)]
        others = [eval7.evaluate([*full, one, other]) for one, other in combinations(rivals, 2)]
        share = (sum(own > other for other in others) + others.count(own) / 2) / len(others)
        total, squares, boards = total + share, squares + share**2, boards + 1
    hands = HandCards([hole], [board])
    assert e_hs(hands, rounding="exact").item() == pytest.approx(total / boards, abs=1e-12)
    assert e_hs2(hands, rounding="exact").item() == pytest.approx(squares / boards, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "equity"),
    [
        ("AA", 0.852),
        ("KK", 0.824),
        ("AKs", 0.670),
        ("AKo", 0.653),
        ("22", 0.503),
        ("72o", 0.346),
        ("32o", 0.323),
    ],
)
def test_published_equities_against_a_random_hand(name, equity):
    assert whole_column("preflop", "hs1")[CLASSES.index(name)] == pytest.approx(equity, abs=5e-4)


CASES = {  # casper, Appendix D: opponents, hand strength, positive and negative potential on the flop
    "A7o": (1, 0.692414431, 0.070175439, 0.143754175),
    "AKo": (3, 0.400018667, 0.080843585, 0.128395062),
    "AJo": (4, 0.117203166, 0.093249102, 0.150092227),
    "55": (4, 0.444177014, 0.046011755, 0.115127479),
}


@pytest.mark.parametrize(("name", "case"), CASES.items())
def test_casper_s_sample_cases_exist_with_one_card_to_come(name, case):
    """The appendix gives hole cards but no board: on one of them all nine digits must come true."""
    flops = flops_of(name)
    opponents, *published = case
    found = values(flops, ("ihs", "ppot1", "npot1"))
    close = np.abs(found - [published[0] ** (1 / opponents), *published[1:]]).max(axis=1) < 2 * ROUNDED
    assert close.any()
    exact = values(
        HandCards(flops.hole[close], flops.board[close, :3]), ("ihs", "ppot1", "npot1"), rounding="exact"
    )
    exact[:, 0] **= opponents
    assert np.abs(exact - published).max(axis=1).min() < 1e-9
    two_cards = values(flops, ("ihs", "ppot", "npot"))
    two_cards[:, 0] **= opponents
    assert np.abs(two_cards - published).max(axis=1).min() > 1e-3


def flops_of(name):
    """One holding of a class on every flop."""
    hole = HOLDINGS[CLASS_OF[HOLDINGS[:, 0], HOLDINGS[:, 1]] == CLASSES.index(name)][0].tolist()
    boards = list(combinations(naive.left(hole), 3))
    return HandCards([hole] * len(boards), boards)


def test_casper_s_sample_hand_goes_on_to_the_turn_and_river():
    hole, flop = cards("As7h"), cards("9sKdKc")
    turns = [[*flop, turn] for turn in naive.left(hole, flop)]
    found = values(HandCards([hole] * len(turns), turns), ("ihs", "ppot", "npot"), rounding="exact")
    same = np.abs(found - [0.576328502, 0.109697315, 0.171569001]).max(axis=1) < 1e-9
    assert same.any()
    rivers = [[*turn, river] for turn in np.array(turns)[same].tolist() for river in naive.left(hole, turn)]
    assert np.abs(hs(HandCards([hole] * len(rivers), rivers)) - 0.584343434).min() < 1e-9


# Laws


@settings(max_examples=20, deadline=None)
@given(st.integers(5, 7).flatmap(deals), st.permutations(range(4)))
def test_permuted_suits_change_nothing(deal, suits):
    renamed = [4 * (card // 4) + suits[card % 4] for card in deal]
    for function in (ihs, ehs, e_hs, e_hs2):
        one, other = (function(hands_of(each), rounding="exact").item() for each in (deal, renamed))
        assert one == pytest.approx(other, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(deals(5))
def test_e_hs_of_the_flop_is_the_mean_over_turns(deal):
    turns = [[*deal, turn] for turn in naive.left(deal)]
    for function in (e_hs, e_hs2):
        mean = function(hands_of(turns), rounding="exact").mean()
        assert function(hands_of(deal), rounding="exact").item() == pytest.approx(mean, abs=1e-12)


def test_e_hs_before_the_flop_is_the_mean_over_flops():
    for name in ("AKs", "72o", "55"):
        number = CLASSES.index(name)
        for power, function in ((1, e_hs), (2, e_hs2)):
            mean = function(flops_of(name)).mean()
            assert whole_column("preflop", f"hs{power}")[number] == pytest.approx(mean, abs=1e-6)


def test_everyone_together_wins_half():
    assert whole_column("preflop", "hs1") @ COMBOS / COMBOS.sum() == pytest.approx(0.5, abs=1e-12)
    board = kernel_layout(np.array(cards("Kc7s2s")))
    holdings = kernel_layout(HOLDINGS[~np.isin(HOLDINGS, board).any(axis=1)])
    found = all_holdings(board, holdings, ("hs1", "ppot"))
    assert found["ihs"].mean() == pytest.approx(0.5, abs=1e-12)
    assert found["hs1"].mean() == pytest.approx(0.5, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.integers(5, 7).flatmap(deals), st.integers(1, 9))
def test_powers_and_potentials(deal, opponents):
    hands = hands_of(deal)
    now, ppot, npot = ihs(hands, rounding="exact"), *potential(hands, rounding="exact")
    assert ihs(hands, opponents, rounding="exact") == pytest.approx(now**opponents)
    mean, square = e_hs(hands, rounding="exact"), e_hs2(hands, rounding="exact")
    assert mean**2 <= square + 1e-12
    assert square <= mean + 1e-12
    assert e_hs(hands, 2, rounding="exact") == pytest.approx(square)
    assert mean == pytest.approx(now * (1 - npot) + (1 - now) * ppot, abs=1e-12) or len(deal) < 7
    expected = now**opponents + (1 - now**opponents) * ppot
    assert ehs(hands, opponents, rounding="exact") == pytest.approx(expected)
    if len(deal) == 7:
        assert (ppot.item(), npot.item()) == (0, 0)
        assert hs(hands) == mean == now
        assert square == pytest.approx(now**2)


def test_the_nuts_have_nothing_to_gain_and_are_never_behind():
    hands = HandCards.read("AsKs", "QsJsTs")
    assert ihs(hands).item() == e_hs(hands).item() == e_hs2(hands).item() == 1
    assert both_potentials(hands) == [0, 0]


# Batches, views, input


def test_streets_may_be_mixed_and_opponents_differ():
    rows = random_deals(30, 7)
    sizes = np.resize([3, 4, 5], 30)
    board = np.where(np.arange(5) < sizes[:, None], rows[:, 2:], -1).astype(np.int8)

    class Mixed:
        pass

    mixed = Mixed()
    mixed.hole, mixed.board = rows[:, :2].astype(np.int8), board
    opponents = np.resize([1, 2, 4, 1], 30)
    for function in (ihs, ehs, e_hs, e_hs2):
        together = function(mixed, opponents, rounding="exact")
        for i in range(30):
            alone = hands_of(rows[i, : 2 + sizes[i]])
            assert together[i] == function(alone, int(opponents[i]), rounding="exact").item()


def test_views_are_hands():
    seen = []

    class Noting:
        def act(self, views):
            seen.append((views.hole.copy(), views.board.copy(), e_hs(views)))
            return Actions(np.full(len(views), CALL))

    game, where = find_game("limit"), hand_ids(16)
    deck = Streams.of(0, "cards").decks(where, game.deck_cards)
    play(game, [Noting(), Noting()], deck, where=where)
    sizes = set()
    for holes, boards, found in seen:
        for hole, board, value in zip(holes.tolist(), boards.tolist(), found, strict=True):
            dealt = [one for one in board if one >= 0]
            sizes.add(len(dealt))
            assert value == e_hs(hands_of([*hole, *dealt])).item()
    assert sizes == {0, 3, 4, 5}


def test_no_hands_have_no_strength():
    none = HandCards(np.empty((0, 2), int), np.empty((0, 3), int))
    for function in (ihs, ehs, e_hs, e_hs2):
        assert function(none).shape == (0,)


def test_tables_and_direct_computation_agree():
    flops = hands_of(random_deals(200, 5))
    columns = ("hs1", "hs2", "ihs", "ppot", "npot", "ppot1", "npot1")
    assert look_up(kernel_layout(flops.hole), kernel_layout(flops.board[:, :3]), columns) is not None
    assert np.abs(values(flops, columns) - values(flops, columns, rounding="exact")).max() < ROUNDED


@FULL
def test_before_the_flop_the_table_is_exact():
    hands = HandCards.read("AhKd")
    for opponents in (1, 2, 9):
        for function in (e_hs, e_hs2):
            exact = function(hands, opponents, rounding="exact")
            assert function(hands, opponents) == pytest.approx(exact, abs=1e-11)


@pytest.mark.parametrize(
    ("hole", "board", "said"),
    [
        (5, None, "two hole cards per board"),
        ([0, 1], None, "two hole cards per board"),
        ([[0, 1]], [[2, 3]], r"0, 3, 4 or 5 cards as rows, got shape \(1, 2\)"),
        ([[0, 1]], [[2, 3, 1]], "each card once"),
        ([[0, 1]], [[2, 3, 52]], "from 0 to 51, got 52"),
        ([[0, 1, 2]], [[3, 4, 5]], "two hole cards per board"),
        ([[0, 1]], [[2, 3, 4], [5, 6, 7]], "two hole cards per board"),
        ([[0.0, 1.0]], [[2, 3, 4]], "rows of ints, got float64"),
    ],
)
def test_what_are_no_hands(hole, board, said):
    with pytest.raises(NotationError, match=said):
        HandCards(hole, board)


def test_what_has_no_value():
    before, flop = HandCards.read("AhKd"), HandCards.read("AhKd", "Kc7s2d")
    for function in (ihs, ehs, potential):
        with pytest.raises(NotationError, match="boards of 3 to 5 cards"):
            function(before)
    with pytest.raises(NotationError, match="boards of 5 cards, got one of 3"):
        hs(flop)
    with pytest.raises(NotationError, match="1 or 2 cards to come, got 3"):
        potential(flop, 3)
    for opponents in (0, -1, 1.5, [1, 2]):
        with pytest.raises(NotationError, match="opponent"):
            e_hs(flop, opponents)


def test_kernels_run_uncompiled():
    script = (
        "import numpy as np; from holdmem.strength import *\n"
        "from holdmem.strength.kernels.enumerate_board import *\n"
        "river, turn = HandCards.read('AhKd', 'Kc7s2s9s3h'), HandCards.read('AhKd', 'Kc7s2s9s')\n"
        "print(hs(river), potential(turn, rounding='exact'))\n"
        "board, found = np.array([0, 1, 2, 3], np.uint8), np.empty((45, 2))\n"
        "few = np.array([(low, high) for high in range(4, 14) for low in range(4, high)], np.uint8)\n"
        "moments_on_board(board, 0, few, found)\n"
        "print(found[:3], sets_now(board, few)[0][:3], ones(np.uint64(7)))\n"
    )
    uncompiled = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    ).stdout
    compiled = StringIO()
    with redirect_stdout(compiled):
        exec(script, {})
    assert uncompiled == compiled.getvalue() != ""


# The command


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_the_command_shows_every_street():
    shown = run("strength", "AhKd", "--board", "Kc7s2d9h3h", "--opponents", "3", "--json")
    found = json.loads(shown.stdout)
    assert [street["street"] for street in found["streets"]] == ["preflop", "flop", "turn", "river"]
    assert found["streets"][1]["ihs"] == ihs(HandCards.read("AhKd", "Kc7s2d"), rounding="exact").item()
    assert found["streets"][3]["ppot"] == 0
    text = run("strength", "AhKd", "--board", "Kc7s2d").output
    for word in ("AKo", "pair", "IHS", "0.9685", "PPOT", "NPOT", "EHS", "E[HS]", "0.8965", "E[HS²]"):
        assert word in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["AhKx"], "expected a card"),
        (["AhKdQc"], "two hole cards"),
        (["AhKd", "--board", "Kd7s2d"], "Kd twice"),
        (["AhKd", "--board", "Kc7s"], "board of 0, 3, 4 or 5"),
    ],
)
def test_the_command_refuses_what_are_no_cards(arguments, said):
    with pytest.raises(NotationError, match=said):
        CliRunner().invoke(app, ["strength", *arguments], catch_exceptions=False)


def test_an_unknown_rounding_is_refused():
    with pytest.raises(NotationError, match="tables or exact or shipped or steps, got 'up'"):
        e_hs(HandCards.read("AhKd", "Kc7s2d"), rounding="up")


@pytest.mark.parametrize("board", ["", "Kc7s2d", "Kc7s2dQs", "Kc7s2dQsQh"])
def test_roundings_differ_by_half_a_step_at_most(board):
    hands = HandCards.read("AhKd", board)
    exact = e_hs(hands, rounding="exact" if board else "tables")
    for rounding in ("tables", "shipped", "steps"):
        assert abs(e_hs(hands, rounding=rounding) - exact).item() <= STEP / 2 + 1e-12
    whole = values(hands, ("hs1",), rounding="steps") / STEP
    assert whole == pytest.approx(np.rint(whole), abs=1e-9)
