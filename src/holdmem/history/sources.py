"""Where hands come from: files, folders and archives, and the account of what became of everything in them.

A reader turns one `Source` into blocks of `Hands`. What it cannot read it names, with the reason; what it
can read is played again by the engine before anybody sees it, and a hand that our rules do not allow is named
too. Nothing is dropped in silence.
"""

import gzip
import io
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

import numpy as np

from holdmem.errors import NotationError
from holdmem.history.records import Hands
from holdmem.history.replay_kernels import FINE
from holdmem.history.replaying import outcomes, problem
from holdmem.history.storage import HEADER
from holdmem.rules import PARTS, Game

EXAMPLES = 1000
"""Unreadable hands that are named one by one; beyond them they are only counted."""


@dataclass(frozen=True)
class Source:
    """One file of hands, wherever it lies: on disk or in an archive; or `parts` that only together are one.

    `stream` is there where a file need not be read as a whole.
    """

    name: str
    read: Callable[[], bytes]
    stream: Callable[[], BinaryIO] | None = None
    parts: "tuple[Source, ...]" = ()

    def open(self) -> BinaryIO:
        """The bytes as a file, to be read piece by piece."""
        return self.stream() if self.stream else io.BytesIO(self.read())

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
    """Those whose recorded result, rake apart, is not what our rules give: ours stands."""
    raked: int = 0
    repaired: Counter[str] = field(default_factory=Counter)
    """Results that were recorded in a way that has one plain reading, by what was done to them."""
    unscored: Counter[str] = field(default_factory=Counter)
    """Hands whose recorded result is impossible and cannot be computed: they have none."""
    duplicates: Counter[str] = field(default_factory=Counter)
    """Hands left out because their site and number were read before."""
    repairs: list[Unread] = field(default_factory=list)
    impossible: list[Unread] = field(default_factory=list)
    """The first of the repaired and of the unscored, one by one."""
    unread: list[Unread] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    listen: Callable[[Unread], None] | None = None
    """Told of everything that cannot be read, at once; `unread` keeps only the first of it."""

    def skip(self, where: str, reason: str, kind: str | None = None) -> None:
        """Note something unreadable; `kind` is the reason in general words, for counting."""
        self.reasons[kind or reason] += 1
        if self.listen is not None:
            self.listen(Unread(where, reason))
        self._note(self.unread, where, reason)

    def repair(self, where: str, reason: str) -> None:
        """Note a hand whose recorded result was mended; `reason` says how, in words for counting."""
        self.repaired[reason] += 1
        self._note(self.repairs, where, reason)

    def unscore(self, where: str, reason: str) -> None:
        """Note a hand whose recorded result cannot be used; `reason` says why, in words for counting."""
        self.unscored[reason] += 1
        self._note(self.impossible, where, reason)

    @staticmethod
    def _note(examples: list[Unread], where: str, reason: str) -> None:
        if len(examples) < EXAMPLES:
            examples.append(Unread(where, reason))

    @property
    def skipped(self) -> int:
        """How many hands could not be read."""
        return self.reasons.total()

    def as_json(self) -> dict[str, Any]:
        """For machines: counts alone, by reason where there are several."""
        counted = {name: dict(getattr(self, name).most_common()) for name in ("repaired", "unscored")}
        return {
            "hands": self.hands,
            "checked": self.checked,
            "differing": len(self.differing),
            "raked": self.raked,
            **counted,
            "duplicates": dict(self.duplicates.most_common()),
            "unread": dict(self.reasons.most_common()),
        }


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
        files = (below for below in sorted(path.rglob("*")) if below.is_file())
        wanted = (below for below in files if not below.name.startswith(".") and below.name != HEADER)
        yield from together(source for below in wanted for source in _files(below))
    elif path.is_file():
        yield from together(_files(path))
    else:
        raise NotationError(f"{path}: expected a file or folder of hands, got nothing there")


def _files(path: Path) -> Iterator[Source]:
    try:
        if tarfile.is_tarfile(path):
            yield from _tar(path)
        elif zipfile.is_zipfile(path):
            yield from _zip(path)
        elif path.suffix == ".gz":
            stream = cast("Callable[[], BinaryIO]", partial(gzip.GzipFile, path))
            yield Source(str(path), lambda: gzip.decompress(path.read_bytes()), stream)
        else:
            stream = cast("Callable[[], BinaryIO]", partial(path.open, "rb"))
            yield Source(str(path), path.read_bytes, stream)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise NotationError(f"{path}: expected a file or archive that can be read: {error}") from None


def _tar(path: Path) -> Iterator[Source]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:  # kept once read: going back in a compressed archive begins at its beginning
                yield Source(f"{path}/{member.name}", cache(file.read))


def _zip(path: Path) -> Iterator[Source]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield Source(f"{path}/{member.filename}", cache(partial(archive.read, member)))


def together(found: Iterable[Source]) -> Iterator[Source]:
    """The same sources, with the files of a month of the IRC database as parts of one."""
    for month, group in groupby(found, key=_month):
        if month is None:
            yield from group
            continue
        # Read now: in an archive they can be read only one after another.
        parts = tuple(Source(part.name, partial(bytes, part.read())) for part in group)
        yield Source(month, parts[0].read, parts=parts)


def _month(source: Source) -> str | None:
    """The folder of the month that this file of the IRC database belongs to."""
    path = source.path
    if path.name in ("hdb", "hroster"):
        return str(path.parent)
    if path.name.startswith("pdb.") and path.parent.name == "pdb":
        return str(path.parent.parent)
    return None


def playable(hands: Hands, account: Account) -> Hands:
    """Those of the hands that our rules allow, counted and compared; the others are named in the account."""
    found = outcomes(hands)
    for place in np.flatnonzero(found.problems != FINE).tolist():
        reason = problem(hands, found, place)
        account.skip(hands.where(place), reason, "betting that the rules do not allow")
    fine = found.problems == FINE
    scored = fine & found.settled & (hands.rows["scored"] != 0)
    less = found.net - hands.rows["net"]  # what the house took from each
    wrong = scored & ((less < 0).any(axis=1) | (less.sum(axis=1) != hands.rows["rake"] * PARTS))
    for place in np.flatnonzero(wrong).tolist():
        account.differing.append(Unread(hands.where(place), "recorded and computed results differ"))
    account.hands += int(fine.sum())
    account.checked += int(scored.sum())
    account.raked += int((hands.rows["rake"][fine] != 0).sum())
    return hands if fine.all() else hands[fine]
