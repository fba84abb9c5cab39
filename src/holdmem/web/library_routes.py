"""Requests about a person's own files of hands: drop, list, look into, export, delete."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import get_args

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.sources import PACKAGE
from holdmem.core.types import JsonObject
from holdmem.history import Hands, join
from holdmem.web.dashboard import LONGEST_PAGE, Dashboard, Order
from holdmem.web.downloads import DOWNLOADS, download
from holdmem.web.json_answers import SessionOf, answered, problem
from holdmem.web.library import OWN, FileTooLarge, HandLibrary, plain_words
from holdmem.web.library_review import ReviewDesk, review_file
from holdmem.web.library_values import values_file
from holdmem.web.serialize import YOU
from holdmem.web.store import Store

READERS = 2
"""Files that are read at the same time."""
KEPT = 4
"""Dashboards that are kept in memory."""


DATA = PACKAGE / "data"
EXAMPLE, EXAMPLE_REVIEW = DATA / "example-hands.txt.gz", DATA / "example-review.json"
EXAMPLE_VALUES = DATA / "example-values.npz"
"""Hands that HoldMem dealt and played, with two planted leaks, their review, and the value of every decision,
so that nobody waits for them: all are made by benchmarks/example_hands.py."""
HERO = "Hero"


class LibraryDesk:
    """What the requests ask for; a person is identified by the key of the session."""

    def __init__(self, library: HandLibrary, store: Store) -> None:
        self.library = library
        self.store = store
        self.readers: ThreadPoolExecutor = ThreadPoolExecutor(READERS, "reader")
        self.reviewer: ThreadPoolExecutor = ThreadPoolExecutor(1, "reviewer")
        self.judge: ThreadPoolExecutor = ThreadPoolExecutor(1, "judge")
        self.learner: ThreadPoolExecutor = ThreadPoolExecutor(1, "learner")
        self.reviews: ReviewDesk = ReviewDesk(self.reviewer)
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
        return YOU if number == OWN else self.library.hero(person, number)

    def example(self, person: str) -> JsonObject:
        """Add the shipped example to a person's files, unless it is there."""
        for file in self.library.listed(person, self.readers):
            if (file["name"], file["bytes"]) == (EXAMPLE.name, EXAMPLE.stat().st_size):
                return {"id": file["id"]}
        with self.library.receive(person, EXAMPLE.name) as incoming:
            incoming.write(EXAMPLE.read_bytes())
            number = incoming.finish()
        folder = self.library.folder_of(person, number)
        write_atomically(values_file(folder, HERO), EXAMPLE_VALUES.read_bytes())
        write_atomically(review_file(folder, HERO), EXAMPLE_REVIEW.read_text(encoding="utf-8"))
        self.library.begin(person, number, self.readers)
        return {"id": number}

    def forget_own(self, person: str) -> int:
        """Delete the hands played at this table with everything made of them; return their number."""
        self.reviews.stop(self.library.folder_of(person, OWN))
        self.library.forget_own(person)
        return self.store.delete(person)

    def review(self, person: str, number: str, player: str | None) -> JsonObject:
        """Return the review of a player, or how far it is."""
        return self.reviews.look(self.library.folder_of(person, number), self._player(person, number, player))

    def begin_review(self, person: str, number: str, player: str | None) -> JsonObject:
        """Begin to review a player."""
        folder, who = self.library.folder_of(person, number), self._player(person, number, player)
        self.reviews.begin(folder, lambda: self.hands(person, number), who)
        return self.reviews.look(folder, who)

    def stop_review(self, person: str, number: str, player: str | None) -> JsonObject:
        """Stop the review of a player, if it is going on."""
        folder, who = self.library.folder_of(person, number), self._player(person, number, player)
        self.reviews.stop(folder, who)
        return self.reviews.look(folder, who)

    def delete(self, person: str, number: str) -> JsonObject:
        """Delete a file with everything made of it, and stop what is being made."""
        folder = self.library.folder_of(person, number)
        self.library.delete(person, number)
        self.reviews.stop(folder)
        return {"deleted": number}

    def close(self) -> None:
        """Let what is being done be the last."""
        self.reviews.close()
        for workers in (self.readers, self.reviewer, self.judge, self.learner):
            workers.shutdown(wait=False, cancel_futures=True)


def library_routes(desk: LibraryDesk, session_of: SessionOf) -> APIRouter:
    """Return the requests; every one needs a session."""
    routes = APIRouter()

    @routes.get("/v1/hands")
    async def files(request: Request) -> Response:
        return await answered(request, session_of, desk.files)

    @routes.post("/v1/hands")
    async def drop(request: Request, name: str = "hands") -> Response:
        person = session_of(request)
        if person is None:
            return problem("a session is needed", 404)
        try:
            with desk.library.receive(person, name) as incoming:
                async for piece in request.stream():
                    await asyncio.to_thread(incoming.write, piece)
                number = await asyncio.to_thread(incoming.finish)
        except FileTooLarge as error:
            return problem(str(error), 413)
        except HoldMemError as error:
            return problem(plain_words(error, desk.library.folder), 409)
        except ClientDisconnect:
            return problem("the file did not arrive whole", 400)  # nobody reads it any more
        desk.library.begin(person, number, desk.readers)
        return JSONResponse({"id": number}, status_code=201)

    @routes.post("/v1/hands/example")
    async def example(request: Request) -> Response:
        return await answered(request, session_of, desk.example)

    @routes.delete("/v1/hands/{number}")
    async def forget(request: Request, number: str) -> Response:
        return await answered(request, session_of, lambda person: desk.delete(person, number))

    @routes.get("/v1/hands/{number}/dashboard")
    async def dashboard(request: Request, number: str, player: str | None = None) -> Response:
        return await answered(
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
            return problem(f"expected an order of {', '.join(get_args(Order))} and places from 0 on", 400)
        return await answered(
            request,
            session_of,
            lambda person: desk.dashboard(person, number, player).page(order, start, count),  # type: ignore[arg-type]
        )

    @routes.get("/v1/hands/{number}/review")
    async def review(request: Request, number: str, player: str | None = None) -> Response:
        return await answered(request, session_of, lambda person: desk.review(person, number, player))

    @routes.post("/v1/hands/{number}/review")
    async def begin_review(request: Request, number: str, player: str | None = None) -> Response:
        return await answered(request, session_of, lambda person: desk.begin_review(person, number, player))

    @routes.delete("/v1/hands/{number}/review")
    async def stop_review(request: Request, number: str, player: str | None = None) -> Response:
        return await answered(request, session_of, lambda person: desk.stop_review(person, number, player))

    @routes.get("/v1/hands/{number}/export.{kind}")
    async def export(request: Request, number: str, kind: str) -> Response:
        person = session_of(request)
        if kind not in DOWNLOADS or person is None:
            return problem(f"expected one of {', '.join(DOWNLOADS)}, and a session", 404)
        try:
            name, content = await asyncio.to_thread(lambda: download(kind, [desk.hands(person, number)]))
        except HoldMemError as error:
            return problem(str(error), 409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    return routes
