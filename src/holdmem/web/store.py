"""What a person played, in SQLite: it outlives the server, can be taken home, and be deleted.

The file also keeps the tables at which people sit and the token of this server, and so is the user's alone.
Whose a hand is stands there as a hash of the person's key, so that the file opens no session. A damaged row
is named and left out; the others are as good as before.
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

from holdmem.errors import HoldMemError, NotationError
from holdmem.history import Hands, RecordedHand
from holdmem.history.storage import game_text
from holdmem.web import kept

Plain = dict[str, Any]

OURS = 0x484D5462
"""SQLite's mark for the files of one program: "HMTb"."""

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
"""Hands that are read at a time."""
LEAST_SPACE = 1 << 16
"""With fewer bytes left a disk counts as full: SQLite needs room for its journal."""


class NotStored(HoldMemError):
    """Something could not be written: says why, such as a full disk."""


def default_store() -> Path:
    """The user's own file."""
    return Path(platformdirs.user_data_dir("holdmem", appauthor=False)) / "table.sqlite"


def person_hash(key: str) -> str:
    """What stands in the file for a person's key."""
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


class Store:
    """The file. Each hand is written in a transaction of its own when it ends, together with its table."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path else default_store()
        self._lock = threading.Lock()
        try:
            _make_private(self.path, own_folder=path is None)
            self._file = sqlite3.connect(self.path, check_same_thread=False, timeout=30)
            (mark,) = self._file.execute("PRAGMA application_id").fetchone()
            (things,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != OURS and (mark or things):
                raise NotationError(f"{self.path}: expected a file of played hands, got another program's")
            _close_to_others(self.path)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")  # a power failure may cost the last moments
            self._file.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise NotationError(f"{self.path}: expected a place for played hands, got: {error}") from None

    def close(self) -> None:
        """Finish writing."""
        with self._lock:
            self._file.close()

    # Hands

    def add(
        self,
        person: str,
        sitting: str,
        hand: RecordedHand,
        reasons: Plain,
        net: float,
        table: tuple[Plain, Plain],
    ) -> int:
        """Keep one hand, and the table as it stands after it; the hand's number in the file."""
        opponents = [name for name in hand.names if name != "you"]
        row = (person_hash(person), sitting, time.time(), game_text(hand.terms.game), json.dumps(opponents),
               kept.as_text(hand), json.dumps(reasons), net)  # fmt: skip
        insert = (
            "INSERT INTO hands (person, sitting, played, game, opponents, hand, reasons, net)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        return self._write((insert, row), _keep(person, *table))[0].lastrowid or 0

    def listed(self, person: str, limit: int = 200, before: int | None = None) -> list[Plain]:
        """The latest hands of a person, newest first; of a damaged one there is only its `id`."""
        query = (
            "SELECT id, played, game, hand, sitting, opponents, net FROM hands"
            " WHERE person = ? AND id < ? ORDER BY id DESC LIMIT ?"
        )
        rows = self._all(query, (person_hash(person), before or 2**62, limit))
        sound = kept.sound([row[:4] for row in rows], str(self.path))[1]
        return [kept.listed(row, fine) for row, fine in zip(rows, sound, strict=True)]

    def reasons(self, person: str, number: int) -> Plain:
        """The reasons of one hand of this person."""
        query = "SELECT reasons FROM hands WHERE person = ? AND id = ?"
        rows = self._all(query, (person_hash(person), number))
        if not rows:
            raise NotationError(f"expected a hand of your own, got number {number}")
        found = kept.json_object(rows[0][0])
        if found is None:
            raise NotationError(f"the reasons of hand {number} are damaged and cannot be shown")
        return found

    def hands(self, person: str) -> Iterator[Hands]:
        """All hands of a person that are not damaged, oldest first, in blocks."""
        query = "SELECT id, played, game, hand FROM hands WHERE person = ? AND id > ? ORDER BY id LIMIT ?"
        last = -1
        while rows := self._all(query, (person_hash(person), last, BLOCK)):
            last = rows[-1][0]
            hands, _ = kept.sound(rows, str(self.path))
            if len(hands):
                yield hands

    def delete(self, person: str) -> int:
        """Forget all hands of a person; how many they were."""
        return self._write(("DELETE FROM hands WHERE person = ?", (person_hash(person),)))[0].rowcount

    # Tables

    def keep(self, person: str, table: Plain, hand: Plain) -> None:
        """Keep the table at which a person sits and the hand in play, in place of earlier ones."""
        self._write(_keep(person, table, hand))

    def keep_hand(self, person: str, hand: Plain) -> None:
        """Keep the hand in play at the table that is kept already."""
        values = (time.time(), json.dumps(hand), person_hash(person))
        self._write(("UPDATE sittings SET saved = ?, hand = ? WHERE person = ?", values))

    def sits(self, person: str) -> bool:
        """Whether a table of this person is kept."""
        return bool(self._all("SELECT 1 FROM sittings WHERE person = ?", (person_hash(person),)))

    def sitting(self, person: str) -> tuple[Plain, Plain] | None:
        """The table that was kept, and its hand; empty where they are damaged."""
        rows = self._all("SELECT state, hand FROM sittings WHERE person = ?", (person_hash(person),))
        return (kept.json_object(rows[0][0]) or {}, kept.json_object(rows[0][1]) or {}) if rows else None

    def leave(self, person: str) -> None:
        """Forget the table of a person. A file that cannot be written keeps it; nobody needs to know."""
        with suppress(NotStored):
            self._write(("DELETE FROM sittings WHERE person = ?", (person_hash(person),)))

    def token(self, new: bool = False) -> str:
        """The token that opens the table, the same at every launch unless a new one is asked for."""
        rows = self._all("SELECT value FROM keys WHERE name = 'token'", ())
        if rows and not new and isinstance(rows[0][0], str) and len(rows[0][0]) >= 32:
            return str(rows[0][0])
        token = secrets.token_urlsafe(24)
        self._write(("INSERT OR REPLACE INTO keys (name, value) VALUES ('token', ?)", (token,)))
        return token

    def _write(self, *statements: tuple[str, tuple[Any, ...]]) -> list[sqlite3.Cursor]:
        """All of these or none."""
        try:
            with self._lock, self._file:
                return [self._file.execute(text, values) for text, values in statements]
        except sqlite3.Error as error:
            raise NotStored(self._complaint(error)) from None

    def _all(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._lock:
                return self._file.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise NotationError(f"{self.path}: expected a file of played hands, got: {error}") from None

    def _complaint(self, error: sqlite3.Error) -> str:
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        with suppress(OSError):
            full = full or shutil.disk_usage(self.path.parent).free < LEAST_SPACE
        return "the disk is full" if full else str(error)


def _keep(person: str, table: Plain, hand: Plain) -> tuple[str, tuple[Any, ...]]:
    text = "INSERT OR REPLACE INTO sittings (person, saved, state, hand) VALUES (?, ?, ?, ?)"
    return text, (person_hash(person), time.time(), json.dumps(table), json.dumps(hand))


def _make_private(path: Path, own_folder: bool) -> None:
    """A folder and a file for the user alone. SQLite gives its journals the rights of the file."""
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    elif own_folder:
        path.parent.chmod(0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _close_to_others(path: Path) -> None:
    """An earlier version let everybody read the file and its journals."""
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{end}").chmod(0o600)
