"""What the package says about itself where packages are listed."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import holdmem

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_of_holdmem", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_become_absolute_from_one_setting(script: ModuleType) -> None:
    text = '[a](docs/a.md#x) [b](https://example.org) [c](#here) <img src="docs/p.png" width="4">'
    assert script.absolute(text, "", "v1") == text
    assert script.absolute(text, "https://example.org/me/holdmem/", "v1") == (
        "[a](https://example.org/me/holdmem/blob/v1/docs/a.md#x) [b](https://example.org) [c](#here)"
        ' <img src="https://example.org/me/holdmem/raw/v1/docs/p.png" width="4">'
    )


def test_no_link_of_the_readme_stays_relative_once_there_is_an_address(script: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    made = script.absolute(readme, "https://example.org/r", "v1")
    assert script.LINK.search(made) is None
    assert script.PICTURE.search(made) is None


def test_nobody_has_invented_an_address() -> None:
    assert PROJECT["tool"]["holdmem"]["repository"] == ""
    assert "urls" not in PROJECT["project"]
    assert PROJECT["project"]["authors"] == [{"name": "HoldMem contributors"}]


def test_the_citation_has_the_version_of_the_package() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {holdmem.__version__}\n" in text
