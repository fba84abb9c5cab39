"""Reviews of the files that a person dropped: made in the background, stored with the file."""

import json
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from holdmem.api.leaks import find_leaks
from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError
from holdmem.core.types import JsonObject
from holdmem.ev.review import LeakReport
from holdmem.history import Hands
from holdmem.web.kept_files import one_line
from holdmem.web.kept_model import learned_model, named_by
from holdmem.web.library_values import keep_values
from holdmem.web.review_text import as_text, places_of, review_json

logger: logging.Logger = logging.getLogger("holdmem.web")

MOST_WORKERS = 4
WORTH_WORKERS = 1000
"""Hands from which it pays to start worker processes."""


STOPPED: JsonObject = {"state": "stopped"}
"""What is stored of a review that was stopped: it does not begin again by itself."""


class ReviewStopped(HoldMemError):
    """Nobody wants the rest of a review."""


@dataclass
class RunningReview:
    """How far a review is; `first` is a review of few samples, which is made before the rest is drawn."""

    done: int = 0
    total: int = 0
    first: JsonObject | None = None
    begun: bool = False
    stopped: bool = False

    def progress(self, done: int, total: int) -> None:
        """Note how many hands are done."""
        if self.stopped:
            raise ReviewStopped
        self.done, self.total = done, total

    def as_json(self) -> JsonObject:
        """Return how far it is."""
        counts = {"begun": self.begun, "done": self.done, "total": self.total}
        return {"state": "running", **counts, "first": self.first}


@dataclass
class ReviewDesk:
    """Starts reviews, one at a time, tells how far they are, and stops them."""

    submit: Executor
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, MOST_WORKERS))
    _running: dict[Path, RunningReview] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, folder: Path, player: str) -> JsonObject:
        """Return a review, how far it is, that it was stopped, or that there is none."""
        file = review_file(folder, player)
        with self._lock:
            running = self._running.get(file)
        if running is not None:
            return running.as_json()
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
            running = self._running[file] = RunningReview()
        self.submit.submit(self._review, file, hands, player, running)

    def stop(self, folder: Path, player: str | None = None) -> None:
        """Stop the review of a player, or all reviews of a file; what is being computed is thrown away."""
        with self._lock:
            files = [file for file in self._running if file.parent == folder]
            if player is not None:
                files = [file for file in files if file == review_file(folder, player)]
            for file in files:
                self._running.pop(file).stopped = True
        for file in files:
            _store(file, STOPPED)

    def close(self) -> None:
        """Let no review go on; those that were going on begin again when they are asked for."""
        with self._lock:
            for running in self._running.values():
                running.stopped = True
            self._running.clear()

    def _review(self, file: Path, hands: Callable[[], Hands], player: str, running: RunningReview) -> None:
        try:
            stored = self._reviewed(file, hands(), player, running)
        except ReviewStopped:
            return
        except HoldMemError as error:
            stored = {"state": "refused", "problem": one_line(str(error), 300)}
        except Exception:
            logger.exception("a review failed")
            stored = {"state": "refused", "problem": "the review failed; the server's log says why"}
        with self._lock:  # only now, or there would seem to be no review
            if not running.stopped:
                _store(file, stored)
                self._running.pop(file)

    def _reviewed(self, file: Path, hands: Hands, player: str, running: RunningReview) -> JsonObject:
        running.progress(0, 0)  # perhaps it was stopped before its turn came
        running.begun = True

        def first_page(found: LeakReport) -> None:
            running.first = review_json(found, hands)

        found = find_leaks(
            hands,
            player,
            others=learned_model(file.parent, player, hands),
            workers=self.workers if len(hands) >= WORTH_WORKERS else 1,
            progress=running.progress,
            first_page=first_page,
        )
        stored = review_json(found, hands)
        if not running.stopped:
            keep_values(file.parent, found, places_of(hands, player))
        return stored


def _store(file: Path, stored: JsonObject) -> None:
    with suppress(OSError, HoldMemError):  # the file may have been deleted meanwhile
        if file.parent.is_dir():
            write_atomically(file, as_text(stored))


def review_file(folder: Path, player: str) -> Path:
    """Return where the review of a player is stored; the name of the file does not contain the player's."""
    return folder / f"review-{named_by(player)}.json"
