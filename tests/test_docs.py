"""What the documentation shows works: sessions, code blocks, commands, links."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import holdmem
from holdmem.cli import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```\n", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [text for kind, text in fenced if kind == language]


def commands(page: Path) -> list[str]:
    """Lines of plain blocks that call holdmem, without those that only show the grammar."""
    lines = [line for block in blocks(page, "") for line in block.splitlines()]
    return [line.split("  #")[0] for line in lines if line.startswith("holdmem ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions_give_what_they_show(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


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
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    place = {"XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100"}
    for command in [line for line in commands(page) if "tcp://" not in line]:
        done = CliRunner().invoke(app, shlex.split(command)[1:], env=place)
        assert done.exit_code == 0, f"{command}: {done.exception!r}\n{done.output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [link for link in targets if "://" not in link and not (page.parent / link).exists()]
    assert not missing


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(holdmem, name) is not None for name in holdmem.__all__)
    assert len(holdmem.__all__) <= 60


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
