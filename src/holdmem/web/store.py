"""SQLite storage of played hands, which survive the server and can be downloaded and deleted.

The file also stores open tables and the server's token, so only the user can read it. It identifies a person
by a hash of the session key, so that the file gives no access to a session. A damaged row is reported and
left out; other rows are not affected.
"""

import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs

from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import JsonObject
from holdmem.history import Hands, RecordedHand
from holdmem.history.formats.parquet import game_text
from holdmem.web import stored_hand

OURS = 0x484D5462
"""SQLite application id of these files: "HMTb"."""

SCHEMA = f"""
PRAGMA application_id = {OURS};
CREATE TABLE IF NOT EXISTS hands (
    id INTEGER PRIMARY KEY, person TEXT NOT NULL, sitting TEXT NOT NULL, played REAL NOT NULL,
    game TEXT NOT NULL, opponents TEXT NOT NULL, hand TEXT NOT NULL, reasons TEXT NOT NULL, net REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS by_person ON hands (person, id);
CREATE TABLE IF NOT EXISTS sittings (
    person TEXT PRIMARY KEY, saved REAL NOT NULL, state TEXT NOT NULL, hand TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
BLOCK = 4096
"""Number of hands read at a time."""
LEAST_SPACE = 1 << 16
"""Bytes of free space below which a disk counts as full, since SQLite needs room for its journal."""


class StoreWriteError(HoldMemError):
    """Data could not be written. The message gives the reason, such as a full disk."""


def default_store() -> Path:
    """Return the default file, in the user's data folder."""
    return Path(platformdirs.user_data_dir("holdmem", appauthor=False)) / "table.sqlite"


