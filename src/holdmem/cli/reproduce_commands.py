"""`holdmem reproduce`: reproduce the tables and figures of the publications with HoldMem's players."""

import json
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import (
    ClusterOption,
    JsonOption,
    LedgerOption,
    NoLedgerOption,
    SeedOption,
    WorkersOption,
)
from holdmem.cli.progress import progress_bar
from holdmem.core.choices import Scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from holdmem.papers import Grid, Paper
    from holdmem.papers.status import FindingStatus
    from holdmem.papers.storage import StoredFinding
    from holdmem.papers.verification import Comparison

MOST_CHANGES = 10
"""Changed numbers that `--verify` names per finding."""


def reproduce(
    papers: Annotated[
        list[str] | None,
        typer.Argument(help="Publications: casper, sartre, imitators, plicas, learners, competition or all."),
    ] = None,
    scale: Annotated[
        Scale,
        typer.Option(help="Size: smoke takes seconds, quick minutes, full hours; only full gives verdicts."),
    ] = "quick",
    only: Annotated[
        str, typer.Option(help="Comma-separated names of experiments to run, such as table4,table5.")
    ] = "",
    out: Annotated[
        Path,
        typer.Option("-o", "--out", file_okay=False, help="Output folder for findings, figures and pages."),
    ] = Path("reproduced"),
    verify: Annotated[
        Path | None,
        typer.Option(
            help="Folder of earlier findings to compare with. Exits with 1 and names the places if a number"
            " differs; changed words are only reported."
        ),
    ] = None,
    judge: Annotated[
        bool, typer.Option(help="Judge the findings in the output folder again; nothing is played.")
    ] = False,
    status: Annotated[
        bool,
        typer.Option(
            help="List the findings in the output folder: scale, date, core-minutes, and what has changed"
            " since. Nothing is played."
        ),
    ] = False,
    again: Annotated[
        bool, typer.Option(help="Also play findings in the output folder of which nothing has changed.")
    ] = False,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    on: ClusterOption = None,
    ledger: LedgerOption = None,
    no_ledger: NoLedgerOption = False,
    as_json: JsonOption = False,
) -> None:
    """Reproduce published tables and figures, with published and measured values side by side.

    Without a name, lists the experiments. An interrupted run continues where it stopped, from the ledger.
    Findings in the output folder of this scale and seed of which nothing has changed are not played again.
    Writes findings as JSON, figures as PNG and one HTML page per publication. Examples:

    [bold]holdmem reproduce sartre --only table4[/bold]

    [bold]holdmem reproduce all --scale full --workers 2 -o results[/bold]

    [bold]holdmem reproduce sartre --only table5 --scale full --verify results -o again[/bold]

    [bold]holdmem reproduce all --judge -o results[/bold]

    [bold]holdmem reproduce all --status -o results[/bold]
    """
    from holdmem.arena import Ledger
    from holdmem.core.errors import NotationError
    from holdmem.core.extras import require
    from holdmem.papers import PAPERS, ExperimentRunner, find_experiments, find_paper
    from holdmem.papers.pages import write_pages
    from holdmem.papers.status import is_current, statuses
    from holdmem.papers.storage import judge_again, read_findings, run_experiment
    from holdmem.papers.verification import compare

    chosen = [find_paper(name) for name in _names(papers or [], PAPERS)]
    asked = find_experiments(chosen, [name.strip() for name in only.split(",") if name.strip()])
    if status:
        _show_status(statuses(out, asked), as_json)
        return
    if not papers:
        _list(asked, as_json)
        return
    if verify is not None and not verify.is_dir():
        raise NotationError(f"expected a folder of earlier findings to verify, got {verify}")
    require("plots", "reproduce")  # now rather than after hours, when a figure is drawn
    book = None if no_ledger else Ledger(ledger)
    runner = ExperimentRunner(scale, book, workers, on, seed, progress_bar)
    found, compared = [], {}
    for paper, experiment in asked:
        before = {one.experiment: one for one in read_findings(verify, paper)} if verify else {}
        earlier = before.get(experiment.name)
        runner.purpose = earlier.purpose if earlier else ExperimentRunner.purpose
        there = {one.experiment: one for one in read_findings(out, paper)}.get(experiment.name)
        if judge:
            kept = judge_again(paper, experiment, out)
        elif not (again or verify) and is_current(there, experiment, scale, seed):
            typer.echo(f"{paper.name} {experiment.name}: nothing has changed, not played again", err=True)
            kept = there
        else:
            kept = run_experiment(paper, experiment, runner, out)
            write_pages(out, _everything(out))
        if kept is None:
            continue
        found.append(kept)
        if not as_json:
            _show(kept)
        if verify:
            compared[_name(kept)] = compare(before.get(experiment.name), kept)
    index = write_pages(out, _everything(out))
    if as_json:
        plain = [_json(kept, compared.get(_name(kept))) for kept in found]
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        typer.echo(f"wrote {index}", err=True)
    if verify:
        for line in _verdict(compared, verify):
            typer.echo(line, err=True)
    if not all(comparison.verified for comparison in compared.values()):
        raise typer.Exit(1)


def _everything(out: Path) -> "list[tuple[Paper, list[StoredFinding]]]":
    """Return every publication that has findings in the output folder, with them."""
    from holdmem.papers import PAPERS, find_paper
    from holdmem.papers.storage import read_findings

    found = [(paper, read_findings(out, paper)) for paper in map(find_paper, PAPERS)]
    return [(paper, kept) for paper, kept in found if kept]


