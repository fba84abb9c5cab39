"""The class in case-based reasoning: its drawings show current numbers, and its words are in the glossary."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "class.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawings() -> dict[str, str]:
    return runpy.run_path(str(DOCS / "make_class.py"))["drawings"]()


def test_drawings_are_current(drawings: dict[str, str]) -> None:
    found = {name: (DOCS / "pictures" / name).read_text(encoding="utf-8") for name in drawings}
    assert found == drawings, "run python docs/make_class.py"


def test_drawings_are_on_the_page_with_words_for_those_who_cannot_see_them(drawings: dict[str, str]) -> None:
    shown = dict(re.findall(r'<img src="pictures/([^"]+)"[^>]* alt="([^"]+)"', PAGE))
    assert set(shown) == set(drawings)
    assert all(len(words) > 80 for words in shown.values())


def test_drawings_are_well_formed_and_have_colours_for_the_dark(drawings: dict[str, str]) -> None:
    for svg in drawings.values():
        root = ElementTree.fromstring(svg)
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        assert "prefers-color-scheme: dark" in svg


def test_words_of_the_class_are_in_the_glossary() -> None:
    glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
    linked = re.findall(r"glossary\.md#([\w-]+)", PAGE)
    assert len(linked) == len(set(linked)), "a word is linked where it first occurs only"
    assert [name for name in linked if f'<a id="{name}"></a>' not in glossary] == []
