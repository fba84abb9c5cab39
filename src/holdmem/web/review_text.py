"""A review as plain values for the page, and as it is stored."""

import hashlib
import json
from typing import Any

import numpy as np

from holdmem.core.errors import NotationError
from holdmem.core.types import Ints, JsonObject
from holdmem.ev.review import LeakReport
from holdmem.ev.review.examples import example_of
from holdmem.history import Hands

DEAREST = 20
"""Decisions that lost most, and are listed."""


def review_json(found: LeakReport, hands: Hands) -> JsonObject:
    """Return a review for the page; hands are given by their places in the file, from 1."""
    places = places_of(hands, found.player)
    content: JsonObject = found.as_json()
    for name, leaks in (
        ("leaks", found.tests.leaks),
        ("better_than_the_reference", found.tests.strengths),
        ("differences_of_style", found.tests.style),
    ):
        for said, leak in zip(content[name], leaks, strict=True):
            said["examples"] = [_example(found, one, places) for one in leak.examples]
    content["dearest"] = [_decision(found, one, places) for one in found.dearest(DEAREST)]
    return content | {"state": "ready"}


def places_of(hands: Hands, player: str) -> Ints:
    """Return the number, from 1, of each hand in which the player sits."""
    if player not in hands.players:
        raise NotationError(f"{player!r} plays no hand of this file")
    return np.flatnonzero((hands.rows["player"] == hands.players.index(player)).any(axis=1)) + 1


def _example(found: LeakReport, place: int, places: Ints) -> JsonObject:
    """Return the hand of a decision, and after how many actions it is to be made."""
    hand = int(found.columns["hand"][place])
    return {
        "place": int(places[hand]),
        "number": str(found.hands.rows["number"][hand]),
        "step": int(found.columns["action"][place]),
    }


def _decision(found: LeakReport, place: int, places: Ints) -> JsonObject:
    columns, said = found.columns, example_of(found, place)
    return _example(found, place, places) | {
        "loss": float(columns["loss"][place]),
        "error": float(columns["loss_error"][place]),
        "street": str(columns["street"][place]),
        "taken": said.did,
        "best": said.best,
        "big_blind": said.view.game.big_blind,
    }


def as_text(content: JsonObject) -> str:
    """Return a review as it is stored."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, default=_plain)


def digest(content: bytes) -> str:
    """Return what identifies the file that a shipped review is of."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
