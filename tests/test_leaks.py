"""Reviews by value: costs of a player who plays like the reference, planted habits, workers, pages."""

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import holdmem as hm
from holdmem.agent import hand_ids, play
from holdmem.api import explain_hand
from holdmem.cards.notation import name as card_name
from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.core.statistics import Estimate
from holdmem.ev.players import named_player, packed_player
from holdmem.ev.review import LeakReport
from holdmem.ev.review.examples import example_of
from holdmem.ev.review.leaks import Leak, benjamini_hochberg, find_leaks, per_100
from holdmem.ev.review.reference_hands import DEALT, MEMORY, SAME_HANDS, find_reference_hands
from holdmem.ev.review.situations import FAMILIES, TABLES, classes_of_views
from holdmem.ev.review.units import KINDS, cut
from holdmem.history import Hands, replay
from holdmem.plots.hand_review import decision_part, page
from holdmem.plots.hand_steps import replayable
from holdmem.web.replay import replayed
from test_parallel import local_cluster

SIX = replace(
    hm.find_game("nolimit"), name="six", blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6, first=()
)


def clones_play(count: int) -> Hands:
    """Return hands of six clones of the population."""
    rng = hm.Streams.of(5)
    seats = [hm.make_agent("clone").sit(SIX, count, rng) for _ in range(6)]
    ids = hand_ids(count)
    lineup = (np.arange(6)[None] + np.arange(count)[:, None]) % 6
    played = play(SIX, seats, rng.decks(ids, SIX.deck_cards), lineup=lineup, where=ids)
    return Hands.of(played, ["me", "ann", "bob", "cat", "dan", "eve"])


@pytest.fixture(scope="module")
def hands() -> Hands:
    """A few hands of six clones."""
    return clones_play(48)


@pytest.fixture(scope="module")
def found(hands: Hands) -> LeakReport:
    """A review with few samples."""
    return hm.find_leaks(hands, "me", others="population", samples=8, again=2)


def test_every_decision_of_the_player_is_valued(hands: Hands, found: LeakReport) -> None:
    decisions = next(iter(replay(hands)))
    mine = (decisions.player == 0).sum()
    assert found.decisions == mine
    assert set(found.columns["kind"].tolist()) <= {0, 1, 2}
    assert np.allclose(found.columns["by_kind"].sum(axis=1), found.columns["cost"], atol=1e-9)
    assert np.allclose(found.columns["often"].sum(axis=1), 0, atol=1e-9)
    assert len(found.frame()) == mine


def test_tables_divide_all_decisions(found: LeakReport) -> None:
    for table in TABLES:
        rows = found.by(table)
        assert sum(decisions for _, decisions, _, _ in rows) == found.decisions
        assert sum(cost.mean for *_, cost in rows) == pytest.approx(found.cost.mean)


def test_a_review_repeats_and_is_cut_by_the_hands_alone(hands: Hands, found: LeakReport) -> None:
    pages: list[LeakReport] = []
    again = hm.find_leaks(hands, "me", others="population", samples=8, again=2, first_page=pages.append)
    assert pages[0].decisions == found.decisions
    assert sum(found.dearest_states.values()) == found.columns["again"].sum() == 2
    assert json.dumps(again.as_json()) == json.dumps(found.as_json())
    parts = list(cut(hands, 10))
    assert [begin for begin, _ in parts] == [0, 10, 20, 30, 40]
    assert sum(len(part) for _, part in parts) == len(hands)


@pytest.mark.long
def test_processes_and_a_dask_cluster_give_the_same_bytes() -> None:
    """Three units of hands and four of single decisions, which two workers finish in any order."""
    hands = clones_play(520)
    asked = {"others": "population", "samples": 2, "again": 4}
    here = hm.find_leaks(hands, "me", **asked)
    with local_cluster(2) as cluster:
        there = [
            hm.find_leaks(hands, "me", **asked, workers=2),
            hm.find_leaks(hands, "me", **asked, on=cluster.scheduler_address),
        ]
    for found in there:
        assert json.dumps(found.as_json()) == json.dumps(here.as_json())
        for name, column in here.columns.items():
            assert np.asarray(found.columns[name]).tobytes() == np.asarray(column).tobytes()


