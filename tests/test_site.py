"""The documentation as a site: what `make docs` builds, checked without building it."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SITE = ROOT / "docs" / "site"


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A script of docs/site, which is no package."""
    monkeypatch.syspath_prepend(str(SITE))
    for script in ("stage", "results", "notebooks", "check"):
        monkeypatch.delitem(sys.modules, script, raising=False)
    spec = importlib.util.spec_from_file_location(name, SITE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_navigation_once_or_left_out() -> None:
    navigation = tomllib.loads((SITE / "navigation.toml").read_text(encoding="utf-8"))
    parts = navigation["part"]
    listed = [page for part in parts for page in (part["start"], *part["pages"])] + navigation["left_out"]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]
    names = {page.relative_to(ROOT).as_posix() for page in pages if page.parent.name != "papers"}
    assert sorted(names - set(listed)) == ["README.md"]  # the front page, which carries the navigation
    assert len(listed) == len(set(listed))


def test_what_the_navigation_names_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = load("stage", monkeypatch)
    pages = stage.all_pages()
    assert [page for part in stage.parts() for page in part["pages"] if page not in pages] == []
    made = {"results/sartre.md", "docs/reference/holdmem.cards.md", "examples/write_an_agent.py.md"}
    made.add("docs/notebooks/meet-a-memory.ipynb.md")
    assert made <= set(pages)


def test_pages_of_findings_look_as_they_do_outside_the_site() -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "results").glob("*.html")]
    used = {name for page in pages for names in re.findall("class='([^']*)'", page) for name in names.split()}
    style = (SITE / "static" / "site.css").read_text(encoding="utf-8")
    assert {"replicated", "refuted"} < used
    assert {name for name in used if f".{name}" not in style} == set()


def test_links_lead_to_pages_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = load("stage", monkeypatch)
    text = (
        "[a](../examples) [b](../src/x.py#L3) [c](../README.md) [d](arena.md#luck)\n"
        "```\n[e](../examples)\n```\n"
    )
    assert stage.linked(text, "docs/agents.md") == (
        "[a](../examples/README.md) [b](../src/x.py.md#L3) [c](../index.md) [d](arena.md#luck)\n"
        "```\n[e](../examples)\n```\n"
    )


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<a href='b.html#there'>b</a>", None),
        ("<a href='https://example.org'>out</a>", None),
        ("<a href='c.html'>c</a>", "leads nowhere: c.html"),
        ("<a href='b.html#here'>b</a>", "leads nowhere: b.html#here"),
        ("<a href='#here'>a</a>", "leads nowhere: #here"),
        ("<img src='c.png'>", "leads nowhere: c.png"),
        ("<script src='https://example.org/x.js'></script>", "loads https://example.org/x.js"),
    ],
)
def test_the_check_finds_what_is_broken(
    body: str, fault: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = load("check", monkeypatch)
    (tmp_path / "a.html").write_text(body, encoding="utf-8")
    (tmp_path / "b.html").write_text("<h2 id='there'>b</h2>", encoding="utf-8")
    assert check.faults(tmp_path / "a.html") == ([fault] if fault else [])
    assert check.main(tmp_path) == (1 if fault else 0)
