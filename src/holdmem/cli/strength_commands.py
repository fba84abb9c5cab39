"""`holdmem strength`, `playable` and `tables`: hand strength, and the lookup tables that store it."""

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

MEANINGS = {
    "ihs": ("IHS", "share of one opponent's holdings that lose now, ties half"),
    "ihs_n": ("IHS^n", "the same against n opponents, as if independent"),
    "ppot": ("PPOT", "of the holdings ahead now, the share behind at the river"),
    "npot": ("NPOT", "of the holdings behind now, the share ahead at the river"),
    "ppot1": ("PPOT1", "the same with one card to come"),
    "npot1": ("NPOT1", "the same with one card to come"),
    "ehs": ("EHS", "effective: IHS^n + (1 - IHS^n) · PPOT"),
    "e_hs": ("E[HS]", "mean over all boards of HS^n, where HS is the share of showdowns won"),
    "e_hs2": ("E[HS²]", "mean over all boards of HS^2n, which gives potential more weight"),
}


def strength(
    hole: Annotated[str, typer.Argument(help="The two hole cards, such as AhKd.")],
    board: Annotated[str, typer.Option(help="The board so far, in the order dealt, such as Kc7s2d.")] = "",
    opponents: Annotated[
        int, typer.Option("--opponents", "-n", min=1, help="Number of opponents still in the hand.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Compute the strength and potential of a hand on each street up to the given board.

    All values are exact, over all holdings of the opponents and all boards to come.

    Example: [bold]holdmem strength AhKd --board Kc7s2d --opponents 2[/bold]
    """
    from holdmem.cards import board as read_board
    from holdmem.cards import hole as read_hole
    from holdmem.cards.notation import distinct
    from holdmem.cli.warmup import shown_compilation
    from holdmem.engine.state import BOARD_CARDS

    own, shared = list(read_hole(hole)), read_board(board)
    distinct(own + shared)
    with shown_compilation():
        streets = [_street(own, shared[:size], opponents) for size in BOARD_CARDS if size <= len(shared)]
    if as_json:
        print(
            json.dumps({"hole": hole, "board": board, "opponents": opponents, "streets": streets}, indent=2)
        )
    else:
        _show_strength(streets, opponents)


def _street(own: list[int], board: list[int], opponents: int) -> dict[str, Any]:
    """Return all values on one street by name."""
    from holdmem.cards import names
    from holdmem.engine.state import BOARD_CARDS, STREET_NAMES
    from holdmem.strength import HandCards, Rounding, e_hs, e_hs2, ehs, ihs, potential

    hands = HandCards([own], [board] if board else None)
    found: dict[str, Any] = {}
    if board:
        there, next_card = potential(hands, rounding="exact"), potential(hands, 1, rounding="exact")
        found = {"ihs": ihs(hands, rounding="exact"), "ihs_n": ihs(hands, opponents, rounding="exact")}
        found |= {"ppot": there.ppot, "npot": there.npot, "ppot1": next_card.ppot, "npot1": next_card.npot}
        found |= {"ehs": ehs(hands, opponents, rounding="exact")}
    exact: Rounding = "exact" if board else "tables"  # before the flop, the lookup table is exact
    found |= {
        name: mean(hands, opponents, rounding=exact) for name, mean in (("e_hs", e_hs), ("e_hs2", e_hs2))
    }
    values = {name: float(value[0]) for name, value in found.items()}
    street = STREET_NAMES[BOARD_CARDS.index(len(board))]
    return {"street": street, "board": names(board), "hand": _in_words(own, board), **values}


def _in_words(own: list[int], board: list[int]) -> str:
    """Return the hand category; before the flop, the starting hand class and its rank in Casper's list."""
    from holdmem.cards import CASPER_RANK, CLASSES, category, class_of, evaluate

    if board:
        return category(int(evaluate([own + board])[0]))
    number = class_of(*own)
    return f"{CLASSES[number]}, casper's no. {CASPER_RANK[number]}"


def _show_strength(streets: list[dict[str, Any]], opponents: int) -> None:
    """Print a table with one row per measure and one column per street, and explain the measures below it."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    rows = {name: MEANINGS[name] for name in MEANINGS if name in streets[-1]}
    table = Table("board", *(street["board"] or "–" for street in streets), box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    table.add_row("hand", *(street["hand"] for street in streets))
    for name, (label, _) in rows.items():
        cells = [f"{street[name]:.4f}" if name in street else "–" for street in streets]
        table.add_row(f"[bold]{escape(label)}[/bold]", *cells)
    console = Console(highlight=False)
    console.print(f"n = {opponents} opponent{'s' * (opponents > 1)} with random cards, shares from 0 to 1\n")
    console.print(table)
    console.print()
    for label, meaning in rows.values():
        console.print(f"[bold]{escape(label.ljust(8))}[/bold][dim]{escape(meaning)}[/dim]")


def playable(
    ranges: Annotated[
        list[float] | None, typer.Argument(help="Ranges in percent of all hands; by default 5, 10, 20 … 100.")
    ] = None,
    png: Annotated[Path | None, typer.Option(help="Plot the curves of all 169 ranges as a PNG.")] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Enumerate all flops again and rewrite the bundled table.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compute the probability that a hand of a range is playable on the flop (PLICAS, figure 4).

    A range has the best hands by equity against a random hand. All 25,989,600 combinations of hole cards and
    flop are enumerated. Playable: a pair or better, two overcards, a flush draw or a straight draw.

    Example: [bold]holdmem playable 15 50 100[/bold]
    """
    import numpy as np

    from holdmem.cli.options import writable
    from holdmem.cli.warmup import shown_compilation
    from holdmem.core.errors import NotationError
    from holdmem.core.extras import require
    from holdmem.strength.playable import FILE, count_flops, playable_curves, write_playable

    if png is not None:
        require("plots", "--png")
        writable(png)
    wanted = ranges or [5, *range(10, 101, 10)]
    for percent in wanted:
        if not 0 < percent <= 100:
            raise NotationError(f"ranges must be above 0 and at most 100 percent, got {percent:g}")
    if rebuild:
        with shown_compilation():
            write_playable(count_flops())
        playable_curves.cache_clear()
        print(f"wrote {FILE}")
    curves = playable_curves()
    places = [int(np.abs(curves.share - percent / 100).argmin()) for percent in wanted]
    rows = [{name: float(curve[place]) for name, curve in curves._asdict().items()} for place in places]
    if png:
        from holdmem.plots.playable import draw_playable

        draw_playable(curves, png)
    if as_json:
        print(json.dumps(rows, indent=2))
    else:
        _show_playable(rows)


def _show_playable(rows: list[dict[str, float]]) -> None:
    from rich.console import Console
    from rich.table import Table

    names = ["range", "pair or better", "two overcards", "flush draw", "straight draw", "playable"]
    table = Table(*names, box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    for row in rows:
        table.add_row(*(f"{value:.2%}" for value in row.values()))
    Console(highlight=False).print(table)


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
