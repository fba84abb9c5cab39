"""Store hands in a folder so that a run that was killed can go on: finished work units are kept.

Blocks are written to `<target>.unfinished`, and after each work unit a file there says how many units and
blocks are finished and what the account has so far. Running the same command again skips those units, reads
which hands are stored (to recognise duplicates) and goes on. The result has the same bytes as that of a run
that was not interrupted.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.core.atomic import expect_new, storage_errors
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.headers import read_header, write_header
from holdmem.history.account import Account, UnreadItem
from holdmem.history.duplicates import DuplicateIndex
from holdmem.history.formats.parquet import blocks_of, count_games, write_block, write_folder_header
from holdmem.history.hands import Hands
from holdmem.history.read import HandReader, ReadBefore

PROGRESS = "progress.json"
PROGRESS_FORMAT, VERSION = "holdmem unfinished hands", 1


@dataclass
class UnfinishedFolder:
    """A folder that is being filled, and how far that is."""

    target: Path
    key: str
    units: int = 0
    blocks: int = 0
    hands: int = 0
    games: Counter[str] = field(default_factory=Counter)

    @property
    def path(self) -> Path:
        """Where it is until it is finished."""
        return self.target.with_name(f"{self.target.name}.unfinished")

    def resume(self) -> ReadBefore | None:
        """Take up what an interrupted run left, if there is something from the same files."""
        if not (self.path / PROGRESS).is_file():
            shutil.rmtree(self.path, ignore_errors=True)
            self.path.mkdir(parents=True)
            return None
        header = read_header(self.path / PROGRESS, "progress", PROGRESS_FORMAT, VERSION, NotationError)
        if header.get("key") != self.key:
            raise NotationError(
                f"{self.path} was left by a run on other files or options; delete it or choose another target"
            )
        try:
            self.units, self.blocks, self.hands = (int(header[name]) for name in ("units", "blocks", "hands"))
            self.games = Counter(header["games"])
            return ReadBefore(self.units, account_of(header["account"]), self._known())
        except (KeyError, TypeError, ValueError) as error:
            raise NotationError(f"{self.path / PROGRESS}: damaged: {error!r}; delete the folder") from None

    def _known(self) -> DuplicateIndex:
        """Return the index of the hands in the finished blocks."""
        seen = DuplicateIndex()
        for number in range(self.blocks):
            for block in blocks_of(self._block(number)):
                seen.note(block.hands, np.ones(len(block.hands), dtype=np.bool_))
        return seen

    def _block(self, number: int) -> Path:
        return self.path / f"block-{number:05}.parquet"

    def add(self, hands: Hands) -> None:
        """Write a block."""
        write_block(hands, self._block(self.blocks))
        self.blocks += 1
        self.hands += len(hands)
        self.games += count_games(hands)

    def save(self, units: int, account: Account) -> None:
        """Record that all blocks of this many units are written."""
        self.units = units
        progress = {name: getattr(self, name) for name in ("key", "units", "blocks", "hands")}
        said = {"format": PROGRESS_FORMAT, "version": VERSION, **progress, "games": dict(self.games)}
        write_header(self.path / PROGRESS, said | {"account": account_as_json(account)})

    def finish(self) -> None:
        """Write the header and give the folder its name."""
        write_folder_header(self.path, self.hands, self.games)
        (self.path / PROGRESS).unlink(missing_ok=True)
        expect_new(self.target)
        self.path.rename(self.target)


def store_resumably(reader: HandReader, target: Path, blocks: Iterable[Hands] | None = None) -> int:
    """Store all hands of a reader in a new folder; return their number, including those of earlier runs.

    `blocks` are the reader's blocks, if something else watches them. After a HoldMemError nothing is left.
    """
    folder = UnfinishedFolder(target, reading_key(reader))
    with storage_errors(target):
        expect_new(target)
        reader.before = folder.resume()
        try:
            for block in reader if blocks is None else blocks:
                if reader.units != folder.units:
                    # The account has this block's hands already; they are read again after a kill.
                    folder.save(reader.units, reader.account_before)
                folder.add(block)
            if not folder.hands:
                raise NotationError("no readable hands to write")
        except HoldMemError:
            shutil.rmtree(folder.path, ignore_errors=True)
            raise
        folder.finish()
    return folder.hands


def reading_key(reader: HandReader) -> str:
    """Return a hash of the files, as far as names, sizes and times tell, and the options of a reader."""
    digest = hashlib.blake2b(digest_size=16)
    settings = (reader.format and reader.format.name, reader.game, reader.max_size)
    digest.update(repr(settings).encode())
    for path in reader.paths:
        digest.update(f"{path}\0".encode(errors="replace"))
        below = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in (file for file in below if file.is_file()):
            facts = file.stat()
            digest.update(f"{file}\0{facts.st_size}\0{facts.st_mtime_ns}\0".encode(errors="replace"))
    return digest.hexdigest()


# Accounts as JSON

COUNTERS = ("repaired", "unscored", "duplicates", "reasons")
LISTS = ("differing", "repairs", "impossible", "unread")


def account_as_json(account: Account) -> dict[str, Any]:
    """Return an account as JSON values."""
    content = {one.name: getattr(account, one.name) for one in fields(account) if one.name != "listen"}
    content |= {name: dict(content[name]) for name in COUNTERS}
    content |= {name: [asdict(item) for item in content[name]] for name in LISTS}
    return content | {"experimental": sorted(account.experimental)}


def account_of(content: dict[str, Any]) -> Account:
    """Return the account of these JSON values."""
    counted: dict[str, Any] = {name: Counter(content[name]) for name in COUNTERS}
    listed = {name: [UnreadItem(**item) for item in content[name]] for name in LISTS}
    return Account(**(content | counted | listed | {"experimental": set(content["experimental"])}))