def test_the_dearest_decisions_are_valued_under_other_models(hands: Hands, found: LeakReport) -> None:
    """The range is that of single values of these decisions under each of the models."""
    which = np.flatnonzero(found.columns["again"])
    assert found.also == ("the shipped style tight-aggressive", "the shipped style calling-station")
    assert found.compared[1] == len(which) == 2
    assert np.isnan(found.columns["loss_low"]).sum() == found.decisions - 2
    for place in which.tolist():
        view = example_of(found, place).view
        models = ("tight-aggressive", "calling-station")
        single = [
            hm.value(
                view, int(found.columns["taken"][place]), others=one, also=(), reference="population",
                samples=4096,
            )
            for one in models
        ]  # fmt: skip
        near = 0.05 + 5 * max(one.loss_error for one in single) / SIX.big_blind
        low, high = found.spread(place) or (np.nan, np.nan)
        assert low == pytest.approx(min(one.loss for one in single) / SIX.big_blind, abs=near)
        assert high == pytest.approx(max(one.loss for one in single) / SIX.big_blind, abs=near)
        line = f"Under other models of the opponents it loses {low:.2f} to {high:.2f} bb."
        assert line in example_of(found, place).line
        assert line in decision_part(found, place)
        assert "<th>other models</th>" in decision_part(found, place)


def planted(found: LeakReport, kind: int, more: bool) -> LeakReport:
    """Return a review whose only leak is the commonest situation, with this habit."""
    names, counts = np.unique(found.columns["spot"], return_counts=True)
    name = str(names[counts.argmax()])
    examples = tuple(np.flatnonzero(np.array(found.columns["spot"]) == name)[:3].tolist())
    leak = Leak(
        name, "spot", int(counts.max()), 40, Estimate(2.0, 0.5, 1.0, 3.0, "bb/100", 40), 0.001,
        f"{KINDS[kind]} too {'often' if more else 'rarely'}", kind, more, 0.5, 0.4, examples,
    )  # fmt: skip
    return replace(found, tests=replace(found.tests, leaks=(leak,)))


@pytest.mark.parametrize(("kind", "more"), [(0, True), (2, False)])
@pytest.mark.parametrize("same_hands", [None, "ann"])
def test_hands_of_the_reference_are_of_the_class_and_unlike_the_habit(
    hands: Hands, found: LeakReport, kind: int, more: bool, same_hands: str | None
) -> None:
    told, population = planted(found, kind, more), named_player("population")
    shown = find_reference_hands(told, population, population, hands, same_hands, hm.Streams.of(3))
    leak = told.leaks[0]
    chosen = shown[leak.family, leak.name]
    assert len(chosen) == 3
    own = [one for one in chosen if one.origin == SAME_HANDS]
    assert bool(own) == (same_hands is not None)
    for one in chosen:
        assert one.origin in (SAME_HANDS, DEALT)
        assert one.hand.names[one.view.seat] == (same_hands if one in own else "Reference")
        assert classes_of_views(one.view.alone)["spot"] == [leak.name]
        did = one.hand.betting[one.view.actions]
        assert (did != hm.FOLD) if more else (did > 0)
        assert set(one.hand.stacks) == {10_000}
    told = replace(told, reference_hands=shown)
    assert page(told).count("played by the reference</h4>") == 3
    assert len(told.as_json()["leaks"][0]["reference_hands"]) == 3


