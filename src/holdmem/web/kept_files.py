"""Files in a person's folders: private, and safe to write while the person deletes them."""

import json
import os
import threading
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

from holdmem.core.types import JsonObject

UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
"""Unicode categories without a sign of their own: controls, line ends, marks that turn the direction."""


def make_private(folder: Path, root: Path) -> None:
    """Make a folder in `root`; both and those between are closed to other users, also if they were not."""
    above = [one for one in (folder, *folder.parents) if one.is_relative_to(root)]
    for one in reversed(above):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        if one.stat().st_mode & 0o077:
            one.chmod(0o700)


def one_line(text: str, most: int) -> str:
    """Return text from outside as one line of at most this length, without characters that are not seen."""
    seen = "".join(" " if unicodedata.category(sign) in UNSEEN else sign for sign in text)
    return " ".join(seen.split())[:most]


def write_if_there(path: Path, content: bytes | str) -> bool:
    """Write a file atomically unless its folder is gone or cannot be written to; never make the folder.

    Returns whether it was written.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
        return True
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        return False


def read_json(path: Path) -> Any:
    """Return what a file of JSON contains; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def read_object(path: Path) -> JsonObject | None:
    """Return the JSON object in a file; None if it is missing, damaged or something else."""
    found = read_json(path)
    return found if isinstance(found, dict) else None
