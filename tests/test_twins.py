"""Every kernel module is in the index of naive twins, and what the index says is true."""

import ast
from pathlib import Path

import pytest

from naive.index import INDEX, Twin

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "holdmem"
KERNELS = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in SOURCE.rglob("kernels/*.py")
    if path.name != "__init__.py"
}
SHARED = {"decision", "index", "local_response"}
"""Modules of `naive` that are no twins: one that several use, the index, and a rule played on game trees."""


def imported(path: Path) -> set[str]:
    """The modules that a file imports at its top, those of `from package import module` among them."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_every_kernel_module_has_an_entry_and_every_entry_a_kernel_module() -> None:
    assert sorted(INDEX) == sorted(KERNELS)
    assert list(INDEX) == sorted(INDEX)


@pytest.mark.parametrize("kernel", INDEX)
def test_an_entry_names_what_is_there(kernel: str) -> None:
    entry = INDEX[kernel]
    test = TESTS / f"{entry.test}.py"
    assert test.is_file()
    if isinstance(entry, Twin):
        assert (TESTS / "naive" / f"{entry.module}.py").is_file()
        assert f"naive.{entry.module}" in imported(test)


def test_every_twin_is_a_twin_of_something() -> None:
    modules = {path.stem for path in (TESTS / "naive").glob("*.py")} - {"__init__"}
    assert modules - SHARED == {entry.module for entry in INDEX.values() if isinstance(entry, Twin)}


def test_twins_are_imported_by_one_name() -> None:
    """As `naive.x`: the same file under two names would be two modules."""
    for path in TESTS.rglob("*.py"):
        assert not {name for name in imported(path) if name.startswith("tests.")}, path
