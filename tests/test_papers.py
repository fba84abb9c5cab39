"""Reproducing publications: every experiment runs, says what it must, repeats, and can be checked again."""

import json
import math
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdmem.arena import Ledger
from holdmem.cli import app
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.statistics import estimate
from holdmem.papers import (
    PAPERS,
    Experiment,
    ExperimentRunner,
    Finding,
    Paper,
    Row,
    find_experiments,
    find_paper,
)
from holdmem.papers.casper_controls import beyond_draws
from holdmem.papers.decks import memories_seeing_their_decks
from holdmem.papers.pages import write_pages
from holdmem.papers.runner import without_temporary_folders
from holdmem.papers.storage import judge_again, read_findings, run_experiment
from holdmem.papers.verdicts import UNJUDGED
from tasks import Task, square

EXPERIMENTS = find_experiments([find_paper(name) for name in PAPERS])


COUNTED = {"sartre-table2": {"data/sartre-1"}}
"""Table 2 counts the cases of a memory's own recording, and plays nothing."""


LONG = (
    *("casper-figure4.6", "casper-figure4.11", "imitators-table1", "imitators-table2", "learners-figures6"),
    "plicas-figure5",
)
"""Experiments that take long even when they are small; others of the same kind are tested every time."""


def quick_and_long_experiments() -> list[object]:
    return [
        pytest.param(
            paper,
            one,
            id=f"{paper.name}-{one.name}",
            marks=[pytest.mark.long] if f"{paper.name}-{one.name}" in LONG else [],
        )
        for paper, one in EXPERIMENTS
    ]


@pytest.mark.parametrize(("paper", "experiment"), quick_and_long_experiments())
def test_every_experiment_runs_small(paper: Paper, experiment: Experiment, tmp_path: Path) -> None:
    runner = ExperimentRunner("smoke", Ledger(tmp_path / "results.sqlite"))
    kept = run_experiment(paper, experiment, runner, tmp_path)
    assert {decks.purpose for decks in kept.decks} <= {"test", "record"}, "decks that anybody may deal"
    assert kept.purpose == "test"
    assert kept.rows or kept.grids or kept.pictures
    for row in kept.rows:
        assert row.what
        assert row.verdict == UNJUDGED, "a few hands agree with nothing and differ from nothing"
        assert row.ours not in ("holds", "does not hold")
        assert "±" not in row.ours or row.hands > 0, "no rate without hands"
    assert all((tmp_path / paper.name / file).stat().st_size > 1000 for _, file in kept.pictures)
    stored = (tmp_path / paper.name / f"{experiment.name}.json").read_text(encoding="utf-8")
    assert tempfile.gettempdir() not in stored, "a finding must read the same on every machine"
    assert read_findings(tmp_path, paper) == [kept]
    assert memories_seeing_their_decks(kept) <= COUNTED.get(f"{paper.name}-{experiment.name}", set())


def test_temporary_folders_are_left_out_of_descriptions() -> None:
    with tempfile.TemporaryDirectory(prefix="holdmem-") as folder:
        text = f"casper: casper:opponents=[{folder}/cases,{folder}/more/cases] against casper:cases=mine/c"
    expected = "casper: casper:opponents=[cases,more/cases] against casper:cases=mine/c"
    assert without_temporary_folders(text) == expected


def test_what_was_found_comes_out_again_and_a_change_is_told(tmp_path: Path) -> None:
    def run(out: str, *more: str) -> int:
        common = ["--scale", "smoke", "--only", "table5", "--no-ledger", "-o", str(tmp_path / out)]
        return CliRunner().invoke(app, ["reproduce", "sartre", *common, *more]).exit_code

    assert run("one") == 0
    assert run("two", "--verify", str(tmp_path / "one")) == 0
    assert run("three", "--seed", "1", "--verify", str(tmp_path / "one")) == 1
    before = ExperimentRunner("smoke", purpose="play")
    ((paper, table5),) = find_experiments([find_paper("sartre")], ["table5"])
    assert run_experiment(paper, table5, before, tmp_path / "old").purpose == "play"
    assert run("four", "--verify", str(tmp_path / "old")) == 0, "verified on the decks of the finding"
    page = (tmp_path / "one" / "sartre.html").read_text(encoding="utf-8")
    assert "data:image/png" in page
    assert "http" not in page.replace("https://", "http")
    assert "sartre.html" in (tmp_path / "one" / "index.html").read_text(encoding="utf-8")


