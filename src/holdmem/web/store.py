"""Every hand that a person played, in SQLite: it outlives the server, can be taken home, and be deleted.

Whose a hand is stands there as a hash of the person's key, so that the file opens no session.
"""

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import platformdirs

from holdmem.errors import NotationError
from holdmem.history import Builder, Hands, RecordedHand, Terms
from holdmem.history.storage import game_of, game_text

OURS = 0x484D5462
"""SQLite's mark for the files of one program: "HMTb"."""

SCHEMA = f"""
PRAGMA application_id = {OURS};
CREATE TABLE IF NOT EXISTS hands (
    id INTEGER PRIMARY KEY, person TEXT NOT NULL, sitting TEXT NOT NULL, played REAL NOT NULL,
    game TEXT NOT NULL, opponents TEXT NOT NULL, hand TEXT NOT NULL, reasons TEXT NOT NULL, net REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS by_person ON hands (person, id);
"""


def default_store() -> Path:
    """The user's own file."""
    return Path(platformdirs.user_data_dir("holdmem", appauthor=False)) / "table.sqlite"


def person_hash(key: str) -> str:
    """What stands in the file for a person's key."""
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


class Store:
    """The file. Each hand is written in a transaction of its own when it ends."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path else default_store()
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self.path, check_same_thread=False, timeout=30)
            (mark,) = self._file.execute("PRAGMA application_id").fetchone()
            (things,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if mark != OURS and (mark or things):
                raise NotationError(f"{self.path}: expected a file of played hands, got another program's")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise NotationError(f"{self.path}: expected a place for played hands, got: {error}") from None

    def close(self) -> None:
        """Finish writing."""
        with self._lock:
            self._file.close()

    def add(self, person: str, sitting: str, hand: RecordedHand, reasons: dict[str, Any], net: float) -> int:
        """Keep one hand; its number in the file."""
        opponents = [name for name in hand.names if name != "you"]
        row = (person_hash(person), sitting, time.time(), game_text(hand.terms.game), json.dumps(opponents),
               _plain(hand), json.dumps(reasons), net)  # fmt: skip
        with self._lock, self._file:
            added = self._file.execute(
                "INSERT INTO hands (person, sitting, played, game, opponents, hand, reasons, net)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return int(added.lastrowid or 0)

    def listed(self, person: str, limit: int = 200, before: int | None = None) -> list[dict[str, Any]]:
        """The latest hands of a person, newest first."""
        query = (
            "SELECT id, sitting, played, game, opponents, hand, net FROM hands"
            " WHERE person = ? AND id < ? ORDER BY id DESC LIMIT ?"
        )
        rows = self._all(query, (person_hash(person), before or 2**62, limit))
        return [
            {
                "id": number,
                "sitting": sitting,
                "played": played,
                "game": json.loads(game)["name"],
                "opponents": json.loads(opponents),
                "hand": json.loads(hand)["number"],
                "net": net,
            }
            for number, sitting, played, game, opponents, hand, net in rows
        ]

    def reasons(self, person: str, number: int) -> dict[str, Any] | None:
        """The reasons of one hand of this person."""
        query = "SELECT reasons FROM hands WHERE person = ? AND id = ?"
        rows = self._all(query, (person_hash(person), number))
        return json.loads(rows[0][0]) if rows else None

    def hands(self, person: str) -> Iterator[Hands]:
        """All hands of a person, oldest first, in blocks."""
        builder = Builder([str(self.path)])
        query = "SELECT id, played, game, hand FROM hands WHERE person = ? ORDER BY id"
        for number, played, game, text in self._all(query, (person_hash(person),)):
            builder.add(_recorded(text, game, number, int(played), str(self.path)))
            if len(builder) == 4096:
                yield builder.take()
        if len(builder):
            yield builder.take()

    def delete(self, person: str) -> int:
        """Forget all hands of a person; how many they were."""
        with self._lock, self._file:
            gone = self._file.execute("DELETE FROM hands WHERE person = ?", (person_hash(person),))
        return gone.rowcount

    def _all(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            return self._file.execute(query, values).fetchall()


def _plain(hand: RecordedHand) -> str:
    """A record as JSON, but for its game."""
    said = hand._asdict()
    del said["terms"]
    return json.dumps(said)


def _recorded(text: str, game: str, number: int, played: int, where: str) -> RecordedHand:
    said = json.loads(text)
    said["number"], said["time"] = number, played
    return RecordedHand(Terms(game_of(game, where), Fraction(1)), **said)
