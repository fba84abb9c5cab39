"""History formats as objects: detected, read, written and listed, by name or by suffix."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdmem.cli import app
from holdmem.core.errors import NotationError, OutputExists
from holdmem.engine import find_game
from holdmem.history import Hands, read_hands, write_hands
from holdmem.history.archives import Source
from holdmem.history.formats import (
    FORMATS,
    Format,
    acpc,
    find_format,
    ohh_write,
    output_format,
    phh,
    pokerstars_write,
)
from holdmem.history.read import recognised
from holdmem.web.downloads import DOWNLOADS, download
from holdmem.web.serialize import YOU
from random_hands import recorded
from site_hands import SITES

LIMIT = find_game("limit", 2)
WRITABLE = [name for name, format in FORMATS.items() if format.writable]
TARGETS = [(name, suffix) for name in WRITABLE for suffix in FORMATS[name].suffixes]


def test_formats_are_known_by_their_names() -> None:
    assert set(FORMATS) == {*SITES, "acpc", "irc", "parquet", "phh", "pokerstars"}
    assert all(find_format(name).name == name for name in FORMATS)
    assert set(WRITABLE) == {"acpc", "ohh", "parquet", "phh", "pokerstars"}


def test_a_suffix_stands_for_one_format() -> None:
    suffixes = [suffix for _, suffix in TARGETS]
    assert len(set(suffixes)) == len(suffixes)
    assert all(FORMATS[name].suffixes for name in WRITABLE)


@pytest.mark.parametrize(("name", "suffix"), TARGETS)
def test_what_is_written_by_suffix_or_name_is_detected_and_read_again(
    name: str, suffix: str, tmp_path: Path
) -> None:
    hands = recorded(LIMIT, 1, 1 if suffix == ".phh" else 5)
    assert write_hands(hands, tmp_path / f"by-suffix{suffix}") == len(hands)
    assert write_hands(iter([hands]), str(tmp_path / f"by-name{suffix}"), name) == len(hands)
    for path in sorted(tmp_path.iterdir()):
        if path.is_file():
            assert recognised(Source(str(path), path.read_bytes)) is FORMATS[name]
        again = [hand for block in read_hands(path) for hand in block]
        assert [(hand.board, hand.betting, hand.net) for hand in again] == [
            (hand.board, hand.betting, hand.net) for hand in hands
        ]


def test_the_name_goes_before_the_suffix(tmp_path: Path) -> None:
    write_hands(recorded(LIMIT, 1), tmp_path / "hands.txt", "acpc")
    assert "STATE:" in (tmp_path / "hands.txt").read_text(encoding="utf-8")
    write_hands(recorded(LIMIT, 1), tmp_path / "one.parquet")
    (tmp_path / "one.parquet").rename(tmp_path / "one.bin")
    assert sum(map(len, read_hands(tmp_path / "one.bin", format="parquet"))) == 6


def test_text_is_the_writer_s_own(tmp_path: Path) -> None:
    """Whoever writes a file or offers a download adds nothing."""
    hands = [recorded(LIMIT, 1)]
    writers = {
        "acpc": lambda file: acpc.write(hands, file),
        "ohh": lambda file: ohh_write.write(hands, file),
        "phh": lambda file: phh.write(hands, file),
        "pokerstars": lambda file: pokerstars_write.write(hands, file),
    }
    assert set(writers) == set(DOWNLOADS)
    for name, write in writers.items():
        file = io.StringIO()
        write(file)
        path = tmp_path / f"hands{FORMATS[name].suffixes[-1]}"
        write_hands(hands, path)
        assert path.read_bytes() == file.getvalue().encode()
    file = io.StringIO()
    pokerstars_write.write(hands, file, hero=YOU)
    assert download("pokerstars", hands) == ("holdmem-hands.txt", file.getvalue().encode())


def test_what_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    for path, name in (("hands.doc", None), ("hands.txt", "word"), ("hands.txt", "irc")):
        with pytest.raises(
            NotationError, match="expected a format of acpc, ohh, parquet, phh or pokerstars, got"
        ):
            write_hands(recorded(LIMIT, 1), tmp_path / path, name)
    with pytest.raises(NotationError, match="hands cannot be written as IRC poker database"):
        FORMATS["irc"].write([recorded(LIMIT, 1)], tmp_path / "irc")
    with pytest.raises(NotationError, match="the phh format can represent none of the hands"):
        write_hands([], tmp_path / "none.phhs")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "suffix"), TARGETS)
def test_a_stop_in_the_middle_leaves_nothing(name: str, suffix: str, tmp_path: Path) -> None:
    def failing() -> Iterator[Hands]:
        yield recorded(LIMIT, 1, 1)
        raise RuntimeError("no more")

    target = tmp_path / f"hands{suffix}"
    with pytest.raises(RuntimeError, match="no more"):
        write_hands(failing(), target, name)
    assert list(tmp_path.iterdir()) == []
    write_hands(recorded(LIMIT, 1, 1), target, name)
    with pytest.raises(OutputExists):
        write_hands(recorded(LIMIT, 1, 1), target, name)


def test_a_format_that_is_listed_is_read_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a new format needs is its object in the list."""

    def read(source: Source, account: object, game: object) -> Iterator[Hands]:
        yield recorded(LIMIT, int(source.read().removeprefix(b"seed ")))

    def write(hands: object, file: io.TextIOBase, options: object) -> int:
        return file.write("seed 7")

    seeds = Format(
        "seeds", "Seeds", (".seed",), lambda _, head: head.startswith(b"seed "), read, write_lines=write
    )
    monkeypatch.setitem(FORMATS, "seeds", seeds)
    assert output_format(Path("a.seed")) is seeds
    write_hands(recorded(LIMIT, 7), tmp_path / "a.seed")
    assert [list(block) for block in read_hands(tmp_path / "a.seed")] == [list(recorded(LIMIT, 7))]


def test_the_command_line_lists_every_format() -> None:
    told = json.loads(CliRunner().invoke(app, ["formats", "--json"]).stdout)
    assert [row["name"] for row in told] == sorted(FORMATS)
    assert {row["name"] for row in told if row["writable"]} == set(WRITABLE)
    shown = CliRunner().invoke(app, ["formats"], env={"COLUMNS": "120"}).stdout
    for name, suffix in TARGETS:
        (line,) = [line for line in shown.splitlines() if line.startswith(name)]
        assert (suffix or "folder") in line
