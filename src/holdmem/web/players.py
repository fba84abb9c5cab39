"""Players that a person made from their own files of hands: learned in the background, kept on this machine.

Each has a folder of its own, named by random letters, below the folder of the person's files:

    about.json     whom it imitates, and the file that it is learned from
    person.people  the memory that it plays from, as `holdmem imitate` writes it
    made.json      how many hands there were and how well it imitates, or why it could not be made

A name from outside is shown and never becomes the name of a file. Learning that a restart interrupted begins
again.
"""

import json
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from holdmem.api.people import ImitatedPlayer, imitate
from holdmem.core.atomic import storage_errors, write_atomically
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import JsonObject
from holdmem.history import Hands
from holdmem.history.stats import STATISTICS
from holdmem.web.kept_files import make_private, one_line, read_object
from holdmem.web.library import NAME
from holdmem.web.offers import Made, MadePlayer
from holdmem.web.store import person_hash

MOST_MADE = 100
"""Players that a person can keep."""
LONGEST_NAME = 40
PREFIX = "made:"
"""What the name by which such a player is asked for begins with."""
SHOWN = ("vpip", "pfr", "three_bet", "afq", "wtsd")
"""Statistics that are listed."""

ABOUT = {"player", "name", "file", "of", "added"}

HandsOf = Callable[[str, str], Hands]
"""Returns the hands of a person's file by its id."""

logger: logging.Logger = logging.getLogger("holdmem.web")


@dataclass
class Learning:
    """How far the learning of a player is, in decisions gone through."""

    done: int = 0
    total: int = 0


@dataclass
class PlayerShelf:
    """The players of all persons, below one folder that only the user can read."""

    folder: Path
    _learning: dict[Path, Learning] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def make(self, person: str, file: JsonObject, player: str, hands: HandsOf, submit: Executor) -> str:
        """Begin to learn a player of a file; return its id."""
        home = self._home(person)
        if len(list(_folders(home))) >= MOST_MADE:
            raise NotationError(f"there are {MOST_MADE} players already; delete one first")
        folder = home / secrets.token_hex(8)
        about = {
            "player": player,
            "name": one_line(player, LONGEST_NAME) or "a player",
            "file": file["id"],
            "of": file["name"],
            "added": time.time(),
        }
        with storage_errors(folder):
            make_private(folder, self.folder)
            write_atomically(folder / "about.json", json.dumps(about))
        self._begin(person, folder, about, hands, submit)
        return folder.name

    def listed(self, person: str, hands: HandsOf, submit: Executor) -> list[JsonObject]:
        """Return what is known of each player, newest first; learning that was interrupted begins again."""
        found = []
        for folder in _folders(self._home(person)):
            about = _about(folder)
            if about is None:
                continue
            entry = self._entry_of(folder, about)
            if entry["state"] == "waiting":
                self._begin(person, folder, about, hands, submit)
            found.append(entry)
        return sorted(found, key=lambda entry: -entry["added"])

    def made(self, person: str) -> Made:
        """Return the players of a person that can sit down, by name."""
        found = {}
        for folder in _folders(self._home(person)):
            about, made = _about(folder), read_object(folder / "made.json")
            if about and made and "hands" in made:
                style = f"made from {made['hands']:,} hands of {about['of']}"
                name = f"{PREFIX}{folder.name}"
                shown, betting = f"{about['name']} (clone)", str(made.get("betting", "nolimit"))
                found[name] = MadePlayer(name, shown, style, folder / "person.people", betting)
        return found

    def delete(self, person: str, number: str) -> None:
        """Delete a player."""
        folder = self._home(person) / number
        if not NAME.fullmatch(number) or not folder.is_dir():
            raise NotationError("there is no such player of yours")
        with storage_errors(folder):
            gone = folder.with_name(f"{number}.gone")
            folder.rename(gone)
            shutil.rmtree(gone)

    def _home(self, person: str) -> Path:
        return self.folder / person_hash(person) / "players"

    def _entry_of(self, folder: Path, about: JsonObject) -> JsonObject:
        entry = {name: about[name] for name in ("name", "of", "added")} | {"id": folder.name}
        with self._lock:  # first of all: whoever ends meanwhile has written the result before
            learning = self._learning.get(folder)
        made = read_object(folder / "made.json")
        if made is not None:
            return entry | made | {"state": "refused" if made.get("problem") else "ready"}
        if learning is None:
            return entry | {"state": "waiting"}
        return entry | {"state": "learning", "done": learning.done, "total": learning.total}

    def _begin(self, person: str, folder: Path, about: JsonObject, hands: HandsOf, submit: Executor) -> None:
        with self._lock:
            if folder in self._learning:
                return
            self._learning[folder] = Learning()
        submit.submit(self._learn, folder, about, lambda: hands(person, str(about["file"])))

    def _learn(self, folder: Path, about: JsonObject, hands: Callable[[], Hands]) -> None:
        learning = self._learning[folder]

        def progress(done: int, total: int) -> None:
            learning.done, learning.total = done, total

        try:
            entry = _learned(folder, about, hands(), progress)
        except HoldMemError as error:
            entry = {"problem": one_line(str(error).replace(str(folder), ""), 300)}
        except Exception:
            logger.exception("a player could not be made")
            entry = {"problem": "it could not be made; the server's log says why"}
        with suppress(OSError, HoldMemError):  # it may have been deleted meanwhile
            if folder.is_dir():
                write_atomically(folder / "made.json", json.dumps(entry, allow_nan=False))
        with self._lock:  # only now, or it would seem to have been interrupted
            self._learning.pop(folder, None)


def _learned(
    folder: Path, about: JsonObject, hands: Hands, progress: Callable[[int, int], None]
) -> JsonObject:
    player = str(about["player"])
    if player not in hands.players:
        raise NotationError("the file has no hands of this player")
    (folder / "person.people").unlink(missing_ok=True)
    found = imitate(
        hands, player, name=str(about["name"]), output=folder / "person.people", progress=progress
    )
    return as_json(found) | {"betting": betting_of(hands.with_player(player))}


def betting_of(hands: Hands) -> str:
    """Return the betting of most of these hands: limit or nolimit."""
    limit = np.array([terms.game.limit for terms in hands.terms], dtype=np.bool_)
    return "limit" if 2 * limit[hands.rows["terms"]].sum() > len(hands) else "nolimit"


def as_json(found: ImitatedPlayer) -> JsonObject:
    """Return what is known about a player that was learned: hands, statistics, and how well it imitates."""
    about = found.about
    statistics = []
    for name in SHOWN:
        share = found.statistics.share(name)
        ends = {"low": share.low, "high": share.high, "of": share.opportunities}
        statistics.append({"title": STATISTICS[name].title, "value": share.value, **ends})
    entry = {name: about[name] for name in ("hands", "decisions", "shown", "seats", "check")}
    return entry | {"statistics": statistics}


def _about(folder: Path) -> JsonObject | None:
    """Return whom a player imitates; None where that is damaged."""
    found = read_object(folder / "about.json")
    return found if found is not None and found.keys() >= ABOUT else None


def _folders(home: Path) -> Iterator[Path]:
    if home.is_dir():
        yield from (folder for folder in home.iterdir() if NAME.fullmatch(folder.name))
