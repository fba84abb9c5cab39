"""Cache folders for anything that can be rebuilt: compiled code and hand strength tables.

The environment variable `HOLDMEM_CACHE` sets the location; the default is the user's cache folder. Loading
compiled code executes it, so it is cached only where no other user can write. A private folder replaces a
location that others can write to.
"""

import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from getpass import getuser
from multiprocessing import parent_process
from pathlib import Path
from stat import S_ISDIR, S_IWGRP, S_IWOTH

import platformdirs


def cache_root() -> Path:
    """Return the cache folder, creating it if necessary.

    It is `HOLDMEM_CACHE` if set, else the user's cache folder, or `private_folder()` if that is not
    writable.
    """
    chosen = Path(os.environ.get("HOLDMEM_CACHE") or platformdirs.user_cache_dir("holdmem", appauthor=False))
    try:
        chosen.parent.mkdir(parents=True, exist_ok=True)
        chosen.mkdir(mode=0o700, exist_ok=True)
        tempfile.TemporaryFile(dir=chosen).close()
    except OSError:
        return private_folder()
    return chosen


@cache
def private_folder() -> Path:
    """Return this user's folder in the system's temporary folder.

    The folder is reused only if this user owns it and no other user has access to it. Otherwise a new one is
    created, so that files planted by another user are never loaded.
    """
    user = getattr(os, "getuid", getuser)()  # in a container the user may have no name
    folder = Path(tempfile.gettempdir()) / f"holdmem-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        state = folder.lstat()
        if S_ISDIR(state.st_mode) and state.st_uid == user and not state.st_mode & 0o077:
            return folder
    return Path(tempfile.mkdtemp(prefix="holdmem-"))


def trusted_folder(*names: str) -> Path:
    """Return the nested folder `names` of the cache, or of `private_folder()` if others can write to it.

    The second case is reported on stderr.
    """
    folder = cache_root()
    for place in (folder, *_below(folder, names)):
        if not _is_ours_alone(place):
            say(
                f"{place} is writable by others or not yours, so no compiled code is loaded from it;"
                f" using {private_folder()} instead. To use it, run: chmod go-w {place}"
            )
            return _below(private_folder(), names)[-1]
    return _below(folder, names)[-1]


def _below(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """Return the folders of these names, each inside the previous one, and create those that are missing."""
    found = []
    for name in names:
        folder = folder / name
        folder.mkdir(mode=0o700, exist_ok=True)
        found.append(folder)
    return found


def _is_ours_alone(folder: Path) -> bool:
    """Whether this user owns the folder and no other user can write to it; checked on POSIX only."""
    if not hasattr(os, "getuid"):
        return True
    state = folder.stat()
    return state.st_uid == os.getuid() and not state.st_mode & (S_IWGRP | S_IWOTH)


@cache
def say(message: str) -> None:
    """Print a line to stderr, once per process; worker processes print nothing."""
    if parent_process() is None:
        print(f"HoldMem: {message}", file=sys.stderr, flush=True)
