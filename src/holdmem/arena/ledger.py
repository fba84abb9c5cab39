"""The results ledger: what has been played, under the hash of its design, in SQLite."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from holdmem.arena.design import Design
from holdmem.arena.units import WorkUnit
from holdmem.errors import NotationError
from holdmem.rules import Game

SCHEMA = """
CREATE TABLE IF NOT EXISTS designs (hash TEXT PRIMARY KEY, design TEXT NOT NULL, started TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS units (
    hash TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (hash, start)
);
"""


def default_ledger() -> Path:
    """The user's own ledger."""
    return Path(platformdirs.user_data_dir("holdmem", appauthor=False)) / "results.sqlite"


class Ledger:
    """Finished units by design. Every unit is stored in a transaction of its own, so a kill loses none."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path else default_ledger()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as ledger:
            ledger.executescript(SCHEMA)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self.path, timeout=30)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.DatabaseError as error:
            raise NotationError(f"{self.path}: expected a results ledger in SQLite, got: {error}") from None

    def begin(self, design: Design) -> str:
        """Note that this design is being played; its hash."""
        name = design.hash
        text = json.dumps(asdict(design))
        with self._open() as ledger:
            row = (name, text, datetime.now(UTC).isoformat(timespec="seconds"))
            ledger.execute("INSERT OR IGNORE INTO designs VALUES (?, ?, ?)", row)
        return name

    def store(self, name: str, unit: WorkUnit, result: dict[str, Any]) -> None:
        """Keep the result of a unit."""
        with self._open() as ledger:
            row = (name, unit.start, unit.stop, json.dumps(result, sort_keys=True))
            ledger.execute("INSERT OR REPLACE INTO units VALUES (?, ?, ?, ?)", row)

    def results(self, name: str) -> dict[int, dict[str, Any]]:
        """What is known of a design: results by the start of their unit."""
        with self._open() as ledger:
            rows = ledger.execute("SELECT start, result FROM units WHERE hash = ? ORDER BY start", (name,))
            return {start: json.loads(result) for start, result in rows}

    def designs(self) -> list[tuple[str, Design, str]]:
        """All designs with their hashes and when they were begun, oldest first."""
        with self._open() as ledger:
            rows = ledger.execute("SELECT * FROM designs ORDER BY started, hash").fetchall()
        return [(name, _read_design(json.loads(text)), started) for name, text, started in rows]

    def find(self, start_of_hash: str) -> tuple[str, Design]:
        """The one design whose hash begins like this."""
        found = [(name, design) for name, design, _ in self.designs() if name.startswith(start_of_hash)]
        if len(found) != 1:
            raise NotationError(
                f"{self.path}: expected the hash of one result, got {start_of_hash!r} of {len(found)}"
            )
        return found[0]


def _read_design(values: dict[str, Any]) -> Design:
    return Design(**{**_with_tuples(values), "game": Game(**_with_tuples(values["game"]))})


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
