"""`holdmem results`: what has been played."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.catalogue import AsJson, LedgerFile
from holdmem.cli.shown import print_match, verdict

if TYPE_CHECKING:
    from holdmem.arena import MatchResult

results = typer.Typer(help="Look at what has been played: list, show, compare, export.", no_args_is_help=True)


@results.command("list")
def list_results(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """All results in the ledger, oldest first."""
    from rich.console import Console
    from rich.table import Table

    from holdmem.arena.units import split

    book = _existing_ledger(ledger)
    rows = [
        {"hash": name, "started": started, "agents": list(design.agents), "game": design.game.name,
         "hands": design.hands, "matches": design.matches, "seed": design.seed,
         "complete": len(book.results(name)) == len(split(design))}
        for name, design, started in book.designs()
    ]  # fmt: skip
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(
        "hash", "started", "agents", "game", "hands × matches", "seed", "", box=None, pad_edge=False
    )
    for row in rows:
        size = f"{row['hands']:,} × {row['matches']:,}"
        state = "" if row["complete"] else "unfinished"
        agents = ", ".join(row["agents"])
        table.add_row(row["hash"][:8], row["started"], agents, row["game"], size, str(row["seed"]), state)
    Console().print(table)


@results.command("show")
def show_result(
    result: Annotated[str, typer.Argument(help="The hash, or how it begins.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """One result."""
    found = _stored(result, ledger)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        print_match(found)


@results.command("compare")
def compare_results(
    one: Annotated[str, typer.Argument(help="The hash of a result.")],
    other: Annotated[str, typer.Argument(help="The hash of another one.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """The difference between the first agents' means in two results, with its interval."""
    from rich.console import Console

    from holdmem.arena import difference
    from holdmem.errors import NotationError

    first, second = _stored(one, ledger), _stored(other, ledger)
    if first.design.game.unit != second.design.game.unit:
        raise NotationError(
            f"expected two results in one unit, got {first.design.game.unit} and {second.design.game.unit}"
        )
    apart = difference(first.estimates()[0], second.estimates()[0])
    if as_json:
        print(json.dumps({"one": first.hash, "other": second.hash, "difference": apart.as_json()}, indent=2))
        return
    console = Console(highlight=False)
    for result in (first, second):
        console.print(
            f"{result.hash[:8]}  {result.design.agents[0]}: {result.estimates()[0]}, {result.hands:,} hands"
        )
    console.print(f"difference: {apart}; {verdict(apart, first.hands + second.hands)}")
    if first.design.seed == second.design.seed:
        console.print(
            "[dim]Same seed: the cards are the same, so the true interval is narrower than this one.[/dim]"
        )


@results.command("export")
def export_results(
    file: Annotated[Path, typer.Argument(help="A .json or .csv file to write.")],
    ledger: LedgerFile = None,
) -> None:
    """All finished results as JSON, or one line an agent as CSV."""
    from holdmem.arena.export import export

    count = export(_existing_ledger(ledger), file)
    print(f"wrote {count} results to {file}")


def _existing_ledger(path: Path | None) -> Any:
    from holdmem.arena import Ledger, default_ledger
    from holdmem.errors import NotationError

    place = path or default_ledger()
    if not place.is_file():
        raise NotationError(f"expected a results ledger at {place}, got no file; 'holdmem match' makes one")
    return Ledger(place)


def _stored(name: str, path: Path | None) -> "MatchResult":
    """A finished result of the ledger."""
    from holdmem.arena import MatchResult
    from holdmem.arena.units import split
    from holdmem.errors import NotationError

    book = _existing_ledger(path)
    full, design = book.find(name)
    known = book.results(full)
    units = split(design)
    if len(known) < len(units):
        raise NotationError(
            f"{full}: expected a finished result, got {len(known)} of {len(units)} units; run it again"
        )
    return MatchResult(design, full, tuple(known[unit.start] for unit in units))
