"""plicas: its units one by one, against hand-computed examples and slow twins, and all of them together."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import find_game, make_agent
from holdmem.agent import Views, name_of, play
from holdmem.cards import CLASSES, cards, hole
from holdmem.cards.classes import class_index
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD
from holdmem.opponents import Profiles
from holdmem.players.plicas import UNITS, Plicas, best_range, gain, starting_classes
from holdmem.players.plicas.kernels.aggression import bluff_probability, shift_of
from holdmem.players.plicas.kernels.cases import PATTERNS, by_the_cases, pattern_at
from holdmem.players.plicas.kernels.range_control import STEALING, choose_range, gain_of, nearest_range
from holdmem.players.plicas.kernels.starting_hands import PLAYED
from holdmem.players.plicas.range_control import WEIGHINGS, range_tables
from holdmem.players.rule_based.style_rules import top_shares
from holdmem.strength import EQUITY_RANKING, HandCards, hs, outlook, playable_curves
from naive import plicas as naive
from replay import replay
from situations import SEEDS, looks, moment, plain_games, seated, shuffled

LIMIT = find_game("limit")
HEADS_UP_LIMIT = plain_games(seats=st.just(2)).filter(lambda game: game.limit)
SHARES, EQUITY = range_tables()


def evening(seat, opponent: str, hands: int, game=LIMIT):
    """Let a seat play and watch so many hands at its first table."""
    other = make_agent(opponent).sit(game, 1, Streams.of(4))
    for number in range(hands):
        where = hand_ids(1, first_hand=number)
        decks = Streams.of(5, "cards").decks(where, game.deck_cards)
        lineup = [[0, 1]] if number % 2 else [[1, 0]]
        play(game, [seat, other], decks, lineup=lineup, where=where)
    return seat


def told(own: str, actions=(), board: str = "") -> Views:
    """The view of who is to act after these actions, holding these cards."""
    mine, flop = hole(own), cards(board)
    rest = [card for card in range(52) if card not in (*mine, *flop)]
    seat = int(replay(LIMIT, [rest[:9]], [list(actions)]).hands["to_act"][0])
    deck = rest[:4]
    deck[2 * seat : 2 * seat + 2] = mine
    return looks(replay(LIMIT, [[*deck, *[*flop, *rest[4:]][:5]]], [list(actions)]))


# The opponent model


@given(HEADS_UP_LIMIT, SEEDS)
def test_the_profile_is_that_of_the_twin(game, seed: int) -> None:
    finished, own = _random_hands(game, seed)
    profiles = Profiles(game, 1)
    profiles.watch(finished.seen_by(own))
    hands = finished.batch.hands
    # Short stacks post what they have.
    blinds = [np.minimum(blind, finished.batch.stacks[0, seat]) for seat, blind in enumerate(game.blinds)]
    rows = [
        (finished.history[i], int(hands["actions"][i]), hands["paid"][i, :2].tolist())
        for i in range(len(hands))
    ]
    expected = naive.profile(rows, own, blinds)
    found = profiles.rows[0]
    assert {name: int(found[name]) for name in found.dtype.names} == {
        name: int(expected[name]) for name in found.dtype.names
    }


def _random_hands(game, seed: int, tables: int = 6):
    """Hands between two random players, all at one table; and which of the two seats is ours."""
    players = [make_agent("random").sit(game, 1, Streams.of(seed, player)) for player in range(2)]
    decks = shuffled(game, np.random.default_rng(seed), tables)
    finished = play(game, players, decks, where=hand_ids(tables), tables=np.zeros(tables, np.int64))
    return finished, seed % 2


def test_a_profile_in_numbers() -> None:
    profiles = Profiles(LIMIT, 1)
    stranger = profiles[0]
    assert (stranger.hands, stranger.range, stranger.aggression) == (0, 0.7, 0.5)
    players = [
        make_agent(name).sit(LIMIT, 1, Streams.of(1, name)) for name in ("always-call", "always-raise")
    ]
    decks = Streams.of(2, "cards").decks(hand_ids(50), LIMIT.deck_cards)
    seen = play(LIMIT, players, decks, where=hand_ids(50), tables=np.zeros(50, np.int64)).seen_by(0)
    profiles.watch(seen)
    found = profiles[0]
    assert (found.hands, found.raises, found.calls, found.folds) == (50, 1, 0, 0)
    assert found.range == pytest.approx((50 + 14) / 70)
    assert found.aggression == pytest.approx((200 + 10) / 220)
    assert found.average_pot == pytest.approx(2 * (20 + 10 + 20 + 20) / 5)  # one bet a street


# Range control


def test_the_document_s_example() -> None:
    """r_p 0.5 against r_o 0.6: 10% more folds of one small blind each, 0.1 small blinds a hand."""
    assert gain_of(0.5, 0.5, 0.6, 8.0, True) == pytest.approx(-0.1)
    assert naive.gain(0.5, 0.5, 0.6, 8.0) == pytest.approx(-0.1)


def test_f_by_hand() -> None:
    """The text's equity of 0.55 for 10% against 15%, at a pot of ten: (0.55 - 0.45) · 5 - 0.05 = 0.45."""
    assert gain_of(0.55, 0.1, 0.15, 10.0, True) == pytest.approx(0.45)
    assert gain_of(0.55, 0.1, 0.15, 10.0, False) == pytest.approx(0.1 * 0.5 - 0.05)
    assert gain_of(0.4, 0.9, 0.7, 10.0, True) == pytest.approx(-0.2 * 5 + 0.2)
    stolen = 0.5 * 0.4 * (0.5 * 1 + 0.5 * 2)  # the opponent folds 0.4, in each blind half of the time
    assert gain_of(0.5, 0.5, 0.6, 8.0, STEALING) == pytest.approx(-0.1 + stolen)
    assert gain(1.0, 1.0, 17.0) == pytest.approx(0)


