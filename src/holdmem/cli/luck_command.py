"""`holdmem luck`: results of recorded hands without the luck of cards and of known policies."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from holdmem.cli.history_commands import FormatOption, SourceGameOption, SourcesArgument
from holdmem.cli.options import JsonOption

if TYPE_CHECKING:
    from holdmem.arena.aivat.recorded import RecordedLuck


def luck(
    source: SourcesArgument,
    known: Annotated[
        list[str],
        typer.Option(metavar="NAME=AGENT", help="A player in the hands and its agent; may be repeated."),
    ],
    format: FormatOption = None,
    game: SourceGameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove the luck of cards and of known players' choices from recorded heads-up hands (AIVAT).

    All hole cards must be in the hands, as in a dealer's logs.

    Example: [bold]holdmem luck match.log --known eqm=eqm[/bold]
    """
    from holdmem.api.luck import recorded_luck
    from holdmem.core.errors import NotationError
    from holdmem.engine import find_game
    from holdmem.history import read_hands

    agents: dict[str, str] = {}
    for text in known:
        name, sign, agent = text.partition("=")
        if not sign or not name or not agent:
            raise NotationError(f"expected --known NAME=AGENT, got {text!r}")
        agents[name] = agent
    reader = read_hands(source, format=format, game=None if game is None else find_game(game))
    found = recorded_luck(reader, agents)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        _print(found)


def _print(found: "RecordedLuck") -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for title in ("player", "against", "hands", "money", "without luck"):
        table.add_column(title, overflow="fold")
    for one in found.players:
        names = [f"[bold]{escape(one.player)}[/bold]", escape(one.opponent)]
        table.add_row(*names, f"{one.hands:,}", str(one.money), str(one.aivat))
    console.print(table)
    for reason, count in found.left_out.items():
        console.print(f"left out: {count:,} hands, {reason}", markup=False)
