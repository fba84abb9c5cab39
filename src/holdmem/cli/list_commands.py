"""`holdmem agents`, `games` and `formats`: list the agents, games and history formats to choose from."""

import json
from typing import Annotated, Any

import typer

from holdmem.cli.options import JsonOption


def agents(as_json: JsonOption = False) -> None:
    """List the available agents with their style, parameters and source.

    Example: [bold]holdmem agents[/bold]
    """
    from rich.console import Console
    from rich.table import Table

    from holdmem.agent import registered

    rows: list[dict[str, Any]] = [
        {
            "name": entry.name,
            "style": entry.style,
            "source": entry.source,
            "parameters": {key: str(field.default) for key, field in entry.parameters.items()},
        }
        for entry in registered().values()
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("agent", "style", "parameters", "source", box=None, pad_edge=False)
    for row in rows:
        parameters = ", ".join(f"{name}={default}" for name, default in row["parameters"].items())
        table.add_row(f"[bold]{row['name']}[/bold]", row["style"], parameters or "–", row["source"])
    Console().print(table)


def games(
    name: Annotated[
        str | None,
        typer.Argument(help="A built-in game or a .game file; lists all built-in games if omitted."),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Number of seats, instead of the game's.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the built-in games, or print one as an ACPC .game file.

    Example: [bold]holdmem games casper --seats 6[/bold]
    """
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from holdmem.engine import BUILT_IN, find_game, format_game

    if name is not None:
        game = find_game(name, seats)
        print(
            json.dumps(asdict(game), indent=2) if as_json else format_game(game), end="\n" if as_json else ""
        )
        return
    found = [build() for build in BUILT_IN.values()]
    if as_json:
        print(json.dumps([asdict(game) for game in found], indent=2))
        return
    table = Table("game", "seats", "betting", "blinds", "stacks", box=None, pad_edge=False)
    for game in found:
        betting = f"limit {game.raise_sizes[0]}/{game.raise_sizes[-1]}" if game.raise_sizes else "no-limit"
        stacks = "unlimited" if game.limit else str(game.stacks[0])
        blinds = "/".join(str(blind) for blind in sorted(filter(None, game.blinds)))
        table.add_row(f"[bold]{game.name}[/bold]", str(game.seats), betting, blinds, stacks)
    Console().print(table)


def formats(as_json: JsonOption = False) -> None:
    """List the formats of hand histories that can be read and written.

    Example: [bold]holdmem formats[/bold]
    """
    from rich.console import Console
    from rich.table import Table

    from holdmem.history.formats import FORMATS

    rows: list[dict[str, Any]] = [
        {
            "name": entry.name,
            "description": entry.label,
            "experimental": entry.experimental,
            "writable": entry.writable,
            "suffixes": [suffix or "folder" for suffix in entry.suffixes],
        }
        for entry in sorted(FORMATS.values(), key=lambda entry: entry.name)
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("format", "description", "written to", box=None, pad_edge=False)
    for row in rows:
        targets = ", ".join(row["suffixes"]) if row["writable"] else "– (read only)"
        table.add_row(f"[bold]{row['name']}[/bold]", row["description"], targets)
    Console().print(table)
