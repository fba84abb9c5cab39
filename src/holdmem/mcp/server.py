"""The tools over the Model Context Protocol, on standard input and output."""

import logging
import math
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from holdmem import __version__
from holdmem.arena.time_limit import TimeLimitExceeded, time_limit
from holdmem.core.errors import HoldMemError
from holdmem.core.extras import require
from holdmem.mcp.files import HandFiles
from holdmem.mcp.tools import Tools

DIGITS = 5
"""Digits after the point."""
SECONDS = 60.0
"""Time limit of one call; compiling does not count."""

NAMES = (
    "equity",
    "explain_decision",
    "hand_files",
    "statistics",
    "review",
    "explain_hand",
    "agents",
    "sit_down",
    "deal",
    "act",
    "advice",
    "reasons",
)
"""The tools on offer: methods of `Tools`."""

INSTRUCTIONS = (
    "HoldMem: hold'em players made of memory. Compute equities, read statistics and reviews of the user's"
    " files of hands, explain decisions, and play at a local table. Figures come with intervals or errors:"
    " tell them. To play: agents, sit_down, deal, then act until the hand is over. Not for use during play at"
    " other sites, where advice is forbidden."
)


logger: logging.Logger = logging.getLogger("holdmem.mcp")


class ToolFailure(Exception):
    """A tool cannot do what was asked; the message is one line for the assistant."""


def serve(files: HandFiles) -> None:
    """Serve the tools on standard input and output until the assistant hangs up."""
    require("mcp", "holdmem mcp")
    server(files).run("stdio")


def server(files: HandFiles) -> Any:
    """Return the server with all tools, not yet running."""
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415

    found = MCPServer("HoldMem", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    for name, tool in bounded(Tools(files), failure=ToolError).items():
        found.add_tool(tool, name=name, description=tool.__doc__)
    return found


def bounded(tools: Tools, seconds: float = SECONDS, failure: type[Exception] = ToolFailure) -> dict[str, Any]:
    """Return the tools by name, one call at a time, each with a time limit and errors of one line."""
    lock = threading.Lock()
    return {name: _bounded(getattr(tools, name), tools, lock, seconds, failure) for name in NAMES}


def _bounded(
    tool: Callable[..., Any], tools: Tools, lock: threading.Lock, seconds: float, failure: type[Exception]
) -> Callable[..., Any]:
    @wraps(tool)
    def call(*args: Any, **named: Any) -> Any:
        with lock:
            try:
                with time_limit(seconds):
                    return plain(tool(*args, **named))
            except TimeLimitExceeded as error:
                tools.give_up()
                raise failure(f"{tool.__name__} {error}; ask for less. The table, if any, was left") from None
            except HoldMemError as error:
                raise failure(tools.complaint(error)) from None
            except Exception:
                logger.exception("%s failed", tool.__name__)
                tools.give_up()
                raise failure(f"{tool.__name__} failed; the log of holdmem mcp says why") from None

    return call


def plain(value: Any) -> Any:
    """Return values that JSON can represent, rounded: an infinite interval becomes null."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return round(value, DIGITS) if math.isfinite(value) else None
    return value
