"""Requests of the trainer: decks, the next spot, answers."""

from collections.abc import Callable

from fastapi import APIRouter, Request, Response

from holdmem.core.types import JsonObject
from holdmem.web.json_answers import answered, problem
from holdmem.web.trainer_desk import TrainerDesk
from holdmem.web.trainer_messages import LARGEST, read_answer, read_deck


def trainer_routes(desk: TrainerDesk, session_of: Callable[[Request], str | None]) -> APIRouter:
    """Return the requests; every one needs a session."""
    routes = APIRouter()

    @routes.get("/v1/trainer")
    async def overview(request: Request) -> Response:
        return await answered(request, session_of, desk.overview)

    @routes.post("/v1/trainer")
    async def make(request: Request) -> Response:
        text = await _body(request)
        if text is None:
            return _too_large()
        return await answered(request, session_of, lambda person: desk.make(person, read_deck(text)))

    @routes.get("/v1/trainer/{number}")
    async def ask(request: Request, number: str) -> Response:
        return await answered(request, session_of, lambda person: desk.ask(person, number))

    @routes.post("/v1/trainer/{number}")
    async def answer(request: Request, number: str) -> Response:
        text = await _body(request)
        if text is None:
            return _too_large()
        return await answered(
            request, session_of, lambda person: desk.answer(person, number, read_answer(text))
        )

    @routes.delete("/v1/trainer/{number}")
    async def forget(request: Request, number: str) -> Response:
        def delete(person: str) -> JsonObject:
            desk.delete(person, number)
            return {"deleted": number}

        return await answered(request, session_of, delete)

    return routes


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is too large."""
    text = b""
    async for piece in request.stream():
        text += piece
        if len(text) > LARGEST:
            return None
    return text


def _too_large() -> Response:
    return problem(f"expected at most {LARGEST:,} bytes", 413)
