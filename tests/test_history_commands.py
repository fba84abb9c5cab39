"""Hand histories on the command line: what is written, shown and said when something is wrong."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import Result
from typer.testing import CliRunner

from holdmem.cli import app
from holdmem.cli.progress import reading_progress
from holdmem.core.errors import HoldMemError
from holdmem.history import read_hands
from pokerstars_games import plain
from pokerstars_hands import READABLE

TEXT = "\n\n".join(sample.text for sample in READABLE.values())
OMAHA = "PokerStars Hand #7:  Omaha Pot Limit ($1/$2) - 2012/01/01 1:01:01 ET\n\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hands.txt"
    path.write_text(OMAHA + TEXT, encoding="utf-8")
    return path


def holdmem(*words: Path | str, code: int = 0, columns: int = 100) -> Result:
    found = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": str(columns)})
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == code, found.output
    return found


# convert


@pytest.mark.parametrize("name", ["out.parquet", "out", "out.phhs"])
def test_convert_by_the_suffix(name: str, file: Path, tmp_path: Path) -> None:
    told = holdmem("convert", file, "-o", tmp_path / name).stderr
    assert f"12 hands written to {tmp_path / name}" in told
    assert "1 hand left out: 1 a game other than limit or no-limit hold'em" in told
    assert "hands.txt:1: expected Hold'em No Limit" in told
    reading = read_hands(tmp_path / name)
    assert sum(map(len, reading)) == len(READABLE)


def test_convert_to_text_and_back(file: Path, tmp_path: Path) -> None:
    """All but the straddle, which is said to be left out."""
    target, unread = tmp_path / "again.txt", tmp_path / "unread"
    told = holdmem("convert", file, "-o", target, "--unread", unread).stderr
    assert "11 hands written" in told
    assert f"all of them are in {unread}" in told
    lines = unread.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert "not written: expected a small blind, a big blind and late posts only" in lines[1]
    numbers = [hand.number for block in read_hands(target) for hand in block]
    assert len(numbers) == 11
    assert not list(tmp_path.glob("*.part"))


def test_convert_one_player_s_hands(file: Path, tmp_path: Path) -> None:
    holdmem("convert", file, "-o", tmp_path / "bob", "--player", "bob", "--to", "parquet")
    hands = [plain(hand) for block in read_hands(tmp_path / "bob") for hand in block]
    assert [hand.number for hand in hands] == [101000000001]


def test_convert_to_an_acpc_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    state = "STATE:0:f:2c3c|4c5c:5|-5:a|b\n"
    log.write_text(
        f"# name/game/hands/seed 2p holdem.limit.2p.reverse_blinds.game 1 0\n{state}", encoding="utf-8"
    )
    holdmem("convert", log, "-o", tmp_path / "b.log")
    assert state in (tmp_path / "b.log").read_text(encoding="utf-8")
    holdmem("convert", log, "-o", tmp_path / "b.txt")
    assert "b: posts small blind 5" in (tmp_path / "b.txt").read_text(encoding="utf-8")


MISTAKES = {
    "no such file": ("hands none.txt", "none.txt: no such file or folder"),
    "no history": ("stats notes", "expected hands as"),
    "an unknown suffix": ("convert hands.txt -o out.doc", "expected a format"),
    "an unknown target": ("convert hands.txt -o out.doc --to word", "expected a format"),
    "a target that is there": ("convert hands.txt -o notes --to phh", "already exists"),
    "nothing but other games": ("convert omaha.txt -o out.phhs", "no readable hands to write"),
    "a hand that is not there": ("hands hands.txt --show 99", "expected a hand from 1 to 12, got 99"),
    "a number that is not there": ("hands hands.txt --number 5", "no hand with number 5 among 12 hands"),
    "a hand to explain by its place": (
        "explain hands.txt --hand 1",
        "expected the number that a hand has in its file, such as 101000000001, got 1",
    ),
    "a player who never sat": ("stats hands.txt --player Nobody", "no hands of 'Nobody' in hands.txt"),
    "an unknown position": ("stats hands.txt --position XX", "expected position to be one of SB, BB"),
    "an unknown street": ("stats hands.txt --street sixth", "expected street to be one of preflop, flop"),
    "a range the wrong way": ("stats hands.txt --stack 9-3", "stack: expected a smallest and"),
    "nothing left by filters": ("stats hands.txt --players 9 --player bob", "no hands of 'bob' as chosen"),
    "statistics as a table of text": (
        "stats hands.txt -o x.csv",
        "expected a file name that ends in .parquet",
    ),
    "statistics that are there": ("stats hands.txt -o old.parquet", "already exists"),
    "an unknown format": ("hands hands.txt --format stars", "unknown format of hands 'stars'"),
    "an unknown game": ("hands hands.txt --game chess", "expected"),
    "no folder for the list": (
        "hands hands.txt --unread none/of/these",
        "the folder of none/of/these does not exist",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_leave_nothing_behind(mistake: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    Path("notes").write_text("remember the milk", encoding="utf-8")
    Path("omaha.txt").write_text(OMAHA, encoding="utf-8")
    Path("old.parquet").write_text("not ours", encoding="utf-8")
    before = sorted(file.parent.iterdir())
    command, message = MISTAKES[mistake]
    with pytest.raises(HoldMemError, match=message):
        holdmem(*command.split())
    assert sorted(file.parent.iterdir()) == before


def test_a_mistake_is_one_line_and_code_two(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("remember the milk", encoding="utf-8")
    words = [sys.executable, "-m", "holdmem", "hands", str(notes)]
    found = subprocess.run(words, capture_output=True, text=True, check=False, encoding="utf-8")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1].startswith(f"holdmem: {notes}: expected hands as")


# hands


def test_hands_are_counted_by_game(file: Path) -> None:
    found = holdmem("hands", file)
    assert "no-limit $0.10/$0.25" in found.stdout
    assert found.stdout.splitlines()[-1].split() == ["all", "12"]
    assert holdmem("hands", file, "--count").stdout == "12\n"
    assert holdmem("hands", file, "--count", "--player", "bob").stdout == "1\n"
    assert holdmem("hands", file, "--count", "--limit", "5").stdout == "5\n"


def test_hands_for_machines(file: Path) -> None:
    told = json.loads(holdmem("hands", file, "--json").stdout)
    assert list(told) == ["hands", "games", "checked", "differing", "raked", "unread", "account"]
    assert told["hands"] == sum(game["hands"] for game in told["games"]) == 12
    assert told["unread"] == {"a game other than limit or no-limit hold'em": 1}
    hand = json.loads(holdmem("hands", file, "--show", "1", "--json").stdout)
    assert hand["players"] == ["c d e", "Ann: calls", "bob"]
    assert hand["hole"] == [None, None, "AhKd"]
    assert hand["net"] == [-10, -75, 80]
    assert [step["verb"] for step in hand["actions"]] == [
        "raises",
        "folds",
        "calls",
        "checks",
        "bets",
        "folds",
    ]


TOLD = """\
Hand 101000000002, table 555000111 7, 2012-03-04 14:15:00, no-limit 75/150, ante 10, 4 players

  Rex        500  As Ad          ante 10, blind 75
  Sue      2,000  Ac Kc          ante 10, blind 150
  Tom_99   3,000  Qs Qc          ante 10
  Ubu Roi  1,500  ?? ??  button  ante 10

