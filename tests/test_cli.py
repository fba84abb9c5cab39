"""The arena on the command line: shapes for machines, tables for people, one line for mistakes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from holdmem.arena import Estimate
from holdmem.cfr.solver import discount_factors
from holdmem.cli import app
from holdmem.cli.progress import progress_bar
from holdmem.cli.render import verdict
from holdmem.core import choices
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.engine import STREET_NAMES
from holdmem.learning.evolve.task import SCHEMES
from holdmem.learning.value_table_report import DIMENSIONS
from strangers import called

AGENT = ["name", "mean", "standard_error", "ci95", "unit", "samples", "style"]
STYLE = ["hands", "vpip", "pfr", "aggression", "went_to_showdown", "won_at_showdown"]
MATCH = ["agents", "hands", "matches", "seed", "game", "kind", "memory", "hash"]


@pytest.fixture
def holdmem(tmp_path: Path) -> Any:
    """The command line in this process; matches and results share a ledger of their own."""

    def call(*words: str, code: int = 0) -> Result:
        book = ["--ledger", str(tmp_path / "results.sqlite")] if words[0] in LEDGERS else []
        found = CliRunner().invoke(app, [*words, *book], env={"COLUMNS": "80"})
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert found.exit_code == code, found.output
        return found

    return call


LEDGERS = ("match", "tournament", "results")


def in_a_process(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "holdmem", *words],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


# For machines


def test_the_shape_of_a_match(holdmem: Any) -> None:
    told = json.loads(
        holdmem("match", "random", "always-call", "--hands", "300", "--seed", "5", "--json").stdout
    )
    assert list(told) == MATCH
    assert [agent["name"] for agent in told["agents"]] == ["random", "always-call"]
    for agent in told["agents"]:
        assert list(agent) == AGENT
        assert list(agent["style"]) == STYLE
        low, high = agent["ci95"]
        assert low < agent["mean"] < high
        assert agent["standard_error"] > 0
        assert (agent["unit"], agent["samples"]) == ("sb/h", 300)
    assert (told["hands"], told["matches"], told["seed"]) == (600, 1, 5)
    assert told["game"] == "holdem.limit.2p.reverse_blinds"
    assert len(told["hash"]) == 24


def test_agents_come_in_the_order_given(holdmem: Any) -> None:
    names = ["always-raise", "random", "always-call"]
    told = json.loads(holdmem("match", *names, "--hands", "20", "--game", "nolimit", "--json").stdout)
    assert [agent["name"] for agent in told["agents"]] == names
    assert told["hands"] == 6 * 20
    assert sum(agent["mean"] for agent in told["agents"]) == pytest.approx(0)


def test_no_interval_where_learners_play_too_few_matches(holdmem: Any) -> None:
    words = ("match", "random", called("Counter"), "--hands", "5", "--json", "--matches")
    assert json.loads(holdmem(*words, "4").stdout)["agents"][0]["ci95"] is None
    assert len(json.loads(holdmem(*words, "5").stdout)["agents"][0]["ci95"]) == 2


def test_units_on_demand(holdmem: Any) -> None:
    words = ("match", "random", "always-call", "--hands", "50", "--json")
    small, thousandths = (json.loads(holdmem(*words, *more).stdout) for more in ((), ("--unit", "mbb/h")))
    assert thousandths["agents"][0]["mean"] == pytest.approx(1000 * small["agents"][0]["mean"])
    assert thousandths["agents"][0]["unit"] == "mbb/h"
    assert small["hash"] == thousandths["hash"]


def test_the_shape_of_a_tournament(holdmem: Any) -> None:
    names = ["random", "always-call", "always-raise"]
    told = json.loads(holdmem("tournament", *names, "--hands", "100", "--seed", "2", "--json").stdout)
    assert [agent["name"] for agent in told["agents"]] == names
    for agent in told["agents"]:
        assert list(agent) == AGENT[:-1]
    assert (told["hands"], told["matches"], told["seed"]) == (3 * 200, 1, 2)
    assert [[cell is None for cell in row] for row in told["crosstable"]] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
    assert list(told["crosstable"][0][1]) == AGENT[1:-1]
    for ranking in ("bankroll", "runoff"):
        assert sorted(row["name"] for row in told[ranking]) == sorted(names)
    assert [list(result) for result in told["results"]] == [MATCH] * 3
    assert told["failures"] == []


def test_a_tournament_with_a_bad_agent_tells_all_and_exits_with_one(holdmem: Any, tmp_path: Path) -> None:
    names = ["random", called("Raises"), "always-call"]
    html = tmp_path / "report.html"
    found = holdmem("tournament", *names, "--hands", "50", "--json", "--html", str(html), code=1)
    told = json.loads(found.stdout)
    assert len(told["results"]) == 1
    assert [failure["agents"] for failure in told["failures"]] == [names[:2], names[1:]]
    assert all("ZeroDivisionError" in failure["reason"] for failure in told["failures"])
    assert "ZeroDivisionError" in html.read_text(encoding="utf-8")


def test_results_can_be_listed_shown_compared_and_exported(holdmem: Any, tmp_path: Path) -> None:
    matches = [
        json.loads(holdmem("match", "random", other, "--hands", "200", "--json").stdout)
        for other in ("always-call", "always-raise")
    ]
    listed = json.loads(holdmem("results", "list", "--json").stdout)
    assert {row["hash"] for row in listed} == {one["hash"] for one in matches}
    assert all(row["complete"] for row in listed)
    keys = ["hash", "started", "agents", "game", "kind", "hands", "matches", "seed", "complete"]
    assert list(listed[0]) == keys
    one, other = matches
    assert json.loads(holdmem("results", "show", one["hash"][:8], "--json").stdout) == one
    told = json.loads(holdmem("results", "compare", one["hash"], other["hash"], "--json").stdout)
    assert (told["one"], told["other"]) == (one["hash"], other["hash"])
    difference = one["agents"][0]["mean"] - other["agents"][0]["mean"]
    assert told["difference"]["mean"] == pytest.approx(difference)
    assert list(told["difference"]) == AGENT[1:-1]
    file = tmp_path / "all.json"
    assert "wrote 2 results" in holdmem("results", "export", str(file)).stdout
    assert {row["hash"] for row in json.loads(file.read_text(encoding="utf-8"))} == {
        row["hash"] for row in matches
    }


def test_who_has_played_nothing_has_an_empty_list(tmp_path: Path) -> None:
    nowhere = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    for more, says in (([], "nothing has been played yet\n"), (["--json"], "[]\n")):
        found = CliRunner().invoke(app, ["results", "list", *more], env=nowhere)
        assert (found.exit_code, found.stdout) == (0, says)
    assert list(tmp_path.iterdir()) == []


def test_manners_as_json(holdmem: Any) -> None:
    good = json.loads(holdmem("check", "always-call", "--game", "limit", "--json").stdout)
    assert list(good) == ["checked", "declined", "seed"]
    assert {row["problem"] for row in good["checked"]} == {""}
    bad = json.loads(holdmem("check", called("Raises"), "--game", "limit", "--json", code=1).stdout)
    assert any("ZeroDivisionError" in row["problem"] for row in bad["checked"])


# For people


@pytest.mark.parametrize("game", ["limit", "nolimit"])
def test_a_match_fits_in_eighty_columns(game: str, holdmem: Any) -> None:
    found = holdmem("match", "always-all-in", "always-raise", "--hands", "300", "--game", game).stdout
    head, first, second, *_ = found.splitlines()
    unit = {"limit": "sb/h", "nolimit": "bb/h"}[game]
    assert head.split() == ["agent", unit, "(95%)", "mbb/h", "VPIP", "PFR", "AF", "WTSD", "W$SD"]
    assert first.startswith("always-all-in ")
    assert second.startswith("always-raise ")
    assert max(map(len, found.splitlines())) <= 80


def test_names_are_printed_as_they_are(holdmem: Any) -> None:
    """Brackets in a name are no markup."""
    name = called("Of:members=[random;always-call]")
    found = holdmem("match", name, "random", "--hands", "20").stdout
    first_column = "".join(line[:27].split(" ")[0] for line in found.splitlines())
    assert "members=[random;always-call]" in first_column, found


def test_a_cross_table_fits_in_eighty_columns(holdmem: Any) -> None:
    names = ["random", "always-call", "always-raise", "always-all-in"]
    found = holdmem("tournament", *names, "--hands", "300", "--game", "nolimit").stdout
    assert [line.split()[1] for line in found.splitlines()[1:9:2]] == names
    assert max(map(len, found.splitlines())) <= 80
    assert "bankroll, " in found
    assert "run-off, " in found


def test_the_verdict_says_how_many_more_hands(holdmem: Any) -> None:
    found = holdmem("match", "random", "random", "--hands", "100", "--seed", "3").stdout
    assert "not significant" in found
    assert "more hands" in found.replace("\n", " ")
    assert "is significant" in holdmem("match", "random", "always-raise", "--hands", "2000").stdout


def test_the_verdict_on_too_little() -> None:
    assert "at least five" in verdict(Estimate(1.0, None, None, None, "sb/h", 4), 100)


def test_results_for_people(holdmem: Any) -> None:
    for other in ("always-call", "always-raise"):
        holdmem("match", "random", other, "--hands", "50")
    listed = holdmem("results", "list").stdout
    hashes = [line[:8] for line in listed.splitlines() if line[:1] in "0123456789abcdef" and line[:1]]
    assert "always-call" in listed
    assert "agent" in holdmem("results", "show", hashes[0]).stdout
    compared = holdmem("results", "compare", *hashes).stdout
    assert "difference:" in compared
    assert "Same seed" in compared


@pytest.mark.parametrize("kind", ["ring", "bankroll", "freeze-out"])
def test_every_kind_of_match(kind: str, holdmem: Any) -> None:
    words = (
        "match",
        "random",
        "always-call",
        "random",
        "--kind",
        kind,
        "--game",
        "nolimit",
        "--stack",
        "800",
    )
    found = holdmem(*words, "--hands", "60", "--matches", "6").stdout
    assert kind in found
    assert ("buy-ins" in found) == (kind == "freeze-out")


def test_pictures_and_pages(holdmem: Any, tmp_path: Path) -> None:
    png, html = tmp_path / "table.png", tmp_path / "report.html"
    holdmem("tournament", "random", "always-call", "--hands", "50", "--png", str(png), "--html", str(html))
    assert png.stat().st_size > 1000
    assert "<!doctype html>" in html.read_text(encoding="utf-8")


def test_progress_is_shown_with_rate_and_time_left(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("[a] against b") as tell:
        for done in range(0, 4000, 1000):
            tell(done, 4000)
    shown = capsys.readouterr().err
    assert "[a] against b" in shown
    assert "3,000 of 4,000 hands" in shown
    assert "hands/s" in shown
    assert "0:00" in shown


# Mistakes

MISTAKES = {
    "an unknown agent": ("match", "randon", "always-call"),
    "too few agents": ("match", "random"),
    "an unknown game": ("match", "random", "random", "--game", "chess"),
    "unlimited stacks": ("match", "random", "random", "--kind", "bankroll"),
    "a unit that no-limit lacks": ("match", "random", "random", "--game", "nolimit", "--unit", "sb/h"),
    "a picture of three": (
        "tournament",
        *["random"] * 3,
        "--game",
        "nolimit",
        "--seats",
        "3",
        "--png",
        "x.png",
    ),
    "a page in no folder": ("tournament", "random", "random", "--html", "/no/such/folder/x.html"),
    "a bad agent": ("match", called("Raises"), "random", "--hands", "5"),
    "no such result": ("results", "show", "abc"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_errors_of_ours(mistake: str, holdmem: Any) -> None:
    """Which the command line turns into one line: see below."""
    messages = "expected|unknown agent|ZeroDivision|stacks|heads-up|does not exist|no results ledger"
    with pytest.raises(HoldMemError, match=messages):
        holdmem(*MISTAKES[mistake])


CHOICES: dict[tuple[str, ...], Any] = {
    ("match", "random", "random", "--kind"): choices.MatchKind,
    ("match", "random", "random", "--memory"): choices.MemoryMode,
    ("match", "random", "random", "--luck"): choices.VarianceMethod,
    ("tournament", "random", "random", "--memory"): choices.MemoryMode,
    ("reproduce", "sartre", "--scale"): choices.Scale,
    ("solve", "--recall"): choices.Recall,
    ("solve", "--weighting"): choices.Weighting,
    ("exploit", "random", "--from"): choices.StreetName,
    ("evolve", "-o", "nowhere", "--scheme"): choices.Scheme,
    ("evolve", "-o", "nowhere", "--cards"): choices.DeckMode,
    ("knowledge", "no.file", "--by"): choices.ValueTableAxis,
    ("serve", "--seats", "random,@b", "--lost"): choices.LostPlayer,
}


@pytest.mark.parametrize("words", CHOICES, ids=" ".join)
def test_choices_are_listed_in_the_help_and_others_are_refused(words: tuple[str, ...]) -> None:
    known, option = get_args(CHOICES[words]), words[-1]
    shown = CliRunner().invoke(app, [words[0], "--help"], env={"COLUMNS": "160"}).output
    assert any("|".join(known) in line for line in shown.splitlines() if f"{option} " in line)
    refused = CliRunner().invoke(app, [*words, "chess"], env={"COLUMNS": "160"})
    assert refused.exit_code == 2
    assert f"Invalid value for '{option}'" in refused.stderr
    assert all(repr(name) in refused.stderr for name in known)


def test_the_choices_of_the_command_line_are_those_of_the_library() -> None:
    assert get_args(choices.StreetName) == STREET_NAMES
    assert get_args(choices.ValueTableAxis) == DIMENSIONS[1:]
    assert set(get_args(choices.Scheme)) == set(SCHEMES)
    assert all(discount_factors(weighting, 1).shape == (1, 3) for weighting in get_args(choices.Weighting))


@pytest.mark.parametrize("words", [("match", "eqm:strategy=no", "random"), ("exploit", "eqm:strategy=no")])
def test_a_file_that_is_not_there_is_named(words: tuple[str, ...], holdmem: Any) -> None:
    with pytest.raises(
        AgentError, match=r"^eqm:strategy=no: no: cannot read the strategy file: No such file"
    ):
        holdmem(*words)


def test_a_mistake_is_one_line_and_code_two(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("no ledger", encoding="utf-8")
    for words in (MISTAKES["an unknown agent"], ("match", "random", "random", "--ledger", str(notes))):
        found = in_a_process(*words)
        assert found.returncode == 2
        assert found.stdout == ""
        assert found.stderr.startswith("holdmem: ")
        assert len(found.stderr.splitlines()) == 1
    assert notes.read_text(encoding="utf-8") == "no ledger"


QUIET = """
import sys
from typer.testing import CliRunner
from holdmem.cli import app
for words in {words}:
    assert CliRunner().invoke(app, [*words, "--help"]).exit_code == 0, words
