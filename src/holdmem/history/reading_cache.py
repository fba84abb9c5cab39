"""Hands that were read before are read from a copy in the cache folder, as stored hands.

The copy is made while the files are read for the first time, if they are large enough to be worth it. It is
used as long as the files have the same names, sizes and times, the options are the same, and our code that
reads hands has not changed. Like all stored hands, it is checked by digest and replayed by the rules. What
could not be read is reported as it was the first time.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holdmem.core.atomic import scratch_folder
from holdmem.core.cache_folder import cache_root
from holdmem.core.errors import NotationError, StorageError
from holdmem.core.headers import read_header, write_header
from holdmem.core.sources import source_hash, sources_of
from holdmem.history.formats.parquet import StoredHands, count_games, write_block, write_folder_header
from holdmem.history.hands import Hands
from holdmem.history.read import HandReader, is_stored
from holdmem.history.resume import account_as_json, account_of, reading_key
from holdmem.history.sources import Account, playable

LEAST = 8 << 20
"""Bytes of files from which a copy is kept; fewer are read within a second."""
MOST = 10
"""Copies that are kept; the one that was not used for longest goes first."""
ACCOUNT = "account.json"
ACCOUNT_FORMAT, VERSION = "holdmem account of hands", 1


@dataclass
class CachedReader(HandReader):
    """A reader that keeps a copy of what it reads, and reads that the next time."""

    def __iter__(self) -> Iterator[Hands]:
        if not _is_worth_it(self):
            yield from super().__iter__()
            return
        folder = cache_root() / "hands" / _key(self)
        found = _account_in(folder)
        if found is None:
            yield from self._keep(folder, super().__iter__())
            return
        folder.touch()
        self.account = found
        for block in StoredHands(folder).blocks():
            yield playable(block.hands, Account(), None, block.where)

    def _keep(self, folder: Path, blocks: Iterator[Hands]) -> Iterator[Hands]:
        """Yield the blocks and write them down; a copy that cannot be finished is given up."""
        with scratch_folder(folder) as temporary:
            copy = _Copy(temporary)
            for block in blocks:
                copy.add(block)
                yield block
            if not self.account.broken:
                copy.finish(self.account, folder)
        _forget_oldest(folder.parent)


@dataclass
class _Copy:
    folder: Path
    games: Counter[str] | None = None
    blocks: int = 0
    failed: bool = False

    def add(self, hands: Hands) -> None:
        """Write a block, unless there was no room for one."""
        try:
            if not self.failed:
                write_block(hands, self.folder / f"block-{self.blocks:05}.parquet")
        except (OSError, StorageError):
            self.failed = True
        self.blocks += 1
        self.games = (self.games or Counter()) + count_games(hands)

    def finish(self, account: Account, target: Path) -> None:
        """Write the headers and give the copy its name; another process may have been first."""
        games = self.games or Counter()
        if self.failed or not games:
            return
        with suppress(OSError, StorageError):
            write_folder_header(self.folder, games.total(), games)
            content = {"format": ACCOUNT_FORMAT, "version": VERSION, "account": account_as_json(account)}
            write_header(self.folder / ACCOUNT, content)
            self.folder.rename(target)


def cached(reader: HandReader) -> CachedReader:
    """Return a reader of the same files that keeps a copy of them, or reads it if there is one."""
    return CachedReader(
        reader.paths, reader.format, reader.game, reader.listen, max_size=reader.max_size,
        workers=reader.workers, on=reader.on,
    )  # fmt: skip


def _is_worth_it(reader: HandReader) -> bool:
    """Whether these are files of some size that are not stored hands, and nobody listens while reading."""
    if reader.listen is not None or reader.before is not None:
        return False
    if any(is_stored(path) or not (path.is_dir() or path.is_file()) for path in reader.paths):
        return False
    return sum(_size(path) for path in reader.paths) >= LEAST


def _size(path: Path) -> int:
    below = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in below if file.is_file())


def _key(reader: HandReader) -> str:
    return hashlib.blake2b(f"{_code()}\0{reading_key(reader)}".encode(), digest_size=16).hexdigest()


@cache
def _code() -> str:
    return source_hash(sources_of("history"))


def _account_in(folder: Path) -> Account | None:
    """Return the account of a sound copy; None without one, and a damaged copy is removed."""
    if not folder.is_dir():
        return None
    try:
        content = read_header(folder / ACCOUNT, "account", ACCOUNT_FORMAT, VERSION, NotationError)
        stored = StoredHands(folder)
        if len(stored) == stored.header.get("hands"):
            return account_of(content["account"])
    except (NotationError, KeyError, TypeError, ValueError):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    return None


def _forget_oldest(folder: Path) -> None:
    """Remove all but the copies used last."""
    with suppress(OSError):
        copies = [one for one in folder.iterdir() if one.is_dir() and "." not in one.name]
        for one in sorted(copies, key=lambda copy: copy.stat().st_mtime_ns)[:-MOST]:
            shutil.rmtree(one, ignore_errors=True)