before the flop (pot 265): Tom_99 raises to 450, Ubu Roi folds, Rex raises to 490 all-in, \
Sue raises to 1,990 all-in, Tom_99 calls 1,540
flop 2d 8h 8c (pot 4,510): no action
turn 2d 8h 8c Jd (pot 4,510): no action
river 2d 8h 8c Jd 3s (pot 4,510): no action

Rex shows As Ad: two pair
Sue shows Ac Kc: pair
Tom_99 shows Qs Qc: two pair
result: Rex +1,010, Sue -2,000, Tom_99 +1,000, Ubu Roi -10
"""


def test_a_hand_in_words(file: Path) -> None:
    assert holdmem("hands", file, "--show", "2", columns=200).stdout == TOLD
    assert holdmem("hands", file, "--number", "101000000002", columns=200).stdout == TOLD
    assert holdmem("hands", file, "--player", "Sue", "--show", "1", columns=200).stdout == TOLD


# stats


def test_stats_of_everybody_and_of_one(file: Path) -> None:
    found = holdmem("stats", file, columns=80).stdout
    titles = "player hands bb/100 95% ± adj. VPIP PFR 3B AF WTSD W$SD WWSF"
    assert " ".join(found.splitlines()[0].split()) == titles
    assert "more players (--top 0 shows all)" in found
    one = [line.split() for line in holdmem("stats", file, "--player", "bob").stdout.splitlines()]
    assert one[0] == ["bob", "value", "95%", "interval", "made", "of"]
    assert ["bb/100", "+320.0", "–", "1"] in one
    assert ["VPIP", "100%", "21%", "to", "100%", "1", "1"] in one
    assert ["fold", "to", "3-bet", "–", "–", "0", "0"] in one


def test_stats_by_position_fit_a_screen(file: Path) -> None:
    lines = holdmem("stats", file, "--by", "position", columns=80).stdout.splitlines()
    assert lines[0].split() == ["SB", "BB", "HJ", "CO", "BTN"]
    assert lines[2].split()[0] == "bb/100"
    assert all(len(line.split()) >= 6 for line in lines[1:] if not line.startswith("all-in"))
    both = holdmem("stats", file, "--by", "player", "--by", "position", "--top", "3", columns=120).stdout
    assert both.splitlines()[0].split()[:3] == ["player", "position", "hands"]
    assert "more lines (--top 0 shows all)" in both


def test_stats_for_machines(file: Path) -> None:
    told = json.loads(holdmem("stats", file, "--player", "bob", "--json").stdout)
    (bob,) = told["players"]
    assert told["account"]["unread"] == {"a game other than limit or no-limit hold'em": 1}
    assert list(bob) == [
        *("name", "hands", "style", "winnings", "unseen", "unknown_results"),
        *("statistics", "bb_per_100", "all_in_adjusted"),
    ]
    assert bob["winnings"]["mean"] == pytest.approx(3.2)
    assert bob["winnings"]["ci95"] is None
    assert bob["statistics"]["vpip"]["made"] == bob["statistics"]["vpip"]["opportunities"] == 1
    assert bob["all_in_adjusted"]["all_ins"] == bob["all_in_adjusted"]["adjusted"] == 0
    everybody = json.loads(holdmem("stats", file, "--json").stdout)["players"]
    assert len(everybody) == sum(len(sample.names) for sample in READABLE.values())
    groups = json.loads(holdmem("stats", file, "--by", "players", "--json").stdout)["groups"]
    assert sum(one["hands"] for one in groups) == len(everybody)
    assert all(one["hands"] % one["players"] == 0 for one in groups)


def test_stats_as_parquet(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "stats.parquet"
    holdmem("stats", file, "--by", "position", "-o", target)
    found = pl.read_parquet(target)
    assert found["position"].to_list() == ["SB", "BB", "HJ", "CO", "BTN"]
    assert {"vpip", "vpip_low", "vpip_high", "vpip_n", "bb_per_100", "all_in_adjusted", "all_ins"} <= set(
        found.columns
    )


STATS_MISTAKES = {
    "--by colour": "'colour' is not one of 'player', 'position'",
    "--players many": "expected a number or a range such as 5-6 or 100-",
    "--since yesterday": "expected a day such as 2009-07-01",
}


@pytest.mark.parametrize("options", STATS_MISTAKES)
def test_mistaken_filters(file: Path, options: str) -> None:
    found = holdmem("stats", file, *options.split(), code=2, columns=200)
    assert STATS_MISTAKES[options] in " ".join(found.stderr.split())


# Manners


def test_help_has_examples_and_touches_no_compiled_code() -> None:
    for command in ("convert", "hands", "stats"):
        assert f"holdmem {command} " in holdmem(command, "--help").stdout.replace("\n", " ")
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom holdmem.cli import app\n"
        "for word in ('convert', 'hands', 'stats'):\n"
        "    assert CliRunner().invoke(app, [word, '--help']).exit_code == 0\n"
        "assert not {'numba', 'numpy', 'polars', 'scipy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_progress_counts_hands(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with reading_progress("reading [a]") as tell:
        tell(2000)
    shown = capsys.readouterr().err
    assert "reading [a]" in shown
    assert "2,000 hands" in shown