def test_a_reference_with_a_memory_shows_hands_that_it_remembers() -> None:
    rng, limit = hm.Streams.of(6), hm.find_game("limit")
    seats = [hm.make_agent(name).sit(limit, 8, rng) for name in ("random", "always-call")]
    hands = Hands.of(play(limit, seats, rng.decks(hand_ids(8), limit.deck_cards)), ["me", "ann"])
    told = hm.find_leaks(hands, reference="always-call", others="always-call", samples=2, again=0)
    told = planted(told, 0, True)
    memory, other = named_player("sartre-2"), named_player("always-call")
    found = find_reference_hands(told, memory, other, hands, None, hm.Streams.of(3))
    shown = found[told.leaks[0].family, told.leaks[0].name]
    assert len(shown) == len(told.leaks[0].examples)
    for one in shown:
        assert one.origin == MEMORY
        assert one.hand.names[one.view.seat] not in ("me", "ann")


def test_players_survive_the_way_to_another_process(hands: Hands) -> None:
    spots = next(iter(replay(hands))).views[:20]
    for player in (named_player("population"), named_player("always-call")):
        there = pickle.loads(pickle.dumps(player))
        rng = hm.Streams.of(1)
        one, other = (each.model(SIX, rng).policy(spots) for each in (player, there))
        assert np.array_equal(one.probabilities, other.probabilities)
        assert there.words == player.words
    person = named_player("tight-aggressive").player
    packed = packed_player(person, "x")
    assert len(pickle.dumps(packed)) < 2_000_000


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_no_leak_without_a_cost(seed: int) -> None:
    """Costs of mean zero: at most a few in a hundred reviews have a leak."""
    assert _leaks(seed, 0.0) <= 1


def test_a_costly_class_is_found() -> None:
    assert sum(_leaks(seed, 1.0) >= 1 for seed in range(10)) >= 9


def _leaks(seed: int, cost: float) -> int:
    """Leaks among 2,000 decisions of ten classes, of which one has this mean cost and a deviation of 3."""
    rng, count = np.random.default_rng(seed), 2000
    names = [f"class {k}" for k in rng.integers(0, 10, count)]
    costs = rng.normal(size=count) * 3 + cost * np.array([name == "class 3" for name in names])
    columns = {
        "cost": costs, "cost_error": np.ones(count), "hand": np.arange(count),
        "by_kind": np.stack([costs, 0 * costs, 0 * costs], axis=1), "often": rng.normal(size=(count, 3)),
        "kind": rng.integers(0, 3, count), **dict.fromkeys(FAMILIES, names),
    }  # fmt: skip
    found = find_leaks(columns, count)
    assert not found.leaks or cost == 0 or found.leaks[0].name == "class 3"
    return len(found.leaks)


