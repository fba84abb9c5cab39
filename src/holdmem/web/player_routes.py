"""Requests about the players that a person made from their own hands: make, list, delete."""

from functools import partial

from fastapi import APIRouter, Request, Response

from holdmem.core.errors import NotationError
from holdmem.core.types import JsonObject
from holdmem.web.json_answers import SessionOf, answered
from holdmem.web.library import OWN
from holdmem.web.library_routes import LibraryDesk
from holdmem.web.players import PlayerShelf

LONGEST_ASKED = 300
"""Characters of a player's name in a request."""


def player_routes(library: LibraryDesk, shelf: PlayerShelf, session_of: SessionOf) -> APIRouter:
    """Return the requests; every one needs a session."""
    routes = APIRouter()

    def make(file: str, player: str, person: str) -> JsonObject:
        about = {"id": OWN, "name": "hands played here"} if file == OWN else None
        about = about or library.library.summary(person, file)
        if not player or len(player) > LONGEST_ASKED:
            raise NotationError("expected the name of a player of this file")
        return {"id": shelf.make(person, about, player, library.hands, library.learner)}

    def listed(person: str) -> JsonObject:
        return {"players": shelf.listed(person, library.hands, library.learner)}

    def forget(number: str, person: str) -> JsonObject:
        shelf.delete(person, number)
        return {"deleted": number}

    @routes.get("/v1/players")
    async def players(request: Request) -> Response:
        return await answered(request, session_of, listed)

    @routes.post("/v1/players")
    async def add(request: Request, file: str, player: str) -> Response:
        return await answered(request, session_of, partial(make, file, player))

    @routes.delete("/v1/players/{number}")
    async def delete(request: Request, number: str) -> Response:
        return await answered(request, session_of, partial(forget, number))

    return routes
