"""All-in equities: the same as dealing every board, the same whoever counts, published where published."""

import json
import os
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.cards import HOLDINGS, Range, cards
from holdmem.cli import app
from holdmem.core.errors import NotationError, TooManyDeals
from holdmem.strength import hand_equities, preflop_equity, range_equities, range_equity, sampled_equities
from holdmem.strength.kernels.equity import equities as counted
from naive import equity as naive

full = pytest.mark.skipif(not os.environ.get("HOLDMEM_FULL"), reason="slow; set HOLDMEM_FULL=1")

# The two example ranges of Friedrich and Schwind (2011), §4.1.2, as written there.
TIGHT = "88+, A9s+, KTs+, QTs+, AJo+, KQo"
LOOSE = "77+, A7s+, K9s+, QTs+, JTs, ATo+, KTo+, QJo"


@st.composite
def situations(draw, streets=(3, 4, 5), most=5):
    """Hands of two to `most` players, a board, and up to two dead cards."""
    players, board, dead = draw(st.integers(2, most)), draw(st.sampled_from(streets)), draw(st.integers(0, 2))
    deck = draw(st.permutations(range(52)))
    hands = [deck[2 * i : 2 * i + 2] for i in range(players)]
    rest = deck[2 * players :]
    return hands, rest[:board], rest[board : board + dead]


@st.composite
def small_ranges(draw, players):
    """Dicts from a few holdings to weights, for each player."""
    weights = st.sampled_from([0.25, 0.5, 1.0])
    holdings = st.sampled_from([tuple(holding) for holding in HOLDINGS[:300].tolist()])
    return [draw(st.dictionaries(holdings, weights, min_size=2, max_size=5)) for _ in range(players)]


def as_range(weights):
    return Range.parse(", ".join(f"{Range.parse('0%') | one(h)}:{w}" for h, w in weights.items()))


def one(holding):
    weights = np.zeros(len(HOLDINGS))
    weights[(np.sort(holding) == HOLDINGS).all(axis=1)] = 1
    return Range(weights)


def matchup(first, second):
    return range_equities([Range.parse(first), Range.parse(second)])


@settings(deadline=None, max_examples=25)
@given(situations())
def test_known_hands_agree_with_the_twin(situation):
    hands, board, dead = situation
    found = hand_equities([hands], [board], dead)
    equity, wins, ties, boards = naive.equities(hands, board, dead)
    assert found.boards == boards
    np.testing.assert_allclose(found.equity[0], np.array(equity, float), atol=1e-12)
    np.testing.assert_allclose(found.wins[0], np.array(wins, float), atol=1e-12)
    np.testing.assert_allclose(found.ties[0], np.array(ties, float), atol=1e-12)


