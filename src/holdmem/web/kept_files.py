"""Files that the background adds to a person's folders, which the person may delete at the same time."""

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any


def write_if_there(path: Path, content: bytes | str) -> None:
    """Write a file atomically unless its folder is gone or cannot be written to; never make the folder."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    with suppress(OSError):
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)


def read_json(path: Path) -> Any:
    """Return what a file of JSON contains; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
