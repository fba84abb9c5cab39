"""Reviews of the files that a person dropped: made in the background, stored beside the file."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.api.leaks import find_leaks
from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import Ints, JsonObject
from holdmem.engine import FOLD
from holdmem.ev.review import LeakReport
from holdmem.history import Hands
from holdmem.history.archives import printable

logger = logging.getLogger("holdmem.web")

DEAREST = 20
"""Decisions that lost most, and are listed."""
MOST_WORKERS = 4
WORTH_WORKERS = 1000
"""Hands from which it pays to start worker processes."""


@dataclass
class RunningReview:
    """How far a review is."""

    done: int = 0
    total: int = 0
    problem: str = ""


@dataclass
class ReviewDesk:
    """Starts reviews, one at a time, and tells how far they are."""

    submit: Executor
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, MOST_WORKERS))
    _running: dict[Path, RunningReview] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, folder: Path, player: str) -> JsonObject:
        """Return a review, how far it is, or that there is none."""
        file = review_file(folder, player)
        with self._lock:
            running = self._running.get(file)
        if running is not None:
            return {"state": "running", "done": running.done, "total": running.total}
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"state": "none"}
        return found if isinstance(found, dict) else {"state": "none"}

    def begin(self, folder: Path, hands: Callable[[], Hands], player: str) -> None:
        """Review a player's hands in the background, unless that is going on."""
        file = review_file(folder, player)
        with self._lock:
            if file in self._running:
                return
            self._running[file] = RunningReview()
        self.submit.submit(self._review, file, hands, player)

    def _review(self, file: Path, hands: Callable[[], Hands], player: str) -> None:
        running = self._running[file]

        def progress(done: int, total: int) -> None:
            running.done, running.total = done, total

        try:
            whole = hands()
            workers = self.workers if len(whole) >= WORTH_WORKERS else 1
            found = find_leaks(whole, player, workers=workers, progress=progress)
            told = review_json(found, whole)
        except HoldMemError as error:
            told = {"state": "refused", "problem": printable(str(error))[:300]}
        except Exception:
            logger.exception("a review failed")
            told = {"state": "refused", "problem": "the review failed; the server's log says why"}
        finally:
            with self._lock:
                self._running.pop(file, None)
        with suppress(OSError, HoldMemError):  # the file may have been deleted meanwhile
            if file.parent.is_dir():
                write_atomically(file, as_text(told))


def review_file(folder: Path, player: str) -> Path:
    """Return where the review of a player is stored; the name of the file does not contain the player's."""
    digest = hashlib.blake2b(player.encode(errors="replace"), digest_size=8).hexdigest()
    return folder / f"review-{digest}.json"


def review_json(found: LeakReport, hands: Hands) -> JsonObject:
    """Return a review for the page; hands are given by their places in the file, from 1."""
    places = _places(hands, found.player)
    told: JsonObject = found.as_json()
    for name, leaks in (
        ("leaks", found.tests.leaks),
        ("better_than_the_reference", found.tests.strengths),
        ("differences_of_style", found.tests.style),
    ):
        for said, leak in zip(told[name], leaks, strict=True):
            said["examples"] = [_example(found, one, places) for one in leak.examples]
    told["dearest"] = [_decision(found, one, places) for one in found.dearest(DEAREST)]
    return told | {"state": "ready"}


def _places(hands: Hands, player: str) -> Ints:
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
    columns = found.columns
    row = found.hands.rows[columns["hand"][place]]
    big_blind = found.hands.terms[row["terms"]].game.big_blind
    return _example(found, place, places) | {
        "loss": float(columns["loss"][place]),
        "error": float(columns["loss_error"][place]),
        "street": str(columns["street"][place]),
        "taken": _words(int(columns["taken"][place]), big_blind),
        "best": _words(int(columns["best"][place]), big_blind),
    }


def _words(action: int, big_blind: int) -> str:
    if action > 0:
        return f"raise to {action / big_blind:,.4g} bb"
    return "fold" if action == FOLD else "check or call"


def as_text(told: JsonObject) -> str:
    """Return a review as it is stored."""
    return json.dumps(told, ensure_ascii=False, allow_nan=False, default=_plain)


def digest(content: bytes) -> str:
    """Return what identifies the file that a shipped review is of."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