@given(st.integers(0, 168), st.integers(0, 168), st.floats(0, 60))
def test_f_is_that_of_the_twin(own: int, other: int, pot: float) -> None:
    expected = naive.gain(EQUITY[own, other], SHARES[own], SHARES[other], pot)
    assert gain(SHARES[own], SHARES[other], pot) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 168), st.floats(0, 60), st.booleans())
def test_algorithm_1_finds_the_greatest(other: int, pot: float, printed: bool) -> None:
    chosen = choose_range(SHARES, EQUITY, other, pot, printed)
    column = [gain_of(EQUITY[i, other], SHARES[i], SHARES[other], pot, printed) for i in range(169)]
    assert column[chosen] == max(column)
    assert column[chosen] >= -1e-12  # the opponent's own range has 0: some range always dominates


@given(st.floats(0, 1))
def test_the_nearest_range(share: float) -> None:
    found = nearest_range(SHARES, share)
    assert abs(SHARES[found] - share) == pytest.approx(np.abs(SHARES - share).min())


def test_f_as_printed_plays_aces_alone() -> None:
    """The pot of one hand is set against the folds of all hands: from some small pot on, nothing but aces."""
    for other in range(169):
        for pot in range(3, 41):
            assert choose_range(SHARES, EQUITY, other, float(pot), True) == 0


POTS = np.arange(1.0, 41.0)


@pytest.mark.parametrize("printed", [True, False])
def test_a_larger_pot_never_makes_the_range_looser(printed: bool) -> None:
    """A theorem: the range enters f once times the pot and once alone."""
    for other in range(169):
        chosen = [choose_range(SHARES, EQUITY, other, pot, printed) for pot in POTS]
        assert (np.diff(chosen) <= 0).all()


