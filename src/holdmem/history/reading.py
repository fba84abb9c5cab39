"""Any readable history as a stream of blocks: `read_hands` finds out what a file is by looking at it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from holdmem.errors import NotationError, nearest
from holdmem.history import acpc_logs, irc, phh, pokerstars
from holdmem.history.archives import MAX_SIZE, Broken, Source, named
from holdmem.history.duplicates import Seen
from holdmem.history.records import Hands, join
from holdmem.history.sources import Account, Format, Unread, playable, sources
from holdmem.history.storage import BLOCK, HEADER, StoredHands, blocks_of
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

    Every iteration reads anew and begins a new account. A file that cannot be read is noted there, and the
    others are read; if there is none that can be read, the first of them is an error.
    """

    paths: Sequence[Path]
    format: Format | None = None
    game: Game | None = None
    listen: Callable[[Unread], None] | None = None
    account: Account = field(default_factory=Account)
    max_size: int = MAX_SIZE
    _known: int = 0
    _failed: NotationError | None = None

    def __iter__(self) -> Iterator[Hands]:
        self.account, seen = Account(listen=self.listen), Seen()
        self._known, self._failed = 0, None
        for path in self.paths:
            for stored, found in groupby(self._sources(path), key=_is_parquet):
                for block, where in (self._stored if stored else self._raw)(found):
                    yield from filter(len, [playable(block, self.account, seen, where)])
        if not self._known and self._failed is not None:
            raise self._failed

    def _sources(self, path: Path) -> Iterator[Source]:
        """The files under a path. A folder of ours must have its header, and all hands that this promises."""
        found = 0
        try:
            if is_stored(path) and path.is_dir():
                yield from (Source(str(file), file.read_bytes) for file in self._promised(path))
                return
            for source in sources(path, self.max_size):
                found += 1
                yield source
            if not found:
                raise NotationError(f"{path}: expected hands, got no files")
        except NotationError as error:
            self._fail(error, str(path))

    def _promised(self, folder: Path) -> list[Path]:
        """The blocks of a folder of ours; noted if there are fewer hands than its header promises."""
        stored = StoredHands(folder)
        promised, there = stored.header.get("hands"), _length(stored)
        if isinstance(promised, int) and there is not None and there < promised:
            lost = NotationError(f"{folder}: expected {promised:,} hands as {HEADER} says, got {there:,}")
            self._fail(lost, str(folder))
        elif not stored.files():
            self._known += 1
        return stored.files()

    def _fail(self, error: NotationError, where: str) -> None:
        """Note a file that cannot be read; it is an error if there is no other."""
        self._failed = self._failed or error
        self.account.lose(error, where)

    def _stored(self, found: Iterable[Source]) -> Iterator[tuple[Hands, Callable[[int], str] | None]]:
        """Hands of ours. Each is played again: nobody knows who wrote the file."""
        for source in found:
            try:
                for block in blocks_of(Path(source.name)):
                    for row, reason in block.faults:
                        self.account.skip(f"{source.name}, row {row}", reason, "damaged rows of stored hands")
                    yield block.hands, block.where
                self._known += 1
            except NotationError as error:
                self._fail(error, source.name)

    def _raw(self, found: Iterable[Source]) -> Iterator[tuple[Hands, Callable[[int], str] | None]]:
        for block in chunked(block for source in found for block in self._read(source)):
            yield block, None

    def _read(self, source: Source) -> Iterator[Hands]:
        """The hands of one file, up to where it is damaged."""
        before = self._known
        try:
            with named(source.name):
                format = self.format or recognised(source)
            if format is None:
                self._pass_over(source)
                return
            for block in format.read(source, self.account, self.game):
                self._known = before + 1
                yield block
            self._known = before + 1
        except NotationError as error:
            self._fail(error, source.name)
        except OSError as error:
            self._fail(Broken(f"{source.name}: expected a file that can be read: {error}"), source.name)

    def _pass_over(self, source: Source) -> None:
        """Note a file that is no history: folders have other files too."""
        reason = _unknown(source)
        self._failed = self._failed or NotationError(f"{source.name}: {reason}")
        self.account.skip(source.name, reason, "a file of unknown format")


def read_hands(
    path: Path | str | Iterable[Path | str],
    *,
    format: str | None = None,
    game: Game | None = None,
    listen: Callable[[Unread], None] | None = None,
    max_size: int = MAX_SIZE,
) -> Reading:
    """All hands of a file, folder or archive, or of several: blocks of about 16,384 hands.

    The format is found by content unless it is given; `game` is what is played where the files do not say it.
    What cannot be read is in the account of the reading and, one by one, told to `listen`. A file in an
    archive may unpack to `max_size` bytes, a whole archive to as many or to 100 times its own size.
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    for one in paths:
        if not one.exists():
            raise NotationError(f"{one}: expected a file or folder of hands, got nothing there")
    found = None if format is None else find_format(format)
    return Reading(paths, found, game, listen, max_size=max_size)


def find_format(name: str) -> Format:
    """The format of this name."""
    if name not in FORMATS:
        raise NotationError(f"expected a format of hands, got {name!r}; {nearest(name, list(FORMATS))}")
    return FORMATS[name]


def recognised(source: Source) -> Format | None:
    """The first format that takes this file for its own."""
    with source.open() as file:
        head = file.read(HEAD) or file.read(1)  # where nothing can be read, the second reading says why
    return next((format for format in FORMATS.values() if format.looks_like(source, head)), None)


def _unknown(source: Source) -> str:
    with source.open() as file:
        head = file.read(60)
    return f"expected hands as {', '.join(FORMATS)} or {STORED}, got {head!r}"


def _length(stored: StoredHands) -> int | None:
    try:
        return len(stored)
    except NotationError:  # a file that cannot be read, and is named when it is its turn
        return None


def _is_parquet(source: Source) -> bool:
    return source.path.suffix == f".{STORED}" and Path(source.name).is_file()


def is_stored(path: Path) -> bool:
    """Whether these are hands that we stored."""
    return path.suffix == f".{STORED}" or (path / HEADER).is_file()


def chunked(blocks: Iterable[Hands], size: int = BLOCK) -> Iterator[Hands]:
    """The same hands in blocks of at least `size`, but the last."""
    waiting, count = list[Hands](), 0
    for block in blocks:
        waiting.append(block)
        count += len(block)
        if count >= size:
            yield join(waiting)
            waiting, count = [], 0
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
