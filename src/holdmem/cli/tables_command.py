"""`holdmem tables`: list, build and check the lookup tables of hand strength."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from holdmem.cli.options import JsonOption

tables: typer.Typer = typer.Typer(
    help="List, build and check the hand strength tables.",
    invoke_without_command=True,
    rich_markup_mode="rich",
)


@tables.callback()
def list_tables(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the tables with their contents, location and state.

    Example: [bold]holdmem tables[/bold]
    """
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.table import Table

    from holdmem.strength.tables import TABLES, state_of

    rows: list[dict[str, Any]] = []
    for table in TABLES.values():
        path = table.path()
        rows.append(
            {
                "name": table.name,
                "classes": table.rows,
                "columns": list(table.columns),
                "state": state_of(table),
                "bytes": path.stat().st_size if path else 0,
                "path": str(path or table.cached),
            }
        )
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    shown = Table("table", "classes", "size", "state", "columns", box=None, pad_edge=False)
    for row in rows:
        size = f"{row['bytes'] / 1e6:.2f} MB" if row["bytes"] else "–"
        columns = row["columns"] if len(row["columns"]) < 9 else [row["columns"][0], "…", row["columns"][-1]]
        name, classes = f"[bold]{row['name']}[/bold]", f"{row['classes']:,}"
        shown.add_row(name, classes, size, row["state"], " ".join(columns))
    console = Console(highlight=False)
    console.print(shown)
    for row in rows:
        console.print(f"[dim]{row['name']}: {row['path']}[/dim]", soft_wrap=True)


@tables.command("build")
def build_tables(
    name: Annotated[
        str | None,
        typer.Argument(help="Table to build: preflop, flop or turn; by default all that are missing."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Also rebuild tables that are complete.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of worker processes; by default one per core.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(file_okay=False, help="Output folder; by default the cache folder.")
    ] = None,
) -> None:
    """Build tables that are missing or damaged. This takes some minutes on two cores.

    Example: [bold]holdmem tables build turn[/bold]
    """
    import os

    from rich.console import Console

    from holdmem.cli.warmup import shown_compilation
    from holdmem.strength.tables import TABLES, find_table, state_of

    console = Console(stderr=True)
    from holdmem.strength.build_tables import build_table, first_unit

    for table in [find_table(name)] if name else TABLES.values():
        state = state_of(table)
        if state == "ready" and not force:
            console.print(f"{table.name}: exists, {table.path()}", highlight=False)
            continue
        with shown_compilation():
            first_unit(table.name)  # before the workers start, so that only one process compiles
        with _bar(console, table.name) as progress:
            path = build_table(table.name, folder, workers or os.cpu_count() or 1, progress)
        console.print(f"{table.name}: {path}", highlight=False)


def _bar(console: Any, name: str) -> Any:
    """Return a context that shows a progress bar of boards and yields its `progress(done, boards)`."""
    from contextlib import contextmanager

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    @contextmanager
    def bar() -> Any:
        columns = (TextColumn(f"{name}: boards"), BarColumn(), MofNCompleteColumn())
        times = (TimeElapsedColumn(), TextColumn("left"), TimeLeft())
        with Progress(*columns, *times, console=console) as shown:
            task = shown.add_task(name)
            yield lambda done, boards: shown.update(task, completed=done, total=boards)

    return bar()


@tables.command("check")
def check_tables(
    name: Annotated[
        str | None,
        typer.Argument(help="Table to check: preflop, flop or turn; by default all that are built."),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Number of random classes to recompute per table.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
) -> None:
    """Recompute random classes of each table directly, hand by hand, and compare.

    Example: [bold]holdmem tables check flop --sample 200[/bold]
    """
    from holdmem.cli.warmup import shown_compilation
    from holdmem.strength import check_table
    from holdmem.strength.tables import TABLES, find_table

    chosen = [find_table(name)] if name else [table for table in TABLES.values() if table.path()]
    for table in chosen:
        count = min(sample, 3) if table.name == "preflop" else sample  # preflop, each class takes seconds
        with shown_compilation():
            worst = check_table(table.name, count, seed)
        print(f"{table.name}: {count} classes agree, the largest difference is {worst:.1e}")
