"""Where things are kept that can be made again: compiled code, tables of strengths.

`HOLDMEM_CACHE` says where, else it is the user's cache folder. Compiled code is only kept where nobody else
can write, since loading it runs it: where others can, a private folder takes its place.
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
    """Where caches live: `HOLDMEM_CACHE` if set, else the user's cache folder, else a temporary one."""
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
    """A folder of our own in the temporary one; what others could have put there is never loaded."""
    user = getattr(os, "getuid", getuser)()  # in a container a user may have no name
    folder = Path(tempfile.gettempdir()) / f"holdmem-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        state = folder.lstat()
        if S_ISDIR(state.st_mode) and state.st_uid == user and not state.st_mode & 0o077:
            return folder
    return Path(tempfile.mkdtemp(prefix="holdmem-"))


def trusted_folder(*names: str) -> Path:
    """The folder of this name below the chosen cache, or below a private one where others could write."""
    folder = cache_root()
    for place in (folder, *_below(folder, names)):
        if not _is_ours_alone(place):
            say(
                f"{place} can be written by others (or is not yours), so no compiled code is loaded from it;"
                f" using {private_folder()} instead. To use it: chmod go-w {place}"
            )
            return _below(private_folder(), names)[-1]
    return _below(folder, names)[-1]


def _below(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """The folders of these names, each in the one before; made if they are not there."""
    found = []
    for name in names:
        folder = folder / name
        folder.mkdir(mode=0o700, exist_ok=True)
        found.append(folder)
    return found


def _is_ours_alone(folder: Path) -> bool:
    """Whether this user owns the folder and nobody else can write to it; told by permissions on POSIX."""
    if not hasattr(os, "getuid"):
        return True
    state = folder.stat()
    return state.st_uid == os.getuid() and not state.st_mode & (S_IWGRP | S_IWOTH)


@cache
def say(message: str) -> None:
    """A line on stderr, once in a process; worker processes leave it to their parent."""
    if parent_process() is None:
        print(f"HoldMem: {message}", file=sys.stderr, flush=True)
