"""What is imported is declared, and every bound can be tried by `make test-lowest`."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdmem.core.extras import EXTRAS, FOR_HARDWARE
from lowest import PROJECT, declared, lowest

ROOT = PROJECT.parent
HOMES = {
    "cluster": "core/parallel.py",
    "cuda": "cfr/device/responder.py",
    "mcp": "mcp",
    "plots": "plots",
    "rl": "rl",
    "web": "web",
}
"""Where the libraries of an extra may be imported, in src/holdmem."""

IMPORTED_AS = {"cupy-cuda13x": "cupy"}
"""Libraries that are imported under another name than they are installed by."""


def imported(path: Path) -> Iterator[str]:
    """The top-level modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def names(requirements: list[str]) -> set[str]:
    found = {re.split(r"[<>=;\[ ]", requirement)[0] for requirement in requirements}
    return {IMPORTED_AS.get(name, name) for name in found}


def all_imported() -> dict[str, set[str]]:
    """The libraries that HoldMem imports, each with the paths of the modules that do."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src" / "holdmem").rglob("*.py"):
        for name in {*imported(path)} - {"holdmem", *sys.stdlib_module_names}:
            found.setdefault(name, set()).add(path.relative_to(ROOT / "src" / "holdmem").as_posix())
    return found


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    every = declared(*EXTRAS, *FOR_HARDWARE)
    assert set(all_imported()) == names(every)
    assert len(every) == len(names(every))


@pytest.mark.parametrize("extra", [*EXTRAS, *FOR_HARDWARE])
def test_what_an_extra_installs_is_named_in_the_error_and_imported_in_one_place(extra: str) -> None:
    """`holdmem.core.extras` is what the code knows of pyproject.toml."""
    libraries = (EXTRAS | FOR_HARDWARE)[extra]
    assert set(libraries) == names(declared(extra)) - names(declared())
    used = all_imported()
    places = {place for library in libraries for place in used[library]}
    assert all(place == HOMES[extra] or place.startswith(f"{HOMES[extra]}/") for place in places)


def test_one_extra_has_all_others() -> None:
    assert declared("all") == [*declared(), f"holdmem[{','.join(sorted(EXTRAS))}]"]
    for other in ("test", "bench"):
        assert "holdmem[all]" in declared(other)


def test_every_requirement_has_a_lowest_version() -> None:
    assert lowest("numba>=0.61") == "numba==0.61"
    every = declared(*EXTRAS, *FOR_HARDWARE)
    assert len([lowest(requirement) for requirement in every]) == len(every)
