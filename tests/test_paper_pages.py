"""Pages of findings: what they say of changes since, how they show figures, and how they fit a screen."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from holdmem.arena import Ledger
from holdmem.cli import app
from holdmem.core.data import DATA
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
from holdmem.papers import dependencies as parts_module
from holdmem.papers.pages import paper_page
from holdmem.papers.pictured import plots, published
from holdmem.papers.status import is_current, statement, statuses
from holdmem.papers.storage import StoredFinding, read_findings, run_experiment
from holdmem.plots.forest import Axis, ForestRow, forest_plot

RESULTS = Path(__file__).parents[1] / "results"
NAMES = [name for name in PAPERS if (RESULTS / f"{name}.html").is_file()]


def reading(runner: ExperimentRunner) -> Finding:
    """Read a memory as an experiment does, without playing."""
    runner.note_files([DATA / "casper"])
    return Finding((Row("casper", "+0.100", "+0.1000 ± 0.0100", 10),))


READING = Experiment("reading", "Reading", reading)
MINE = Paper("mine", "none", "Mine", (READING,), "An `abstract`.", ("A deviation.",))


def made(folder: Path) -> StoredFinding:
    return run_experiment(MINE, READING, ExperimentRunner("full"), folder)


def test_findings_record_the_digests_of_their_parts(tmp_path: Path) -> None:
    kept = made(tmp_path)
    assert kept.parts.keys() == {"engine", "agents", "tables", "experiment", "decks", "data/casper"}
    assert json.loads((tmp_path / "mine" / "reading.json").read_text(encoding="utf-8"))["parts"] == kept.parts
    assert read_findings(tmp_path, MINE) == [kept]


@pytest.mark.parametrize("part", ["engine", "agents", "tables", "experiment", "decks", "data/casper"])
def test_a_changed_part_is_named(part: str, tmp_path: Path) -> None:
    kept = made(tmp_path)
    assert "nothing that it depends on has changed" in statement(kept, READING)
    assert is_current(kept, READING, "full", 0)
    other = replace(kept, source="of another version", parts={**kept.parts, part: "0" * 24})
    words = {
        "agents": "the agents' code",
        "decks": "the purpose of the decks",
        "experiment": "the experiment's own code",
    }
    said = statement(other, READING)
    assert f"changed since: {words.get(part, part if '/' in part else f'the {part}')}." in said
    assert not is_current(other, READING, "full", 0)
    same = replace(other, parts=kept.parts)
    assert is_current(same, READING, "full", 0), "another version in which no part is another"
    assert not is_current(same, READING, "quick", 0)
    assert not is_current(same, READING, "full", 1)


def test_findings_without_digests_predate_them(tmp_path: Path) -> None:
    old = replace(made(tmp_path), source="of another version", parts={})
    assert "before findings recorded the digests" in statement(old, READING)
    assert not is_current(old, READING, "full", 0)


def test_a_file_that_is_gone_counts_as_changed() -> None:
    assert parts_module.changed_parts({"data/gone": "1"}, parts_module.Code("", ())) == ("data/gone",)


@pytest.mark.parametrize("name", NAMES)
def test_pages_say_what_has_changed_up_to_this_tree(name: str) -> None:
    """`holdmem reproduce all --judge -o results` writes them again and plays nothing."""
    paper = find_paper(name)
    experiments = {one.name: one for one in paper.experiments}
    page = (RESULTS / f"{name}.html").read_text(encoding="utf-8")
    for kept in read_findings(RESULTS, paper):
        said = statement(kept, experiments[kept.experiment]).replace("'", "&#x27;")
        section = page[page.index(f"<h2>{kept.title.replace(chr(39), '&#x27;')}</h2>") :]
        assert said in section[: section.index("</section>")], kept.experiment


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_those_of_the_findings(name: str) -> None:
    paper = find_paper(name)
    page = (RESULTS / f"{name}.html").read_text(encoding="utf-8")
    assert page == paper_page(RESULTS, paper, read_findings(RESULTS, paper))
    targets = set(re.findall(r"id='([^']+)'", page))
    assert set(re.findall(r"href='#([^']+)'", page)) == targets
    for link in re.findall(r"href='([^#'][^']*)'", page):
        assert (RESULTS / link).is_file(), link
    assert paper.abstract
    assert paper.method


def test_current_findings_are_not_played_again(tmp_path: Path) -> None:
    def run(*more: str) -> str:
        words = ["reproduce", "sartre", "--only", "table5", "--scale", "smoke", "-o", str(tmp_path), *more]
        done = CliRunner().invoke(app, [*words, "--ledger", str(tmp_path / "results.sqlite")])
        assert done.exit_code == 0, done.output
        return done.stderr

    assert "not played again" not in run()
    first = read_findings(tmp_path, find_paper("sartre"))
    assert "sartre table5: nothing has changed, not played again" in run()
    assert read_findings(tmp_path, find_paper("sartre")) == first
    assert "not played again" not in run("--again")
    assert "not played again" not in run("--seed", "1")


def test_the_status_lists_scale_cost_and_changes(tmp_path: Path) -> None:
    kept = made(tmp_path)
    (found,) = statuses(tmp_path, [(MINE, READING)])
    assert (found.kept, found.state) == (kept, "current")
    assert found.cost == f"{kept.seconds / 60:.1f}"
    (missing,) = statuses(tmp_path / "none", [(MINE, replace(READING, minutes=12))])
    assert (missing.state, missing.cost) == ("not made", "about 12")
    shown = CliRunner().invoke(app, ["reproduce", "all", "--status", "-o", str(RESULTS), "--json"])
    rows = json.loads(shown.stdout)
    assert {(row["paper"], row["name"]) for row in rows if row["state"] != "not made"} == {
        (file.parent.name, file.stem) for file in RESULTS.glob("*/*.json")
    }


def test_playing_everything_at_full_scale_takes_at_most_twelve_core_hours() -> None:
    asked = find_experiments([find_paper(name) for name in PAPERS])
    assert sum(one.minutes for one in statuses(RESULTS, asked)) <= 720
    unknown = [one for one in statuses(RESULTS, asked) if not one.minutes and not one.made]
    assert unknown == [], "the cost of an experiment that was never played at full scale is estimated"


def test_the_ledger_resumes_an_experiment(tmp_path: Path) -> None:
    sartre = find_paper("sartre")
    table5 = next(one for one in sartre.experiments if one.name == "table5")
    runner = ExperimentRunner("smoke", Ledger(tmp_path / "results.sqlite"))
    first = run_experiment(sartre, table5, runner, tmp_path)
    deadly = replace(runner, workers=1)
    again = run_experiment(sartre, table5, deadly, tmp_path)
    assert (again.rows, again.used, again.parts) == (first.rows, first.used, first.parts)
    assert {"data/sartre-1", "data/sartre-2"} <= first.parts.keys()


@pytest.mark.parametrize(
    ("text", "unit", "found"),
    [
        ("+0.011 ± 0.005", "", (0.011, 0.006, 0.016)),
        ("+0.0286, −0.040 to +0.098", "", (0.0286, -0.04, 0.098)),
        ("-98,176 $, -4.909 bb/h", "", (-4.909, None, None)),
        ("+0.302 small blinds/h = +0.1510 sb/h", "sb/h", (0.151, None, None)),
        ("+0.340 small blinds/h", "sb/h", (None, None, None)),
        ("$9,655.95", "", (9655.95, None, None)),
        ("20 to 30 bb", "", (None, None, None)),
        ("86 per 10,000 hands", "", (None, None, None)),
        ("a loss", "", (None, None, None)),
    ],
)
def test_published_figures_are_read_in_our_unit(
    text: str, unit: str, found: tuple[float | None, ...]
) -> None:
    assert published(text, unit) == pytest.approx(found)


def test_rates_and_differences_are_pictured_apart() -> None:
    rates = [Row(name, "–", "+0.1000 ± 0.0100 sb/h", 10) for name in "ab"]
    apart = [Row(f"{name} less b", "–", "-0.1000 ± 0.0100 sb/h", 10) for name in "ac"]
    odd = [Row("a", "–", "54%", 10), Row("alone", "–", "+1 ± 2 bb/h", 10), Row("c", "claimed", "+1 ± 1", 1)]
    assert len(plots([*rates, *apart, *odd])) == 2
    assert plots(odd) == []


def test_a_forest_plot_places_values_on_its_axis() -> None:
    rows = [ForestRow("first & last", -0.2, 0.1, 0.4, 0.3, 0.2, 0.4), ForestRow("second", 0.0, 0.5, 1.0)]
    root = ElementTree.fromstring(forest_plot(rows, "A & B", "sb/h"))
    axis = Axis.over([-0.2, 1.0])
    assert (axis.low, axis.high, axis.ticks[-1]) == pytest.approx((-0.5, 1.0, 1.0))
    circles = [float(one.attrib["cx"]) for one in root.iter("circle")]
    assert circles == pytest.approx([axis.place(0.1), axis.place(0.5)], abs=0.05)
    texts = [one.text for one in root.iter("text")]
    assert texts[:4] == ["−0.5", "0", "0.5", "1.0"]
    assert {"first & last", "second", "sb/h"} <= set(texts)
    assert all(0 <= float(one.attrib["x"]) <= 360 for one in root.iter("text"))


@pytest.mark.parametrize("values", [[0.0], [-3.0, -2.5], [0.001, 0.0012], [9_655.95, 5_001.0]])
def test_axes_show_zero_and_every_value(values: list[float]) -> None:
    axis = Axis.over(values)
    assert axis.low <= min(0, *values) <= max(0, *values) <= axis.high
    assert 2 <= len(axis.ticks) <= 7
