"""Typical mistakes on the command line: each is one line that says what to do, before anything is played."""

import pytest
from typer.testing import CliRunner

from holdmem.cli import app
from holdmem.core.errors import HoldMemError

MISTAKES = [
    ("match eqm", "expected at least two agents, got only eqm"),
    ("record eqm -o hands", "expected at least two agents, got only eqm"),
    ("match eqm random --game nolimit", "solved for .*stacks unlimited.*this game is .*no-limit"),
    ("match eqmm random", "did you mean eqm"),
    ("match nofile.py:Bot random", "is not a file"),
    ("record random random -o .", "already exists"),
    ("learn nowhere --player me -o cases", "nowhere: no such file or folder"),
    ("playable 15 --png nowhere/playable.png", "the folder of nowhere/playable.png does not exist"),
    ("reproduce sartre --verify nowhere", "expected a folder of earlier findings to verify, got nowhere"),
    ("solve --game nothing", "expected a built-in game"),
    ("solve --game kuhn --tilt aggressive", "kuhn: --tilt applies to hold'em games only"),
    ("train simplebot --against random", "simplebot cannot be trained"),
    ("train action-learner --against random --resume", "pass --save FILE too"),
    ("tournament eqm dpp --html .", "expected a file to write, got ., which is a folder"),
    ("exploit random", "random: has no policy"),
]


@pytest.mark.parametrize(("command", "expected"), MISTAKES, ids=[command for command, _ in MISTAKES])
def test_a_mistake_is_one_line(command: str, expected: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, command.split())
    with pytest.raises(HoldMemError, match=expected) as caught:
        raise found.exception or AssertionError(found.output)
    assert "\n" not in str(caught.value)
    assert "2147483647" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
