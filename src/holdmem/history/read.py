"""Read hand histories of any supported format as a stream of blocks; `read_hands` detects the format."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from holdmem.core.display import short_list
from holdmem.core.errors import NotationError
from holdmem.core.parallel import WorkerDied, WorkerPool
from holdmem.engine import Game, as_game
from holdmem.history.archives import MAX_SIZE, Source, UnreadableFile, naming_errors
from holdmem.history.duplicates import DuplicateIndex
from holdmem.history.formats import FORMATS, Format, find_format, one_of, parquet
from holdmem.history.formats.parquet import BLOCK, HEADER, StoredHands, read_blocks
from holdmem.history.hands import Hands
from holdmem.history.hands_builder import join
from holdmem.history.replay import ReplayResults, replay_results
from holdmem.history.sources import Account, UnreadItem, playable, sources
from holdmem.history.units import (
    LoggedAccount,
    ReadBlock,
    ReadUnit,
    UnitHands,
    in_units,
    kept,
    record_again,
)

HEAD = 4096
"""Number of leading bytes used to detect the format."""

PER_WORKER = 4
"""Work units per worker that are read before the next are taken."""

FoundBlock = tuple[Hands, Callable[[int], str] | None, ReplayResults | None]
"""Hands, a function that says where each is if they do not know it, and their outcomes if known."""


class ReadBefore(NamedTuple):
    """What an earlier, interrupted reading of the same files has finished."""

    units: int
    account: Account
    seen: DuplicateIndex


@dataclass
class HandReader:
    """Hands from any source: iterate to get blocks of playable hands; `account` reports the rest.

    Each iteration reads the files again and starts a new account. A file that cannot be read is recorded
    there and the others are read; if no file can be read, the first error is raised. With several `workers`,
    or `on` a Dask cluster, files are read and checked in parallel; blocks and account are the same.
    """

    paths: Sequence[Path]
    format: Format | None = None
    game: Game | None = None
    listen: Callable[[UnreadItem], None] | None = None
    account: Account = field(default_factory=Account)
    max_size: int = MAX_SIZE
    workers: int = 1
    on: str | None = None
    before: ReadBefore | None = None
    """Units to leave out because they were read before, with what is known from them."""
    units: int = 0
    """Number of work units whose blocks have all been taken."""
    account_before: Account = field(default_factory=Account)
    """The account after those units."""
    _begun: int = 0
    _known: int = 0
    _failed: NotationError | None = None

    def __repr__(self) -> str:
        read = f", {self.account.hands:,} hands read" if self.account.hands else ""
        return f"HandReader({short_list([str(path) for path in self.paths], most=2, width=60)}{read})"

    def collect(self) -> Hands:
        """Read all hands into memory, as one `Hands`."""
        blocks = list(self)
        if not blocks:
            raise NotationError(f"no readable hands in {', '.join(map(str, self.paths))}")
        return join(blocks)

    def __iter__(self) -> Iterator[Hands]:
        self.account, seen = Account(), DuplicateIndex()
        if self.before is not None:
            self.account, seen = self.before.account.copied(), self.before.seen
        self.account.listen = self.listen
        self._known, self._failed, self._begun, self.units = self._units_before, None, 0, self._units_before
        files = chain.from_iterable(map(self._sources, self.paths))
        for stored, group in groupby(files, key=_is_parquet):
            for block, where, found in (self._stored if stored else self._raw)(group):
                yield from filter(len, [playable(block, self.account, seen, where, found)])
        if not self._known and self._failed is not None:
            raise self._failed

    @property
    def _units_before(self) -> int:
        return 0 if self.before is None else self.before.units

    def _is_new(self, unit: Iterable[Source]) -> bool:
        """Return whether a unit was not read before; if it was, pass over its files."""
        self._begun += 1
        if self._begun > self._units_before:
            return True
        for _ in unit:
            pass
        return False

    def _finish_unit(self) -> None:
        self.units += 1
        self.account_before = self.account.copied()

    def _sources(self, path: Path) -> Iterator[Source]:
        """Yield the files under a path; a stored folder must have its header and all the hands it lists."""
        found = 0
        try:
            if is_stored(path) and path.is_dir():
                yield from (Source(str(file), file.read_bytes) for file in self._promised(path))
                return
            for source in sources(path, self.max_size):
                found += 1
                yield source
            if not found:
                raise NotationError(f"{path}: contains no files")
        except NotationError as error:
            self._fail(error, str(path))

    def _promised(self, folder: Path) -> list[Path]:
        """Return the blocks of a stored folder; record an error if it lacks hands its header promises."""
        stored = StoredHands(folder)
        promised, there = stored.header.get("hands"), _length(stored)
        if isinstance(promised, int) and there is not None and there < promised:
            lost = NotationError(f"{folder}: {HEADER} promises {promised:,} hands, but {there:,} were found")
            self._fail(lost, str(folder))
        elif not stored.files():
            self._known += 1
        return stored.files()

    def _fail(self, error: NotationError, where: str) -> None:
        """Record a file that cannot be read; its error is raised later if no file can be read."""
        if self._begun < self._units_before:
            return
        self._failed = self._failed or error
        self.account.lose(error, where)

    def _stored(self, found: Iterable[Source]) -> Iterator[FoundBlock]:
        """Yield stored hands; each is replayed later, because the file may come from anyone."""
        for source in found:
            if not self._is_new(()):
                continue
            try:
                for block in read_blocks(source, self.account):
                    yield block.hands, block.where, None
                self._known += 1
            except NotationError as error:
                self._fail(error, source.name)
            self._finish_unit()

    def _raw(self, found: Iterable[Source]) -> Iterator[FoundBlock]:
        if self.workers > 1 or self.on is not None:
            for result in self._in_parallel(filter(self._is_new, in_units(found))):
                yield from self._taken(result)
            return
        for unit in filter(self._is_new, in_units(found)):
            for block in chunked(block for source in unit for block in self._read(source)):
                yield block, None, None
            self._finish_unit()

    def _in_parallel(self, units: Iterator[Iterator[Source]]) -> Iterator[UnitHands]:
        """Yield what was found in each unit, in order; a few units at a time, which bounds the memory."""
        name = None if self.format is None else self.format.name
        with WorkerPool(self.workers, self.on) as pool:
            while batch := [
                ReadUnit(number, tuple(map(kept, unit)), name, self.game)
                for number, unit in zip(range(PER_WORKER * self.workers), units, strict=False)
            ]:
                results = {unit.number: result for unit, result in pool.run(read_unit, batch)}
                for number in range(len(batch)):
                    result = results[number]
                    if isinstance(result, WorkerDied):
                        raise result
                    yield result

    def _taken(self, result: UnitHands) -> Iterator[FoundBlock]:
        """Yield the blocks of a unit, and record what was recorded while it was read."""
        for block in result.blocks:
            record_again(self.account, block.calls)
            yield block.hands, None, block.found
        record_again(self.account, result.calls)
        self._known += result.known
        self._failed = self._failed or result.failed
        self.account.experimental |= result.experimental
        self._finish_unit()

    def _read(self, source: Source) -> Iterator[Hands]:
        """Yield the hands of one file, up to the point of damage."""
        before = self._known
        try:
            with naming_errors(source.name):
                format = self.format or recognised(source)
            if format is None:
                self._pass_over(source)
                return
            if format.experimental:
                self.account.experimental.add(format.name)
            for block in format.read(source, self.account, self.game):
                self._known = before + 1
                yield block
            self._known = before + 1
        except NotationError as error:
            self._fail(error, source.name)
        except OSError as error:
            self._fail(UnreadableFile(f"{source.name}: cannot be read: {error}"), source.name)

    def _pass_over(self, source: Source) -> None:
        """Record a file that is not a history, since folders may contain other files too."""
        reason = _unknown(source)
        self._failed = self._failed or NotationError(f"{source.name}: {reason}")
        self.account.skip(source.name, reason, "a file of unknown format")


def read_unit(unit: ReadUnit) -> UnitHands:
    """Read the files of a unit and check their hands against the rules."""
    account = LoggedAccount()
    format = None if unit.format is None else find_format(unit.format)
    reader = HandReader((), format, unit.game, account=account)
    blocks = [
        ReadBlock(account.taken(), block, replay_results(block))
        for block in chunked(block for source in unit.sources for block in reader._read(source))
    ]
    return UnitHands(blocks, account.taken(), reader._known, reader._failed, account.experimental)


def read_hands(
    path: Path | str | Iterable[Path | str],
    *,
    format: str | None = None,
    game: Game | str | None = None,
    listen: Callable[[UnreadItem], None] | None = None,
    max_size: int = MAX_SIZE,
    workers: int = 1,
    on: str | None = None,
) -> HandReader:
    """Read hand histories from files, folders or archives.

    Parameters
    ----------
    path : one or more files, folders or archives.
    format : name of a format in `FORMATS`; by default it is detected from the content.
    game : the game played, as a value, a name or the path of a `.game` file, where the files do not say.
    listen : called with each item that cannot be read.
    max_size : largest number of bytes to unpack from a file in an archive. A whole archive may unpack to as
        many, or to 100 times its own size, whichever is more.
    workers : number of processes that read; blocks and account do not depend on it.
    on : address of a Dask scheduler (tcp://host:port) to read on instead.

    Returns
    -------
    HandReader : iterate to get blocks of about 16,384 hands, or `collect` them into one `Hands`. What could
        not be read is in its `account`.

    Raises
    ------
    NotationError : a path does not exist, or the format is unknown. While reading: nothing could be read.

    Examples
    --------
    >>> import tempfile
    >>> from holdmem import record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = record("limit", "random", "always-call", folder=f"{folder}/hands", hands=50)
    ...     len(read_hands(f"{folder}/hands").collect())
    50
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    for one in paths:
        if not one.exists():
            raise NotationError(f"{one}: no such file or folder")
    found = None if format is None else find_format(format)
    played = None if game is None else as_game(game)
    return HandReader(paths, found, played, listen, max_size=max_size, workers=workers, on=on)


def recognised(source: Source) -> Format | None:
    """Return the first format that recognises this file, or None."""
    with source.open() as file:
        head = file.read(HEAD) or file.read(1)  # if nothing was read, a second read raises the reason
    return next((format for format in FORMATS.values() if format.looks_like(source, head)), None)


def _names() -> list[str]:
    return [f"{name} (experimental)" if format.experimental else name for name, format in FORMATS.items()]


def _unknown(source: Source) -> str:
    with source.open() as file:
        head = file.read(60)
    return f"expected hands as {one_of(_names())}, got {head!r}"


def _length(stored: StoredHands) -> int | None:
    try:
        return len(stored)
    except NotationError:  # a file that cannot be read is reported when its turn comes
        return None


def _is_parquet(source: Source) -> bool:
    return parquet.looks_like(source, b"")


def is_stored(path: Path) -> bool:
    """Return whether this is a file or folder of stored hands."""
    return path.suffix == parquet.SUFFIX or (path / HEADER).is_file()


def chunked(blocks: Iterable[Hands], size: int = BLOCK) -> Iterator[Hands]:
    """Merge blocks so that each has at least `size` hands, except possibly the last."""
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
    "Account",
    "HandReader",
    "Source",
    "UnreadItem",
    "chunked",
    "playable",
    "read_hands",
    "recognised",
    "sources",
]