assert not {{"numba", "numpy", "scipy", "matplotlib"}} & set(sys.modules)
"""


def test_help_touches_no_compiled_code() -> None:
    commands = [
        [],
        ["match"],
        ["tournament"],
        ["check"],
        ["styles"],
        ["exploit"],
        ["results"],
        ["results", "list"],
        ["agents"],
    ]
    script = QUIET.format(words=commands)
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert found.returncode == 0, found.stderr


def test_help_has_examples(holdmem: Any) -> None:
    for command in ("match", "tournament", "check", "styles", "exploit"):
        assert f"holdmem {command} " in holdmem(command, "--help").stdout.replace("\n", " ")


def test_every_command_is_in_a_group(holdmem: Any) -> None:
    shown = holdmem("--help").stdout
    assert "Play and review" in shown
    assert "─ Commands ─" not in shown  # where typer puts those without a group


def test_nothing_in_brackets_is_lost_from_the_help_of_options() -> None:
    """Rich takes `[cuda]` for a style and prints nothing."""
    commands = typer.main.get_command(app).commands.values()  # type: ignore[attr-defined]
    told = [
        parameter.help or "" for one in commands for parameter in one.params if hasattr(parameter, "help")
    ]
    assert told
    assert not [text for text in told if "[" in text]


@pytest.mark.parametrize(
    "words",
    [
        "reproduce sartre -o a-file",
        "serve --seats random,random --log a-file",
        "tables build --folder a-file",
    ],
)
def test_a_file_in_place_of_a_folder_is_refused_before_anything_is_played(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").write_text("remember the milk", encoding="utf-8")
    refused = CliRunner().invoke(app, words.split(), env={"COLUMNS": "160"})
    assert refused.exit_code == 2
    assert "'a-file' is a file" in refused.stderr
