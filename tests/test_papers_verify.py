"""Verifying findings: words may change and are reported; numbers may not, and are named."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from holdmem.cli import app
from holdmem.papers import Grid, Row
from holdmem.papers.storage import StoredFinding
from holdmem.papers.verdicts import NOT_REPLICATED, REPLICATED
from holdmem.papers.verification import Change, compare, numbers_in

ROWS = (
    Row(
        "SARTRE-2 against SARTRE-1",
        "+0.011 ± 0.005",
        "+0.0076 ± 0.0014",
        60_000,
        "eqm (16 roll-outs)",
        REPLICATED,
    ),
    Row("run-off", "claimed", "holds", 0, "", REPLICATED, "2nd of 23, 53.0% of 343,104 decisions"),
)
GRID = Grid("Cases", ("", "sb/h", "ours", "ours"), (("eqm", "-0.4", "1", "2"), ("dpp", "–", "3", "4")))
KEPT = StoredFinding(
    "mine", "table5", "Table 5: after maintenance", "full", 0, "2026-11-16", 8.1, "0.1.0", "faa3", ROWS,
    (GRID,), (("Match by match", "table5.png"),), "All 25,989,600 hands.", {"5bd0": "eqm against dpp"},
)  # fmt: skip


def with_row(number: int, **changes: Any) -> StoredFinding:
    rows = list(ROWS)
    rows[number - 1] = replace(rows[number - 1], **changes)
    return replace(KEPT, rows=tuple(rows))


def with_grid(**changes: Any) -> StoredFinding:
    return replace(KEPT, grids=(replace(GRID, **changes),))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("+0.0030 ± 0.0071", ["0.0030", "0.0071"]),
        ("+0.0286, −0.040 to +0.098", ["0.0286", "-0.040", "0.098"]),
        ("-98,176 $, $9,655.95 or -$5", ["-98176", "9655.95", "-5"]),
        ("1 − 1,302,540/2,598,960.", ["1", "1302540", "2598960"]),
        ("14.5 per 10,000 hands, 0.14% of decisions; -2%", ["14.5", "10000", "0.14%", "-2%"]),
        ("UCB1, scaled to [0, 1], 6×2: C(52,5)", ["0", "1", "6", "2", "52", "5"]),
        ("run-off: 2nd of 23 (95%)", ["2nd", "23", "95%"]),
        ("casper:weights=[33;27], casper:first=7000", ["33", "27", "7000"]),
        ("1e-05 and 2.5E+3", ["1e-05", "2.5E3"]),
        ("§4.1.2, figure 6.24)", ["4.1.2", "6.24"]),
        ("sartre-2 casper01 random-1, SARTRE-1) figure5.5 figures5-1.png 5.png holdem.limit.2p", []),
        ("J8o 16-card 5.5th-rate 16.5k 2010-11-16 HS² Nine x_2 limit.2", []),
        ("–", []),
    ],
)
def test_verify_knows_numbers_from_names(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == numbers


@given(st.floats(-1e300, 1e300), st.sampled_from(["{}", "{:+.4f}", "{:,.2f}", "{:.1%}"]))
def test_verify_reads_every_number_that_python_writes(value: float, form: str) -> None:
    written = form.format(value)
    assert numbers_in(f"it won {written}, perhaps") == [written.replace(",", "").replace("+", "")]


def test_verify_passes_what_is_equal_and_ignores_when_and_by_what_it_was_made() -> None:
    made = {"date": "2027-01-01", "seconds": 1.0, "version": "0.2.0", "source": "beef", "used": {}}
    again = compare(KEPT, replace(KEPT, **made))
    assert (again.numbers, again.words) == ((), ())
    assert again.compared == 22


@pytest.mark.parametrize(
    ("new", "place"),
    [
        (with_row(1, what="sartre-3 less SARTRE-1"), "row 1.what"),
        (with_row(1, against="16 roll-outs of eqm"), "row 1.against"),
        (with_row(2, remark="second: 2nd of 23; 53.0% of 343104"), "row 2.remark"),
        (with_row(1, ours="0.0076 ± 0.0014 sb/h"), "row 1.ours"),
        (with_grid(title="Memory"), "grid 1.title"),
        (with_grid(header=("", "small bets", "ours", "ours")), "grid 1.header.column 2"),
        (replace(KEPT, title="Table 5: maintained"), "title"),
        (replace(KEPT, remark="25,989,600 hands in all."), "remark"),
        (replace(KEPT, pictures=(("Each match", "other.png"),)), "picture 1.title"),
    ],
)
def test_verify_passes_and_reports_changed_words(new: StoredFinding, place: str) -> None:
    found = compare(KEPT, new)
    assert found.verified
    assert [change.place for change in found.words] == [place]


@pytest.mark.parametrize(
    ("new", "line"),
    [
        (with_row(1, ours="+0.0077 ± 0.0014"), "row 1.ours, number 1: stored 0.0076, new 0.0077"),
        (with_row(1, ours="-0.0076 ± 0.0014"), "row 1.ours, number 1: stored 0.0076, new -0.0076"),
        (with_row(1, ours="+0.0076"), "row 1.ours: stored '+0.0076 ± 0.0014', new +0.0076"),
        (with_row(1, hands=60_001), "row 1.hands: stored 60000, new 60001"),
        (with_row(1, against="eqm (17 roll-outs)"), "row 1.against: stored 16, new 17"),
        (
            with_row(2, remark="was 3rd of 23, 53.0% of 343,104"),
            "row 2.remark, number 1: stored 2nd, new 3rd",
        ),
        (with_row(2, remark="2nd of 23, 53 of 343,104"), "row 2.remark, number 3: stored 53.0%, new 53"),
        (with_row(2, verdict=NOT_REPLICATED), "row 2.verdict: stored 'replicated', new 'not replicated'"),
        (replace(KEPT, remark="All 25,989,601 hands."), "remark: stored 25989600, new 25989601"),
        (replace(KEPT, rows=ROWS[:1]), "row 2: stored 'run-off', new nothing"),
        (replace(KEPT, rows=(*ROWS, Row("more"))), "row 3: stored nothing, new 'more'"),
        (replace(KEPT, grids=()), "grid 1: stored 'Cases', new nothing"),
        (replace(KEPT, pictures=()), "picture 1.title: stored 'Match by match', new nothing"),
        (
            with_grid(rows=(("eqm", "-0.5", "1", "2"), GRID.rows[1])),
            "grid 1.row 1.sb/h: stored -0.4, new -0.5",
        ),
        (with_grid(rows=(GRID.rows[0], ("dpp", "0", "3", "4"))), "grid 1.row 2.sb/h: stored '–', new 0"),
        (with_grid(rows=(GRID.rows[0], ("dpp", "–", "3", "5"))), "grid 1.row 2.column 4: stored 4, new 5"),
        (with_grid(rows=(GRID.rows[0], ("dpp", "–", "3"))), "grid 1.row 2.column 4: stored 4, new nothing"),
        (with_grid(rows=GRID.rows[:1]), "grid 1.row 2: stored 'dpp | – | 3 | 4', new nothing"),
    ],
)
def test_verify_fails_on_a_number_and_names_it(new: StoredFinding, line: str) -> None:
    found = compare(KEPT, new)
    assert not found.verified
    assert [str(change) for change in found.numbers] == [line]
    assert found.words == ()


def test_verify_names_scale_and_seed_only_if_numbers_differ() -> None:
    assert compare(KEPT, replace(KEPT, scale="quick")).verified
    other = replace(with_row(1, hands=50), scale="quick", seed=1)
    assert compare(KEPT, other).numbers[:2] == (Change("scale", "full", "quick"), Change("seed", "0", "1"))


def test_verify_looks_at_every_field_of_a_row() -> None:
    """A new field of a row is compared without anybody thinking of it."""
    for field in fields(Row):
        new = with_row(1, **{field.name: 7 if isinstance(getattr(ROWS[0], field.name), int) else "7 7 7"})
        assert not compare(KEPT, new).verified, field.name


def test_verify_fails_if_nothing_is_stored() -> None:
    assert str(compare(None, KEPT).numbers[0]) == "finding: stored nothing, new 'Table 5: after maintenance'"


def test_the_command_verifies(tmp_path: Path) -> None:
    stored = tmp_path / "one" / "plicas" / "classes.json"

    def run(out: str, *more: str) -> Result:
        common = ["--scale", "smoke", "--only", "classes", "--no-ledger", "-o", str(tmp_path / out)]
        return CliRunner().invoke(app, ["reproduce", "plicas", *common, *more])

    def run_after(change: Callable[[dict[str, Any]], None], *more: str) -> Result:
        said = json.loads(original)
        change(said)
        stored.write_text(json.dumps(said), encoding="utf-8")
        return run("two", "--verify", str(tmp_path / "one"), *more)

    def reword(said: dict[str, Any]) -> None:
        said["rows"][0]["remark"] += " indeed"

    def change_digit(said: dict[str, Any]) -> None:
        said["grids"][0]["rows"][1][1] = "9.9%"

    assert run("one").exit_code == 0
    original = stored.read_text(encoding="utf-8")
    same = run_after(lambda said: None)
    assert (same.exit_code, "verified: all" in same.stderr, "words" in same.stderr) == (0, True, False)
    reworded = run_after(reword)
    assert reworded.exit_code == 0
    assert "words changed: 1 text (first: plicas classes, row 1.remark: stored" in reworded.stderr
    changed = run_after(change_digit)
    assert changed.exit_code == 1
    assert "plicas classes, grid 1.row 2.ends at: stored 9.9%, new 7.8%" in changed.stderr
    assert changed.stderr.endswith("one: plicas classes\n")
    short = run_after(lambda said: said["rows"].append(said["rows"][0]))
    assert (short.exit_code, "row 4: stored" in short.stderr) == (1, True)
    (found,) = json.loads(run_after(reword, "--json").stdout)
    assert found["verification"]["verified"] is True
    assert [change["place"] for change in found["verification"]["words"]] == ["row 1.remark"]
    stored.unlink()
    missing = run("two", "--verify", str(tmp_path / "one"))
    assert (missing.exit_code, "finding: stored nothing" in missing.stderr) == (1, True)
