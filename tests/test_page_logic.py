"""The page's own modules: their tests under Node, and their types where TypeScript is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "page-tools"
PAGE = Path(__file__).parents[1] / "src" / "holdmem" / "web" / "page"


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
def test_the_logic_of_the_page():
    tests = sorted(str(path) for path in TOOLS.glob("*.test.js"))
    ran = subprocess.run(
        ["node", "--test", *tests], capture_output=True, encoding="utf-8", check=False, cwd=TOOLS
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "# fail 0" in ran.stdout or "ℹ fail 0" in ran.stdout


def test_the_types_of_the_page():
    checker = TOOLS / "node_modules" / "typescript" / "bin" / "tsc"
    if shutil.which("node") is None or not checker.is_file():
        pytest.skip("TypeScript is not installed: npm ci --prefix page-tools")
    ran = subprocess.run(
        ["node", str(checker), "-p", str(TOOLS)], capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout[-3000:]


def test_modules_are_short_and_load_nothing_from_elsewhere():
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "://" not in text.replace("http://www.w3.org/2000/svg", "").replace("`${scheme}://", ""), path
        assert path.suffix != ".js" or len(text.splitlines()) <= 250, path
