"""Answers to requests as JSON, and HoldMem's errors as one line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from holdmem.core.errors import HoldMemError

SessionOf = Callable[[Request], str | None]
"""Returns the key of the session of a request."""


async def answered(request: Request, session_of: SessionOf, ask: Callable[[str], Any]) -> Response:
    """Return what is asked for as JSON; a session is needed, and `ask` runs in a thread."""
    person = session_of(request)
    if person is None:
        return problem("a session is needed", 404)
    try:
        found: Awaitable[Any] = asyncio.to_thread(ask, person)
        return JSONResponse(await found)
    except HoldMemError as error:
        return problem(str(error), 409)


def problem(text: str, status: int) -> Response:
    """Return one line on what is wrong."""
    return PlainTextResponse(text[:500], status_code=status)
