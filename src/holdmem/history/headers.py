"""The small readable header beside stored data: JSON that says which format and version it is."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdmem.errors import HoldMemError


def write_header(file: Path, said: Mapping[str, Any]) -> None:
    """Write a header for people and programs."""
    file.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_header(file: Path, what: str, form: str, version: int, error: type[HoldMemError]) -> dict[str, Any]:
    """The header of `what`, if it is of this format and version; anything else is an error of this kind."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise error(f"{file}: expected the header of {what}: {problem}") from None
    if not isinstance(said, dict) or said.get("format") != form:
        raise error(f"{file}: expected format {form!r}, got {str(said)[:80]}")
    if said.get("version") != version:
        raise error(f"{file}: expected version {version}, got {said.get('version')}")
    return said
