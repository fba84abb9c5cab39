"""Requests about a person's own files of hands: drop, list, look into, export, delete."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, get_args

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.sources import PACKAGE
from holdmem.core.types import JsonObject
from holdmem.history import Hands, join
from holdmem.web.dashboard import LONGEST_PAGE, Dashboard, Order
from holdmem.web.downloads import DOWNLOADS, download
from holdmem.web.library import OWN, FileTooLarge, HandLibrary
from holdmem.web.library_review import ReviewDesk, review_file
from holdmem.web.serialize import YOU
from holdmem.web.store import Store

READERS = 2
"""Files that are read at the same time."""
KEPT = 4
"""Dashboards that are kept in memory."""


EXAMPLE, EXAMPLE_REVIEW = PACKAGE / "data" / "example-hands.txt.gz", PACKAGE / "data" / "example-review.json"
"""Hands that HoldMem dealt and played, with two planted leaks, and their review, so that nobody waits for it:
both are made by benchmarks/example_hands.py."""
HERO = "Hero"


class LibraryDesk:
    """What the requests ask for; a person is identified by the key of the session."""

    def __init__(self, library: HandLibrary, store: Store) -> None:
        self.library = library
        self.store = store
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self.reviewer = ThreadPoolExecutor(1, "reviewer")
        self.reviews = ReviewDesk(self.reviewer)
        self._boards = lru_cache(KEPT)(lambda hands, player: Dashboard(player, hands))

    def files(self, person: str) -> JsonObject:
        """Return all files of a person, and how many hands were played here."""
        own = sum(len(block) for block in self.store.hands(person))
        return {"files": self.library.listed(person, self.readers), "own": own}

    def hands(self, person: str, number: str) -> Hands:
        """Return the hands of a file, or those played here."""
        if number != OWN:
            return self.library.hands(person, number)
        blocks = list(self.store.hands(person))
        if not blocks:
            raise NotationError("you have not played a hand here yet")
        return join(blocks)

    def dashboard(self, person: str, number: str, player: str | None) -> Dashboard:
        """Return the dashboard of a player; by default of the one whose hands these are."""
        player = self._player(person, number, player)
        found = self.hands(person, number)
        return Dashboard(player, found) if number == OWN else self._boards(found, player)

    def _player(self, person: str, number: str, player: str | None) -> str:
        if player is not None:
            return player
        return YOU if number == OWN else str(self.library.summary(person, number)["hero"])

    def example(self, person: str) -> JsonObject:
        """Add the shipped example to a person's files."""
        with self.library.receive(person, "example-hands.txt.gz") as incoming:
            incoming.write(EXAMPLE.read_bytes())
            number = incoming.finish()
        folder = self.library.folder_of(person, number)
        write_atomically(review_file(folder, HERO), EXAMPLE_REVIEW.read_text(encoding="utf-8"))
        self.library.begin(person, number, self.readers)
        return {"id": number}

    def review(self, person: str, number: str, player: str | None) -> JsonObject:
        """Return the review of a player, or how far it is."""
        return self.reviews.look(self.library.folder_of(person, number), self._player(person, number, player))

    def begin_review(self, person: str, number: str, player: str | None) -> JsonObject:
        """Begin to review a player."""
        folder, who = self.library.folder_of(person, number), self._player(person, number, player)
        self.reviews.begin(folder, lambda: self.hands(person, number), who)
        return self.reviews.look(folder, who)

    def close(self) -> None:
        """Let the file that is being read be the last."""
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.reviewer.shutdown(wait=False, cancel_futures=True)


def library_routes(desk: LibraryDesk, session_of: Callable[[Request], str | None]) -> APIRouter:
    """Return the requests; every one needs a session."""
    routes = APIRouter()

    @routes.get("/v1/hands")
    async def files(request: Request) -> Response:
        return await _answer(request, session_of, desk.files)

    @routes.post("/v1/hands")
    async def drop(request: Request, name: str = "hands") -> Response:
        person = session_of(request)
        if person is None:
            return _problem("a session is needed", 404)
        try:
            with desk.library.receive(person, name) as incoming:
                async for piece in request.stream():
                    await asyncio.to_thread(incoming.write, piece)
                number = await asyncio.to_thread(incoming.finish)
        except FileTooLarge as error:
            return _problem(str(error), 413)
        except HoldMemError as error:
            return _problem(str(error), 409)
        desk.library.begin(person, number, desk.readers)
        return JSONResponse({"id": number}, status_code=201)

    @routes.post("/v1/hands/example")
    async def example(request: Request) -> Response:
        return await _answer(request, session_of, desk.example)

    @routes.delete("/v1/hands/{number}")
    async def forget(request: Request, number: str) -> Response:
        def delete(person: str) -> JsonObject:
            desk.library.delete(person, number)
            return {"deleted": number}

        return await _answer(request, session_of, delete)

    @routes.get("/v1/hands/{number}/dashboard")
    async def dashboard(request: Request, number: str, player: str | None = None) -> Response:
        return await _answer(
            request, session_of, lambda person: desk.dashboard(person, number, player).as_json()
        )

    @routes.get("/v1/hands/{number}/list")
    async def listed(
        request: Request,
        number: str,
        player: str | None = None,
        order: str = "played",
        start: int = 0,
        count: int = LONGEST_PAGE,
    ) -> Response:
        if order not in get_args(Order) or start < 0 or count < 1:
            return _problem(f"expected an order of {', '.join(get_args(Order))} and places from 0 on", 400)
        return await _answer(
            request,
            session_of,
            lambda person: desk.dashboard(person, number, player).page(order, start, count),  # type: ignore[arg-type]
        )

    @routes.get("/v1/hands/{number}/review")
    async def review(request: Request, number: str, player: str | None = None) -> Response:
        return await _answer(request, session_of, lambda person: desk.review(person, number, player))

    @routes.post("/v1/hands/{number}/review")
    async def begin_review(request: Request, number: str, player: str | None = None) -> Response:
        return await _answer(request, session_of, lambda person: desk.begin_review(person, number, player))

    @routes.get("/v1/hands/{number}/export.{kind}")
    async def export(request: Request, number: str, kind: str) -> Response:
        person = session_of(request)
        if kind not in DOWNLOADS or person is None:
            return _problem(f"expected one of {', '.join(DOWNLOADS)}, and a session", 404)
        try:
            name, content = await asyncio.to_thread(lambda: download(kind, [desk.hands(person, number)]))
        except HoldMemError as error:
            return _problem(str(error), 409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    return routes


async def _answer(
    request: Request, session_of: Callable[[Request], str | None], ask: Callable[[str], Any]
) -> Response:
    """Return what is asked for as JSON; errors of ours as one line."""
    person = session_of(request)
    if person is None:
        return _problem("a session is needed", 404)
    try:
        found: Awaitable[Any] = asyncio.to_thread(ask, person)
        return JSONResponse(await found)
    except HoldMemError as error:
        return _problem(str(error), 409)


def _problem(text: str, status: int) -> Response:
    return PlainTextResponse(text[:500], status_code=status)
