"""Any history by its path: formats found by content, folders, archives, stored hands, and clear refusals."""

import gzip
import zipfile
from pathlib import Path

import pytest

from holdmem.core.errors import NotationError
from holdmem.history import Hands, RecordedHand, read_hands, write_hands
from holdmem.history.read import chunked
from pokerstars_games import plain
from pokerstars_hands import READABLE

TEXT = "\n\n".join(sample.text for sample in READABLE.values())
LOG = "# name/game/hands/seed 2p holdem.limit.2p.reverse_blinds.game 1 0\nSTATE:0:f:2c3c|4c5c:5|-5:a|b\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hands.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def all_of(*paths: Path | str, **how: str) -> list[RecordedHand]:
    return [plain(hand) for block in read_hands(paths, **how) for hand in block]


def test_plain_packed_and_stored_are_the_same(file: Path, tmp_path: Path) -> None:
    expected = all_of(file)
    (tmp_path / "one.gz").write_bytes(gzip.compress(file.read_bytes()))
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.write(file, "below/hands.txt")
    write_hands(read_hands(file), tmp_path / "stored")
    write_hands(read_hands(file), tmp_path / "one.parquet")
    assert len(expected) == len(READABLE)
    for name in ("one.gz", "one.zip", "stored", "one.parquet"):
        assert all_of(tmp_path / name) == expected, name
    assert all_of(file, tmp_path / "one.zip", tmp_path / "stored") == expected  # each hand once


def test_a_folder_of_several_formats(file: Path, tmp_path: Path) -> None:
    below = tmp_path / "more"
    below.mkdir()
    (below / "match.log").write_text(LOG, encoding="utf-8")
    (below / "notes").write_text("remember the milk", encoding="utf-8")
    (below / ".hidden").write_text("nothing", encoding="utf-8")
    write_hands(read_hands(file), below / "kept.parquet")
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == len(READABLE) + 1
    assert reading.account.duplicates == {"read before": len(READABLE)}
    (unread,) = reading.account.unread
    assert unread.where.endswith("notes")
    assert "acpc" in unread.reason


def test_what_is_no_history_is_refused_with_the_formats_that_are_known(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("remember the milk", encoding="utf-8")
    with pytest.raises(NotationError, match=r"notes.txt: expected hands as .*pokerstars.*got b'remember"):
        all_of(notes)
    with pytest.raises(NotationError, match="no such file or folder"):
        read_hands(tmp_path / "no such file")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotationError, match="contains no files"):
        all_of(tmp_path / "empty")
    with pytest.raises(NotationError, match=r"unknown format of hands 'stars'"):
        read_hands(notes, format="stars")


def test_a_damaged_archive_is_named_and_read_up_to_the_damage(file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "cut.gz"
    packed.write_bytes(gzip.compress(file.read_bytes())[:-40])
    reading = read_hands(packed)
    assert 0 < sum(map(len, reading)) <= len(READABLE)
    assert [one.where for one in reading.account.unread if "to its end" in one.reason] == [str(packed)]
    packed.write_bytes(gzip.compress(file.read_bytes())[:40])
    with pytest.raises(NotationError, match=r"cut.gz"):
        all_of(packed)


def test_a_format_can_be_given(file: Path) -> None:
    assert len(all_of(file, format="pokerstars")) == len(READABLE)
    with pytest.raises(NotationError, match=r"hands.txt: the game of this log is unknown"):
        all_of(file, format="acpc")


def test_every_reading_begins_a_new_account(file: Path) -> None:
    reading = read_hands(file)
    for _ in range(2):
        assert sum(map(len, reading)) == reading.account.hands == len(READABLE)


def test_whoever_listens_is_told_everything(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("PokerStars Hand #1: Omaha\n\n" * 1200, encoding="utf-8")
    told: list[object] = []
    reading = read_hands(bad, listen=told.append)
    assert list(reading) == []
    assert (len(told), reading.account.skipped, len(reading.account.unread)) == (1200, 1200, 1000)


def test_blocks_are_joined_to_a_size(file: Path) -> None:
    blocks: list[Hands] = list(read_hands(file))
    single = [blocks[0][k : k + 1] for k in range(len(blocks[0]))]
    sizes = [len(block) for block in chunked(single, 5)]
    assert sizes == [5, 5, 2]
    joined = [hand for block in chunked(single, 5) for hand in block]
    assert joined == list(blocks[0])
