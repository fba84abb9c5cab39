"""Atomic writes of files and folders, with one-line errors when they fail.

Everything is written under a temporary name in the same folder, `<name>.<eight hex digits>.part`, and renamed
at the end. The name is unique: two runs never share one, and nothing made by another process is removed. If
writing fails, the temporary file is removed; only a killed process leaves one behind, for the user to delete.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from holdmem.core.errors import HoldMemError, OutputExists, StorageError

REMEDIES = {
    errno.ENOSPC: "no space left on the device; free some space, then run again",
    errno.EDQUOT: "disk quota exceeded; free some space, then run again",
    errno.EFBIG: "the file would exceed the size limit there; choose another location",
    errno.EROFS: "the file system is read-only; choose another location",
    errno.EACCES: "permission denied; choose a location where you have write permission",
    errno.EPERM: "operation not permitted; choose a location where you have write permission",
    errno.EIO: "input/output error; check the disk or choose another location",
}
"""Description and remedy by the operating system's error number."""

LONGEST_NAME = 200
"""Maximum length of the target's name within a temporary name; most file systems allow 255 bytes in all."""


def remedy(error: BaseException) -> str | None:
    """Return a description and remedy if this is a storage error of the operating system, else None."""
    return REMEDIES.get(_number_of(error) or 0)


def _number_of(error: BaseException) -> int | None:
    """Return the error number of the operating system; polars gives it in the message, "… (os error 28)"."""
    if isinstance(error, OSError):
        return error.errno
    found = re.search(r"\(os error (\d+)\)", str(error))
    return int(found[1]) if found else None


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Within this context, turn storage errors of the operating system into a one-line StorageError."""
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
    """Whether the error names a file unrelated to the path, such as an input file.

    Related are the path itself, anything below it, its temporary name and its parent folders.
    """
    named = getattr(error, "filename", None)
    if not isinstance(named, str):
        return False
    return not named.startswith(str(path)) and not str(path).startswith(named)


def expect_new(path: Path) -> None:
    """Raise OutputExists if the path exists."""
    if path.exists() or path.is_symlink():
        raise OutputExists(f"{path} already exists; delete it or choose another name")


def temporary_name(path: Path) -> Path:
    """Return a unique, recognisable temporary name in the same folder."""
    return path.with_name(f"{path.name[:LONGEST_NAME]}.{uuid4().hex[:8]}.part")


@contextmanager
def atomic_file(path: Path | str, new: bool = False) -> Iterator[Path]:
    """Yield a temporary path to write to; it is renamed to `path` at the end, or removed on failure.

    With `new`, `path` must not exist. If it appears in the meantime, it is not replaced: the OutputExists
    raised names the temporary file, which is kept.
    """
    path = Path(path)
    beside = temporary_name(path)
    with storage_errors(path):
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


def write_atomically(path: Path | str, content: bytes | str) -> None:
    """Write a file atomically: `path` never holds part of the content."""
    with atomic_file(path) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_folder(path: Path | str) -> Iterator[Path]:
    """Yield an empty folder to fill; it is renamed to `path` at the end, or removed on failure.

    If `path` has been created in the meantime, the filled folder is kept and OutputExists names it.
    """
    path = Path(path)
    beside = temporary_name(path)
    with storage_errors(path):
        expect_new(path)
        beside.mkdir(parents=True)
        try:
            yield beside
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        _place_new(beside, path)


@contextmanager
def scratch_folder(path: Path | str) -> Iterator[Path]:
    """Yield an empty folder next to `path` for what is needed while that is written; removed at the end."""
    beside = temporary_name(Path(path))
    beside.mkdir(parents=True)
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _place_new(beside: Path, path: Path) -> None:
    """Rename to a name that must be free; if it has been taken, keep the temporary file or folder."""
    try:
        if beside.is_dir():
            # Renaming onto a folder fails if it has content, but would silently replace an empty one.
            expect_new(path)
            beside.rename(path)
        else:
            _link(beside, path)
    except OSError as error:
        if isinstance(error, OutputExists) or error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            raise OutputExists(
                f"{path} already exists: it appeared during writing; the new content is kept in {beside}"
            ) from None
        raise


def _link(beside: Path, path: Path) -> None:
    """Move a file to a free name without a race, by a hard link; file systems without links check first."""
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
    """Flush the file to disk, at which point a full disk is reported at the latest."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())