def _names(papers: list[str], known: tuple[str, ...]) -> list[str]:
    return list(known) if not papers or "all" in papers else list(dict.fromkeys(papers))


def _list(asked: "list[tuple[Paper, Any]]", as_json: bool) -> None:
    rows = [{"paper": paper.name, "name": one.name, "title": one.title} for paper, one in asked]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    wide = max(len(row["paper"]) for row in rows), max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['paper']:{wide[0]}}  {row['name']:{wide[1]}}  {row['title']}")


def _show_status(found: "Sequence[FindingStatus]", as_json: bool) -> None:
    """Print one line per finding, or JSON."""
    rows = [
        {
            "paper": one.paper, "name": one.name, "scale": one.kept.scale if one.kept else "",
            "date": one.kept.date if one.kept else "", "core_minutes": one.cost, "state": one.state,
        }
        for one in found
    ]  # fmt: skip
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    heading = {key: key.replace("_", "-") for key in rows[0]}
    wide = {key: max(len(row[key]) for row in [heading, *rows]) for key in heading}
    for row in [heading, *rows]:
        print("  ".join(f"{row[key]:{wide[key]}}" for key in heading).rstrip())
    typer.echo(f"{sum(one.minutes for one in found):,.0f} core-minutes in all, as far as known", err=True)


def _name(kept: "StoredFinding") -> str:
    return f"{kept.paper} {kept.experiment}"


def _json(kept: "StoredFinding", comparison: "Comparison | None") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(kept) | ({"verification": _as_plain(comparison)} if comparison else {})


def _show(kept: "StoredFinding") -> None:
    """Print one finding."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"\n[bold]{escape(kept.title)}[/bold]  [dim]{kept.paper} {kept.experiment}[/dim]")
    if kept.remark:
        console.print(escape(kept.remark))
    if kept.rows:
        colours = {"replicated": "green", "not replicated": "red"}
        table = Table(box=None, pad_edge=False)
        for title in ("what", "paper", "ours (95%)", "hands", "verdict"):
            table.add_column(title, justify="right" if title == "hands" else "left", overflow="fold")
        for row in kept.rows:
            verdict = f"[{colours.get(row.verdict, 'dim')}]{escape(row.verdict)}[/]"
            hands = f"{row.hands:,}" if row.hands else "–"
            table.add_row(*map(escape, (row.what, row.paper, row.ours, hands)), verdict)
        console.print(table)
        for remark in _few(list(dict.fromkeys(filter(None, (row.against for row in kept.rows))))):
            console.print(f"[dim]{escape(remark)}[/dim]")
    for grid in kept.grids:
        _show_grid(console, grid)


def _few(lines: list[str], most: int = 4) -> list[str]:
    """Return the first `most` lines and a count of the rest, which are in the HTML page."""
    left = len(lines) - most
    return lines if left <= 1 else [*lines[:most], f"… and {left} more in the page"]


def _show_grid(console: "Console", grid: "Grid") -> None:
    """Print a grid if the terminal is wide enough, else its size."""
    from rich.markup import escape
    from rich.table import Table

    wide = sum(max(len(row[i]) for row in (grid.header, *grid.rows)) + 1 for i in range(len(grid.header)))
    if wide > max(console.width, 100):
        size = f"{len(grid.rows)} rows of {len(grid.header)} columns"
        console.print(f"[dim]{escape(grid.title)}: {size}, in the page[/dim]")
        return
    table = Table(box=None, pad_edge=False, title=escape(grid.title), title_justify="left")
    for title in grid.header:
        table.add_column(escape(title), overflow="fold")
    for cells in grid.rows:
        table.add_row(*map(escape, cells))
    console.print(table)


def _as_plain(comparison: "Comparison") -> dict[str, Any]:
    """Return a comparison for JSON, with every change."""
    from dataclasses import asdict

    return {"verified": comparison.verified, **asdict(comparison)}


def _verdict(comparisons: "Mapping[str, Comparison]", folder: "Path") -> list[str]:
    """Return what `--verify` prints: changed numbers, changed words, and the outcome over all findings."""
    failed = [name for name, comparison in comparisons.items() if not comparison.verified]
    lines = [line for name in failed for line in _changed_numbers(name, comparisons[name])]
    lines += _changed_words(comparisons)
    if failed:
        return [*lines, f"not as in {folder}: {', '.join(failed)}"]
    compared = sum(comparison.compared for comparison in comparisons.values())
    return [*lines, f"verified: all {compared:,} numbers are as in {folder}"]


def _changed_numbers(name: str, comparison: "Comparison") -> list[str]:
    lines = [f"{name}, {change}" for change in comparison.numbers[:MOST_CHANGES]]
    left = len(comparison.numbers) - MOST_CHANGES
    return [*lines, f"{name}: {left} more changes; --json lists all"] if left > 0 else lines


def _changed_words(comparisons: "Mapping[str, Comparison]") -> list[str]:
    changed = [f"{name}, {change}" for name, one in comparisons.items() for change in one.words]
    if not changed:
        return []
    texts = "1 text" if len(changed) == 1 else f"{len(changed):,} texts"
    return [f"words changed: {texts} (first: {shorten(changed[0], 200, placeholder=' …')})"]
