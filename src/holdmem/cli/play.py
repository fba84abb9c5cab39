"""`holdmem play`: play against agents yourself, in the browser or in the terminal."""

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdmem.cli.options import LedgerOption
from holdmem.core.errors import HoldMemError

if TYPE_CHECKING:
    from collections.abc import Callable

OPPONENT = "sartre-2"
"""Default opponent."""


def play(
    opponents: Annotated[
        list[str] | None, typer.Argument(help="Agents to play against, as listed by 'holdmem agents'.")
    ] = None,
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    host: Annotated[
        str, typer.Option(help="Address on which the web table listens; 0.0.0.0 or :: for all.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Port of the web table; 0 takes a free one.", show_default="8642"
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another host name of the table, such as a proxy's; may be repeated."),
    ] = None,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Create a new access token; earlier addresses stop working.")
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    history: Annotated[
        Path | None, typer.Option(dir_okay=False, help="SQLite file for hands and tables.")
    ] = None,
    ledger: LedgerOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Play three hands over the web table's protocol, then exit.")
    ] = False,
    hands: Annotated[int | None, typer.Option(min=1, help="Terminal: stop after this many hands.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Terminal: random seed.")] = None,
    auto: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Terminal: let this agent play your seat.")
    ] = None,
) -> None:
    """Play against agents, at the web table or in the terminal.

    Examples: [bold]holdmem play[/bold], [bold]holdmem play random always-call --game nolimit[/bold],
    [bold]holdmem play --terminal --seed 7[/bold]
    """
    from holdmem.agent import make_agent
    from holdmem.cli.terminal import TerminalSession
    from holdmem.cli.warmup import warm_up
    from holdmem.engine import find_game

    names = opponents or [OPPONENT]
    chosen = find_game(game, len(names) + 1)
    players = [make_agent(name) for name in names]
    you = make_agent(auto) if auto else None
    in_terminal = terminal or you is not None or hands is not None or seed is not None
    open_table = None if in_terminal else web_table()
    warm_up()
    if open_table is None:
        TerminalSession(chosen, players, names, you, seed).play(hands)
    else:
        open_table(
            names, game, host=host, port=port, names=name or (), new_token=new_token, browser=browser,
            history=history, ledger=ledger, check=check,
        )  # fmt: skip


def web_table() -> "Callable[..., Any]":
    """Return the function that opens the web table, found through the entry point `holdmem.tables`."""
    for found in entry_points(group="holdmem.tables", name="web"):
        return found.load()  # type: ignore[no-any-return]
    raise HoldMemError("the web table is not installed; --terminal plays without it")
