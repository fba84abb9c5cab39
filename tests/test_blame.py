"""What is said of agents that fail: their own file and line, in one line, from worker processes too."""

import ctypes
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdmem import find_game, match
from holdmem.agent import make_agent
from holdmem.arena import check_agent
from holdmem.arena.time_limit import TimeLimitExceeded, time_limit
from holdmem.cli import app
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.jit import _preparing

BOTS = """
import time
from dataclasses import dataclass
from holdmem import bot
from holdmem.strength import HandCards

def helper(number):
    return 1 // number  # line 8

@bot
def divides(view):
    return helper(0)

@bot
def misuses(view):
    HandCards.read("nonsense")  # line 16

@bot
def loiters(view):
    while True:
        time.sleep(0.01)  # line 21

@dataclass(frozen=True)
class Broken:
    limit: int = 0

    def __post_init__(self):
        if self.limit:
            raise RuntimeError("no limits")  # line 29

    def sit(self, game, tables, rng):
        if game.seats > 2:
            raise RuntimeError("a crowd")  # line 33
        return self

    def act(self, views):
        return {}["anything"]  # line 37
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("agent", "line", "expected"),
    [
        ("divides", 8, "raised ZeroDivisionError"),
        ("misuses", 16, "expected a card such as"),
        ("Broken", 37, "raised KeyError"),
        ("Broken:limit=3", 29, "raised RuntimeError"),
    ],
)
def test_the_line_of_the_bot_is_named(bots: Path, agent: str, line: int, expected: str) -> None:
    with pytest.raises(AgentError, match=expected) as caught:
        match(find_game("limit"), f"{bots}:{agent}", "random", hands=4)
    assert f"{bots}:{line} (" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sitting_down_and_workers(bots: Path) -> None:
    with pytest.raises(AgentError, match=rf"{re.escape(str(bots))}:33 \(sit\) when it sat down"):
        match(find_game("limit", 3), f"{bots}:Broken", "random", "random", hands=4)
    with pytest.raises(AgentError, match=rf"{re.escape(str(bots))}:8 \(helper\)"):
        match(find_game("limit"), f"{bots}:divides", "random", hands=600, workers=2)


def test_check_names_the_line(bots: Path) -> None:
    found = check_agent(make_agent(f"{bots}:divides"), [find_game("limit")])
    assert f"{bots}:8 (helper)" in found.problems[0].problem


def test_paths_below_this_folder_are_short(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bots.parent)
    with pytest.raises(AgentError, match=r"in bots\.py:8 \(helper\)"):
        match(find_game("limit"), "bots.py:divides", "random", hands=4)


def test_an_overrun_is_one_line(bots: Path) -> None:
    words = ["match", f"{bots}:loiters", "random", "--hands", "4", "--no-ledger", "--time-limit", "0.2"]
    found = CliRunner().invoke(app, words)
    assert isinstance(found.exception, HoldMemError)
    said = str(found.exception)
    assert f"took longer than 0.2 s for 4 decisions, in {bots}:21 (loiters)" in said
    assert "\n" not in said


def test_time_for_kernels_does_not_count() -> None:
    with time_limit(0.05), _preparing():
        time.sleep(0.2)


def test_a_callback_that_cannot_raise_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:  # until it is struck
            pass

    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        callback()
    assert capfd.readouterr().err == ""


def test_what_follows_an_overrun_is_not_reported_instead() -> None:
    def swallow_and_fail() -> None:
        try:
            while True:
                time.sleep(0.01)
        except BaseException:
            raise RuntimeError("left halfway") from None

    with pytest.raises(TimeLimitExceeded), time_limit(0.05):
        swallow_and_fail()


def test_train_says_whom_it_can_train() -> None:
    found = CliRunner().invoke(app, ["train", "simplebot", "--against", "random", "--hands", "10"])
    assert isinstance(found.exception, AgentError)
    expected = "simplebot cannot be trained; expected action-learner or outcome-learner"
    assert str(found.exception) == expected


TRACED_AFTERWARDS = """
import sys, time
from holdmem.arena.time_limit import TimeLimitExceeded, time_limit
with time_limit(60):
    pass
try:
    with time_limit(0.01):
        while True:
            pass
except TimeLimitExceeded:
    sys.settrace(lambda *_: None)
    (lambda: print("traced"))()
"""


def test_a_function_can_be_traced_after_a_time_limit() -> None:
    """In CPython 3.11 a cancelled exception would keep traced functions from beginning, for ever."""
    words = [sys.executable, "-c", TRACED_AFTERWARDS]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("traced\n", "")
