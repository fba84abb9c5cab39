"""The examples run, and stay short enough to be read at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
SMALLER = {"train_in_gymnasium": ["300"], "train_with_ppo": ["20000"]}
"""What makes an example quick enough for a test."""
SAYS = {
    "exact_questions": "AhKd against QsQc on Kc7s2d: 9",
    "exploit_a_strategy": "4 sampled flops",
    "explain_a_decision": "remembered decisions",
    "learn_a_player": "preflop: the same action in",
    "run_a_tournament": "run-off: ",
    "train_in_gymnasium": "small bets per hand",
    "train_with_ppo": "decisions against simplebot",
    "write_an_agent": "against simplebot",
}


NEEDS = {"train_with_ppo": "sb3_contrib"}
"""Libraries that no extra installs: where they are missing, the example is skipped by name."""


def test_there_are_eight_and_they_are_short() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(SAYS)
    lengths = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLES}
    assert lengths.pop("train_with_ppo") < 80  # half of it is the other library's interface
    assert max(lengths.values()) < 50


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    command = [sys.executable, str(path), *SMALLER.get(path.stem, [])]
    place = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=place,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert SAYS[path.stem] in done.stdout