def test_the_command_lists_and_answers_machines(tmp_path: Path) -> None:
    listed = json.loads(CliRunner().invoke(app, ["reproduce", "--json"]).stdout)
    assert [(row["paper"], row["name"]) for row in listed] == [(p.name, e.name) for p, e in EXPERIMENTS]
    small = ["--scale", "smoke", "--only", "nolimit2", "--no-ledger", "--json", "-o", str(tmp_path)]
    (found,) = json.loads(CliRunner().invoke(app, ["reproduce", "competition", *small]).stdout)
    assert found["experiment"] == "nolimit2"
    assert len(found["used"]) == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sartr"], "did you mean sartre"),
        (["sartre", "--only", "table9"], "expected one of table2"),
    ],
)
def test_slips_are_told(words: list[str], expected: str) -> None:
    done = CliRunner().invoke(app, ["reproduce", *words])
    assert isinstance(done.exception, HoldMemError)
    assert expected in str(done.exception)


def test_work_is_kept_and_not_done_twice(tmp_path: Path) -> None:
    runner = ExperimentRunner("smoke", Ledger(tmp_path / "results.sqlite"), workers=2)
    tasks = [Task(number) for number in range(4)]
    assert runner.work(square, tasks, "squares") == [0, 1, 4, 9]
    deadly = ExperimentRunner("smoke", runner.ledger)
    assert deadly.work(square, tasks, "squares") == [0, 1, 4, 9]
    kept = sorted((tmp_path / "computed").glob("*.json"))
    assert len(kept) == 4
    kept[0].write_text("16", encoding="utf-8")
    assert sorted(deadly.work(square, tasks, "squares"))[-1] == 16, "read, not computed"
    kept[0].write_text("{", encoding="utf-8")
    with pytest.raises(NotationError, match="expected a kept result"):
        deadly.work(square, tasks, "squares")


def test_stored_findings_are_judged_again_without_playing(tmp_path: Path) -> None:
    sartre = find_paper("sartre")
    table5 = next(one for one in sartre.experiments if one.name == "table5")
    assert judge_again(sartre, table5, tmp_path) is None
    kept = run_experiment(sartre, table5, ExperimentRunner("smoke"), tmp_path)
    assert judge_again(sartre, table5, tmp_path) == kept
    again = CliRunner().invoke(app, ["reproduce", "sartre", "--judge", "-o", str(tmp_path)])
    assert (again.exit_code, "Table 5" in again.stdout, "Table 4" in again.stdout) == (0, True, False)
    assert read_findings(tmp_path, sartre) == [kept]


def test_a_damaged_finding_is_named(tmp_path: Path) -> None:
    paper = Paper("mine", "none", "Mine", (Experiment("one", "One", lambda runner: Finding((Row("a"),))),))
    run_experiment(paper, paper.experiments[0], ExperimentRunner("smoke"), tmp_path)
    write_pages(tmp_path, [(paper, read_findings(tmp_path, paper))])
    assert "<td data-label='what'>a</td>" in (tmp_path / "mine.html").read_text(encoding="utf-8")
    (tmp_path / "mine" / "one.json").write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(NotationError, match=r"one\.json: expected a finding"):
        read_findings(tmp_path, paper)


def test_an_interval_over_random_vectors_counts_chance_in_the_matches_too(monkeypatch):
    """Vectors that play the same have no spread, but the results still vary by match."""
    monkeypatch.setattr("holdmem.papers.casper_controls.per_match", lambda found: found)
    won = [0.1, 0.3, -0.2, 0.4, 0.0]
    alike = beyond_draws(won, [[0.0] * 5] * 3)
    over_matches = estimate(5, 6, 30, 0.1, "sb/h")
    assert (alike.mean, alike.low, alike.high) == pytest.approx(
        (over_matches.mean, over_matches.low, over_matches.high)
    )
    apart = beyond_draws(won, [[0.0] * 5, [0.5] * 5, [1.0] * 5])
    assert apart.standard_error == pytest.approx(math.hypot(over_matches.standard_error, 0.5 / math.sqrt(3)))
