"""Files in a person's folders, which the person may delete while the background adds to them."""

import json
import os
import threading
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)
"""What reading a missing or damaged file of arrays raises."""


def make_private(folder: Path, root: Path) -> None:
    """Make a folder in `root`; both and those between are closed to other users, also if they were not."""
    above = [one for one in (folder, *folder.parents) if one.is_relative_to(root)]
    for one in reversed(above):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        if one.stat().st_mode & 0o077:
            one.chmod(0o700)


def write_if_there(path: Path, content: bytes | str) -> None:
    """Write a file atomically unless its folder is gone or cannot be written to; never make the folder."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


def read_json(path: Path) -> Any:
    """Return what a file of JSON contains; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
