"""Files and folders that are there whole or not at all, and one line to say why they could not be written.

Everything is written under a temporary name beside its place, `<name>.<eight letters>.part`, and renamed at
the end. The name is unique: two runs never share one, and nothing that somebody else made is ever removed. If
writing fails, the temporary file goes; only a killed process leaves one behind, for the user to delete.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from holdmem.errors import AlreadyThere, HoldMemError, StorageError

REMEDIES = {
    errno.ENOSPC: "no space left on the device; free some space there, then run it again",
    errno.EDQUOT: "disk quota exceeded; free some space there, then run it again",
    errno.EFBIG: "the file would be larger than is allowed there; choose another place",
    errno.EROFS: "the file system is read-only; choose another place",
    errno.EACCES: "permission denied; choose a place where you may write",
    errno.EPERM: "operation not permitted; choose a place where you may write",
    errno.EIO: "input/output error; check the disk, or choose another place",
}
"""What happened and what to do, by the operating system's number for it."""

LONGEST_NAME = 200
"""Letters of the target's name that a temporary name repeats: most file systems allow 255 bytes in all."""


def remedy(error: BaseException) -> str | None:
    """What happened and what to do, if the error is one of the operating system's about storage."""
    return REMEDIES.get(_number_of(error) or 0)


def _number_of(error: BaseException) -> int | None:
    """The operating system's number of an error; polars gives it in words, "… (os error 28)"."""
    if isinstance(error, OSError):
        return error.errno
    found = re.search(r"\(os error (\d+)\)", str(error))
    return int(found[1]) if found else None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Within this context an error of the operating system about storage is a StorageError of one line."""
    try:
        yield
    except HoldMemError:
        raise
    except Exception as error:
        number = _number_of(error)
        if number is None or _is_about_another(error, path):
            raise
        reason = remedy(error) or os.strerror(number)
        raise StorageError(f"{path}: could not be written: {reason}") from error


def _is_about_another(error: Exception, path: Path) -> bool:
    """Whether it names a file that is not at the path, beside or above it, such as one that is read."""
    named = getattr(error, "filename", None)
    if not isinstance(named, str):
        return False
    return not named.startswith(str(path)) and not str(path).startswith(named)


def expect_new(path: Path) -> None:
    """Raise AlreadyThere if something has this name."""
    if path.exists() or path.is_symlink():
        raise AlreadyThere(f"{path} already exists; delete it or choose another name")


def name_beside(path: Path) -> Path:
    """A temporary name that nobody else has, in the same folder and easy to recognise."""
    return path.with_name(f"{path.name[:LONGEST_NAME]}.{uuid4().hex[:8]}.part")


@contextmanager
def whole_file(path: Path | str, new: bool = False) -> Iterator[Path]:
    """A path to write to, which becomes `path` at the end, or is removed if anything fails.

    With `new`, a file that appeared at `path` meanwhile is not replaced; AlreadyThere says where this one is.
    """
    path = Path(path)
    beside = name_beside(path)
    with writing(path):
        if new:
            expect_new(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.touch(exist_ok=False)
            yield beside
            _flush(beside)
            if not new:
                beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        if new:
            _place_new(beside, path)


def write_whole(path: Path | str, content: bytes | str) -> None:
    """Write a file; at no moment is half of it found at `path`."""
    with whole_file(path) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_folder(path: Path | str) -> Iterator[Path]:
    """An empty folder to fill, which becomes the new folder `path` at the end, or is removed on failure.

    If somebody else has made `path` meanwhile, the filled folder is kept, and AlreadyThere says where.
    """
    path = Path(path)
    beside = name_beside(path)
    with writing(path):
        expect_new(path)
        beside.mkdir(parents=True)
        try:
            yield beside
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        _place_new(beside, path)


def _place_new(beside: Path, path: Path) -> None:
    """Rename to a name that is free; if it is no longer, what was written stays where it is."""
    try:
        if beside.is_dir():
            # A folder is never renamed onto one with something in it, but onto an empty one it would be.
            expect_new(path)
            beside.rename(path)
        else:
            _link(beside, path)
    except OSError as error:
        if isinstance(error, AlreadyThere) or error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            raise AlreadyThere(
                f"{path} already exists, made while this was written; what was written is kept in {beside}"
            ) from None
        raise


def _link(beside: Path, path: Path) -> None:
    """Give a file its place, unless somebody has it; file systems without links can only look first."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        expect_new(path)
        beside.rename(path)
    else:
        beside.unlink()


def _flush(file: Path) -> None:
    """Have the operating system store the file, which is also when a full disk is told at the latest."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())
