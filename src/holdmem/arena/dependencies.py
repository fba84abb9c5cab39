"""Digests of what a stored result depends on: the code that plays, and shipped tables, memories, strategies.

A match depends on the layers up to `arena` and `players` and on the data that its agents read, but not on
pages, commands or documentation. An agent from elsewhere (a user's file, a plugin) may import anything of
HoldMem, so that its results depend on the whole package.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.sources import PACKAGE, package_files, part_of, sources_of

AGENT_LAYERS = ("cbr", "cfr", "opponents", "people", "players")
"""The layers that decide; the others up to `arena` deal, apply the rules and count."""


def file_hash(path: Path) -> str:
    """Hash a file, or all files of a folder together with their relative paths."""
    if not path.exists():
        raise AgentError(f"{path}: no such file or folder")
    digest = hashlib.blake2b(digest_size=12)
    inside = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    for file in inside:
        if "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


LOADED = {path: file_hash(path) for path in package_files() if DATA not in path.parents}
"""Every source file as it was when this process began; later changes to the files do not affect it."""


LAYERS = frozenset(map(part_of, sources_of("arena")))
"""The layers that a match depends on: `arena` and those that it imports, `players` among them."""


def combined(digests: Mapping[str, str]) -> str:
    """Combine named digests into one."""
    text = "\0".join(f"{name}\0{digest}" for name, digest in sorted(digests.items()))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _code(files: Iterable[Path]) -> str:
    return combined({str(path.relative_to(PACKAGE)): LOADED.get(path, "new") for path in files})


@cache
def layer_digest(part: str) -> str:
    """Return a digest of the code of a layer and of every layer that it imports."""
    return _code(sources_of(part))


@cache
def play_digests() -> dict[str, str]:
    """Return digests of the code and tables that every match depends on: engine, agents and tables."""
    files = {path for path in LOADED if part_of(path) in LAYERS}
    agents = {path for path in files if part_of(path) in AGENT_LAYERS}
    tables = [*sorted(DATA.glob("*.table")), DATA / "playable.csv"]
    return {
        "engine": _code(files - agents),
        "agents": _code(agents),
        "tables": combined({path.name: file_hash(path) for path in tables}),
    }


PLAY = combined(play_digests())
"""Digest of everything that every match depends on, as it was when this process began."""


@cache
def whole_digest() -> str:
    """Return a digest of the whole package with its data."""
    return combined({"code": _code(LOADED), "data": file_hash(DATA)})


def module_digest(module: str) -> str | None:
    """Return a digest of the layer of one of our modules, or None if `PLAY` covers it."""
    part = module.split(".")[1] if "." in module else "__init__"
    return None if part in LAYERS else layer_digest(part)


def files_of(value: Any) -> tuple[Path, ...]:
    """Return the files and folders that an agent reads: those in its parameters, and shipped ones."""
    if isinstance(value, Path):
        return (value,)
    if isinstance(value, tuple | list):
        return tuple(path for one in value for path in files_of(one))
    if not is_dataclass(value):
        return ()
    playing = [one.name for one in fields(value) if one.metadata.get("affects_play", True)]
    named = files_of([getattr(value, name) for name in playing])
    return (*named, *getattr(value, "shipped_files", ()))


def data_name(path: Path) -> str:
    """Return the name of a shipped file or folder, such as `data/casper`."""
    return path.relative_to(PACKAGE).as_posix()
