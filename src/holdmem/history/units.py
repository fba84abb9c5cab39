"""Work units of reading: files that are read together, in this process, in another, or on a Dask cluster.

How files are cut into units depends on their sizes alone, and blocks of hands never span two units, so the
blocks are the same for any number of workers. A unit takes the bytes of its files along, so that workers need
no access to them.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, BinaryIO, NamedTuple

from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import PIECE, Source, UnreadableFile, broken_source, unpacked
from holdmem.history.hands import Hands
from holdmem.history.replay import ReplayResults

UNIT = 16 << 20
"""Bytes of files after which a unit ends: about 20,000 hands of PHH or PokerStars text."""


def in_units(found: Iterable[Source]) -> Iterator[Iterator[Source]]:
    """Cut files into units; each must be consumed before the next."""
    number, size = 0, 0

    def unit(source: Source) -> int:
        nonlocal number, size
        current, size = number, size + source.size
        if size >= UNIT:
            number, size = number + 1, 0
        return current

    return (group for _, group in groupby(found, key=unit))


# Files to take along


@dataclass(frozen=True)
class KeptFile:
    """The bytes of a file up to the point of damage, and the error that is raised there."""

    name: str
    data: bytes
    error: UnreadableFile | None

    def read(self) -> bytes:
        """Return the bytes; raise the error, if any."""
        if self.error is not None:
            raise self.error
        return self.data

    def open(self) -> BinaryIO:
        """Open the bytes as a file that raises the error, if any, at its end."""
        if self.error is None:
            return io.BytesIO(self.data)
        return unpacked(self.name, partial(_DamagedBytes, self.data, self.error), len(self.data))


class _DamagedBytes(io.BytesIO):
    """Bytes after which an error is raised instead of the end."""

    def __init__(self, data: bytes, error: UnreadableFile) -> None:
        super().__init__(data)
        self._error = error

    def read1(self, size: int | None = -1, /) -> bytes:
        data = super().read1(-1 if size is None else size)
        if not data:
            raise self._error
        return data


def kept(source: Source) -> Source:
    """Return a file with its content in memory, which can be sent to another process."""
    if source.parts:
        return source  # read already, because they only form a source together
    if source.stream is None:
        try:
            data = source.read()
        except NotationError as error:
            return broken_source(source.name, error)
        return Source(source.name, partial(bytes, data), size=source.size)
    file = KeptFile(source.name, *_until_broken(source))
    return Source(source.name, file.read, file.open, size=source.size)


def _until_broken(source: Source) -> tuple[bytes, UnreadableFile | None]:
    """Return the bytes up to the point of damage, and the error."""
    pieces = list[bytes]()
    try:
        with source.open() as file:
            while piece := file.read(PIECE) or file.read(1):  # a damaged stream ends first, then raises
                pieces.append(piece)
    except UnreadableFile as error:
        return b"".join(pieces), error
    except OSError as error:
        return b"".join(pieces), UnreadableFile(f"{source.name}: cannot be read: {error}")
    return b"".join(pieces), None


# Units and their results


@dataclass(frozen=True, eq=False)
class ReadUnit:
    """Files to read, with the format and game given by the user."""

    number: int
    sources: tuple[Source, ...]
    format: str | None
    game: Game | None


AccountCall = tuple[str, tuple[Any, ...]]
"""Name and arguments of a call of a method of `Account`."""


@dataclass
class LoggedAccount(Account):
    """An account that remembers what was recorded, to be recorded again elsewhere."""

    calls: list[AccountCall] = field(default_factory=list)

    def skip(self, where: str, reason: str, kind: str | None = None, number: int | None = None) -> None:
        super().skip(where, reason, kind, number)
        self.calls.append(("skip", (where, reason, kind, number)))

    def lose(self, error: NotationError, where: str) -> None:
        self.calls.append(("lose", (error, where)))

    def repair(self, where: str, reason: str) -> None:
        super().repair(where, reason)
        self.calls.append(("repair", (where, reason)))

    def taken(self) -> list[AccountCall]:
        """Return the calls since the last time."""
        calls, self.calls = self.calls, []
        return calls


def record_again(account: Account, calls: Iterable[AccountCall]) -> None:
    """Record in an account what another one logged."""
    for name, arguments in calls:
        getattr(account, name)(*arguments)


class ReadBlock(NamedTuple):
    """A block of hands, what the rules say about them, and what was recorded while they were read."""

    calls: list[AccountCall]
    hands: Hands
    found: ReplayResults


class UnitHands(NamedTuple):
    """All that was found in a unit."""

    blocks: list[ReadBlock]
    calls: list[AccountCall]
    """Recorded after the last block."""
    known: int
    failed: NotationError | None
    experimental: set[str]
