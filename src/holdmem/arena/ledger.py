"""The results ledger: an SQLite file of finished work units, keyed by the hash of their design."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import platformdirs

from holdmem.arena.design import SECRET, Design
from holdmem.arena.result import MatchResult
from holdmem.arena.tally import check_result
from holdmem.arena.units import MatchPlan, WorkUnit
from holdmem.core.cache_folder import say
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.engine import Game

OURS = 0x484D656D
"""SQLite application id of HoldMem's files: "HMem"."""

SCHEMA = f"""
BEGIN IMMEDIATE;
PRAGMA application_id = {OURS};
CREATE TABLE IF NOT EXISTS designs (
    hash TEXT PRIMARY KEY, design TEXT NOT NULL, in_turn INTEGER NOT NULL, started TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS units (
    hash TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (hash, start)
);
CREATE TABLE IF NOT EXISTS digests (
    hash TEXT NOT NULL, start INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (hash, start)
);
COMMIT;
"""
"""Digests have their own table: results of earlier versions have none, and those versions still work."""

SECRETS = "CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, seed TEXT NOT NULL)"
"""Secret seeds in use, by the name of their run; the table is created when the first one is needed."""

UnitRow = tuple[int, int, dict[str, Any]]


def default_ledger() -> Path:
    """Return the path of the user's own ledger."""
    return Path(platformdirs.user_data_dir("holdmem", appauthor=False)) / "results.sqlite"


