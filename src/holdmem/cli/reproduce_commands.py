"""`holdmem reproduce`: the documents' tables and figures with our players."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.arena_commands import NoLedger, On, Seed, Workers, one_of
from holdmem.cli.catalogue import AsJson, LedgerFile
from holdmem.cli.shown import shown_progress

if TYPE_CHECKING:
    from rich.console import Console

    from holdmem.papers import Grid, Paper
    from holdmem.papers.storage import Kept


def reproduce(
    papers: Annotated[
        list[str] | None, typer.Argument(help="casper, sartre, imitators, plicas, learners, competition, all")
    ] = None,
    scale: Annotated[str, typer.Option(help="smoke (no verdicts), quick (minutes), full (hours).")] = "quick",
    only: Annotated[str, typer.Option(help="Only these, by name and comma: table4,table5")] = "",
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for findings, figures, pages.")] = Path(
        "reproduced"
    ),
    verify: Annotated[
        Path | None, typer.Option(help="A folder of earlier findings that must come out again.")
    ] = None,
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = None,
    ledger: LedgerFile = None,
    no_ledger: NoLedger = False,
    as_json: AsJson = False,
) -> None:
    """Produce published tables and figures with our players, the published figures beside ours.

    Without a name it lists what there is. What was played is kept: a stopped run goes on where it was.
    Writes findings as JSON, figures as PNG and one HTML page a document. Examples:

    [bold]holdmem reproduce sartre --only table4[/bold]

    [bold]holdmem reproduce all --scale full --workers 2 -o results[/bold]
    """
    from holdmem.arena import Ledger
    from holdmem.errors import NotationError
    from holdmem.papers import PAPERS, SCALES, Lab, find_experiments, find_paper
    from holdmem.papers.pages import write_pages
    from holdmem.papers.storage import carry_out, read_kept

    chosen = [find_paper(name) for name in _names(papers or [], PAPERS)]
    asked = find_experiments(chosen, [name.strip() for name in only.split(",") if name.strip()])
    if not papers:
        _list(asked, as_json)
        return
    if verify is not None and not verify.is_dir():
        raise NotationError(f"expected a folder of earlier findings to verify, got {verify}")
    book = None if no_ledger else Ledger(ledger)
    lab = Lab(one_of(scale, "scale", SCALES), book, workers, on, seed, shown_progress)
    found, changed = [], []
    for paper, experiment in asked:
        before = {one.experiment: one for one in read_kept(verify, paper)} if verify else {}
        kept = carry_out(paper, experiment, lab, out)
        found.append(kept)
        if not as_json:
            _show(kept)
        if verify and not (experiment.name in before and kept.same_as(before[experiment.name])):
            changed.append(f"{paper.name} {experiment.name}")
    everything = [(paper, read_kept(out, paper)) for paper in map(find_paper, PAPERS)]
    index = write_pages(out, [(paper, kept) for paper, kept in everything if kept])
    if as_json:
        print(json.dumps([_json(kept) for kept in found], indent=2, ensure_ascii=False))
    else:
        typer.echo(f"wrote {index}", err=True)
    if changed:
        typer.echo(f"not as in {verify}: {', '.join(changed)}", err=True)
        raise typer.Exit(1)


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


def _json(kept: "Kept") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(kept)


def _show(kept: "Kept") -> None:
    """One finding in the terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"\n[bold]{escape(kept.title)}[/bold]  [dim]{kept.paper} {kept.experiment}[/dim]")
    if kept.remark:
        console.print(escape(kept.remark))
    if kept.rows:
        colours = {"agrees": "green", "differs": "red"}
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
    """The first of these lines; who wants them all opens the page."""
    left = len(lines) - most
    return lines if left <= 1 else [*lines[:most], f"… and {left} more in the page"]


def _show_grid(console: "Console", grid: "Grid") -> None:
    """A grid, if the terminal is wide enough for it."""
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
