"""`holdmem compile`: everything that ships is rehearsed, and afterwards nothing is compiled any more."""

import json
import os
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from fresh import run
from holdmem.cli import app, warmup_all
from holdmem.cli.warmup_commands import WarmupTask, matches_of, our_agents, warmup_tasks
from holdmem.strength.tables import TABLES

UNREHEARSED = {"formats", "replay", "agents", "games", "compile", "results", "join", "improve", "mcp"}
"""Commands without kernels of their own; `join` has those of `serve` and `explain`.

`mcp` has those of `equity`, `explain`, `stats`, `review` and the web table.

`improve` takes minutes a flop; `respond_on_short_deck` compiles its kernels on a small deck.
"""

AFTERWARDS = """
    match sartre-2 eqm --hands 300 --no-ledger --luck adjusted --luck divat
    match sartre-1 imitator --hands 100 --no-ledger
    match eqm-nl imitator:expert=eqm-nl --game nolimit --hands 100 --no-ledger
    match plicas whlbot --hands 50 --no-ledger
    match casper poki simbot:rollouts=8 random dpp jagbot --kind ring --hands 6 --no-ledger
    match mctsbot:iterations=20 action-learner --game nolimit --hands 4 --no-ledger
    match dynamic outcome-learner --hands 20 --matches 6 --no-ledger
    tournament simplebot jagbot dpp always-call --game holdem.limit.3p --hands 20 --no-ledger
    record poki casper random random random random random random random --game casper --hands 9 -o ring
    learn ring --player poki --as casper --held-out 0 -o cases
    record eqm random --hands 100 -o hands
    convert hands -o hands.log
    stats hands.log
    learn hands.log --player eqm --as sartre-2 -o own
    review hands --player random --against sartre-2:cases=own
    train action-learner --against simplebot --hands 20 --game limit
    exploit imitator --hands 4
    solve --game limit --buckets 5/4/3/2 --iterations 2 -o solved
    solve --spot Kc8s2d5h9c --pot 120 --iterations 2
    match resolve:base=eqm-nl,iterations=3 eqm-nl --game nolimit --hands 10 --no-ledger
    equity AhKd,QQ random --board Kc7s2d9h
    strength 7h2c --board Kc7s2d --opponents 3
    play simplebot jagbot --check --no-browser
    check sartre-2 --game limit
"""
LISTEN = """
import json, sys
from holdmem.cli.warmup_all import run_command
from holdmem.core.jit import every_compilation
heard, problems = [], []
with every_compilation(heard.append):
    for line in sys.argv[1].splitlines():
        if line.strip():
            before = len(heard)
            problems += filter(None, [run_command(line)])
            heard[before:] = [f"{name} in {line.strip()}" for name in heard[before:]]
print(json.dumps([heard, problems]))
"""


def rehearsed() -> set[str]:
    """The first words of all commands that are rehearsed."""
    return {command.split()[0] for one in warmup_tasks() for command in one.commands}


def test_every_player_is_rehearsed() -> None:
    names = [agent.partition(":")[0] for one in warmup_tasks() for agent in one.agents]
    assert set(our_agents()) <= {*names, "sartre-1", "sartre-2", "memory"}
    assert list(matches_of("eqm")) == [
        "match eqm random --game limit --hands 40 --no-ledger",
        "match eqm megabot --game limit --hands 2 --no-ledger",
    ]


def test_every_command_is_rehearsed() -> None:
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert commands - rehearsed() == UNREHEARSED


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path))
    return tmp_path


def test_failures_are_told_and_nothing_is_noted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [
        WarmupTask("games", 1, ("games",)),
        WarmupTask("nonsense", 1, ("match nobody random --no-ledger",)),
    ]
    monkeypatch.setattr(warmup_all, "warmup_tasks", lambda: few)
    said = CliRunner().invoke(app, ["compile", "--no-tables"]).output
    assert "2 of about 2 steps, 100%" in said
    (left_out,) = [line for line in said.splitlines() if line.startswith("not compiled")]
    assert "nonsense: `holdmem match nobody random --no-ledger`: UnknownAgent" in left_out
    assert not warmup_all.is_complete()


def test_what_was_rehearsed_is_not_rehearsed_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup_all, "warm_up_all", lambda tables, tell: [])
    assert "are stored in" in CliRunner().invoke(app, ["compile", "--no-tables"]).output
    assert "already" in CliRunner().invoke(app, ["compile", "--no-tables"]).output
    assert TABLES["turn"].path() is None
    assert "already" not in CliRunner().invoke(app, ["compile"]).output, "the table is missing"


def test_removed_code_is_noticed(cache: Path) -> None:
    (folder, *_) = warmup_all._folders()
    code = cache / "kernels" / folder / "some.nbc"
    code.parent.mkdir(parents=True)
    code.write_bytes(b"code")
    warmup_all.note_completion()
    assert warmup_all.is_complete()
    code.unlink()
    assert not warmup_all.is_complete()


@pytest.mark.matrix
def test_nothing_is_compiled_after_a_compilation(tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path / "data")}
    if "HOLDMEM_JUST_COMPILED" not in os.environ:  # as in `make test-compiled` after a set-up
        place["HOLDMEM_CACHE"] = str(tmp_path / "cache")
        done = run("import sys; from holdmem.cli import main; sys.argv[1:] = ['compile']; main()", **place)
        assert "left out" not in done.stderr
    code = f"import os; os.chdir({str(tmp_path)!r})\n{LISTEN}"
    heard, problems = json.loads(run(code, AFTERWARDS, **place).stdout.splitlines()[-1])
    assert problems == []
    assert heard == []