def test_a_tighter_opponent_never_makes_the_range_looser() -> None:
    """It holds at every pot from ten small blinds on. Below, where many ranges are nearly as good as the
    best, one class more in the opponent's range may beat just the hands at the edge of ours: the ranking is
    by equity against any two cards, not against this range. Then ours shrinks, by 1.2% of hands at the most.
    """
    for pot in POTS:
        chosen = [choose_range(SHARES, EQUITY, other, pot, False) for other in range(169)]
        tighter = -np.diff(SHARES[chosen])
        assert tighter.max() <= (0 if pot >= 10 else 0.0125)
    at_eight = [SHARES[choose_range(SHARES, EQUITY, other, 8.0, False)] for other in (10, 11)]
    assert at_eight == pytest.approx([0.0664, 0.0543], abs=1e-4)


def test_range_control_in_numbers() -> None:
    """Those of the table in docs/plicas.md."""
    printed = [gain(own, 0.85, 12.0) for own in (0.0, 0.1, 0.3, 0.65, 0.85, 1.0)]
    assert printed == pytest.approx([3.37, 1.33, 0.69, 0.21, 0, -0.15], abs=5e-3)
    weighted = [gain(own, 0.85, 12.0, "played") for own in (0.0, 0.1, 0.3, 0.65, 0.85, 1.0)]
    assert weighted == pytest.approx([-0.82, -0.54, -0.18, 0.07, 0, -0.15], abs=5e-3)
    assert best_range(0.85, 12.0) == pytest.approx(0.653, abs=5e-4)
    assert best_range(1.0, 12.0) == pytest.approx(0.771, abs=5e-4)
    assert best_range(0.85, 12.0, "printed") == pytest.approx(6 / 1326)
    with pytest.raises(AgentError, match="played, printed, stealing"):
        best_range(0.85, 12.0, "sideways")  # type: ignore[arg-type]


# Starting hands


def test_the_eight_classes_of_starting_hands() -> None:
    classes = starting_classes()
    by_name = dict(zip(CLASSES, classes.tolist(), strict=True))
    assert all(by_name[name] == 1 for name in ("AA", "KK", "QQ", "JJ", "AKs"))
    assert by_name["J8o"] == 7  # just playable
    assert by_name["72o"] == by_name["32o"] == 8
    in_order = [by_name[name] for name in EQUITY_RANKING]
    assert in_order == sorted(in_order)
    assert set(in_order) == set(range(1, 9))


@given(st.integers(0, 168), st.integers(0, 168))
def test_what_is_outside_of_the_range_is_class_eight(own: int, played: int) -> None:
    number = naive.starting_class(SHARES[own], SHARES[played])
    assert (number == 8) == (own > played)


# Cases


@given(HEADS_UP_LIMIT, SEEDS)
def test_cases_are_kept_by_the_opponent_s_pattern(game, seed: int) -> None:
    """Rows of counts stand for the twin's patterns, one to one, and hold what was shown."""
    finished, own = _random_hands(game, seed, 12)
    seat = seated("plicas", game, 1)
    seat.watch(finished.seen_by(own))
    expected = defaultdict(lambda: [0] * 10)
    hands, shown = finished.batch.hands, np.flatnonzero(finished.showdown)
    for i in shown.tolist():
        blinds = [min(blind, int(finished.batch.stacks[i, s])) for s, blind in enumerate(game.blinds)]
        done = list(naive.steps(finished.history[i], int(hands["actions"][i]), blinds))
        strength = hs(HandCards(finished.hole[i : i + 1, 1 - own], finished.board[i : i + 1]))[0]
        for k, (street, who, _, _) in enumerate(done):
            if who == own and street > 0:
                expected[naive.pattern(done[:k], own, street)][min(int(strength * 10), 9)] += 1
    found = seat.shown[0][seat.shown[0].any(axis=1)].tolist()
    assert sorted(found) == sorted(expected.values())
    assert seat.cases[0] == len(shown)


@given(SEEDS)
def test_a_view_finds_the_pattern_under_which_cases_are_kept(seed: int) -> None:
    _, _, views = moment(LIMIT, seed)
    patterns: dict[int, tuple] = {}
    for i, view in enumerate(views):
        if view.street == 0:
            continue
        actions = int(views.actions[i])
        history = views.history[i]
        found = pattern_at(LIMIT.rules_row[0], history, actions, views.rows[i])
        done = list(naive.steps(history, actions, LIMIT.blinds))
        assert 0 <= found < PATTERNS
        assert patterns.setdefault(found, naive.pattern(done, view.seat, view.street)) == naive.pattern(
            done, view.seat, view.street
        )


