"""Text is read, written and printed the same in every locale."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from fresh import run

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "benchmarks", "docs", "examples")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))

OPENING = {"open": 1, "fdopen": 1, "NamedTemporaryFile": 0, "TemporaryFile": 0, "SpooledTemporaryFile": 1}
"""Functions that open files, with the place of the mode among their arguments."""
BINARY = {"NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"}
"""Those whose mode is binary unless it is given."""
PROCESSES = {"run", "Popen", "call", "check_call", "check_output"}
NOT_PATHS = {
    "Image",
    "os",
    "tarfile",
    "zipfile",
    "archive",
    "source",
    "room",
    "first",
    "second",
    "table",
    "webbrowser",
}
"""What else has a method `open` here: descriptors, archives, sources of hands (bytes), tables, a dealer."""

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def depends_on_locale(call: ast.Call) -> bool:
    """Whether a call reads or writes text without naming its encoding."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if "encoding" in given or None in given:
        return False
    if name in ("read_text", "write_text"):
        return True
    if name in OPENING:
        return opens_text(call, name, given.get("mode"))
    return name in PROCESSES and bool(given.keys() & {"text", "universal_newlines"})


def opens_text(call: ast.Call, name: str, mode: ast.expr | None) -> bool:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if getattr(owner, "id", "") in NOT_PATHS:
        return False
    place = OPENING[name] - (owner is not None and name == "open")
    found = mode or (call.args[place] if len(call.args) > place else None)
    return name not in BINARY if found is None else "b" not in ast.unparse(found)


def careless(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and depends_on_locale(node):
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node):.80}"


def test_all_text_names_its_encoding() -> None:
    assert [line for path in SOURCES for line in careless(path)] == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("path.read_text()", True),
        ("path.write_text('x', encoding='utf-8')", False),
        ("open('x')", True),
        ("open('x', 'rb')", False),
        ("path.open()", True),
        ("path.open('w')", True),
        ("path.open(mode='ab')", False),
        ("tarfile.open('x')", False),
        ("NamedTemporaryFile(dir='x')", False),
        ("NamedTemporaryFile('w')", True),
        ("subprocess.run('x', text=True)", True),
        ("subprocess.run('x', text=True, encoding='utf-8')", False),
    ],
)
def test_the_scan_finds_what_it_should(code: str, expected: bool) -> None:
    (statement,) = ast.parse(code).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    assert depends_on_locale(statement.value) is expected


SESSION = """
import sys
from holdmem.cli import main
for words in (["match", "random", "always-call", "--hands", "50", "--no-ledger"], ["agents"],
              ["play", "--terminal", "--auto", "random", "--hands", "1", "--seed", "3"]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
"""


def test_a_locale_without_utf_8_will_do(tmp_path: Path) -> None:
    said = run(SESSION, XDG_DATA_HOME=str(tmp_path), COLUMNS="200", **PLAIN).stdout
    assert said.isascii()
    assert "+/-" in said  # ±
    assert "-120 chips" in said  # a real minus sign elsewhere


def test_suits_stay_apart_in_ascii() -> None:
    code = "from holdmem.cli.encoding import print_in_any_encoding as p; p(); print('A♣ A♦ A♥ A♠ é 漢')"
    assert run(code, PYTHONIOENCODING="ascii").stdout == "Ac Ad Ah As e ?\n"
