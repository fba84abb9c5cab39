"""Reviews by value: costs of a player who plays like the reference, planted habits, workers, pages."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import holdmem as hm
from holdmem.cli import app
from holdmem.core.statistics import Estimate
from holdmem.ev.players import named_player, packed_player
from holdmem.ev.review.leaks import benjamini_hochberg, find_leaks, per_100
from holdmem.ev.review.situations import FAMILIES, TABLES, classes_of_views
from holdmem.ev.review.units import cut
from holdmem.history import Hands, replay
from holdmem.plots.hand_review import page

SIX = replace(
    hm.find_game("nolimit"), name="six", blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6, first=()
)


@pytest.fixture(scope="module")
def hands() -> Hands:
    """Hands of six clones of the population."""
    rng, count = hm.Streams.of(5), 48
    seats = [hm.make_agent("clone").sit(SIX, count, rng) for _ in range(6)]
    ids = hm.hand_ids(count)
    lineup = (np.arange(6)[None] + np.arange(count)[:, None]) % 6
    played = hm.play(SIX, seats, rng.decks(ids, SIX.deck_cards), lineup=lineup, where=ids)
    return Hands.of(played, ["me", "ann", "bob", "cat", "dan", "eve"])


@pytest.fixture(scope="module")
def found(hands: Hands) -> hm.LeakReport:
    """A review with few samples."""
    return hm.find_leaks(hands, "me", others="population", samples=8, again=2)


def test_every_decision_of_the_player_is_valued(hands: Hands, found: hm.LeakReport) -> None:
    decisions = next(iter(replay(hands)))
    mine = (decisions.player == 0).sum()
    assert found.decisions == mine
    assert set(found.columns["kind"].tolist()) <= {0, 1, 2}
    assert np.allclose(found.columns["by_kind"].sum(axis=1), found.columns["cost"], atol=1e-9)
    assert np.allclose(found.columns["often"].sum(axis=1), 0, atol=1e-9)
    assert len(found.frame()) == mine


def test_tables_divide_all_decisions(found: hm.LeakReport) -> None:
    for table in TABLES:
        rows = found.by(table)
        assert sum(decisions for _, decisions, _, _ in rows) == found.decisions
        assert sum(cost.mean for *_, cost in rows) == pytest.approx(found.cost.mean)


def test_a_review_repeats_and_is_cut_by_the_hands_alone(hands: Hands, found: hm.LeakReport) -> None:
    pages: list[hm.LeakReport] = []
    again = hm.find_leaks(hands, "me", others="population", samples=8, again=2, first_page=pages.append)
    assert pages[0].decisions == found.decisions
    assert sum(found.dearest_states.values()) == found.columns["again"].sum() == 2
    assert json.dumps(again.as_json()) == json.dumps(found.as_json())
    parts = list(cut(hands, 10))
    assert [begin for begin, _ in parts] == [0, 10, 20, 30, 40]
    assert sum(len(part) for _, part in parts) == len(hands)


@pytest.mark.long
def test_processes_give_the_same_bytes(hands: Hands, found: hm.LeakReport) -> None:
    again = hm.find_leaks(hands, "me", others="population", samples=8, again=2, workers=2)
    assert json.dumps(again.as_json()) == json.dumps(found.as_json())


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


def test_the_page_stands_alone(found: hm.LeakReport) -> None:
    leak = replace(
        found.tests.open[0], examples=(0, 1), cost=Estimate(2.0, 0.5, 1.0, 3.0, "bb/100", 40)
    ) if found.tests.open else None  # fmt: skip
    tests = replace(found.tests, leaks=() if leak is None else (leak,))
    text = page(replace(found, tests=tests))
    assert "color-scheme: light dark" in text
    for word in ("http:", "https:", "<script", "src="):
        assert word not in text
    assert "By street" in text


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
    with pytest.raises(hm.NotationError, match="no hands of 'eva'"):
        hm.find_leaks(hands, "eva")
    with pytest.raises(hm.NotationError, match="no hand 999"):
        hm.explain_hand(hands, 999, "me")
