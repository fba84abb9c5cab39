"""The notebooks as they are kept: without outputs, with public names only. `make notebooks` executes them."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import holdmem
from test_site import load

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    told = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in told if cell["cell_type"] == kind]


def code(path: Path) -> ast.Module:
    return ast.parse("\n".join("".join(cell["source"]) for cell in cells(path, "code")))


def test_there_are_seven_and_the_overview_lists_them() -> None:
    text = (ROOT / "docs" / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 7
    assert [path.name for path in NOTEBOOKS if f"({path.name})" not in text] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_begins_with_its_title_and_keeps_no_outputs(path: Path) -> None:
    assert "".join(cells(path, "markdown")[0]["source"]).startswith("# ")
    assert [cell["outputs"] for cell in cells(path, "code")] == [[]] * len(cells(path, "code"))
    assert {cell["execution_count"] for cell in cells(path, "code")} == {None}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_uses_public_names_only(path: Path) -> None:
    tree, modules = code(path), set[str]()
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(str(node.module))
            names |= {alias.name for alias in node.names} if node.module == "holdmem" else set()
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hm":
            names.add(node.attr)
    assert [module for module in modules if module.startswith("holdmem.")] == []
    assert names <= set(dir(holdmem))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    for cell in cells(path, "markdown"):
        for part in "".join(cell["source"]).split("](")[1:]:
            assert (path.parent / part.partition(")")[0]).exists()


def executed(path: Path, outputs: list[dict[str, Any]], source: str = "1 + 1") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = {"cell_type": "markdown", "source": ["# Sums\n", "See [more](other.ipynb)."]}
    sum_cell = {"cell_type": "code", "source": [source], "outputs": outputs}
    path.write_text(json.dumps({"cells": [text, sum_cell]}), encoding="utf-8")


def test_the_site_shows_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load("notebooks", monkeypatch)
    found = [
        {"output_type": "stream", "name": "stdout", "text": ["printed\n"]},
        {"output_type": "stream", "name": "stderr", "text": ["a warning\n"]},
        {"output_type": "execute_result", "data": {"text/html": ["<b>\n\n2</b>"], "text/plain": ["2"]}},
        {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": ["Figure"]}},
    ]
    executed(tmp_path / "docs/notebooks/sums.ipynb", [])
    executed(tmp_path / "build/notebooks/sums.ipynb", found)
    pages = made.pages(tmp_path)
    assert pages["docs/notebooks/sums-1.png"] == b"\x89PN"
    assert pages["docs/notebooks/sums.ipynb.md"] == (
        "# Sums\nSee [more](other.ipynb.md).\n\n```python\n1 + 1\n```\n\n```text\nprinted\n```\n\n"
        "<div class='wide'><b>\n2</b></div>\n\n![Figure of the notebook](sums-1.png)\n"
    )


@pytest.mark.parametrize("source", [None, "1 + 2"])
def test_the_site_shows_no_results_of_another_version(
    source: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = load("notebooks", monkeypatch)
    executed(tmp_path / "docs/notebooks/sums.ipynb", [])
    if source is not None:
        printed = [{"output_type": "stream", "name": "stdout", "text": ["3\n"]}]
        executed(tmp_path / "build/notebooks/sums.ipynb", printed, source)
    page = made.pages(tmp_path)["docs/notebooks/sums.ipynb.md"]
    assert page.startswith("# Sums")
    assert made.NOT_RUN in page
    assert "3" not in page.partition(made.NOT_RUN)[2]
