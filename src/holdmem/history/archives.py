"""Files, folders and archives as sources of bytes, with a limit on how far an archive may unpack.

An unreadable file or archive is also a source, one that raises when read, so that the reader of a folder can
report it and continue with the next.
"""

import gzip
import io
import lzma
import os
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, NoReturn, cast

from holdmem.core.errors import NotationError

MAX_SIZE = 1 << 30
"""Bytes to which a file may unpack, unless the user allows more."""

RATIO = 100
"""An archive may unpack to this many times its own size, if that is more; hand text compresses to a tenth."""

PIECE = 1 << 20
"""Buffer size for decompression, in bytes."""

FAULTS = (
    EOFError,
    OSError,
    RuntimeError,  # encrypted, or compressed with a method that zipfile does not support
    ValueError,
    MemoryError,
    OverflowError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
)
"""Exceptions that the standard library raises for damaged files."""


class UnreadableFile(NotationError):
    """A file or archive that cannot be read to its end."""


@dataclass(frozen=True)
class Source:
    """One file of hands, on disk or in an archive, or several `parts` that only form a source together.

    `stream` is set where a file can be read in pieces. Both `read` and `stream` raise `UnreadableFile` if the
    bytes end early.
    """

    name: str
    read: Callable[[], bytes]
    stream: Callable[[], BinaryIO] | None = None
    parts: "tuple[Source, ...]" = ()
    size: int = 0
    """Bytes on disk or in the archive, to cut files into work units; 0 if unknown."""

    def open(self) -> BinaryIO:
        """Open the bytes as a binary file, to be read in pieces."""
        return self.stream() if self.stream else io.BytesIO(self.read())

    @property
    def path(self) -> PurePosixPath:
        """The name as a path."""
        return PurePosixPath(self.name)


def printable(text: str | Path) -> str:
    """Replace what cannot be encoded as UTF-8, as may occur in file names."""
    return str(text).encode(errors="backslashreplace").decode()


@contextmanager
def naming_errors(name: str | Path) -> Iterator[None]:
    """Turn read errors inside the block into `UnreadableFile` with the name of the file."""
    try:
        yield
    except NotationError:
        raise
    except FAULTS as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFile(f"{printable(name)}: cannot be read to its end: {said}") from None


def broken_source(name: str | Path, error: NotationError) -> Source:
    """Return a source that raises `error` when read."""
    return Source(printable(name), partial(_refuse, error))


def _refuse(error: NotationError) -> NoReturn:
    raise error


def _too_large(name: str, most: int) -> UnreadableFile:
    return UnreadableFile(f"{name}: unpacks to more than {most:,} bytes; allow more with --max-size")


class _Unpacked(io.RawIOBase):
    """A raw stream that raises `UnreadableFile` with its file name if the data ends early or exceeds the
    limit.

    The reader gets everything before the damage first: the stream ends there, and the next read raises.
    """

    def __init__(self, name: str, open_it: Callable[[], Any], most: int) -> None:
        self._name, self._most, self._left = name, most, most
        self._error: UnreadableFile | None = None
        with naming_errors(name):
            self._stream = open_it()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._error is not None:
            raise self._error
        try:
            data = self._next(len(buffer))
        except UnreadableFile as error:
            self._error, data = error, b""
        buffer[: len(data)] = data
        return len(data)

    def _next(self, count: int) -> bytes:
        with naming_errors(self._name):
            data: bytes = self._stream.read1(count)  # `read` would lose the data before a truncation
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._name, self._most)
        return data

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def unpacked(name: str, open_it: Callable[[], Any], most: int) -> BinaryIO:
    """Open a stream of at most this many bytes; damage raises `UnreadableFile` after the bytes before it."""
    return io.BufferedReader(_Unpacked(name, open_it, most), PIECE)


def files_below(folder: Path) -> Iterator[Source | Path]:
    """Yield all files below a folder in order, following linked folders, each folder once.

    What cannot be read as a file (a dangling link, a folder without permission) is a broken source.
    """
    found: list[Path] = []
    waiting, seen = [folder], set[str]()
    while waiting:
        linked: list[Path] = []
        for below in waiting:
            found += _walk(below, seen, linked)
        waiting = linked  # last, so that a folder also present itself keeps its own name
    for path in sorted(found):
        if path.is_file():
            yield path
        elif path.is_dir():
            yield broken_source(path, UnreadableFile(f"{path}: folder cannot be read"))
        elif path.is_symlink():
            yield broken_source(path, UnreadableFile(f"{path}: broken link"))


