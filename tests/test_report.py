"""The cross table as a picture and as a page: written whole, self-contained, with names as they are."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from holdmem.arena import Tournament
from holdmem.core.errors import GameError
from holdmem.engine import find_game
from holdmem.plots import heat_map, html_report
from test_tournament import LIMIT, WINS, synthetic

WICKED = (
    "<script>alert(1)</script>",
    'a "quoted" & <b>bold</b> one',
    "$x^$ and $\\frac{",
    "ensemble:members=[a;b]",
)
EMPTY = {"meta"}


@pytest.fixture
def found() -> Tournament:
    """A tournament of agents with wicked names, one match of which failed."""
    results = {table: synthetic(table, wins, spread=1) for table, wins in WINS.items()}
    del results[(0, 3)]
    return Tournament(LIMIT, WICKED, results, {(0, 3): "raised <Error>('no & <i>way</i>') at preflop"})


class Reader(HTMLParser):
    """Collects the text and the tags, and sees that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(path: Path) -> Reader:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_is_whole_and_needs_nothing_else(found: Tournament, tmp_path: Path) -> None:
    html_report(found, tmp_path / "report.html")
    page = read(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//|url\(|@import", text)
    assert not {"script", "link", "img", "iframe", "b", "i"} & set(page.tags)
    assert not {"src", "href", "onclick", "onload"} & set(page.attributes)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_the_page_has_every_name_and_number(found: Tournament, tmp_path: Path) -> None:
    html_report(found, tmp_path / "report.html")
    text = read(tmp_path / "report.html").text
    for name in WICKED:
        assert name in text
    for result in found.results.values():
        assert result.hash in text
        assert f"{result.estimates()[0].mean:+.4f}".replace("-", "−") in text
    assert found.failures[0, 3] in text
    for words in ("Bankroll", "Run-off", "sb/h", "95% intervals"):
        assert words in text


def test_the_picture_is_a_whole_png(found: Tournament, tmp_path: Path) -> None:
    heat_map(found, tmp_path / "table.png")
    data = (tmp_path / "table.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert data.endswith(b"IEND\xaeB`\x82")
    assert [path.name for path in tmp_path.iterdir()] == ["table.png"]


@pytest.mark.parametrize("write", [heat_map, html_report])
def test_a_report_replaces_the_old_one(write: object, found: Tournament, tmp_path: Path) -> None:
    path = tmp_path / "report"
    path.write_text("old", encoding="utf-8")
    write(found, path)
    assert path.read_bytes() != b"old"


@pytest.mark.parametrize("write", [heat_map, html_report])
def test_agents_without_a_single_match_have_a_report_too(write: object, tmp_path: Path) -> None:
    empty = Tournament(LIMIT, WICKED[:2], {}, {(0, 1): "nobody came"})
    write(empty, tmp_path / "report")
    assert write is heat_map or "inf" not in (tmp_path / "report").read_text(encoding="utf-8")


def test_a_picture_is_for_tables_of_two(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="3 seats"):
        heat_map(Tournament(find_game("nolimit", 3), ("a", "b", "c"), {}, {}), tmp_path / "table.png")
    assert not list(tmp_path.iterdir())
