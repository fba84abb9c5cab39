"""`holdmem results`: list, show, compare and export the results in the ledger."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import JsonOption, LedgerOption, UnitOption, writable
from holdmem.cli.render import print_match, verdict

if TYPE_CHECKING:
    from holdmem.arena import Ledger, MatchResult

results: typer.Typer = typer.Typer(
    help="List, show, compare and export stored results.", no_args_is_help=True
)


@results.command("list")
def list_results(ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """List all results in the ledger, oldest first."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from holdmem.arena import default_ledger

    if ledger is None and not default_ledger().is_file():
        print("[]" if as_json else "nothing has been played yet")
        return
    book = _existing_ledger(ledger)
    rows: list[dict[str, Any]] = [
        {
            "hash": plan.hash,
            "started": started,
            "agents": list(plan.design.agents),
            "game": plan.design.game.name,
            "kind": plan.design.kind,
            "hands": plan.design.hands,
            "matches": plan.design.matches,
            "seed": plan.design.seed,
            "complete": book.result(plan) is not None,
        }
        for plan, started in book.plans()
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("hash", "started", "hands", "seed"):
        table.add_column(title, no_wrap=True)
    for title in ("agents", "game"):
        table.add_column(title, overflow="fold")
    for row in rows:
        size = f"{row['hands']:,}" + (f" × {row['matches']:,}" if row["matches"] > 1 else "")
        agents = escape(", ".join(row["agents"])) + (
            "" if row["complete"] else " [yellow](unfinished)[/yellow]"
        )
        started = row["started"][:16].replace("T", " ")
        seed = str(row["seed"])
        seed = seed if len(seed) < 20 else f"{seed[:8]}…"  # was secret; 'results show' has all digits
        table.add_row(row["hash"][:8], started, size, seed, agents, escape(row["game"]))
    Console().print(table)


@results.command("show")
def show_result(
    result: Annotated[str, typer.Argument(help="The hash of a result, or its first characters.")],
    unit: UnitOption = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one result."""
    found = _stored(result, ledger)
    if as_json:
        print(json.dumps(found.as_json(unit), indent=2))
    else:
        print_match(found, unit)


@results.command("compare")
def compare_results(
    one: Annotated[str, typer.Argument(help="The hash of a result.")],
    other: Annotated[str, typer.Argument(help="The hash of another result.")],
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the means of the first agents in two results: their difference with its interval."""
    from rich.console import Console

    from holdmem.arena import difference

    first, second = _stored(one, ledger), _stored(other, ledger)
    apart = difference(first.estimates()[0], second.estimates()[0])
    if as_json:
        print(json.dumps({"one": first.hash, "other": second.hash, "difference": apart.as_json()}, indent=2))
        return
    console = Console(highlight=False, markup=False)
    for result in (first, second):
        console.print(
            f"{result.hash[:8]}  {result.design.agents[0]}: {result.estimates()[0]}, {result.hands:,} hands"
        )
    console.print(f"difference: {apart}; {verdict(apart, first.hands + second.hands)}")
    if first.design.seed == second.design.seed:
        console.print("Same seed, so both share cards, but the interval treats them as independent runs.")


@results.command("export")
def export_results(
    file: Annotated[Path, typer.Argument(help="A .json or .csv file to write.")],
    ledger: LedgerOption = None,
) -> None:
    """Export all finished results as JSON, or as CSV with one line per agent."""
    from holdmem.arena.export import export

    count = export(_existing_ledger(ledger), writable(file))
    print(f"wrote {count} results to {file}")


def _existing_ledger(path: Path | None) -> "Ledger":
    from holdmem.arena import Ledger, default_ledger
    from holdmem.core.errors import NotationError

    place = path or default_ledger()
    if not place.is_file():
        raise NotationError(f"no results ledger at {place}; 'holdmem match' creates one")
    return Ledger(place)


def _stored(start_of_hash: str, path: Path | None) -> "MatchResult":
    """Return a finished result of the ledger by the start of its hash."""
    from holdmem.core.errors import NotationError

    book = _existing_ledger(path)
    plan = book.find(start_of_hash)
    found = book.result(plan)
    if found is None:
        raise NotationError(
            f"{plan.hash}: this result is not finished; run the same match again to finish it"
        )
    return found