@given(SEEDS, st.lists(st.integers(0, 30), min_size=10, max_size=10), st.integers(0, 9), st.integers(0, 8))
def test_a_better_opponent_is_folded_to_more_often(seed: int, counts, bucket: int, low: int) -> None:
    """Algorithm 3: with a case of the opponent in a better bucket we fold no less and raise no more."""
    _, _, views = moment(LIMIT, seed)
    worse = np.array(counts, np.int32)
    worse[low] += 1
    better = worse.copy()
    better[low] -= 1
    better[low + 1] += 1
    for row in views.rows[views.street > 0]:
        before, after = np.zeros(3), np.zeros(3)
        by_the_cases(row, worse, bucket, bucket, before)
        by_the_cases(row, better, bucket, bucket, after)
        assert after[0] >= before[0] - 1e-12
        assert after[2] <= before[2] + 1e-12


# Bluffs and aggression


def test_a_bluff_must_pay() -> None:
    assert bluff_probability(0.6, 40, 10) == pytest.approx(0.4)  # 0.4 · 40 > 0.6 · 10
    assert bluff_probability(0.6, 15, 10) == 0  # 0.4 · 15 = 0.6 · 10: gains nothing
    assert bluff_probability(0.9, 40, 10) == 0


def test_unplayable_flops_are_bluffed_by_the_opponent_s_range() -> None:
    views = told("7h2c", [20, CALL], "KsQs5d")
    seat = seated("plicas", tables=1)
    assert views.street[0] == 1
    playable = playable_curves().playable[nearest_range(SHARES, 0.7)]
    found = seat.decisions(views)[0]
    assert found.bluff == pytest.approx(1 - playable)
    assert found.triple.tolist() == pytest.approx([0, playable, 1 - playable])
    without = seated("plicas:off=bluff", tables=1).decisions(views)[0]
    assert without.bluff == -1


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.5, 1), st.floats(0, 3))
def test_aggression_control_answers_in_kind(one: float, other: float, playable: float, most: float) -> None:
    """The more aggressive the opponent, the fewer hands are moved up; never by more than the most."""
    low, high = min(one, other), max(one, other)
    against_low, against_high = (shift_of(value, playable, 0.7, most) for value in (low, high))
    assert -most <= against_high <= against_low <= most
    assert against_low == pytest.approx(naive.shift(low, playable, 0.7, most))
    # What a tight range explains is not held against it.
    assert shift_of(one, min(playable + 0.1, 1), 0.7, most) >= shift_of(one, playable, 0.7, most)


# All together


@given(
    SEEDS,
    st.sampled_from([5, 10, 12, 20]),
    st.floats(0, 1),
    st.floats(0, 2.5),
    st.sampled_from(WEIGHINGS),
    st.sampled_from(["raises", "calls"]),
)
@settings(deadline=None)
def test_plicas_is_its_twin(
    seed: int, buckets: int, merge: float, most: float, weighing: str, answer: str
) -> None:
    text = f"plicas:buckets={buckets},merge={merge},shift={most},weighing={weighing},n_hands=50,n_similar=3"
    text += f",answer={answer}"
    seat = seated(text)
    rng = np.random.default_rng(seed)
    _remember_anything(seat, rng)
    _, _, views = moment(LIMIT, seed)
    found, seen = seat.decisions(views), outlook(views)
    for i, view in enumerate(views):
        expected = _twin(seat, views, i, view, float(seen.ppot[i]), float(seen.e_hs[i]), weighing, answer)
        assert found[i].triple.tolist() == pytest.approx(expected, abs=1e-9)


