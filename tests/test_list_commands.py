"""`holdmem agents` for people and machines, and what the shell completes."""

import json

import pytest
from typer.testing import CliRunner

from holdmem.agent import registered
from holdmem.cli import app


def test_agents_fit_a_screen() -> None:
    done = CliRunner().invoke(app, ["agents"], env={"COLUMNS": "80"})
    lines = done.stdout.splitlines()
    others = [one for one in registered().values() if not one.build.__module__.startswith("holdmem.")]
    assert len(lines) - len(others) <= 40
    assert max(map(len, lines)) <= 80
    shown = {line.split()[0]: line for line in lines}
    assert set(registered()) <= set(shown)
    assert shown["sartre-2"].split()[1:5] == ["2", "+0.32", "±0.03", "–"]


def test_agents_are_listed_with_everything_as_json() -> None:
    told = {one["name"]: one for one in json.loads(CliRunner().invoke(app, ["agents", "--json"]).stdout)}
    assert told["simplebot"]["games"] == ["limit-2", "limit-6", "nolimit-2", "nolimit-6"]
    assert told["memory"]["games"] == ["limit-2"]  # not measured, found by sitting down
    assert told["eqm"]["rates"]["limit-2"]["hands"] > 10_000
    everything = CliRunner().invoke(app, ["agents", "--all"], env={"COLUMNS": "300"}).stdout
    assert "Rubin and Watson (2010)" in everything


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("holdmem match sartre", ["sartre-1", "sartre-2"]),
        ("holdmem play eqm-nl-p", ["eqm-nl-passive"]),
        ("holdmem train action-learner --against jag", ["jagbot"]),
        ("holdmem play --terminal --auto jag", ["jagbot"]),
        ("holdmem review hands.txt --reference eqm-nl-p", ["eqm-nl-passive"]),
        ("holdmem match --game noli", ["nolimit"]),
        ("holdmem games casp", ["casper"]),
        ("holdmem match ./my", []),  # nothing of ours: the shell completes files
        ("holdmem learn ./my", []),
    ],
)
def test_the_shell_completes_agents_and_games_and_leaves_files_to_itself(
    words: str, expected: list[str]
) -> None:
    asked = {"_HOLDMEM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = CliRunner().invoke(app, [], prog_name="holdmem", env=asked)
    assert done.stdout.split() == expected
