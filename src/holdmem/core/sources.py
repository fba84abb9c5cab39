"""The files of this package: which code depends on which of them, and whether they have changed."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from holdmem.core.data import DATA

PACKAGE = DATA.parent


def package_files() -> list[Path]:
    """Return all files of the package, in order."""
    return sorted(path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def part_of(path: Path) -> str:
    """Return the part of the package that a file belongs to, such as `engine` for engine/state.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def stamp() -> list[tuple[str, int, int]]:
    """Return name, time and size of every file of the package, to detect edits quickly."""
    facts = ((path, path.stat()) for path in package_files())
    return [(str(path), fact.st_mtime_ns, fact.st_size) for path, fact in facts]


def source_hash(files: Iterable[Path] | None = None) -> str:
    """Return a hash of the present contents of these files, by default of every file of the package."""
    digest = hashlib.blake2b(digest_size=16)
    for path in package_files() if files is None else files:
        digest.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


_IMPORT = re.compile(r"^\s*(?:from|import)\s+holdmem(?:\.(\w+)|\s+import\b)", re.MULTILINE)


def sources_of(part: str) -> list[Path]:
    """Return the files that code of this part can depend on: its own and those it imports, without `DATA`."""
    files: dict[str, list[Path]] = {}
    for path in package_files():
        if DATA not in path.parents:
            files.setdefault(part_of(path), []).append(path)
    needed: set[str] = set()
    waiting = {part}
    while waiting:
        needed |= waiting
        sources = [path for name in waiting for path in files.get(name, ()) if path.suffix == ".py"]
        texts = [path.read_text(encoding="utf-8") for path in sources]
        waiting = {found[1] or "__init__" for text in texts for found in _IMPORT.finditer(text)} - needed
    return sorted(path for name in needed for path in files.get(name, ()))
