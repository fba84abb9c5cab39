"""What the documentation shows works: sessions, code blocks, commands, links."""

import doctest
import importlib
import inspect
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

import holdmem
import holdmem.api
from holdmem.cli import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
REFERENCE: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))

NOT_RUN = {
    "sets up, tests or builds the repository": {
        ("CONTRIBUTING.md", "git clone ADDRESS"),
        ("CONTRIBUTING.md", ".venv/bin/python -m pytest"),
        ("README.md", "make play #"),
        ("README.md", "python3 -m venv"),
        ("install.md", "sudo apt install"),
        ("install.md", "python3 -m venv"),
        ("play.md", "make play"),
        ("sartre.md", "make cases"),
    },
    "takes minutes or hours": {
        ("exploit.md", "holdmem improve src/holdmem/data/sartre-2"),
        ("README.md", "make bench everything,"),
        ("equilibrium.md", "holdmem solve --game"),
        ("reproduce-a-paper.md", "holdmem reproduce all"),
        ("sartre.md", "python -m benchmarks.sartre_tables"),
        ("your-hands.md", "python -m benchmarks.example_hands"),
        ("review-your-hands.md", "holdmem review src/holdmem/data/example-hands.txt.gz"),
        ("field-models.md", "holdmem match poki"),
    },
    "needs a second process, a cluster, a graphics card or a file that is not ours": {
        ("arena.md", "dask scheduler --host"),
        ("scale-out.md", "dask scheduler &"),
        ("join-a-dealer.md", "holdmem serve --seats"),
        ("join-a-dealer.md", "holdmem join 127.0.0.1"),
        ("people.md", "(cd phh-dataset &&"),
        ("wire.md", "$ holdmem join"),
        ("exploit.md", "holdmem exploit eqm"),
        ("exploit.md", "holdmem solve --by"),
        ("casper.md", "holdmem learn irc/botsonly.199908.tgz"),
    },
    "shows what is printed, a form or a transcript": {
        ("README.md", "work who measured"),
        ("README.md", "the page of"),
        ("agents.md", "always-call ensemble:members=[imitator:expert=eqm;sartre-2],lead=sartre-2 lists"),
        ("arena.md", '{"agents": [{"name": "random",'),
        ("arena.md", '"crosstable": [[null, {"mean",'),
        ("equity.md", "$ holdmem equity"),
        ("explanations.md", "Flop, in the"),
        ("exploit.md", "a local best"),
        ("exploit.md", '{"agent": "always-call", "game":'),
        ("strength.md", "$ holdmem strength"),
        ("strength.md", "$ holdmem tables"),
    },
}
"""Blocks of commands and plain blocks that no test runs, by page and first words, with the reason.

Blocks marked as text or JSON are never run; those of the reference are signatures.
"""