def test_benjamini_hochberg_as_published() -> None:
    """The example of Benjamini and Hochberg (1995, §4.1): four of fifteen hypotheses are rejected."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
         0.6528, 0.7590, 1.0]  # fmt: skip
    assert benjamini_hochberg(np.array(p)).sum() == 4
    assert benjamini_hochberg(np.array([])).sum() == 0


def test_rates_are_over_hands_not_decisions() -> None:
    once = per_100(np.array([2.0, -1.0]), np.array([0, 1]), 10)
    twice = per_100(np.array([1.0, 1.0, -1.0]), np.array([0, 0, 1]), 10)
    assert (once.mean, once.standard_error) == (twice.mean, twice.standard_error)
    assert once.mean == pytest.approx(10.0)


def test_classes_do_not_depend_on_the_action(hands: Hands) -> None:
    views = next(iter(replay(hands))).views
    found = classes_of_views(views)
    assert set(found) == {*FAMILIES, *TABLES}
    assert {"preflop", "flop"} <= set(found["street"])
    assert any("BB facing a steal" in name for name in found["spot"])


def test_boards_are_told_apart_by_pairs_and_suits(hands: Hands) -> None:
    views = next(iter(replay(hands))).views
    for board, name in zip(views.board.tolist(), classes_of_views(views)["board"], strict=True):
        shown = [card for card in board if card >= 0]
        texts = [card_name(card) for card in shown]
        paired = len({text[0] for text in texts}) < len(texts)
        most = max((sum(text[1] == suit for text in texts) for suit in "cdhs"), default=0)
        suits = "rainbow" if most == 1 else "two of a suit" if most == 2 else "three or more of a suit"
        assert name == (f"{'paired' if paired else 'unpaired'}, {suits}" if shown else "none yet")


def test_the_page_stands_alone(found: LeakReport) -> None:
    leak = replace(
        found.tests.open[0], examples=(0, 1), cost=Estimate(2.0, 0.5, 1.0, 3.0, "bb/100", 40)
    ) if found.tests.open else None  # fmt: skip
    tests = replace(found.tests, leaks=() if leak is None else (leak,))
    text = page(replace(found, tests=tests))
    assert "color-scheme: light dark" in text
    for word in ("http:", "https:", "<script", "src="):
        assert word not in text
    for part in ("By street", "By board", "<h2>Winnings</h2>", "<h2>By position</h2>", "<h2>Statistics</h2>"):
        assert part in text
    if leak is not None:
        assert "<details class='step' name='hand-0' open>" in text
        assert "<th>worth (bb)</th>" in text
        assert "(taken)" in text


def test_hands_of_the_page_are_replayed_as_at_the_table(hands: Hands) -> None:
    for place in range(0, len(hands), 7):
        hand = hands[place]
        states = replayed(hand, None)["states"]
        text = replayable(hand, "hand", 1)
        said = re.findall(r"<p>(.*?) ?Pot ([0-9.e+]+) bb</p>", text)
        assert len(said) == len(states) - 1 == text.count("<details")
        for state, (board, pot) in zip(states, said, strict=False):
            assert float(pot) == pytest.approx(state["pot"] / state["big_blind"], rel=1e-3)
            assert board.count("class='card") == len(state["board"])
        assert text.count(" open>") == (len(hand.betting) > 1)


def test_dead_chips_leave_their_stack_and_split_pots_show_parts_of_chips() -> None:
    game = replace(hm.find_game("nolimit", 3), dead=(0, 0, 50))
    seats = [hm.make_agent("always-call").sit(game, 1, hm.Streams.of(1)) for _ in range(3)]
    deck = np.array([[0, 5, 1, 8, 3, 12, 34, 38, 42, 46, 50]], dtype=np.int8)  # a royal flush on the board
    hand = Hands.of(play(game, seats, deck), ["ann", "bob", "cid"])[0]
    text, first = replayable(hand, "hand", 0), replayed(hand, None)["states"][0]
    stacks = [float(stack) for stack in re.findall(r"</span> ([0-9.]+) bb", text.split("</ul>")[0])]
    assert stacks == [seat["stack"] / first["big_blind"] for seat in first["seats"]]
    assert "Result: ann +0.1667 bb, bob +0.1667 bb, cid −0.3333 bb." in text


def test_names_are_not_taken_for_markup_in_the_page(hands: Hands) -> None:
    hand = hands[0]._replace(names=["<i>a", *hands[0].names[1:]])
    assert "<i>" not in replayable(hand, "hand", 0)


def test_review_and_explain_on_the_command_line(hands: Hands, tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    hm.write_hands(hands, file)
    run = CliRunner().invoke
    page_file = tmp_path / "review.html"
    few = ["--others", "population", "--samples", "8", "--again", "0", "--html", str(page_file)]
    told = run(app, ["review", str(file), "--player", "me", *few])
    assert told.exit_code == 0, told.output
    assert "win rate" in told.output
    assert "leaks" in told.output
    assert page_file.exists()
    number = str(hands.rows["number"][int(next(iter(replay(hands))).hand[0])])
    one = run(app, ["explain", str(file), "--hand", number, "--player", "eve", "--samples", "8", "--json"])
    assert one.exit_code == 0, one.output
    assert json.loads(one.stdout)["decisions"][0]["actions"]
    wrong = run(app, ["explain", str(file)])
    assert wrong.exit_code != 0


def test_mistakes_are_named(hands: Hands) -> None:
    with pytest.raises(NotationError, match="no hands of 'eva'"):
        hm.find_leaks(hands, "eva")
    with pytest.raises(NotationError, match="the number that a hand has in its file, such as 0, got 999"):
        explain_hand(hands, 999, "me")
