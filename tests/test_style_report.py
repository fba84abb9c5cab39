"""How agents play beside each other: the same opponents, the same cards, and the numbers of a match."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem import find_game, match
from holdmem.arena import style_reports
from holdmem.cli import app
from holdmem.core.errors import AgentError, UnknownAgent


def test_a_portrait_is_what_a_match_tells() -> None:
    game = find_game("limit")
    found = list(style_reports(game, ["jagbot", "always-raise"], "always-call", hands=50, matches=3, seed=4))
    assert [one.name for one in found] == ["jagbot", "always-raise"]
    for one in found:
        same = match(game, one.name, "always-call", hands=50, matches=3, seed=4)
        assert (one.style, one.result, one.hands) == (same.styles()[0], same.estimates()[0], same.hands)
        assert one.hands_a_second > 0
    assert found[1].style.pfr == 1


def test_more_than_two_sit_in_a_ring() -> None:
    (found,) = style_reports(find_game("casper", 5), ["dpp"], "always-call", hands=20, matches=1)
    assert found.hands == found.style.hands == 20


def test_styles_for_machines_and_for_people() -> None:
    words = ["styles", "dpp", "megabot", "--against", "random", "--hands", "10", "--matches", "5"]
    told = CliRunner().invoke(app, [*words, "--json"])
    rows: list[dict[str, Any]] = json.loads(told.stdout)
    assert [row["name"] for row in rows] == ["dpp", "megabot"]
    assert {"style", "mean", "ci95", "unit", "hands", "hands_a_second"} < set(rows[0])
    shown = CliRunner().invoke(app, words, env={"COLUMNS": "80"}).stdout
    assert "VPIP" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "100 hands of holdem.limit.2p.reverse_blinds each" in shown


def test_mistakes_are_told_before_anybody_plays() -> None:
    with pytest.raises(AgentError, match="expected at least one agent"):
        list(style_reports(find_game("limit"), [], "dpp"))
    with pytest.raises(UnknownAgent, match="unknown agent 'nobody'"):
        next(style_reports(find_game("limit"), ["dpp", "nobody"], "dpp", hands=10**8))
