"""`holdmem replay`: show the hands of a file at the web table, action by action."""

from pathlib import Path
from typing import Annotated

import typer


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of hand histories in any format.")],
    hand: Annotated[int, typer.Option(min=1, help="Which hand of the file, counted from 1.")] = 1,
    game: Annotated[
        str | None, typer.Option(help="The game, where the hands do not name it ('holdmem games').")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the web table.", show_default="8642")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
) -> None:
    """Replay hands in the browser, with equities and pot odds.

    Example: [bold]holdmem replay hands.phh --hand 3[/bold]
    """
    from holdmem.cli.play import OPPONENT, web_table

    web_table()([OPPONENT], "limit", port=port, browser=browser, replay=file, replay_game=game, hand=hand)
