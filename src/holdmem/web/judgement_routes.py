"""Requests about single hands: what their decisions were worth."""

from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Request, Response

from holdmem.core.types import JsonObject
from holdmem.history import RecordedHand
from holdmem.history.hands import UNKNOWN
from holdmem.web.json_answers import SessionOf, answered
from holdmem.web.judged import Judge
from holdmem.web.judgement import JudgementDesk, JudgementRequest
from holdmem.web.library import OWN
from holdmem.web.library_routes import LibraryDesk
from holdmem.web.library_values import values_of_hand
from holdmem.web.messages import HandReference, hand_reference
from holdmem.web.serialize import YOU

FindHand = Callable[[str, HandReference], RecordedHand]
"""Returns the hand of a person that an address refers to."""


def judgement_routes(library: LibraryDesk, find_hand: FindHand, session_of: SessionOf) -> APIRouter:
    """Return the requests; every one needs a session."""
    routes = APIRouter()
    desk = JudgementDesk(library.judge)

    def answer_of(
        ask: Callable[[JudgementRequest], JsonObject], values: dict[str, str], person: str
    ) -> JsonObject:
        player = values.pop("player", None)
        wish = hand_reference(values)
        hand = find_hand(person, wish)
        known = [name for name, cards in zip(hand.names, hand.hole, strict=True) if UNKNOWN not in cards]
        who = player or _usual(library, person, wish)
        about: JsonObject = {"player": who, "players": known, "stored": []}
        if who is None or (player is None and who not in hand.names):
            return about | {"state": "choose", "total": 0, "decisions": []}
        asked = _asked(library, person, wish, Judge(hand, who))
        if asked.folder is not None:
            place = wish.number if wish.upload else wish.own or 0
            about["stored"] = values_of_hand(asked.folder, who, place, str(hand.number))
        return about | ask(asked)

    @routes.get("/v1/judgement")
    async def look(request: Request) -> Response:
        return await answered(request, session_of, partial(answer_of, desk.look, dict(request.query_params)))

    @routes.post("/v1/judgement")
    async def begin(request: Request) -> Response:
        return await answered(request, session_of, partial(answer_of, desk.begin, dict(request.query_params)))

    return routes


def _usual(library: LibraryDesk, person: str, wish: HandReference) -> str | None:
    """Return whose decisions are looked at unless somebody is named; None where nobody is."""
    if wish.upload is not None:
        return library.library.hero(person, wish.upload)
    return YOU if wish.own is not None and wish.example is None else None


def _asked(library: LibraryDesk, person: str, wish: HandReference, judge: Judge) -> JudgementRequest:
    if wish.upload is not None:
        upload = wish.upload
        folder = library.library.folder_of(person, upload)
        return JudgementRequest(judge, folder, lambda: library.hands(person, upload))
    if wish.own is not None and wish.example is None:
        return JudgementRequest(judge, library.library.folder_of(person, OWN))
    return JudgementRequest(judge)
