"""Hands read before come from a copy: the same hands and account, and never an old or damaged one."""

import os
from dataclasses import asdict
from pathlib import Path

import pytest

from holdmem import read_hands, record, write_hands
from holdmem.history import cached as keep
from holdmem.history.read import HandReader

MODULE = "holdmem.history.reading_cache"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with hands and a file that is not one."""
    monkeypatch.setenv("HOLDMEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(f"{MODULE}.LEAST", 1)
    played = record("nolimit", "random", "always-call", folder=tmp_path / "played", hands=60, seed=1)
    (tmp_path / "hands").mkdir()
    write_hands(played, tmp_path / "hands" / "hands.phhs")
    (tmp_path / "hands" / "notes.txt").write_text("not a hand\n", encoding="utf-8")
    return tmp_path / "hands"


def copies(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "hands").glob("*"))


def told(reader: HandReader) -> dict[str, object]:
    return {name: value for name, value in asdict(reader.account).items() if name != "listen"}


def test_the_second_reading_gives_the_same_without_the_files(folder: Path, monkeypatch) -> None:
    fresh, first, second = read_hands(folder), keep(read_hands(folder)), keep(read_hands(folder))
    expected, one = fresh.collect(), first.collect()
    assert len(copies(folder)) == 1
    monkeypatch.setattr("holdmem.history.read.HandReader._read", None)  # the files are not read again
    other = second.collect()
    for hands in (one, other):
        assert list(hands) == list(expected)
        assert [hands.where(place) for place in range(60)] == [expected.where(place) for place in range(60)]
    assert told(first) == told(second) == told(fresh)
    assert second.account.unread


def test_a_changed_file_a_damaged_copy_and_changed_code_are_read_anew(folder: Path, monkeypatch) -> None:
    keep(read_hands(folder)).collect()
    file = folder / "hands.phhs"
    os.utime(file, ns=(1, file.stat().st_mtime_ns + 1))
    assert len(keep(read_hands(folder)).collect()) == 60
    assert len(copies(folder)) == 2
    for copy in copies(folder):
        block = next(copy.glob("block-*.parquet"))
        content = bytearray(block.read_bytes())
        content[100] ^= 1
        block.write_bytes(bytes(content))
    assert len(keep(read_hands(folder)).collect()) == 60
    monkeypatch.setattr(f"{MODULE}._code", lambda: "other code")
    keep(read_hands(folder)).collect()
    assert len(copies(folder)) == 3


def test_a_reading_that_was_not_finished_leaves_no_copy(folder: Path) -> None:
    blocks = iter(keep(read_hands(folder)))
    next(blocks)
    blocks.close()
    assert copies(folder) == []


def test_only_the_last_copies_are_kept(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(f"{MODULE}.MOST", 2)
    for size in range(1000, 1004):
        keep(read_hands(folder, max_size=size << 20)).collect()
    assert len(copies(folder)) == 2


def test_small_files_and_listeners_are_not_copied(folder: Path, monkeypatch) -> None:
    keep(read_hands(folder, listen=lambda item: None)).collect()
    monkeypatch.setattr(f"{MODULE}.LEAST", 1 << 30)
    keep(read_hands(folder)).collect()
    assert copies(folder) == []
