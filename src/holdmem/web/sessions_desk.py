"""Statistics over all sessions of a person, counted in the background and kept with the files."""

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from fastapi import APIRouter, Request, Response

from holdmem.agent import Agent, make_agent
from holdmem.arena.aivat import has_known_policy
from holdmem.core.errors import HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import JsonObject
from holdmem.history import Hands
from holdmem.web.dashboard import Dashboard
from holdmem.web.json_answers import answered
from holdmem.web.library import OWN
from holdmem.web.library_routes import LibraryDesk
from holdmem.web.offers import Lobby, shown_name
from holdmem.web.serialize import YOU
from holdmem.web.sessions_hands import SessionHands, keep, kept, session_hands
from holdmem.web.sessions_overview import Session, overview

logger: logging.Logger = logging.getLogger("holdmem.web")

OwnHands = tuple[int, int, float]
"""Number of the hands played here, and id and time of the newest: ids begin again where all are deleted."""


class SessionsDesk:
    """Counts every file once, and the hands played here whenever there are new ones."""

    def __init__(self, hands: LibraryDesk, offer: Lobby) -> None:
        self.hands = hands
        self.offer = offer
        self.counter: ThreadPoolExecutor = ThreadPoolExecutor(1, "sessions")
        self._known: dict[str, dict[Path, SessionHands | None]] = {}
        self._own: dict[str, tuple[OwnHands, SessionHands]] = {}
        self._counting: set[str] = set()
        self._lock = threading.Lock()

    def look(self, person: str) -> JsonObject:
        """Return the statistics of everything that has been counted, and how much has not."""
        listed = self.hands.files(person)
        ready = [one for one in listed["files"] if one["state"] == "ready"]
        found, waiting, problems = list[Session](), 0, list[str]()
        paths = [self._path(person, one["id"], one["hero"]) for one in ready]
        known = self._known_of(person, paths)
        for path, one in zip(paths, ready, strict=True):
            if path not in known:
                self._submit(str(path), partial(self._count, person, one["id"], path))
                waiting += 1
            elif (columns := known[path]) is None:
                problems.append(f"{one['name']}: cannot be counted")
            else:
                address = f"/hands?file={one['id']}"
                found.append(Session(one["name"], address, one["added"], columns))
        if listed["own"]:
            own = self._own_hands(person, listed["own"])
            counted, columns = self._own.get(person, (own, None))
            if columns is None or counted != own:
                self._submit(f"{person}/{OWN}", partial(self._count_own, person, own))
                waiting += 1
            if columns is not None and (counted == own or counted[0] < own[0]):  # else they were deleted
                found += self._sittings(person, columns)
        found.sort(key=lambda one: -(one.hands.time.max(initial=0) or one.added))
        files = len(ready) + bool(listed["own"])
        return {"waiting": waiting, "of": files, "problems": problems, **overview(found)}

    def _known_of(self, person: str, paths: Sequence[Path]) -> dict[Path, SessionHands | None]:
        """Return what has been counted of a person's files, and forget files that are gone."""
        known = self._known.setdefault(person, {})
        for path in set(known) - set(paths):
            known.pop(path, None)
        return known

    def _own_hands(self, person: str, count: int) -> OwnHands:
        """Return what tells the hands played here from those of a history that has been deleted."""
        newest = next(iter(self.hands.store.listed(person, limit=1)), {"id": 0})
        return count, newest["id"], newest.get("played", 0.0)

    def _path(self, person: str, number: str, hero: str) -> Path:
        digest = hashlib.blake2b(hero.encode(errors="replace"), digest_size=8).hexdigest()
        return self.hands.library.folder_of(person, number) / f"sessions-{digest}.npz"

    def _submit(self, what: str, task: Callable[[], None]) -> None:
        with self._lock:
            if what in self._counting:
                return
            self._counting.add(what)

        def run() -> None:
            try:
                task()
            except HoldMemError:
                pass  # deleted meanwhile
            except Exception:
                logger.exception("sessions could not be counted")
            finally:
                with self._lock:
                    self._counting.discard(what)

        with suppress(RuntimeError):  # the server is being closed
            self.counter.submit(run)

    def _count(self, person: str, number: str, path: Path) -> None:
        """Count a file, unless its columns are kept."""
        found = kept(path)
        if found is None:
            try:
                found = session_hands(self.hands.dashboard(person, number, None))
                keep(path, found)
            except HoldMemError as error:
                logger.warning("a file could not be counted: %s", error)
            except Exception:
                logger.exception("a file could not be counted")
        self._known.setdefault(person, {})[path] = found

    def _count_own(self, person: str, own: OwnHands) -> None:
        """Count the hands played here."""
        hands = self.hands.hands(person, OWN)
        self._own[person] = own, session_hands(Dashboard(YOU, hands), self._known_opponents(hands))

    def _known_opponents(self, hands: Hands) -> dict[str, Agent]:
        """Return the agents on offer, by their names at the table, that have a known policy."""
        offered = {shown_name(name): name for name in self.offer.agents()}
        met = set(np.unique(hands.rows["player"][hands.seats == 2, :2]).tolist())
        found = {}
        for place in sorted(met - {hands.players.index(YOU)}):
            name = hands.players[place]
            if name in offered:
                with suppress(HoldMemError):
                    agent = make_agent(offered[name])
                    game = next(terms.game for terms in hands.terms if terms.game.seats == 2)
                    if has_known_policy(agent.sit(game, 1, Streams.of(0))):
                        found[name] = agent
        return found

    def _sittings(self, person: str, columns: SessionHands) -> list[Session]:
        """Return the hands played here, one session for each sitting."""
        by_hand = self.hands.store.sittings(person)
        names = np.array([by_hand.get(number, "") for number in columns.number.tolist()])
        found = []
        for name in dict.fromkeys(names.tolist()):
            which = np.flatnonzero(names == name)
            some = part(columns, which)
            others = np.unique(some.others[some.others >= 0]).tolist()
            against = ", ".join(some.players[one] for one in others[:3]) + (" …" if len(others) > 3 else "")
            found.append(Session(f"this table: {against}", f"/hands?file={OWN}", 0.0, some))
        return found

    def close(self) -> None:
        """Let the file that is being counted be the last."""
        self.counter.shutdown(wait=False, cancel_futures=True)


def part(columns: SessionHands, which: np.ndarray) -> SessionHands:
    """Return some of the hands."""
    names = ("number", "time", "won", "less_luck", "method", "all_in", "game", "others")
    return replace(columns, unknown=0, **{name: getattr(columns, name)[which] for name in names})


def sessions_routes(desk: SessionsDesk, session_of: Callable[[Request], str | None]) -> APIRouter:
    """Return the request for statistics over all sessions; it needs a session of the browser."""
    routes = APIRouter()

    @routes.get("/v1/sessions")
    async def sessions(request: Request) -> Response:
        return await answered(request, session_of, desk.look)

    return routes