def _remember_anything(seat, rng) -> None:
    """Memories that some opponent could have left at each table."""
    for row in seat.profiles.rows:
        row["hands"] = rng.integers(0, 200)
        row["asked"] = rng.integers(0, 100)
        row["stayed"] = rng.integers(0, row["asked"] + 1)
        row["raises"], row["calls"] = rng.integers(0, 300, 2)
        row["pots"] = rng.integers(0, 100)
        row["chips"] = row["pots"] * rng.integers(0, 100)
    seat.cases[:] = rng.integers(0, 250, len(seat.cases))
    some = rng.integers(0, 2, (*seat.shown.shape[:2], 1))
    seat.shown[:] = some * rng.integers(0, 3, seat.shown.shape)


def _twin(seat, views, i: int, view, ppot: float, e_hs: float, weighing: str, answer: str):
    agent, table = seat.settings[0], int(views.table[i])
    known = seat.profiles[table]
    playable = playable_curves().playable
    if view.street == 0:
        played = PLAYED
        if known.hands > 50:
            played = best_range(known.range, known.average_pot, weighing)
        return naive.before_the_flop(view, naive.starting_class(top_shares()[view.hole], played))
    theirs = playable[nearest_range(SHARES, known.range)]
    bluffs = None
    if view.street == 1 and not view.to_call and not naive.flop_parts(view.hole, view.board):
        bluffs = naive.bluff(view, theirs)
    up = 0.0
    if known.hands > 50:
        usual = playable[nearest_range(SHARES, 0.7)]
        up = naive.shift(known.aggression, theirs, usual, float(agent.shift))
    pattern = pattern_at(LIMIT.rules_row[0], views.history[i], int(views.actions[i]), views.rows[i])
    shown = seat.shown[table, pattern].tolist()
    if seat.cases[table] <= 100 or sum(shown) <= 3:
        shown = None
    buckets = int(agent.buckets)
    bucket = min(int(e_hs * buckets), buckets - 1)
    return naive.postflop(
        view, bucket, ppot, buckets, bluffs=bluffs, shown=shown, merge=float(agent.merge), up=up,
        calling=answer == "calls",
    )  # fmt: skip


def test_units_are_switched_off_by_name() -> None:
    assert make_agent("plicas:off=dpac+dprc") == Plicas(off="dprc+dpac")
    assert name_of(Plicas(off="dpac + dprc")) == "plicas:off=dprc+dpac"
    with pytest.raises(AgentError, match=r"got 'dprk'; .*dprc.* the units are opponent, preflop, dprc"):
        make_agent("plicas:off=dprk+dpac")


def test_all_units_off_is_a_player_who_calls() -> None:
    seat = evening(seated(f"plicas:off={'+'.join(UNITS)}", tables=1), "random", 30)
    _, _, views = moment(LIMIT, 5)
    assert (seat.policy(views[views.table == 0]).probabilities[:, 1] == 1).all()


@pytest.mark.parametrize("unit", UNITS)
def test_each_unit_has_a_part_in_some_decision(unit: str) -> None:
    """Otherwise switching it off would show nothing."""
    text = "n_hands=10,n_cases=10,n_similar=2"
    whole, without = seated(f"plicas:{text}", tables=1), seated(f"plicas:{text},off={unit}", tables=1)
    players = [make_agent(name).sit(LIMIT, 1, Streams.of(1, name)) for name in ("always-call", "jagbot")]
    decks = Streams.of(2, "cards").decks(hand_ids(400), LIMIT.deck_cards)
    seen = play(LIMIT, players, decks, where=hand_ids(400), tables=np.zeros(400, np.int64)).seen_by(0)
    differences = 0
    for seat in (whole, without):
        seat.watch(seen)
    for seed in range(60):
        _, _, views = moment(LIMIT, seed)
        at_once = views[:]
        at_once.table = np.zeros(len(views), np.int64)
        differences += (whole.decisions(at_once)["triple"] != without.decisions(at_once)["triple"]).any()
    assert differences