@settings(deadline=None, max_examples=25)
@given(situations(most=10), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_suits_and_seats_do_not_matter(situation, suits, random):
    hands, board, dead = situation
    renamed = [[4 * (card // 4) + suits[card % 4] for card in part] for part in [*hands, board, dead]]
    seats = random.sample(range(len(hands)), len(hands))
    found = hand_equities([hands], [board], dead)
    other = hand_equities([[renamed[seat] for seat in seats]], [renamed[-2]], renamed[-1])
    np.testing.assert_array_equal(found.equity[0][seats], other.equity[0])
    np.testing.assert_array_equal(found.wins[0][seats], other.wins[0])


@settings(deadline=None, max_examples=25)
@given(situations(most=10))
def test_the_pot_is_won(situation):
    hands, board, dead = situation
    found = hand_equities([hands], [board], dead)
    assert found.equity.sum() == pytest.approx(1, abs=1e-12)
    assert (found.wins <= found.equity + 1e-12).all()
    assert (found.equity <= found.wins + found.ties / 2 + 1e-12).all()


@pytest.mark.parametrize("dealt", [0, 3, 4, 5])
def test_a_batch_is_its_rows(dealt):
    rng = np.random.default_rng(7)
    rows = np.array([rng.permutation(52)[: 4 + dealt] for _ in range(40)])
    hands, boards = rows[:, :4].reshape(-1, 2, 2), rows[:, 4:]
    batch = hand_equities(hands, boards)
    for i in range(len(rows)):
        np.testing.assert_array_equal(
            batch.equity[i], hand_equities(hands[i : i + 1], boards[i : i + 1]).equity[0]
        )


def test_an_empty_batch():
    assert hand_equities(np.zeros((0, 2, 2), int), np.zeros((0, 3), int)).equity.shape == (0, 2)


def check_table(pairs):
    """The table before the flop against counting the boards of each pair."""
    wins, ties, shares = (np.zeros((len(pairs), 2), np.int64) for _ in range(3))
    hands = np.ascontiguousarray(pairs, dtype=np.uint8).reshape(-1, 2, 2)
    nothing = np.zeros(0, np.uint8)
    counted(hands, np.zeros((len(pairs), 0), np.uint8), nothing, wins, ties, shares)
    np.testing.assert_array_equal(preflop_equity.pair_wins(pairs), wins)
    assert (wins.sum(axis=1) + ties[:, 0] == preflop_equity.BOARDS_OF_PAIR).all()


def test_the_table_is_what_counting_gives():
    rng = np.random.default_rng(1)
    check_table(np.array([rng.permutation(52)[:4] for _ in range(25)], np.int8))
    check_table(np.array([cards("AsAhAcAd"), cards("AsKsAhKh"), cards("7s6s6h5h")], np.int8))


@full
def test_the_table_is_what_counting_gives_for_two_thousand_classes():
    classes = np.random.default_rng(2).choice(preflop_equity.PAIRS.size, 2000, replace=False)
    check_table(preflop_equity.PAIRS.cards(classes))


@full
def test_the_table_can_be_built_anew():
    np.testing.assert_array_equal(preflop_equity.build(), preflop_equity.wins_by_class())


def test_the_table_serves_every_pair_of_holdings():
    wins, pairs = preflop_equity.wins_of_holdings(), preflop_equity.compatible()
    assert pairs.sum() == 1326 * 1225
    assert ((wins + wins.T <= preflop_equity.BOARDS_OF_PAIR) & (wins[~pairs].sum() == 0)).all()
    i, j = 1000, 17
    np.testing.assert_array_equal(
        preflop_equity.pair_wins(np.array([[*HOLDINGS[i], *HOLDINGS[j]]], np.int8))[0],
        [wins[i, j], wins[j, i]],
    )


# AA against KK by shared suits and on average: kevingong.com/Math/KKPreflop.html; others are widely known.
@pytest.mark.parametrize(
    ("first", "second", "published", "digits"),
    [
        ("AA", "KK", 0.81946, 5),
        ("AsAh", "KsKh", 0.826, 3),
        ("AsAh", "KsKd", 0.819, 3),
        ("AsAh", "KcKd", 0.813, 3),
        ("AA", "72o", 0.88, 2),
        ("AKs", "QQ", 0.46, 2),
        ("AKo", "QQ", 0.43, 2),
        ("AKo", "22", 0.47, 2),
        ("AA", "random", 0.852, 3),
        ("random", "random", 0.5, 12),
    ],
)
def test_published_equities(first, second, published, digits):
    assert matchup(first, second).equity[0] == pytest.approx(published, abs=0.51 * 10**-digits)


@pytest.mark.parametrize(("dealt", "players"), [(3, 2), (3, 3), (4, 2), (4, 4)])
def test_a_second_evaluator_agrees(dealt, players):
    eval7 = pytest.importorskip("eval7")
    rng = np.random.default_rng(dealt)
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    for _ in range(3):
        row = rng.permutation(52)
        hands, board = row[: 2 * players].reshape(-1, 2), row[2 * players : 2 * players + dealt]
        equity, boards = np.zeros(players), 0
        for drawn in combinations(row[2 * players + dealt :], 5 - dealt):
            shared = [deck[card] for card in [*board, *drawn]]
            values = np.array([eval7.evaluate([deck[card] for card in hand] + shared) for hand in hands])
            winners = values == values.max()
            equity, boards = equity + winners / winners.sum(), boards + 1
        np.testing.assert_allclose(hand_equities([hands], [board]).equity[0], equity / boards, atol=1e-12)


@full
def test_a_second_evaluator_agrees_before_the_flop():
    eval7 = pytest.importorskip("eval7")
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    first, second = ([deck[card] for card in cards(hand)] for hand in ("AsAh", "KsKd"))
    rest = [card for card in deck if card not in first + second]
    wins = np.zeros(2, int)
    for drawn in combinations(rest, 5):
        ours, theirs = eval7.evaluate([*first, *drawn]), eval7.evaluate([*second, *drawn])
        wins += ours > theirs, theirs > ours
    pair = np.array([cards("AsAhKsKd")], np.int8)
    np.testing.assert_array_equal(preflop_equity.pair_wins(pair)[0], wins)


def test_the_example_ranges_of_friedrich_and_schwind():
    """The paper gives 55%, whether equity or wins alone it does not say."""
    found = matchup(TIGHT, LOOSE)
    assert len(Range.parse(TIGHT)) == 130
    assert len(Range.parse(LOOSE)) == 200
    assert found.equity[0] == pytest.approx(0.5499, abs=5e-5)
    assert found.wins[0] == pytest.approx(0.5260, abs=5e-5)


def test_the_example_ranges_of_friedrich_and_schwind_with_one_class_less():
    """0.548 and 0.524 are the figures of the second range with QTs alone in place of QTs+."""
    found = matchup(TIGHT, LOOSE.replace("QTs+", "QTs"))
    assert found.equity[0] == pytest.approx(0.548, abs=5e-4)
    assert found.wins[0] == pytest.approx(0.524, abs=5e-4)


@settings(deadline=None, max_examples=20)
@given(small_ranges(2), st.sampled_from(["KsQd7h", "KsKdKh2s", "AsKs7s2s3d"]), st.sampled_from(["", "Jc"]))
def test_two_ranges_on_a_board_agree_with_the_twin(ranges, board, dead):
    check_ranges(ranges, cards(board), cards(dead))


@settings(deadline=None, max_examples=20)
@given(st.integers(3, 4).flatmap(small_ranges), st.sampled_from(["KsKdKh2s", "AsKs7s2s3d"]))
def test_more_ranges_on_a_board_agree_with_the_twin(ranges, board):
    check_ranges(ranges, cards(board), [])


def check_ranges(ranges, board, dead):
    if len(board) == 3:
        ranges = [dict(list(each.items())[:2]) for each in ranges]  # 990 boards a deal: few deals
    try:
        equity, wins = naive.range_equities(ranges, board, dead)
    except ZeroDivisionError:
        with pytest.raises(NotationError):
            range_equities([as_range(each) for each in ranges], board, dead)
        return
    found = range_equities([as_range(each) for each in ranges], board, dead)
    np.testing.assert_allclose(found.equity, np.array(equity, float), atol=1e-12)
    np.testing.assert_allclose(found.wins, np.array(wins, float), atol=1e-12)


def mean_over_deals(ranges):
    """Equities of ranges of equal weights before the flop, from those of all compatible deals."""
    deals = [deal for deal in product(*ranges) if len({*sum(deal, ())}) == 2 * len(ranges)]
    return hand_equities(deals).equity.mean(axis=0)


@pytest.mark.parametrize("texts", [("AJs, 77", "J7s, AJo, 33"), ("A5s", "A5s"), ("random", "7h2c")])
def test_two_ranges_before_the_flop_are_the_mean_over_deals(texts):
    ranges = [Range.parse(text) for text in texts]
    np.testing.assert_allclose(range_equities(ranges).equity, mean_over_deals(ranges), atol=1e-12)


@pytest.mark.parametrize("texts", [("AKs", "QcQd", "7h7d"), ("AhKh, AsKs, 8h8s", "QQ", "AcAs")])
def test_three_ranges_before_the_flop_are_the_mean_over_deals(texts):
    ranges = [Range.parse(text) for text in texts]
    np.testing.assert_allclose(range_equities(ranges).equity, mean_over_deals(ranges), atol=1e-12)


@full
def test_symmetric_ranges_before_the_flop_are_the_mean_over_deals():
    ranges = [Range.parse(text) for text in ("AKs", "QQ", "QJo")]
    np.testing.assert_allclose(range_equities(ranges).equity, mean_over_deals(ranges), atol=1e-12)


def test_dead_cards_change_two_ranges_before_the_flop():
    """Counted over boards, which the table cannot do; without dead cards the two ways must meet."""
    ranges = [Range.parse("AA, AKs"), Range.parse("KK")]
    question = range_equity._Question.of(ranges, [], [])
    counted_all = question.summary(question.count())
    np.testing.assert_allclose(counted_all.equity, range_equities(ranges).equity, atol=1e-12)
    without_kings = range_equities(ranges, dead=cards("KsKh"))
    assert without_kings.equity[0] > range_equities(ranges).equity[0]


def test_samples_repeat_and_come_near():
    ranges = [Range.parse(text) for text in (TIGHT, "random", "AhKd")]
    board = cards("Kc7s2d5h")
    exact = range_equities(ranges, board)
    found = sampled_equities(ranges, 40_000, seed=3, board=board)
    assert (abs(found.equity - exact.equity) < 5 * found.error).all()
    assert (abs(found.wins - exact.wins) < 5 * found.error).all()
    assert (found.error > 0).all()
    assert found.error.max() < 0.003
    np.testing.assert_array_equal(found.equity, sampled_equities(ranges, 40_000, seed=3, board=board).equity)
    assert (found.equity != sampled_equities(ranges, 40_000, seed=4, board=board).equity).any()


@pytest.mark.parametrize("seed", range(3))
def test_samples_of_many_ranges_are_fair(seed):
    found = sampled_equities([Range.parse("15%")] * 6, 20_000, seed)
    assert (abs(found.equity - 1 / 6) < 5 * found.error).all()


@pytest.mark.parametrize(
    ("texts", "board", "dead", "message"),
    [
        (["AhKd", "AhQc"], "", "", "Ah twice"),
        (["AhKd", "QsQc"], "Ah7s2d", "", "Ah twice"),
        (["AhKd", "QsQc"], "Kc7s2d", "7s", "7s twice"),
        (["AhKd", "AA"], "AsAc2d", "", "contains a card in use"),
        (["AhAd", "AsAc", "AA"], "", "", "contains a card in use"),
        (["AA", "AA", "AA"], "", "", "no deal gives every player a holding"),
        (["AA"], "", "", "2 to 10"),
        (["AA"] * 11, "", "", "2 to 10"),
        (["AA", "KK"], "2c2d", "", "0, 3, 4 or 5"),
    ],
)
def test_impossible_questions(texts, board, dead, message):
    with pytest.raises(NotationError, match=message):
        range_equities([Range.parse(text) for text in texts], cards(board), cards(dead))


def test_ranges_that_always_clash_cannot_be_sampled():
    with pytest.raises(NotationError, match="no deal gives every player a holding"):
        sampled_equities([Range.parse("AA")] * 3, 10)


def test_too_many_deals_offer_samples():
    with pytest.raises(TooManyDeals, match="--samples"):
        range_equities([Range.parse("random")] * 3)


@pytest.mark.parametrize(
    ("hands", "boards", "message"),
    [
        ([[[0, 1]]], None, "shape"),
        ([[[0, 1], [2, 3]]], [[4, 5]], "shape"),
        ([[[0, 1], [1, 3]]], None, "each card once"),
        ([[[0, 1], [2, 52]]], None, "0 to 51"),
        ([[[0, 1], [2, 3]]], [[4, 5, 3]], "each card once"),
    ],
)
def test_unreadable_situations(hands, boards, message):
    with pytest.raises(NotationError, match=message):
        hand_equities(hands, boards)


def test_a_deck_that_is_used_up():
    with pytest.raises(NotationError, match="left in the deck"):
        hand_equities([[[0, 1], [2, 3]]], None, dead=range(4, 48))


def asked(*arguments):
    return CliRunner().invoke(app, ["equity", *arguments])


def test_the_command_prints_json():
    answer = json.loads(asked("AhKd", "QQ, 77", "--board", "Kc7s2d", "--dead", "2h", "--json").stdout)
    assert list(answer) == ["exact", "samples", "boards", "players", "board", "dead"]
    assert answer["exact"] is True
    assert (answer["board"], answer["dead"], answer["boards"]) == ("Kc7s2d", "2h", 946)
    first, second = answer["players"]
    assert (first["hand"], first["combinations"], second["combinations"]) == ("AhKd", 1, 9)
    assert first["equity"] + second["equity"] == pytest.approx(1)
    assert set(first) == {"hand", "combinations", "equity", "wins", "ties", "standard_error"}


def test_the_command_prints_a_table():
    assert "82.637%" in asked("AsAh", "KsKh").stdout
    sampled = asked("AA", "random", "random", "--samples", "1000", "--seed", "5").stdout
    assert "seed 5" in sampled
    assert "standard error" in sampled


def test_the_command_refuses():
    assert isinstance(asked("AhKd", "AhQc").exception, NotationError)
    assert isinstance(asked("AhKd").exception, NotationError)
    assert isinstance(asked("AhKd", "ZZ").exception, NotationError)
