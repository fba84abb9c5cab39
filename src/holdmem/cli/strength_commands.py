"""`holdmem strength` and `playable`: hand strength, and how often hands hit the flop."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from holdmem.cli.options import JsonOption

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
