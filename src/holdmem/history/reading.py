"""Any readable history as a stream of blocks: files, folders and archives of every format that we know.

A reader turns one `Source` into blocks of `Hands`. What it cannot read it names, with the reason; what it
can read is played again by the engine before anybody sees it, and a hand that our rules do not allow is named
too. Nothing is dropped in silence.
"""

import gzip
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np

from holdmem.errors import NotationError
from holdmem.history.records import Hands
from holdmem.history.replay_kernels import FINE
from holdmem.history.replaying import outcomes, problem
from holdmem.history.storage import HEADER, StoredHands
from holdmem.rules import Game

EXAMPLES = 1000
"""Unreadable hands that are named one by one; beyond them they are only counted."""


@dataclass(frozen=True)
class Source:
    """One file of hands, wherever it lies: on disk or in an archive."""

    name: str
    read: Callable[[], bytes]

    @property
    def path(self) -> PurePosixPath:
        """The name as a path, for its parts."""
        return PurePosixPath(self.name)


@dataclass(frozen=True)
class Unread:
    """A hand, or something where a hand was expected, that could not be read."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass
class Account:
    """What became of everything that was found: hands read, results checked, and what could not be read."""

    hands: int = 0
    checked: int = 0
    """Hands whose recorded result could be computed again from betting and cards."""
    differing: list[Unread] = field(default_factory=list)
    """Those whose recorded result, rake apart, is not what our rules give."""
    raked: int = 0
    unread: list[Unread] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def skip(self, where: str, reason: str, kind: str | None = None) -> None:
        """Note something unreadable; `kind` is the reason in general words, for counting."""
        self.reasons[kind or reason] += 1
        if len(self.unread) < EXAMPLES:
            self.unread.append(Unread(where, reason))

    @property
    def skipped(self) -> int:
        """How many hands could not be read."""
        return self.reasons.total()


@dataclass(frozen=True)
class Format:
    """How one kind of history is recognised and read.

    `looks_like` is given the first bytes of a file. `read` yields blocks of hands and notes in the account
    what it cannot read; `game` is what the user says is played, for formats that do not say it themselves.
    """

    name: str
    looks_like: Callable[[Source, bytes], bool]
    read: Callable[[Source, Account, Game | None], Iterator[Hands]]


def sources(path: Path | str) -> Iterator[Source]:
    """The files under a path, in order: itself, those in a folder, those in an archive."""
    path = Path(path)
    if path.is_dir():
        for below in sorted(path.rglob("*")):
            if below.is_file() and not below.name.startswith("."):
                yield from sources(below)
        return
    if not path.is_file():
        raise NotationError(f"{path}: expected a file or folder of hands, got nothing there")
    if tarfile.is_tarfile(path):
        yield from _tar(path)
    elif zipfile.is_zipfile(path):
        yield from _zip(path)
    elif path.suffix == ".gz":
        yield Source(str(path), lambda: gzip.decompress(path.read_bytes()))
    else:
        yield Source(str(path), path.read_bytes)


def _tar(path: Path) -> Iterator[Source]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield Source(f"{path}/{member.name}", file.read)


def _zip(path: Path) -> Iterator[Source]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield Source(f"{path}/{member.filename}", partial(archive.read, member))


def playable(hands: Hands, account: Account) -> Hands:
    """Those of the hands that our rules allow, counted and compared; the others are named in the account."""
    found = outcomes(hands)
    for place in np.flatnonzero(found.problems != FINE).tolist():
        reason = problem(hands, found, place)
        account.skip(hands.where(place), reason, "betting that the rules do not allow")
    fine = found.problems == FINE
    scored = fine & found.settled & (hands.rows["scored"] != 0)
    gap = (found.net - hands.rows["net"]).sum(axis=1)
    rake = hands.rows["rake"] * 2520
    wrong = scored & (((found.net != hands.rows["net"]).any(axis=1) & (rake == 0)) | (gap != rake))
    for place in np.flatnonzero(wrong).tolist():
        account.differing.append(Unread(hands.where(place), "recorded and computed results differ"))
    account.hands += int(fine.sum())
    account.checked += int(scored.sum())
    account.raked += int((hands.rows["rake"][fine] != 0).sum())
    return hands if fine.all() else hands[fine]


def is_stored(path: Path) -> bool:
    """Whether these are hands that we stored."""
    return path.suffix == ".parquet" or (path / HEADER).is_file()


__all__ = ["Account", "Format", "Source", "StoredHands", "Unread", "is_stored", "playable", "sources"]
