"""`holdmem mcp`: tools for an assistant, over the Model Context Protocol."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def mcp(
    hands: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder of hand histories that the assistant may read."),
    ] = None,
) -> None:
    """Serve tools to an assistant on standard input and output (Model Context Protocol).

    Equity, explanations, statistics and reviews of the hands in FOLDER, and a table to play at. No other
    folder is read, and nothing is written there. An assistant starts this command by itself; this is what to
    enter in its settings: [bold]holdmem mcp --hands ~/poker/hands[/bold]
    """
    from holdmem.core.extras import require

    require("mcp", "holdmem mcp")
    from holdmem.mcp import HandFiles, serve

    files = HandFiles(hands)
    if sys.stdin.isatty():
        print("holdmem: waiting for an assistant on standard input; Ctrl-C stops", file=sys.stderr)
    serve(files)
