"""Any readable history as a stream of blocks: `read_hands` finds out what a file is by looking at it."""

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from holdmem.errors import NotationError, nearest
from holdmem.history import acpc_logs, irc, phh, pokerstars
from holdmem.history.records import Hands, join
from holdmem.history.sources import Account, Format, Source, Unread, playable, sources
from holdmem.history.storage import BLOCK, HEADER, StoredHands
from holdmem.rules import Game

FORMATS: dict[str, Format] = {
    format.name: format for format in (irc.FORMAT, acpc_logs.FORMAT, phh.FORMAT, pokerstars.FORMAT)
}
"""By name, in the order in which they are asked whether a file is theirs."""

HEAD = 4096
"""Bytes of a file by which its format is recognised."""

STORED = "parquet"


@dataclass
class Reading:
    """Hands of any source: iterate for blocks of playable hands; `account` says what became of the rest.

    Every iteration reads anew and begins a new account.
    """

    paths: Sequence[Path]
    format: Format | None = None
    game: Game | None = None
    listen: Callable[[Unread], None] | None = None
    account: Account = field(default_factory=Account)

    def __iter__(self) -> Iterator[Hands]:
        self.account = Account(listen=self.listen)
        for path in self.paths:
            if is_stored(path):
                yield from self._stored(path)
            else:
                for block in chunked(self._raw(path)):
                    yield from filter(len, [playable(block, self.account)])

    def _stored(self, path: Path) -> Iterator[Hands]:
        """Hands of ours, which were played again before they were stored."""
        for block in StoredHands(path):
            self.account.hands += len(block)
            self.account.raked += int((block.rows["rake"] != 0).sum())
            yield block

    def _raw(self, path: Path) -> Iterator[Hands]:
        known, first = 0, None
        for source in sources(path):
            first = first or source
            format = self.format or recognised(source)
            if Path(source.name).suffix == f".{STORED}" and Path(source.name).is_file():
                known += 1
                yield from StoredHands(Path(source.name))
            elif format is not None:
                known += 1
                yield from self._read(format, source)
            else:
                self.account.skip(source.name, _unknown(source), "a file of unknown format")
        if first is None:
            raise NotationError(f"{path}: expected hands, got no files")
        if not known:
            raise NotationError(f"{first.name}: {_unknown(first)}")

    def _read(self, format: Format, source: Source) -> Iterator[Hands]:
        try:
            yield from format.read(source, self.account, self.game)
        except (EOFError, OSError, zlib.error, zipfile.BadZipFile, tarfile.TarError) as error:
            raise NotationError(
                f"{source.name}: expected a file that can be read to its end: {error}"
            ) from None


def read_hands(
    path: Path | str | Iterable[Path | str],
    *,
    format: str | None = None,
    game: Game | None = None,
    listen: Callable[[Unread], None] | None = None,
) -> Reading:
    """All hands of a file, folder or archive, or of several: blocks of about 16,384 hands.

    The format is found by content unless it is given; `game` is what is played where the files do not say it.
    What cannot be read is in the account of the reading and, one by one, told to `listen`.
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    for one in paths:
        if not one.exists():
            raise NotationError(f"{one}: expected a file or folder of hands, got nothing there")
    return Reading(paths, None if format is None else find_format(format), game, listen)


def find_format(name: str) -> Format:
    """The format of this name."""
    if name not in FORMATS:
        raise NotationError(f"expected a format of hands, got {name!r}; {nearest(name, list(FORMATS))}")
    return FORMATS[name]


def recognised(source: Source) -> Format | None:
    """The first format that takes this file for its own."""
    with source.open() as file:
        head = file.read(HEAD)
    return next((format for format in FORMATS.values() if format.looks_like(source, head)), None)


def _unknown(source: Source) -> str:
    with source.open() as file:
        head = file.read(60)
    return f"expected hands as {', '.join(FORMATS)} or {STORED}, got {head!r}"


def is_stored(path: Path) -> bool:
    """Whether these are hands that we stored."""
    return path.suffix == f".{STORED}" or (path / HEADER).is_file()


def chunked(blocks: Iterable[Hands], size: int = BLOCK) -> Iterator[Hands]:
    """The same hands in blocks of at least `size`, but the last."""
    waiting: list[Hands] = []
    for block in blocks:
        waiting.append(block)
        if sum(map(len, waiting)) >= size:
            yield join(waiting)
            waiting = []
    if waiting:
        yield join(waiting)


__all__ = [
    "FORMATS",
    "Account",
    "Format",
    "Reading",
    "Source",
    "Unread",
    "chunked",
    "find_format",
    "playable",
    "read_hands",
    "recognised",
    "sources",
]
