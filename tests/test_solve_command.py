"""`holdmem solve`: small games, hold'em from start to match, and one line for mistakes."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem.cfr import Leduc, build_game_tree, exploitability
from holdmem.cli import app
from holdmem.core.errors import HoldMemError

TINY = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 1 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def holdmem(*words: str) -> str:
    found = CliRunner().invoke(app, list(words), env={"COLUMNS": "100"})
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found.stdout


def test_kuhn_is_solved_in_words_and_for_machines() -> None:
    assert "kuhn: worth -0.055" in holdmem("solve", "--game", "kuhn", "--iterations", "2000")
    told = json.loads(holdmem("solve", "--game", "kuhn", "--iterations", "2000", "--json"))
    assert told["value"] == pytest.approx(-1 / 18, abs=1e-3)
    measures = [report["measure"] for report in told["reports"]]
    assert measures[-1] < 1 < measures[0]
    assert {report["measured"] for report in told["reports"]} == {"exploitability"}


def test_leducs_strategy_goes_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "leduc.json"
    holdmem("solve", "--game", "leduc", "--iterations", "300", "-o", str(path))
    tree = build_game_tree(Leduc())
    assert (
        exploitability(tree, tree.strategy(json.loads(path.read_text(encoding="utf-8"))["strategy"])) < 0.01
    )


def test_holdem_is_solved_and_the_file_plays(tmp_path: Path) -> None:
    game, path = tmp_path / "tiny.game", tmp_path / "tiny.strategy"
    game.write_text(TINY, encoding="utf-8")
    words = ["solve", "--game", str(game), "--buckets", "7/6/5/9", "--iterations", "3", "--every", "0"]
    words += ["--exploit", "16"]
    told = json.loads(holdmem(*words, "-o", str(path), "--json"))
    assert told["iterations"] == 3
    assert told["information_sets"] > 0
    assert told["task"]["buckets"] == [7, 6, 5, 9]
    assert [report["measured"] for report in told["reports"]] == ["average regret (no bound)"] * 3
    assert all(report["local_response"] is not None for report in told["reports"])
    again = json.loads(holdmem(*words, "-o", str(path), "--json", "--resume", "--iterations", "4"))
    assert [report["iterations"] for report in again["reports"]] == [4]
    played = holdmem(
        "match", f"eqm:strategy={path}", "random", "--game", str(game), "--hands", "50", "--no-ledger"
    )
    assert "eqm:strategy" in played


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--game", "limit"], "-o FILE"),
        (["--game", "limit", "-o", "x", "--buckets", "1/2"], "four bucket counts"),
        (["--game", "limit", "-o", "x", "--tilt", "angry"], "two factors|fractions"),
        (["--game", "limit", "-o", "x", "--tilt", "1,2,3"], "two factors"),
        (["--game", "nolimit", "-o", "x", "--bets", "half"], "fractions of the pot"),
        (["--game", "nolimit", "-o", "x", "--bets", "-1"], "positive fractions"),
        (["--game", "holdem.limit.3p", "-o", "x"], "heads-up"),
        (["--game", "limit", "-o", "no/such/folder/x"], "the folder of .* does not exist"),
        (["--game", "limit", "-o", "x", "--resume", "--buckets", "1/1/1/1"], "checkpoint"),
    ],
)
def test_mistakes_are_one_line(words: list[str], says: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HoldMemError, match=says):
        holdmem("solve", *words)


SPOT = ("solve", "--spot", "Kc8s2d5h9c", "--first", "AA,76s", "--second", "KQs,KJs,99:0.5", "--pot", "100")


def test_a_spot_is_solved_in_words_and_for_machines() -> None:
    shown = holdmem(*SPOT, "--stack", "100", "--bets", "1")
    assert "bet 100 all-in" in shown
    assert "of the pot" in shown
    assert sum(line.startswith("A ") for line in shown.splitlines()) == 2, "a grid for each action"
    told = json.loads(holdmem(*SPOT, "--stack", "100", "--bets", "1", "--json"))
    assert told["exploitability"] <= 0.005
    assert sum(told["values"]) == pytest.approx(100)
    assert sum(told["equities"]) == pytest.approx(1)
    assert sum(action["frequency"] for action in told["actions"]) == pytest.approx(1)
    assert set(told["classes"]) == {"AA", "76s"}


def test_a_limit_spot_is_shown_after_some_betting() -> None:
    told = json.loads(holdmem(*SPOT, "--iterations", "40", "--at", "cr20", "--json"))
    assert told["player"] == 0
    assert [action["action"] for action in told["actions"]] == ["fold", "call 20", "raise to 40"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--at", "r33"], "no decision after 'r33'; after '' there are c, r20"),
        (["--at", "x"], "expected betting such as c or cr75"),
        (["--first", "Kc8s"], "no holding that the board leaves"),
        (["--stack", "0"], "a stack of at least 1 chip"),
    ],
)
def test_mistakes_in_a_spot_are_told(words: list[str], says: str) -> None:
    with pytest.raises(HoldMemError, match=says):
        holdmem(*SPOT, "--iterations", "2", *words)
