"""The results page and the example of another client."""

import logging
import re
import runpy
from pathlib import Path

import pytest

from holdmem import find_game, match
from holdmem.arena import Ledger
from holdmem.core.statistics import Estimate
from holdmem.plots.page import cell_html
from holdmem.web.launch import WebServer
from holdmem.web.offers import Lobby
from holdmem.web.results import results_page

CLIENT = Path(__file__).parents[1] / "docs" / "web_client.py"


def test_finished_matches_are_listed_crossed_and_shown(tmp_path):
    book = tmp_path / "results.sqlite"
    assert "Nothing has been played yet" in results_page(book)
    for pair in (("random", "always-call"), ("always-call", "always-raise")):
        result = match(find_game("limit"), *pair, hands=50, seed=1, ledger=Ledger(book))
    page = results_page(book)
    assert page.count("<table") == 2  # with three agents there is a cross table
    assert f"design={result.hash}" in page
    assert "0 sb/h<small>0 to 0" in page  # each raise is called, so both sides of a deck cancel
    assert result.hands == 100  # both ways round
    assert page.count("<td>100</td>") == 2
    shown = results_page(book, result.hash)
    assert "always-call against always-raise" in shown
    assert not re.search(r"(?<![\w.])-\d|>-\d", re.sub(r"<[^>]*>", "><", shown)), "a hyphen for a minus sign"
    for style in result.styles():
        assert f"<td>{style.vpip:.1%}</td>" in shown
        assert f"<td>{style.went_to_showdown:.1%}</td>" in shown
    assert "role='alert'" in results_page(book, "nothing-like-it")


@pytest.mark.parametrize(
    ("mean", "reach", "shown"),
    [
        (-3.12222, 0.193, "−3.12<small>−3.32 to −2.93</small>"),
        (0.1, 0.0951, "+0.100<small>+0.005 to +0.195</small>"),
        (12.3456, 17.5, "+12.3<small>−5.2 to +29.8</small>"),
        (0.0, 0.5, "0<small>−0.50 to +0.50</small>"),
    ],
)
def test_rates_have_the_decimals_that_their_intervals_are_worth(mean, reach, shown):
    assert cell_html(Estimate(mean, reach / 2, mean - reach, mean + reach, "sb/h", 100)) == shown
    assert cell_html(Estimate(mean, None, None, None, "sb/h", 1), "sb/h").endswith("no interval</small>")


def test_a_file_that_is_no_ledger_is_said_to_be_none(tmp_path):
    (tmp_path / "x.sqlite").write_text("<script>", encoding="utf-8")
    page = results_page(tmp_path / "x.sqlite")
    assert "cannot be read as a results ledger" in page


def test_a_table_leaves_the_logs_of_its_process_alone(tmp_path):
    """Closed handlers may close what they write to: OpenSpiel's closed pytest's own stream, and all tests
    that came after failed."""

    class Handler(logging.Handler):
        closed = False

        def close(self):
            self.closed = True
            super().close()

    handler = Handler()
    logging.getLogger("test").addHandler(handler)
    try:
        with WebServer(Lobby(("always-call",), "always-call"), history=tmp_path / "hands.sqlite").running():
            pass
        assert not handler.closed
    finally:
        logging.getLogger("test").removeHandler(handler)


def test_the_example_client_plays_a_hand(tmp_path, capsys):
    table = WebServer(Lobby(("always-call",), "always-call"), history=tmp_path / "hands.sqlite")
    with table.running():
        won = runpy.run_path(str(CLIENT))["play_a_hand"](table.address)
    assert won % 5 == 0
    assert "you check" in capsys.readouterr().out
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 41
