"""JSON header stored next to data, giving its format and version."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdmem.core.errors import HoldMemError


def write_header(file: Path, said: Mapping[str, Any]) -> None:
    """Write a header as indented JSON."""
    file.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_header(file: Path, what: str, form: str, version: int, error: type[HoldMemError]) -> dict[str, Any]:
    """Read the header of `what`; raise `error` unless it has this format and version."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise error(f"{file}: cannot be read as the header of {what}: {problem}") from None
    if not isinstance(said, dict) or said.get("format") != form:
        raise error(f"{file}: expected format {form!r}, got {str(said)[:80]}")
    if said.get("version") != version:
        raise error(f"{file}: expected version {version}, got {said.get('version')}")
    return said
