"""Hand histories that a person dropped on the page: kept on this machine and read in the background.

Every file has a folder of its own, named by random letters, below a folder named by the hash of the person's
session key:

    about.json    the file's name as the browser gave it, its size, and when it came
    original      the file itself, byte for byte (original.gz if its name ends so)
    hands/        its hands, once they are read
    summary.json  what was read, what was left out and why, and who plays

Nothing is stored under a name that came from outside. A reading that a restart interrupted begins again.
"""

import json
import logging
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from holdmem.core.atomic import storage_errors, write_atomically
from holdmem.core.errors import HoldMemError, NotationError, StorageError
from holdmem.core.types import JsonObject
from holdmem.history import HandReader, Hands, StoredHands, join, read_hands
from holdmem.history.resume import store_resumably
from holdmem.web.kept_files import make_private, one_line, read_object, write_if_there
from holdmem.web.library_summary import HandsSummary
from holdmem.web.store import person_hash

LARGEST_FILE = 512 << 20
"""Bytes of a file that are accepted."""
MOST_FILES = 200
"""Files that a person can keep."""
MOST_BYTES = 4 << 30
"""Bytes of files that a person can keep."""
COUNTED = 16 << 20
"""Bytes that arrive until a person's files are counted again, since others may be arriving meanwhile."""
NAME = re.compile(r"[a-z0-9]{16}")
OWN = "own"
"""In place of a file's name: the hands that were played at this table."""
OPEN_AT_ONCE = 2
"""Files whose hands are kept in memory."""
LONGEST_LINE = 300
"""Characters of what is said about a file that cannot be read."""
LEFT_BEHIND = 24 * 3600.0
"""Seconds after which what a killed server left behind is removed."""

logger: logging.Logger = logging.getLogger("holdmem.web")


class FileTooLarge(NotationError):
    """A file is larger than what is accepted, or than what is left of a person's share."""


@dataclass
class Reading:
    """How far the reading of a file is; `problem` is why it failed, where that could not be stored."""

    hands: int = 0
    problem: str = ""


