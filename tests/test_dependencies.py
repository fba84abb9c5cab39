"""What is imported is declared, and every bound can be tried by `make test-lowest`."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from lowest import PROJECT, declared, lowest

ROOT = PROJECT.parent
PUBLISHED = {"dask": "distributed"}
"""Modules that come with a distribution of another name."""


def imported(path: Path) -> Iterator[str]:
    """The top-level modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=;\[ ]", requirement)[0] for requirement in requirements}


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    found = {name for path in (ROOT / "src").rglob("*.py") for name in imported(path)}
    found -= {"holdmem", *sys.stdlib_module_names}
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    optional = names(extras["cluster"] + extras["rl"])
    assert {PUBLISHED.get(name, name) for name in found} - optional == names(declared())


def test_every_requirement_has_a_lowest_version() -> None:
    assert lowest("numba>=0.61") == "numba==0.61"
    assert len([lowest(requirement) for requirement in declared()]) == len(declared())