def _walk(folder: Path, seen: set[str], linked: list[Path]) -> Iterator[Path]:
    """Yield all files below and unreadable folders; linked folders are appended to `linked`."""
    closed: list[Path] = []
    walk = os.walk(folder, onerror=lambda error: closed.append(Path(str(error.filename))))
    for place, folders, files in walk:
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        linked += [Path(place, name) for name in folders if Path(place, name).is_symlink()]
        yield from (Path(place, name) for name in files)
    yield from closed


def files_of(path: Path, most: int = MAX_SIZE) -> Iterator[Source]:
    """Yield the file itself, or its members if it is an archive."""
    try:
        with naming_errors(path):
            unpack = _tar if tarfile.is_tarfile(path) else _zip if zipfile.is_zipfile(path) else None
        if unpack is not None:
            yield from _some(path, unpack(path, most))
        elif path.suffix == ".gz":
            yield _gzip(path, most)
        else:
            stream = cast("Callable[[], BinaryIO]", partial(path.open, "rb"))
            yield Source(printable(path), path.read_bytes, stream, size=path.stat().st_size)
    except UnreadableFile as error:
        yield broken_source(path, error)


def _some(path: Path, found: Iterator[Source]) -> Iterator[Source]:
    empty = True
    for source in found:
        empty = False
        yield source
    if empty:
        raise UnreadableFile(f"{path}: this archive contains no files")


def _budget(path: Path, most: int) -> int:
    """Number of bytes to which an archive may unpack."""
    return max(most, RATIO * path.stat().st_size)


def _gzip(path: Path, most: int) -> Source:
    open_it = partial(gzip.GzipFile, path)

    def opened(limit: int) -> BinaryIO:
        return unpacked(str(path), open_it, limit)

    def read() -> bytes:
        with opened(most) as file:
            data = file.read()
            file.read(1)  # raises if the data is damaged or too large
            return data

    return Source(printable(path), read, partial(opened, _budget(path, most)), size=path.stat().st_size)


def files_of_stream(path: Path, most: int = MAX_SIZE) -> Iterator[Source]:
    """Yield the members of a tar archive, compressed or not, that comes through a pipe of any length."""
    try:
        with path.open("rb") as stream:
            with naming_errors(path):
                archive = tarfile.open(fileobj=stream, mode="r|*")  # noqa: SIM115  closed by `_members`
            yield from _some(path, _members(path, archive, most, sys.maxsize))
    except UnreadableFile as error:
        yield broken_source(path, error)


def _tar(path: Path, most: int) -> Iterator[Source]:
    with naming_errors(path):
        archive = tarfile.open(path)  # noqa: SIM115  closed by `_members`
    return _members(path, archive, most, _budget(path, most))


def _members(path: Path, archive: tarfile.TarFile, most: int, left: int) -> Iterator[Source]:
    """Yield the files of a tar archive, which may unpack to `left` bytes in all."""
    budget = left
    with archive:  # errors of the consumer are not ours to name
        while True:
            with naming_errors(path):
                member = archive.next()
                file = archive.extractfile(member) if member is not None and member.isfile() else None
            if member is None:
                return
            left -= member.size
            if left < 0:
                raise _too_large(str(path), budget)
            if file is not None:
                # Cached, because seeking back in a compressed archive starts from its beginning.
                name = printable(f"{path}/{member.name}")
                yield Source(name, cache(partial(_member, name, file, most)), size=member.size)


def _zip(path: Path, most: int) -> Iterator[Source]:
    left = _budget(path, most)
    with naming_errors(path):
        archive = zipfile.ZipFile(path)
    with archive:
        for member in archive.infolist():
            left -= member.file_size
            if left < 0:
                raise _too_large(str(path), _budget(path, most))
            if not member.is_dir():
                name = printable(f"{path}/{member.filename}")
                read = cache(partial(_zipped, name, archive, member, most))
                yield Source(name, read, size=member.file_size)


def _zipped(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    if member.file_size > most:
        raise _too_large(name, most)
    with naming_errors(name), archive.open(member) as file:
        return _member(name, file, most)


def _member(name: str, file: IO[bytes], most: int) -> bytes:
    with naming_errors(name):
        data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(name, most)
    return data
