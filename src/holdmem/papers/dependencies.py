"""What a stored finding depends on, and which of these parts have changed since.

A finding depends on the engine, the agents and the tables that they look up (`arena/dependencies.py`), on
further layers that its experiment uses, such as `learning`, on the experiment's own code, and on the shipped
memories and strategies that its agents read. It does not depend on verdicts, wording of pages, pictures,
commands or documentation.

The code of an experiment is found from its function: the definitions in `papers` that it uses, the
definitions that those use, and so on. Docstrings, comments and layout do not count.
"""

import ast
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from holdmem.agent import make_agent
from holdmem.arena.dependencies import (
    LAYERS,
    LOADED,
    data_name,
    file_hash,
    files_of,
    layer_digest,
    play_digests,
)
from holdmem.arena.design import DeckPurpose, content_hash
from holdmem.core.data import DATA
from holdmem.core.sources import PACKAGE

PRESENTATION = ("papers", "plots", "cli", "web", "mcp")
"""Layers whose code does not determine the numbers of a finding, apart from what `papers` defines itself."""
FOR_READERS = (
    "findings",
    "verdicts",
    "judging",
    "pages",
    "pictured",
    "references",
    "summaries",
    "catalogue",
    "status",
    "storage",
    "runner",
)
"""Modules of `papers` that format, judge or store figures."""

EXPERIMENT, LAYER = "experiment", "layer "
"""Names of parts: the experiment's own code, and layers beyond those of every match."""

DECKS = "decks"
PURPOSE: DeckPurpose = "test"
"""Purpose of the decks on which findings are played: no memory is recorded on them, whatever the seeds."""

Definition = tuple[str, str]
"""A module of `papers` and a name that it defines."""


@dataclass(frozen=True)
class PaperModule:
    """The definitions and imports of a module of `papers`."""

    defined: dict[str, list[ast.stmt]]
    imported: dict[str, tuple[str, str]]
    """Module of HoldMem and name in it ("" for the module itself), by local name."""


@cache
def _read(module: str) -> PaperModule:
    path = PACKAGE / "papers" / f"{module}.py"
    if file_hash(path) != LOADED.get(path):
        return PaperModule({}, {})
    defined: dict[str, list[ast.stmt]] = {}
    imported: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom):
            imported |= _imports(statement)
        for name in _names(statement):
            defined.setdefault(name, []).append(statement)
    return PaperModule(defined, imported)


def _imports(statement: ast.ImportFrom) -> dict[str, tuple[str, str]]:
    """Return where the names come from that a statement imports from HoldMem."""
    origin = statement.module or ""
    if origin == "holdmem.papers":
        return {one.asname or one.name: (f"{origin}.{one.name}", "") for one in statement.names}
    ours = origin.partition(".")[0] == "holdmem"
    return {one.asname or one.name: (origin, one.name) for one in statement.names} if ours else {}


def _names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement at the top level of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


@dataclass(frozen=True)
class Code:
    """Code that a function depends on: definitions in `papers`, and layers beyond those of every match."""

    digest: str
    layers: tuple[str, ...]


@cache
def code_of(module: str, name: str) -> Code:
    """Return what a function of a module of `papers` depends on; `module` has no package."""
    found: dict[Definition, str] = {}
    layers: set[str] = set()
    waiting: list[Definition] = [(module, name)]
    while waiting:
        where = waiting.pop()
        if where not in found:
            nodes = _read(where[0]).defined.get(where[1], [])
            found[where] = "".join(_plain(node) for node in nodes) or "unknown"
            for origin, inner in _used(where[0], nodes):
                part = origin.split(".")[1]
                if part == "papers":
                    waiting += _of_papers(origin.rpartition(".")[2], inner)
                elif part not in PRESENTATION and part not in LAYERS:
                    layers.add(part)
    text = repr(sorted(found.items()))
    return Code(hashlib.blake2b(text.encode(), digest_size=12).hexdigest(), tuple(sorted(layers)))


def _of_papers(module: str, name: str) -> list[Definition]:
    """Return a definition, or all of a module, apart from modules for readers."""
    if module in FOR_READERS or module not in _modules():
        return []
    return [(module, name)] if name else [(module, one) for one in _read(module).defined]


@cache
def _modules() -> frozenset[str]:
    return frozenset(path.stem for path in (PACKAGE / "papers").glob("*.py"))


def _used(module: str, nodes: Iterable[ast.stmt]) -> list[tuple[str, str]]:
    """Return where the names come from that these statements use: a module of HoldMem and a name in it."""
    known = _read(module)
    names = {node.id for top in nodes for node in ast.walk(top) if isinstance(node, ast.Name)}
    own = [(f"holdmem.papers.{module}", name) for name in names if name in known.defined]
    return [*own, *(known.imported[name] for name in names if name in known.imported)]


def _plain(statement: ast.stmt) -> str:
    """Return the syntax of a statement without docstrings, comments and layout."""
    copy = ast.parse(ast.unparse(statement))
    for node in ast.walk(copy):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(copy)


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def code_of_function(function: Callable[..., Any]) -> Code:
    """Return what a function depends on; arguments that a partial binds count by their `repr`."""
    if isinstance(function, partial):
        inner = code_of_function(function.func)
        text = repr((inner.digest, function.args, sorted(function.keywords.items())))
        return Code(hashlib.blake2b(text.encode(), digest_size=12).hexdigest(), inner.layers)
    package, _, module = function.__module__.rpartition(".")
    if package == "holdmem.papers":
        return code_of(module, function.__qualname__)
    if package.partition(".")[0] != "holdmem":
        return Code(content_hash(function), ())
    part = function.__module__.split(".")[1]
    return Code(function.__qualname__, () if part in LAYERS else (part,))


def parts_of(code: Code, data: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the digests of what depends on this code and these files, by the name of the part."""
    layers = {f"{LAYER}{name}": layer_digest(name) for name in code.layers}
    return {
        **play_digests(),
        **layers,
        EXPERIMENT: code.digest,
        DECKS: PURPOSE,
        **dict(sorted((data or {}).items())),
    }


def present_digest(part: str, code: Code) -> str:
    """Return the digest that a part has now; "" for a shipped file that is gone."""
    if part == EXPERIMENT:
        return code.digest
    if part == DECKS:
        return PURPOSE
    if part.startswith(LAYER):
        return layer_digest(part.removeprefix(LAYER))
    if part in play_digests():
        return play_digests()[part]
    path = PACKAGE / part
    return file_hash(path) if path.exists() else ""


def changed_parts(parts: Mapping[str, str], code: Code) -> tuple[str, ...]:
    """Return the names of the parts that are no longer those with which a finding was made."""
    return tuple(name for name, digest in parts.items() if present_digest(name, code) != digest)


def shipped_data() -> tuple[Path, ...]:
    """Return all shipped memories, strategies and people: what unknown work may read."""
    folders = [path.parent for path in DATA.glob("*/cases.json")]
    return tuple(sorted([*folders, *DATA.glob("*.strategy"), *DATA.glob("*.people")]))


def data_digests(read: Iterable[str | Path]) -> dict[str, str]:
    """Return digests of the shipped files among these or read by these agents, by name (`data/casper`)."""
    paths = {path for one in read for path in ([one] if isinstance(one, Path) else files_of(make_agent(one)))}
    return {data_name(path): file_hash(path) for path in sorted(paths) if path.is_relative_to(DATA)}


def content_of(read: Iterable[str | Path]) -> list[str]:
    """Return hashes of the contents of agents, named by text, and of files."""
    return [file_hash(one) if isinstance(one, Path) else content_hash(make_agent(one)) for one in read]