def person_hash(key: str) -> str:
    """Return the hash that identifies a session key in the file."""
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a damaged file: SQLite names a damaged table in its message, which is then no UTF-8 either."""


class Store:
    """The storage file. A finished hand is written together with its table in one transaction."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path: Path = Path(path) if path else default_store()
        self._lock = threading.Lock()
        try:
            _make_private(self.path, own_folder=path is None)
            self._file = sqlite3.connect(self.path, check_same_thread=False, timeout=30)
            (mark,) = self._file.execute("PRAGMA application_id").fetchone()
            (things,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != OURS and (mark or things):
                raise NotationError(f"{self.path}: not a file of played hands but another program's database")
            _close_to_others(self.path)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")  # a power failure may lose the last writes
            self._file.executescript(SCHEMA)
        except (OSError, *UNREADABLE) as error:
            raise NotationError(f"{self.path}: played hands cannot be stored here: {error}") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    # Hands

    def add(
        self,
        person: str,
        sitting: str,
        hand: RecordedHand,
        reasons: JsonObject,
        net: float,
        table: tuple[JsonObject, JsonObject],
    ) -> int:
        """Store a hand and the table as it stands after it; return the id of the hand."""
        opponents = [name for name in hand.names if name != "you"]
        row = (person_hash(person), sitting, time.time(), game_text(hand.terms.game), json.dumps(opponents),
               stored_hand.as_text(hand), json.dumps(reasons), net)  # fmt: skip
        insert = (
            "INSERT INTO hands (person, sitting, played, game, opponents, hand, reasons, net)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        return self._write((insert, row), _keep(person, *table))[0].lastrowid or 0

    def listed(self, person: str, limit: int = 200, before: int | None = None) -> list[JsonObject]:
        """Return the latest hands of a person, newest first; a damaged one has only an `id` and `damaged`."""
        query = (
            "SELECT id, played, game, hand, sitting, opponents, net FROM hands"
            " WHERE person = ? AND id < ? ORDER BY id DESC LIMIT ?"
        )
        rows = self._all(query, (person_hash(person), before or 2**62, limit))
        sound = stored_hand.valid_hands([row[:4] for row in rows], str(self.path))[1]
        return [stored_hand.listed(row, fine) for row, fine in zip(rows, sound, strict=True)]

    def reasons(self, person: str, number: int) -> JsonObject:
        """Return the reasons of one hand of this person by its id."""
        query = "SELECT reasons FROM hands WHERE person = ? AND id = ?"
        rows = self._all(query, (person_hash(person), number))
        if not rows:
            raise NotationError(f"you have no hand with number {number}")
        found = stored_hand.json_object(rows[0][0])
        if found is None:
            raise NotationError(f"the reasons of hand {number} are damaged and cannot be shown")
        return stored_hand.known_reasons(found)

    def hand(self, person: str, number: int) -> Hands:
        """Return one hand of this person by its id, as `Hands` of length one."""
        query = "SELECT id, played, game, hand FROM hands WHERE person = ? AND id = ?"
        rows = self._all(query, (person_hash(person), number))
        if not rows:
            raise NotationError(f"you have no hand with number {number}")
        found = stored_hand.valid_hands(rows, str(self.path))[0]
        if not len(found):
            raise NotationError(f"hand {number} is damaged and cannot be shown")
        return found

    def hands(self, person: str) -> Iterator[Hands]:
        """Yield all undamaged hands of a person in blocks, oldest first."""
        query = "SELECT id, played, game, hand FROM hands WHERE person = ? AND id > ? ORDER BY id LIMIT ?"
        last = -1
        while rows := self._all(query, (person_hash(person), last, BLOCK)):
            last = rows[-1][0]
            hands, _ = stored_hand.valid_hands(rows, str(self.path))
            if len(hands):
                yield hands

    def sittings(self, person: str) -> dict[int, str]:
        """Return the sitting of every hand of a person by the hand's id."""
        query = "SELECT id, sitting FROM hands WHERE person = ?"
        return {int(number): str(name) for number, name in self._all(query, (person_hash(person),))}

    def delete(self, person: str) -> int:
        """Delete all hands of a person; return their number."""
        return self._write(("DELETE FROM hands WHERE person = ?", (person_hash(person),)))[0].rowcount

    # Tables

    def keep(self, person: str, table: JsonObject, hand: JsonObject) -> None:
        """Store a person's table and the hand in play, replacing earlier ones."""
        self._write(_keep(person, table, hand))

    def keep_hand(self, person: str, hand: JsonObject) -> None:
        """Update the hand in play of a table that is already stored."""
        values = (time.time(), json.dumps(hand), person_hash(person))
        self._write(("UPDATE sittings SET saved = ?, hand = ? WHERE person = ?", values))

    def sits(self, person: str) -> bool:
        """Whether a table of this person is stored."""
        return bool(self._all("SELECT 1 FROM sittings WHERE person = ?", (person_hash(person),)))

    def sitting(self, person: str) -> tuple[JsonObject, JsonObject] | None:
        """Return a person's stored table and its hand, empty where damaged; None if there is no table."""
        rows = self._all("SELECT state, hand FROM sittings WHERE person = ?", (person_hash(person),))
        return (
            (stored_hand.json_object(rows[0][0]) or {}, stored_hand.json_object(rows[0][1]) or {})
            if rows
            else None
        )

    def leave(self, person: str) -> None:
        """Delete the stored table of a person; a failure to write is ignored."""
        with suppress(StoreWriteError):
            self._write(("DELETE FROM sittings WHERE person = ?", (person_hash(person),)))

    def token(self, new: bool = False) -> str:
        """Return the token that gives access to the table; it stays the same unless `new` is set."""
        rows = self._all("SELECT value FROM keys WHERE name = 'token'", ())
        if rows and not new and isinstance(rows[0][0], str) and len(rows[0][0]) >= 32:
            return str(rows[0][0])
        token = secrets.token_urlsafe(24)
        self._write(("INSERT OR REPLACE INTO keys (name, value) VALUES ('token', ?)", (token,)))
        return token

    def _write(self, *statements: tuple[str, tuple[Any, ...]]) -> list[sqlite3.Cursor]:
        """Execute the statements in one transaction; raise StoreWriteError if it fails."""
        try:
            with self._lock, self._file:
                return [self._file.execute(text, values) for text, values in statements]
        except sqlite3.Error as error:
            raise StoreWriteError(self._complaint(error)) from None

    def _all(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._lock:
                return self._file.execute(query, values).fetchall()
        except UNREADABLE as error:
            raise NotationError(f"{self.path}: cannot be read as a file of played hands: {error}") from None

    def _complaint(self, error: sqlite3.Error) -> str:
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        with suppress(OSError):
            full = full or shutil.disk_usage(self.path.parent).free < LEAST_SPACE
        return "the disk is full" if full else str(error)


def _keep(person: str, table: JsonObject, hand: JsonObject) -> tuple[str, tuple[Any, ...]]:
    text = "INSERT OR REPLACE INTO sittings (person, saved, state, hand) VALUES (?, ?, ?, ?)"
    return text, (person_hash(person), time.time(), json.dumps(table), json.dumps(hand))


def _make_private(path: Path, own_folder: bool) -> None:
    """Create the folder and file with access for the user only; SQLite's journals inherit permissions."""
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    elif own_folder:
        path.parent.chmod(0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _close_to_others(path: Path) -> None:
    """Restrict the file and its journals to the user; an earlier version left them readable by all users."""
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{end}").chmod(0o600)