@dataclass
class HandLibrary:
    """The files of all persons, below one folder that only the user can read."""

    folder: Path
    largest: int = LARGEST_FILE
    most: int = MOST_BYTES
    _readings: dict[Path, Reading] = field(default_factory=dict)
    _open: dict[Path, Hands] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    # Files

    def receive(self, person: str, name: str) -> "Incoming":
        """Begin to receive a file."""
        home = self._home(person)
        if len(_folders(home)) >= MOST_FILES:
            raise NotationError(f"there are {MOST_FILES} files already; delete one first")
        with storage_errors(home):
            make_private(home, self.folder)
        _sweep(home)
        number = secrets.token_hex(8)
        return Incoming(home / f"{number}.part", home / number, _plain(name), self.largest, self.most)

    def listed(self, person: str, submit: Executor) -> list[JsonObject]:
        """Return what is known of each file, newest first; reading that was interrupted begins again."""
        found = [self._about(folder) for folder in _folders(self._home(person))]
        for entry in found:
            if entry["state"] == "waiting":
                self.begin(person, entry["id"], submit)
        return sorted(found, key=lambda entry: -entry["added"])

    def begin(self, person: str, number: str, submit: Executor) -> None:
        """Read a file in the background, unless that is going on or done."""
        folder = self._find(person, number)
        with self._lock:
            if folder in self._readings:
                return
            self._readings[folder] = Reading()
        submit.submit(self._read, folder)

    def delete(self, person: str, number: str) -> None:
        """Delete a file with everything that was made of it."""
        folder = self._find(person, number)
        with self._lock:
            self._open.pop(folder, None)
            self._readings.pop(folder, None)
        gone = folder.with_name(f"{number}.gone")
        with storage_errors(folder):
            folder.rename(gone)
            shutil.rmtree(gone)

    def forget_own(self, person: str) -> None:
        """Delete everything derived from the hands played at this table: statistics, review and values."""
        shutil.rmtree(self._home(person) / OWN, ignore_errors=True)

    # Hands

    def hands(self, person: str, number: str) -> Hands:
        """Return all hands of a file that has been read."""
        folder = self._find(person, number)
        with self._lock:
            if folder in self._open:
                return self._open[folder]
        _expect_read(read_object(folder / "summary.json"))
        found = join(list(StoredHands(folder / "hands")))
        with self._lock:
            while len(self._open) >= OPEN_AT_ONCE:
                self._open.pop(next(iter(self._open)))
            self._open[folder] = found
        return found

    def folder_of(self, person: str, number: str) -> Path:
        """Return the folder of a file; that of the hands played here is made if need be."""
        if number != OWN:
            return self._find(person, number)
        folder = self._home(person) / OWN
        with storage_errors(folder):
            make_private(folder, self.folder)
        return folder

    def summary(self, person: str, number: str) -> JsonObject:
        """Return what is known of one file."""
        return self._about(self._find(person, number))

    def hero(self, person: str, number: str) -> str:
        """Return whose hands a file has."""
        return str(_expect_read(read_object(self._find(person, number) / "summary.json"))["hero"])

    # Folders

    def _home(self, person: str) -> Path:
        return self.folder / person_hash(person)

    def _find(self, person: str, number: str) -> Path:
        folder = self._home(person) / number
        if not NAME.fullmatch(number) or not (folder / "about.json").is_file():
            raise NotationError("there is no such file of yours")
        return folder

    def _about(self, folder: Path) -> JsonObject:
        entry = read_object(folder / "about.json") or {"name": "a damaged file", "bytes": 0, "added": 0.0}
        entry["id"] = folder.name
        with self._lock:  # first of all: whoever ends meanwhile has written the result before
            reading = self._readings.get(folder)
        read = read_object(folder / "summary.json")
        if read is not None:
            return entry | read | {"state": "refused" if read.get("problem") else "ready"}
        if reading is None:
            return entry | {"state": "waiting", "hands": 0}
        if reading.problem:
            return entry | {"state": "refused", "problem": reading.problem, "hands": 0}
        return entry | {"state": "reading", "hands": reading.hands}

    def _read(self, folder: Path) -> None:
        """Read a file and store its hands and summary; a file that cannot be read has a problem."""
        reading = self._readings.get(folder)
        if reading is None:  # deleted meanwhile
            return
        problem = _problem_of(folder, reading)
        if problem and not write_if_there(
            folder / "summary.json", json.dumps({"problem": problem, "hands": 0})
        ):
            reading.problem = problem  # or it would be read again and again
        if not is_kept(folder):
            shutil.rmtree(folder, ignore_errors=True)  # what was written while it was being deleted
        with self._lock:
            if not (reading.problem and is_kept(folder)):
                self._readings.pop(folder, None)


def _expect_read(summary: JsonObject | None) -> JsonObject:
    """Return the summary of a file; NotationError if it has not been read, or could not be."""
    if summary is None:
        raise NotationError("this file has not been read yet")
    if "hero" not in summary:
        raise NotationError(f"this file has no hands to show: {summary.get('problem', 'it is damaged')}")
    return summary


def _problem_of(folder: Path, reading: Reading) -> str:
    """Read a file; return in one line why it cannot be read, or nothing."""
    try:
        read_file(folder, lambda hands: setattr(reading, "hands", hands))
    except HoldMemError as error:
        return plain_words(error, folder)
    except UnicodeError:
        return "a name in it has characters that cannot be stored"
    except Exception:
        if not is_kept(folder):  # deleted meanwhile
            return ""
        logger.exception("a file could not be read")
        return "the file could not be read; the server's log says why"
    return ""


def read_file(folder: Path, tell: Callable[[int], None]) -> None:
    """Store the hands of a file and their summary; `tell` is called with the number of hands so far."""
    shutil.rmtree(folder / "hands", ignore_errors=True)
    reader, summary = read_hands(original(folder), max_size=LARGEST_FILE), HandsSummary()

    def watched() -> Iterator[Hands]:
        for block in reader:
            summary.add(block)
            tell(summary.hands)
            yield block

    try:
        store_resumably(reader, folder / "hands", watched())
    except NotationError as error:
        raise _first_fault(reader) or error from None
    account = reader.account.as_json()
    examples = [without_path(str(item), folder) for item in reader.account.unread[:5]]
    entry = summary.as_json() | {"account": account, "examples": examples}
    write_atomically(folder / "summary.json", json.dumps(entry))


