"""Files in a person's folders: private, and safe to write while the person deletes them."""

import json
import os
import threading
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

UNSEEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
"""Unicode categories without a sign of their own: controls, line ends, marks that turn the direction."""


def one_line(text: str, most: int) -> str:
    """Return text from outside as one line of at most this length, without characters that are not seen."""
    seen = "".join(" " if unicodedata.category(sign) in UNSEEN else sign for sign in text)
    return " ".join(seen.split())[:most]


def private_folder(folder: Path) -> Path:
    """Make a folder and those above it that are missing, all with access for the user only."""
    if not folder.is_dir():
        private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def write_if_there(path: Path, content: bytes | str) -> bool:
    """Write a file atomically unless its folder is gone or cannot be written to; never make the folder.

    Returns whether it was written.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    with suppress(OSError):
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
        return True
    return False


def read_json(path: Path) -> Any:
    """Return what a file of JSON contains; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