def test_without_a_model_the_opponent_stays_a_stranger() -> None:
    seat = evening(seated("plicas:off=opponent+cases", tables=1), "always-raise", 120)
    _, _, views = moment(LIMIT, 7)
    fresh = seated("plicas:off=opponent+cases")
    assert (
        seat.decisions(views[views.table == 0]).tolist() == fresh.decisions(views[views.table == 0]).tolist()
    )


@pytest.mark.parametrize("game", ["nolimit", "casper", "holdem.limit.3p"])
def test_it_sits_in_heads_up_limit_alone(game: str) -> None:
    with pytest.raises(AgentError, match="plays heads-up limit only; this game is"):
        Plicas().sit(find_game(game), 1, Streams.of(1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("range=1.5", "range: expected a number from 0 to 1"),
        ("merge=-0.1", "merge: expected a number from 0 to 1"),
        ("n_hands=-1", "n_hands: expected 0 or more"),
        ("buckets=1", "buckets: expected 2 to 100"),
        ("shift=-1", "shift: expected 0 or more"),
        ("weighing=sometimes", "expected played or printed or stealing"),
    ],
)
def test_parameters_are_checked(text: str, says: str) -> None:
    with pytest.raises(AgentError, match=says):
        make_agent(f"plicas:{text}")


def test_it_explains_the_part_of_each_unit() -> None:
    seat = evening(seated("plicas:n_hands=20,n_cases=10,n_similar=2", tables=1), "jagbot", 80)
    before = seat.explain(told("9h8h")[0])
    assert [ground.what for ground in before.details] == [
        "opponent model",
        "preflop rules",
        "dynamic preflop range control",
    ]
    assert before.details[0].facts["hands"] == 80
    after = seat.explain(told("9h8h", [CALL, CALL], "KhQd2s")[0])
    assert [ground.what for ground in after.details] == [
        "opponent model",
        "postflop rules",
        "case-based unit",
        "bluff unit",
        "dynamic postflop aggression control",
    ]
    assert sum(chance for _, chance in after.probabilities) == pytest.approx(1)
    assert all(0 <= ground.weight <= 1 for ground in after.details)
    rules = seat.explain(told("AhKd", [CALL, CALL], "7s8s2d")[0]).details[1].facts
    assert "fold" not in rules  # nothing is to call
    assert float(rules["call"]) == pytest.approx(-float(rules["raise"]))
    # Asking changes nothing.
    known = seat.profiles.rows.copy()
    seat.explain(told("9h8h")[0])
    assert seat.profiles.rows.tolist() == known.tolist()


def test_situations_told_by_hand() -> None:
    seat = seated("plicas", tables=1)

    def triple(views: Views) -> list[float]:
        return seat.decisions(views)["triple"][0].tolist()

    assert triple(told("AsAh")) == [0, 0, 1]
    assert triple(told("7h2c")) == [1, 0, 0]
    assert triple(told("7h2c", [CALL])) == [0, 1, 0]  # the big blind checks
    assert triple(told("Js8h", [20])) == [0, 1, 0]
    nothing = told("7h6c", [20, CALL, 10, 20], "KsQsAd")
    assert triple(nothing)[2] == 0
    assert triple(nothing)[0] > 0.9
    top_pair = told("AhKd", [CALL, CALL, 10], "KcTs2d")
    assert triple(top_pair)[0] == 0


def test_the_listing_of_classes_in_the_docs_is_ours() -> None:
    text = (Path(__file__).parent.parent / "docs" / "plicas.md").read_text(encoding="utf-8")
    for number in range(1, 9):
        line = next(line for line in text.splitlines() if line.startswith(f"| {number} |"))
        named = line.split("|")[3].split()
        ours = [name for name in EQUITY_RANKING if starting_classes()[class_index(name)] == number]
        assert named == ours or (number == 8 and named == ["all", "others"])


def test_folds_are_never_free() -> None:
    for seed in range(30):
        _, _, views = moment(LIMIT, seed)
        policy = seated("plicas").policy(views)
        free = views.to_call == 0
        assert not ((policy.codes == FOLD) & (policy.probabilities > 0))[free].any()