def _first_fault(reader: HandReader) -> NotationError | None:
    """Return why the first hand could not be read, if there were hands but none could be."""
    account = reader.account
    if account.broken or not account.unread:
        return None
    return NotationError(f"none of its hands could be read; the first: {account.unread[0].reason}")


def is_kept(folder: Path) -> bool:
    """Whether this is the folder of a file, which has not been deleted."""
    return (folder / "about.json").is_file()


def original(folder: Path) -> Path:
    """Return the file that was dropped."""
    packed = folder / "original.gz"
    return packed if packed.is_file() else folder / "original"


def without_path(text: str, folder: Path) -> str:
    """Remove the path of the stored file from a message."""
    return text.replace(f"{original(folder)}: ", "").replace(str(original(folder)), "the file")


def plain_words(error: HoldMemError, folder: Path) -> str:
    """Return in one line why a file cannot be read, without its path and the command's options."""
    text = without_path(str(error), folder)
    if isinstance(error, StorageError):
        reason = text.rpartition(": could not be written: ")[2].partition(", then run again")[0]
        return f"it could not be stored: {reason}"
    if "expected hands as " in text:
        return "no hands of a known kind are in it"
    return one_line(text.partition("; allow more with --max-size")[0], LONGEST_LINE)


@dataclass
class Incoming:
    """A file that is arriving: written to a temporary folder, which gets its name when it is complete."""

    part: Path
    folder: Path
    name: str
    largest: int
    most: int
    size: int = 0
    _counted: int = -COUNTED

    def __enter__(self) -> "Incoming":
        with storage_errors(self.part):
            self.part.mkdir(mode=0o700)
            packed = self.name.lower().endswith(".gz")
            self.file: BinaryIO = open(
                self.part / ("original.gz" if packed else "original"), "xb", opener=_private
            )
        return self

    def write(self, piece: bytes) -> None:
        """Append what has arrived."""
        self.size += len(piece)
        if self.size > self.largest:
            raise FileTooLarge(f"the file is larger than {self.largest >> 20} MB")
        with storage_errors(self.part):
            self.file.write(piece)
        if self.size >= self._counted + COUNTED:
            self._expect_room()

    def _expect_room(self) -> None:
        """Raise FileTooLarge if all files of this person, also those that are arriving, are too much."""
        self._counted = self.size
        self.file.flush()
        if kept_bytes(self.part.parent) > self.most:
            raise FileTooLarge(f"your files would have more than {self.most >> 20:,} MB; delete one first")

    def finish(self) -> str:
        """Give the folder its name; return it."""
        if not self.size:
            raise NotationError("the file is empty")
        self._expect_room()
        about = {"name": self.name, "bytes": self.size, "added": time.time()}
        with storage_errors(self.folder):
            self.file.close()
            write_atomically(self.part / "about.json", json.dumps(about))
            self.part.rename(self.folder)
        return self.folder.name

    def __exit__(self, *_: object) -> None:
        self.file.close()
        shutil.rmtree(self.part, ignore_errors=True)


def _folders(home: Path) -> list[Path]:
    if not home.is_dir():
        return []
    return [folder for folder in home.iterdir() if NAME.fullmatch(folder.name) and is_kept(folder)]


def kept_bytes(home: Path) -> int:
    """Return the bytes of a person's files as they were dropped, with those that are arriving."""
    total = 0
    for folder in home.iterdir():
        with suppress(OSError):  # deleted meanwhile
            total += original(folder).stat().st_size
    return total


def _sweep(home: Path) -> None:
    """Remove uploads and deletions that a killed server left half done."""
    for left in (*home.glob("*.part"), *home.glob("*.gone")):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFT_BEHIND:
                shutil.rmtree(left, ignore_errors=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _plain(name: str) -> str:
    """Return the last part of a file's name, without characters that are not seen."""
    return one_line(re.split(r"[/\\]", name)[-1], 120) or "hands"