def blocks(page: Path, language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```\n", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [text for kind, text in fenced if kind == language]


def commands(page: Path) -> list[str]:
    """Lines of plain blocks that call holdmem, without those that only show the grammar."""
    lines = [line for block in blocks(page, "") for line in block.splitlines()]
    return [line.split("  #")[0] for line in lines if line.startswith("holdmem ")]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "reference.md"], ids=lambda page: page.name
)  # the reference shows examples of docstrings, which run below and, for public names, in test_api.py
def test_sessions_give_what_they_show(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("package", REFERENCE["PACKAGES"])
def test_examples_of_packages_give_what_they_show(package: str) -> None:
    """Those of names that are not public; they begin as the reference says."""
    module = importlib.import_module(f"holdmem.{package}")
    front = {name: getattr(holdmem, name) for name in holdmem.__all__}
    inside = {name: getattr(module, name) for name in REFERENCE["exported"](module)}
    for name, thing in inside.items():
        if front.get(name) is not thing and (inspect.isclass(thing) or inspect.isroutine(thing)):
            finder = doctest.DocTestFinder(recurse=inspect.isclass(thing))
            for test in finder.find(thing, name, module=inspect.getmodule(thing), globs=front | inside):
                assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("name", holdmem.__all__)
def test_the_reference_shows_every_example(name: str) -> None:
    home = next(home for home, names in holdmem._HOMES.items() if name in names)
    thing = getattr(holdmem, name)
    shown = REFERENCE["entry"](name, thing, importlib.import_module(f"holdmem.{home}"))
    said = (inspect.getdoc(thing) or "").partition("Examples\n--------\n")[2] if callable(thing) else ""
    assert said.strip() in shown
    assert shown.count("```") % 2 == 0
    assert ("Examples:\n\n```python\n>>> " in shown) == bool(said)


@pytest.mark.parametrize(
    ("page", "block"),
    [(page, block) for page in PAGES for block in blocks(page, "python") if not block.startswith(">>>")],
    ids=lambda value: value.name if isinstance(value, Path) else "block",
)
def test_code_blocks_run(page: Path, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": f"block_of_{page.stem}"}
    exec(compile(block, f"{page.name} block", "exec"), names)
    assert len(names) > 1


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_commands_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, in one folder, but those that need another machine.

    All in this process, which has the kernels in memory: a new one per command takes three times as long.
    """
    for folder in ("docs", "src"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    place = {"XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100"}
    for command in [line for line in commands(page) if "tcp://" not in line]:
        done = CliRunner().invoke(app, shlex.split(command)[1:], env=place)
        assert done.exit_code == 0, f"{command}: {done.exception!r}\n{done.output}"


def test_what_is_not_run_is_listed_with_the_reason() -> None:
    plain = [
        (page.name, " ".join(block.split()[:3]))
        for page in PAGES
        for block in [*blocks(page, "sh"), *blocks(page, "")]
        if block in blocks(page, "sh") or not any(line.startswith("holdmem ") for line in block.splitlines())
    ]
    assert set(plain) == set.union(*NOT_RUN.values())
    kinds = {
        kind
        for page in PAGES
        for kind in re.findall(r"^```(\w*)\n.*?^```\n", page.read_text(encoding="utf-8"), re.M | re.S)
    }
    assert kinds <= {"", "json", "python", "sh", "text"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [link for link in targets if "://" not in link and not (page.parent / link).exists()]
    assert not missing


def test_words_that_pages_link_are_in_the_glossary() -> None:
    known = set(re.findall(r'<a id="([\w-]+)">', (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")))
    linked = {
        word
        for page in PAGES
        for word in re.findall(r"glossary\.md#([\w-]+)", page.read_text(encoding="utf-8"))
    }
    assert linked - known == set()
    starts = {
        page.name
        for page in PAGES
        if page.parent.name == "start" and "glossary.md#" in page.read_text(encoding="utf-8")
    }
    assert starts == {"bot.md", "learn.md", "play.md", "research.md"}


def test_nothing_is_installed_from_a_registry_that_does_not_have_it() -> None:
    places = [*PAGES, *(ROOT / "examples").glob("*.py")]
    wrong = [
        page.name
        for page in places
        if re.search(r"pip install ['\"]?holdmem", page.read_text(encoding="utf-8"))
    ]
    assert wrong == ["install.md"]  # which says that this finds nothing


def test_the_benchmarks_that_the_readme_names_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text[text.index("`python -m benchmarks …`") : text.index("`make bench` measures everything")]
    named = re.findall(r"\| `(\w+)` \|$", table, re.MULTILINE)
    assert len(named) == 7
    catalogue = (ROOT / "benchmarks" / "catalogue.py").read_text(encoding="utf-8")
    assert set(named) <= set(re.findall(r"^ +\"(\w+)\": ", catalogue, re.MULTILINE))


@pytest.mark.parametrize("module", [holdmem, holdmem.api])
def test_every_public_name_can_be_imported(module: ModuleType) -> None:
    assert all(getattr(module, name) is not None for name in module.__all__)


def test_every_agent_has_a_line_in_the_docs() -> None:
    from holdmem.agent import registered  # noqa: PLC0415

    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    ours = [
        entry.name for entry in registered().values() if entry.build.__module__.startswith("holdmem.players")
    ]
    assert [name for name in ours if f"| `{name}` |" not in text] == []


def test_the_reference_is_current() -> None:
    done = subprocess.run(
        [sys.executable, "docs/make_reference.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr


def test_every_page_is_reached_from_the_index() -> None:
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f"({page})" not in text and page != "README.md"] == []
