"""`holdmem equity`: all-in equity of hands and ranges against each other."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import JsonOption

if TYPE_CHECKING:
    from holdmem.strength import RangeEquities


def equity(
    players: Annotated[
        list[str], typer.Argument(help="Two to ten hands (AhKd) or ranges ('88+,A9s+', 15%, random).")
    ],
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board so far: 3, 4 or 5 cards.")] = "",
    dead: Annotated[
        str, typer.Option(metavar="CARDS", help="Dead cards: in no player's hand and never dealt.")
    ] = "",
    samples: Annotated[
        int | None, typer.Option(min=1, help="Sample this many showdowns instead of enumerating all.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Compute the all-in equity of hands and ranges, exactly or by sampling.

    The holdings of a range have equal weights unless it gives others. A percentage takes the starting hands
    with the most equity against a random hand.

    Examples: [bold]holdmem equity AhKd QsQc --board Kc7s2d[/bold],
    [bold]holdmem equity "88+,A9s+" random[/bold]
    """
    from holdmem.cli.warmup import shown_compilation

    with shown_compilation():
        from holdmem.api.equity import equity as compute
        from holdmem.cards import Range, names
        from holdmem.cards import board as read_board
        from holdmem.cards import cards as read_cards
        from holdmem.strength import EQUITY_RANKING

        ranges = [Range.parse(text, ranking=EQUITY_RANKING) for text in players]
        dealt, gone = read_board(board), read_cards(dead)
        found = compute(*ranges, board=dealt, dead=gone, samples=samples, seed=seed)
    combinations = [each.without([*dealt, *gone]).combinations for each in ranges]
    answer = _answer(players, combinations, found) | {"board": names(dealt), "dead": names(gone)}
    if found.samples:
        answer["seed"] = seed
    if as_json:
        print(json.dumps(answer, indent=2))
    else:
        _show(answer)


def _answer(players: list[str], combinations: list[float], found: "RangeEquities") -> dict[str, Any]:
    """Return the result as plain values, as printed by `--json` (format: docs/equity.md)."""
    columns = zip(players, combinations, found.equity, found.wins, found.ties, found.error, strict=True)
    rows = [
        {
            "hand": text,
            "combinations": round(count, 9),
            "equity": float(equity),
            "wins": float(wins),
            "ties": float(ties),
            "standard_error": float(error),
        }
        for text, count, equity, wins, ties, error in columns
    ]
    return {"exact": not found.samples, "samples": found.samples, "boards": found.boards, "players": rows}


def _show(answer: dict[str, Any]) -> None:
    """Print the result as a table."""
    from rich.console import Console
    from rich.table import Table

    headings = ["hand", "combinations", "equity", "wins", "ties"]
    if not answer["exact"]:
        headings.insert(3, "± (standard error)")
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "hand" else "right")
    for row in answer["players"]:
        shares = [f"{row[name]:.3%}" for name in ("equity", "wins", "ties")]
        if not answer["exact"]:
            shares.insert(1, f"{row['standard_error']:.3%}")
        table.add_row(f"[bold]{row['hand']}[/bold]", f"{row['combinations']:g}", *shares)
    console = Console(highlight=False)
    console.print(table)
    how = f"{answer['boards']:,} board{'s' * (answer['boards'] != 1)} for each deal, all counted"
    if not answer["exact"]:
        how = f"{answer['samples']:,} showdowns sampled, seed {answer['seed']}"
    console.print(f"[dim]{how}[/dim]")
