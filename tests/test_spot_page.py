"""The page of a solved spot, and ranges among the reasons at the web table."""

import polars as pl
import pytest
from typer.testing import CliRunner

from holdmem import Situation, make_agent, solve_spot
from holdmem.cli import app
from holdmem.core.random import Streams
from holdmem.engine import find_game
from holdmem.plots.spot import decisions, page
from holdmem.web.reasons import would_do


def small_spot():
    return solve_spot("Kc8s2d5h9c", "AA, 76s", "KQs, KJs", pot=100, stack=100, bets=[1.0], iterations=20)


def test_the_page_has_a_grid_for_each_decision_and_loads_nothing():
    found = small_spot()
    text = page(found)
    shown = list(decisions(found))
    assert [one.betting for one in shown][:2] == ["", "c"]
    assert text.count("class='grid'") == len(shown)
    assert text.count("<td class='none'>") + text.count("linear-gradient") == 169 * len(shown)
    assert "AA: check" in text
    assert f"{found.exploitability:.3%} of the pot" in text
    assert "http" not in text
    assert "<script" not in text


def test_a_spot_is_a_frame_of_classes_and_actions():
    found = small_spot()
    frame = found.frame("c")
    assert set(frame["class"]) == {"KQs", "KJs"}
    sums = frame.group_by("class").agg(pl.col("frequency").sum())
    assert sums["frequency"].to_list() == pytest.approx([1, 1])
    classes = found.decision("c").classes
    assert all(classes[name][action] == share for name, action, share in frame.rows())


def test_the_command_writes_the_page(tmp_path):
    file = tmp_path / "spot.html"
    spot = ["--spot", "Kc8s2d5h9c", "--first", "AA", "--second", "KQs", "--stack", "300"]
    found = CliRunner().invoke(app, ["solve", *spot, "--iterations", "2", "--html", str(file)])
    assert found.exit_code == 0, found.output
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_ranges_of_a_solved_decision_are_sent_to_the_page():
    seat = make_agent("resolve:iterations=3").sit(find_game("limit"), 1, Streams.of(0))
    said = would_do(seat, Situation("AhKd", "Kc8s2d5h9c", "rc/crc/rc/").views, 0, "resolve").plain()
    assert [len(grid["shares"]) for grid in said["grids"]] == [169, 169]
    known = [share for share in said["grids"][0]["shares"] if share is not None]
    assert max(known) == 1
    assert min(known) >= 0