class Ledger:
    """Finished units by design. Every unit is stored in its own transaction, so a killed run loses none.

    Parameters
    ----------
    path : the SQLite file; by default the user's own.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import match
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ledger = Ledger(f"{folder}/results.sqlite")
    ...     match("limit", "random", "always-call", hands=10, ledger=ledger).hands
    20
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path: Path = Path(path) if path else default_ledger()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotationError(
                f"{self.path}: cannot open or create a results ledger here: {error}"
            ) from None
        with self._open() as ledger:
            if not self._is_ours(ledger):
                ledger.executescript(SCHEMA)
            elif not self._has_digests(ledger):
                with suppress(sqlite3.OperationalError):  # a read-only ledger stays as it is
                    ledger.executescript(SCHEMA)

    def _is_ours(self, ledger: sqlite3.Connection) -> bool:
        """Whether the file is already a ledger. A file that is not must be empty, or it is refused."""
        (mark,) = ledger.execute("PRAGMA application_id").fetchone()
        (things,) = ledger.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if mark != OURS and (mark or things):
            raise NotationError(f"{self.path}: not a results ledger but another program's database")
        return bool(mark == OURS)

    @staticmethod
    def _has_digests(ledger: sqlite3.Connection) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'digests'"
        return bool(ledger.execute(query).fetchone()[0])

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self.path, timeout=60)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite's own message may be damaged
            raise NotationError(
                f"{self.path}: cannot be read as a results ledger in SQLite: {' '.join(str(error).split())}"
            ) from None

    def begin(self, plan: MatchPlan) -> dict[int, dict[str, Any]]:
        """Record that a design is being played, and return the known results by the start of their unit."""
        with self._open() as ledger:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            row = (plan.hash, json.dumps(asdict(plan.design)), plan.sequential, started)
            ledger.execute("INSERT OR IGNORE INTO designs VALUES (?, ?, ?, ?)", row)
        return {start: result for start, _, result in self._rows(plan)}

    def store(self, unit: WorkUnit, result: dict[str, Any]) -> None:
        """Store the result of a unit."""
        self.keep(unit.plan.hash, unit.start, unit.stop, result)

    def keep(self, name: str, start: int, stop: int, result: dict[str, Any]) -> None:
        """Store the result of the unit from `start` to `stop` under a hash."""
        text = json.dumps(result, sort_keys=True)
        with self._open() as ledger:
            ledger.execute("INSERT OR REPLACE INTO units VALUES (?, ?, ?, ?)", (name, start, stop, text))
            row = (name, start, digest_of(name, start, stop, text))
            ledger.execute("INSERT OR REPLACE INTO digests VALUES (?, ?, ?)", row)

    def _rows(self, plan: MatchPlan) -> list[UnitRow]:
        """Return the results of a design's units. Damaged ones are omitted and reported."""
        return self.kept(plan.hash, lambda result: check_result(result, plan.design))

    def kept(self, name: str, check: Callable[[dict[str, Any]], None]) -> list[UnitRow]:
        """Return the results under a hash that pass a check, which raises ValueError or TypeError if not."""
        found, problems = [], []
        for start, stop, text, digest in self._stored(name):
            try:
                if digest is not None and digest != digest_of(name, start, stop, text):
                    raise ValueError("its digest has changed since it was stored")
                result = json.loads(text)
                check(result)
                found.append((start, stop, result))
            except (ValueError, TypeError, RecursionError) as error:
                problems.append(f"{error}")
        if problems:
            parts = f"{len(problems)} parts" if len(problems) > 1 else "a part"
            say(
                f"{self.path}: {parts} of the result {name[:8]} skipped as damaged ({problems[0]});"
                " run the same match again to replace them"
            )
        return found

    def _stored(self, name: str) -> list[tuple[int, int, str, str | None]]:
        """Return start, stop, result and digest of each unit; results of earlier versions have no digest."""
        with self._open() as ledger:
            joined = "LEFT JOIN digests USING (hash, start)"
            digest, join = ("digest", joined) if self._has_digests(ledger) else ("NULL", "")
            query = f"SELECT start, stop, result, {digest} FROM units {join} WHERE hash = ? ORDER BY start"
            return ledger.execute(query, (name,)).fetchall()

    def _read(self, text: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            raise NotationError(f"{self.path}: expected a result as JSON, got {text!r:.60}") from None
        return found

    def plans(self) -> list[tuple[MatchPlan, str]]:
        """Return all designs begun and when, oldest first.

        Returns
        -------
        list of (MatchPlan, str) : each with the time at which it began, oldest first.
        """
        with self._open() as ledger:
            query = "SELECT hash, design, in_turn, started FROM designs ORDER BY started, hash"
            rows = ledger.execute(query).fetchall()
        secret = self.secrets()
        return [
            (MatchPlan(masked(self._read_design(self._read(text)), secret), name, bool(in_turn)), started)
            for name, text, in_turn, started in rows
        ]

    def _read_design(self, values: dict[str, Any]) -> Design:
        try:
            return Design(**{**_with_tuples(values), "game": Game.from_json(values["game"])})
        except (TypeError, KeyError, HoldMemError) as error:
            raise NotationError(
                f"{self.path}: cannot read a stored design, perhaps of another version: {error}"
            ) from None

    def secret(self, name: str, new: int) -> int:
        """Return the secret seed in use under this name; if there is none, store `new`."""
        with self._open() as ledger:
            ledger.execute(SECRETS)
            ledger.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, str(new)))
            (seed,) = ledger.execute("SELECT seed FROM secrets WHERE name = ?", (name,)).fetchone()
        return int(seed)

    def secrets(self) -> set[int]:
        """Return all secret seeds in use."""
        with self._open() as ledger:
            if not ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'secrets'").fetchone():
                return set()
            return {int(seed) for (seed,) in ledger.execute("SELECT seed FROM secrets")}

    def publish(self, name: str) -> None:
        """Forget a secret whose run has ended: its seed may now be shown and is not used again."""
        with self._open() as ledger:
            ledger.execute("DELETE FROM secrets WHERE name = ?", (name,))

    def find(self, start_of_hash: str) -> MatchPlan:
        """Return the only design whose hash begins with this text.

        Parameters
        ----------
        start_of_hash : first characters of a hash.

        Returns
        -------
        MatchPlan : the design and its agents.
        """
        found = [plan for plan, _ in self.plans() if plan.hash.startswith(start_of_hash)]
        if len(found) != 1:
            how_many = f"{len(found)} results begin with it" if found else "no result begins with it"
            raise NotationError(f"{self.path}: {start_of_hash!r} does not identify a result: {how_many}")
        return found[0]

    def result(self, plan: MatchPlan) -> MatchResult | None:
        """Return the result if it is complete. Needs no agents: their files may be gone or changed.

        Parameters
        ----------
        plan : a design with its agents, as from `find` or `plans`.

        Returns
        -------
        MatchResult : None if work units are missing.
        """
        rows = self._rows(plan)
        ends = [0, *(stop for _, stop, _ in rows)]
        if [start for start, _, _ in rows] != ends[:-1] or ends[-1] != plan.total:
            return None
        return MatchResult(plan, tuple(result for _, _, result in rows))


def masked(design: Design, secret: set[int]) -> Design:
    """Return the design as it may be shown: with its seed hidden while that is in use."""
    return replace(design, seed=SECRET) if design.seed in secret else design


def digest_of(name: str, start: int, stop: int, text: str) -> str:
    """Return a digest of a unit's result, its design's hash and its range."""
    return blake2b(json.dumps([name, start, stop, text]).encode(), digest_size=16).hexdigest()


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
