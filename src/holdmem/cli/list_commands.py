"""`holdmem agents`, `games` and `formats`: list the agents, games and history formats to choose from."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from holdmem.api.agents import AgentListing


def agents(
    everything: Annotated[
        bool, typer.Option("--all", help="Also parameters, sources, and results at six seats.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the available agents with their games and how strong they are.

    Example: [bold]holdmem agents[/bold]
    """
    from rich.console import Console

    from holdmem.api.agents import field_opponents, list_agents

    found = list_agents()
    if as_json:
        print(json.dumps([one.as_json() for one in found], indent=2))
        return
    console = Console(highlight=False)
    console.print(_all_agents(found) if everything else _short_agents(found))
    hands = [rate["hands"] for one in found for game, rate in one.rates.items() if game.endswith("-2")]
    same = [name for name in field_opponents("limit", 2) if name in field_opponents("nolimit", 2)]
    console.print(
        f"Won per hand heads-up, in small bets (limit) and big blinds (no-limit), with 95% intervals, from"
        f" {', '.join(same)} and an equilibrium player, over {min(hands):,} to {max(hands):,} hands each."
        f" [bold]2+[/bold]: up to ten seats."
        f"{'' if everything else ' More with [bold]--all[/bold].'}"
    )


def _short_agents(found: "Sequence[AgentListing]") -> "Table":
    """Return one line per agent, however narrow the terminal."""
    from rich.markup import escape
    from rich.table import Column, Table

    titles = [Column(title, no_wrap=True) for title in ("agent", "seats")]
    numbers = [Column(title, justify="right", no_wrap=True) for title in ("limit", "no-limit")]
    style = Column("style", no_wrap=True, overflow="ellipsis", ratio=1)
    table = Table(*titles, *numbers, style, box=None, pad_edge=False, expand=True)
    for one in found:
        results = [_result(one, game) for game in ("limit-2", "nolimit-2")]
        table.add_row(f"[bold]{escape(one.name)}[/bold]", _seats(one), *results, escape(one.style))
    return table


def _all_agents(found: "Sequence[AgentListing]") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    titles = ("limit, 2", "limit, 6", "no-limit, 2", "no-limit, 6")
    table = Table("agent", *titles, "style", "parameters", "source", box=None, pad_edge=False)
    for one in found:
        results = [_result(one, game) for game in ("limit-2", "limit-6", "nolimit-2", "nolimit-6")]
        parameters = ", ".join(f"{name}={default}" for name, default in one.parameters.items())
        columns = (one.style, parameters or "–", one.source)
        table.add_row(f"[bold]{escape(one.name)}[/bold]", *results, *map(escape, columns))
    return table


def _seats(one: "AgentListing") -> str:
    return "2+" if any(game.endswith("-6") for game in one.games) else "2"


def _result(one: "AgentListing", game: str) -> str:
    """Return a measured rate; "plays" where there is none, a dash where the agent does not play."""
    rate = one.rates.get(game)
    if rate is None:
        return "plays" if game in one.games else "–"
    return f"{rate['mean']:+.2f} ±{(rate['high'] - rate['low']) / 2:.2f}"


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
