"""`holdmem play`: sit down yourself."""

from typing import Annotated

import typer


def play(
    opponents: Annotated[
        list[str] | None, typer.Argument(help="Agents to play against, as listed by 'holdmem agents'.")
    ] = None,
    game: Annotated[str, typer.Option(help="A built-in game ('holdmem games') or a .game file.")] = "limit",
    hands: Annotated[int | None, typer.Option(min=1, help="Stop after this many hands.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal the same cards again.")] = None,
    auto: Annotated[str | None, typer.Option(metavar="AGENT", help="Let this agent play your seat.")] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = True,
) -> None:
    """Play against agents in the terminal.

    Examples: [bold]holdmem play[/bold], [bold]holdmem play random always-call --game nolimit --seed 7[/bold]
    """
    from holdmem.cli.compiling import rehearse
    from holdmem.cli.terminal import Sitting
    from holdmem.rules import find_game
    from holdmem.table import make_agent

    names = opponents or ["random"]
    chosen = find_game(game, len(names) + 1)
    players = [make_agent(name) for name in names]
    you = make_agent(auto) if auto else None
    rehearse()
    Sitting(chosen, players, names, you, seed).play(hands)
