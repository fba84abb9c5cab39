"""Histories that are damaged or lie: what is wrong is named, nothing crashes, and the rest is read."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from typer.testing import CliRunner

from fuzz_readers import READERS, RUNNING, fuzz
from fuzz_seeds import RUNS
from holdmem.cli import app
from holdmem.core.errors import IllegalAction, NotationError
from holdmem.engine import CALL, FOLD, PARTS, Game, find_game
from holdmem.history import Hands, RecordedHand, StoredHands, Terms, archives, read_hands, replay, write_hands
from holdmem.history.duplicates import DuplicateIndex
from holdmem.history.formats.parquet_seal import seal
from holdmem.history.hands_builder import HandsBuilder
from holdmem.history.kernels.replay import FINE
from holdmem.history.replay import final_states, replay_results
from holdmem.history.sources import Account, playable
from pokerstars_hands import READABLE
from random_hands import recorded

LIMIT = find_game("limit")
LOG = "STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1\n"
STARS = "\n\n\n".join(sample.text for sample in READABLE.values())


def command(*words: Path | str) -> Result:
    found = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


# Stored hands

LIES: dict[str, tuple[str, Any, str]] = {
    "a card of 120": ("hole", [120, 1, 2, 3], "-1 for unknown, in hole"),
    "a card of -100": ("hole", [-100, 1, 2, 3], "-1 for unknown, in hole"),
    "a card of 60": ("hole", [60, 1, 2, 3], "-1 for unknown, in hole"),
    "one card four times": ("hole", [7, 7, 7, 7], "a card occurs twice"),
    "a board of 127": ("board", [127], "-1 for unknown, in board"),
    "a board with a gap": ("board", [-1, 5], "a board without gaps"),
    "a board of six": ("board", [1, 2, 3, 4, 5, 6], "at most five board cards, got 6"),
    "a stack of -5": ("stacks", [-5, 100], "chips at every seat, got [-5, 100]"),
    "a stack of 2^40": ("stacks", [2**40, 100], "chips at every seat"),
    "one stack": ("stacks", [100], "lists with 1 stacks per player, got 1"),
    "illegal betting": ("betting", [-1, -1, -1, -1, 0, 0, 5, 7], "the hand is over after"),
    "5,000 calls": ("betting", [0] * 5000, "the hand is over after"),
    "a raise of -7": ("betting", [-7], "action 1: seat"),
    "a null card": (
        "hole",
        [None, 1, 2, 3],
        "missing value: an entry of hole",
    ),
    "no players": ("players", None, "missing value: players"),
    "eleven players": ("players", [str(k) for k in range(11)], "2 to 10 players, got 11"),
    "a rake of 2^62": ("rake", 2**62, "expected a rake that the table can pay"),
    "a time of 2^62": ("time", 2**62, "up to the year 9999"),
    "no game": ("game", "{}", "expected a game"),
    "a game of lists": ("game", "[" * 100_000, "expected a game"),
    "a chip of nothing": ("chip", "1/0", "expected the value of a chip"),
    "a chip of a million digits": ("chip", "1e9999999", "expected the value of a chip"),
    "three seats": (
        "game",
        '{"name":"x","blinds":[1,2,0]}',
        "the number of players differs from the game's seats",
    ),
}


def lying(path: Path, row: int, column: str, value: Any) -> None:
    frame = pl.read_parquet(path)
    values = frame[column].to_list()
    values[row] = value
    frame.with_columns(pl.Series(column, values, dtype=frame.schema[column])).write_parquet(path)
    seal(path)


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_row_is_named_and_its_neighbours_are_read(lie: str, tmp_path: Path) -> None:
    path = tmp_path / "h.parquet"
    write_hands([recorded(LIMIT, 1)], path)
    whole = [hand for block in StoredHands(path) for hand in block]
    column, value, reason = LIES[lie]
    lying(path, 2, column, value)
    reading = read_hands(path)
    assert [hand for block in reading for hand in block] == whole[:2] + whole[3:]
    (unread,) = reading.account.unread
    assert unread.where == f"{path}, row 3"
    assert reason in unread.reason
    with pytest.raises((NotationError, IllegalAction)):
        [decisions for block in StoredHands(path) for decisions in replay(block)]


@pytest.mark.parametrize("factor", [1000, 2**40])
def test_a_stored_result_that_the_engine_contradicts_is_not_used(factor: int, tmp_path: Path) -> None:
    path = tmp_path / "h.parquet"
    write_hands([recorded(LIMIT, 1)], path)
    whole = [hand for block in read_hands(path) for hand in block]
    lying(path, 2, "net", [factor * part for part in whole[2].net or ()])
    reading = read_hands(path)
    assert [hand for block in reading for hand in block] == whole
    assert [one.where for one in reading.account.differing] == [f"{path}, row 3"]


def test_a_folder_with_a_block_missing_or_damaged_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "h"
    write_hands([recorded(LIMIT, seed) for seed in range(3)], folder)
    (folder / "block-00001.parquet").write_bytes(b"PAR1 and nothing")
    reading = read_hands(folder)
    assert sum(map(len, reading)) == 12
    assert reading.account.broken == 1
    (folder / "block-00001.parquet").unlink()
    reading = read_hands(folder)
    assert sum(map(len, reading)) == 12
    assert "hands.json promises 18 hands, but 12 were found" in reading.account.unread[0].reason
    assert command("stats", folder).exit_code == 1


def test_stored_hands_of_an_older_version_have_no_site(tmp_path: Path) -> None:
    path = tmp_path / "h.parquet"
    write_hands([recorded(LIMIT, 1)], path)
    pl.read_parquet(path).drop("site").write_parquet(path)
    assert {hand.site for block in read_hands(path) for hand in block} == {""}


# Hands that somebody built

ROWS: dict[str, tuple[str, Any]] = {
    "a place of no game": ("terms", 7),
    "a place of no player": ("player", 9),
    "nobody on a seat": ("player", -1),
    "actions that are not there": ("start", 10_000),
    "actions before the first": ("start", -3),
    "fewer actions than none": ("actions", -2),
    "more actions than there are": ("actions", 2**31 - 1),
    "cards beyond the deck": ("hole", 60),
    "cards below unknown": ("hole", -100),
    "a board of no cards": ("board", 127),
    "chips without end": ("stack", 2**62),
}


@pytest.mark.parametrize("lie", ROWS)
def test_no_row_reaches_a_kernel_unchecked(lie: str) -> None:
    block = recorded(find_game("nolimit", 3), 4)
    rows = block.rows.copy()
    column, value = ROWS[lie]
    rows[column][1] = value
    wrong = replace(block, rows=rows)
    found = replay_results(wrong)
    assert (found.problems != FINE).tolist() == [False, True, False, False, False, False]
    for use in (replay, final_states):
        with pytest.raises(IllegalAction, match="expected"):
            list(use(wrong))


def test_more_actions_than_any_hand_has_are_refused() -> None:
    block = recorded(LIMIT, 4, 1)
    rows = block.rows.copy()
    rows["actions"] = 3000
    wrong = replace(block, rows=rows, betting=np.zeros(3000, dtype=np.int32))
    assert replay_results(wrong).problems.tolist() != [FINE]


# The law of nets


def walk(net: tuple[int, ...], hole: tuple[int, int] = (-1, -1), rake: int = 0) -> Hands:
    """Three players, blinds 1/2: one raises to 20 and two fold."""
    game = Game("three", blinds=(1, 2, 0), stacks=(100, 100, 100))
    parts = [PARTS * chips for chips in net]
    builder = HandsBuilder()
    cards = [hole, (-1, -1), (-1, -1)]
    builder.add(
        RecordedHand(Terms(game), "abc", (100, 100, 100), cards, (), (20, FOLD, FOLD), parts, rake=rake)
    )
    return builder.take()


def showdown(net: tuple[int, int], rake: int = 0) -> Hands:
    """Heads-up, nobody's cards known: both pay two chips and check to the end."""
    game = Game("two", blinds=(2, 1), stacks=(100, 100))
    builder = HandsBuilder()
    cards, board = [(-1, -1), (-1, -1)], (1, 2, 3, 4, 5)
    parts = [PARTS * chips for chips in net]
    builder.add(RecordedHand(Terms(game), "ab", (100, 100), cards, board, (CALL,) * 8, parts, rake=rake))
    return builder.take()


def results(hands: Hands) -> tuple[list[int] | None, Account]:
    account = Account()
    (hand,) = playable(hands, account)
    (decisions,) = replay(hands)
    assert (hand.net is not None) == bool(decisions.settled.all())
    return None if hand.net is None else [part // PARTS for part in hand.net], account


def test_where_the_engine_settles_a_hand_its_result_stands() -> None:
    net, account = results(walk((-1, -2, 21)))
    assert net == [-1, -2, 3]
    assert len(account.differing) == 1
    assert results(walk((-1, -2, 3)))[1].differing == []


def test_rake_is_what_the_winner_did_not_get() -> None:
    assert results(walk((-1, -2, 2), rake=1))[0] == [-1, -2, 2]
    assert results(walk((-2, -2, 3), rake=1))[0] == [-1, -2, 3]  # losers pay no rake
    assert results(walk((-1, -2, -20), rake=23))[0] == [-1, -2, 3]  # nor does it take the pot
    assert results(showdown((-2, 1), rake=1))[0] == [-2, 1]


@pytest.mark.parametrize("net", [(2, 2), (-3, 2), (-2, 3), (-2, -2), (2**40, -2)])
def test_an_impossible_result_is_none_where_the_engine_has_none(net: tuple[int, int]) -> None:
    found, account = results(showdown(net))
    assert found is None
    assert account.unscored.total() == 1
    assert account.as_json()["unscored"] == dict(account.unscored)


def test_a_possible_result_is_kept_where_the_engine_has_none() -> None:
    found, account = results(showdown((2, -2)))
    assert found == [2, -2]
    assert not account.unscored


# Numbers that no row can hold


@pytest.mark.parametrize(
    "change",
    [
        {"number": 2**63},
        {"stacks": (2**63, 100)},
        {"betting": (2**31,)},
        {"net": (2**63, 0)},
        {"board": (200,)},
        {"names": ("a",)},
        {"time": -(2**64)},
    ],
)
def test_a_builder_refuses_what_no_row_can_hold(change: dict[str, Any]) -> None:
    hand = recorded(LIMIT, 1)[0]
    builder = HandsBuilder()
    with pytest.raises(NotationError, match=r"expected|too large"):
        builder.add(hand._replace(**change))
    builder.add(hand)
    assert list(builder.take()) == [hand]


# Archives and folders


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, data: bytes) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("a.log")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return path


def encrypted(folder: Path) -> Path:
    data = bytearray(zipped(folder / "x.zip", a=LOG.encode()).read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + place] |= 1
    (folder / "x.zip").write_bytes(data)
    return folder / "x.zip"


def unknown_method(folder: Path) -> Path:
    data = bytearray(zipped(folder / "x.zip", a=LOG.encode()).read_bytes())
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        data[data.index(mark) + place] = 97
    (folder / "x.zip").write_bytes(data)
    return folder / "x.zip"


def wrong_sum(folder: Path) -> Path:
    data = bytearray(zipped(folder / "x.zip", a=LOG.encode()).read_bytes())
    data[data.index(b"PK\1\2") + 16] ^= 255
    (folder / "x.zip").write_bytes(data)
    return folder / "x.zip"


def cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-30])
    return path


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


BROKEN: dict[str, Callable[[Path], Path]] = {
    "encrypted": encrypted,
    "unknown method": unknown_method,
    "wrong sum": wrong_sum,
    "a cut zip": lambda folder: written(folder / "x.zip", b"PK\3\4 and nothing"),
    "a cut tgz": lambda folder: cut(tarred(folder / "x.tgz", 50_000 * b"no repetition")),
    "a cut gz": lambda folder: cut(written(folder / "x.gz", gzip.compress(LOG.encode()))),
    "no gz": lambda folder: written(folder / "x.gz", b"nothing of the kind"),
    "nothing but zeros": lambda folder: written(folder / "x.tar", bytes(10_240)),
    "a link to nothing": lambda folder: _linked(folder / "x", folder / "none"),
}


def _linked(path: Path, to: Path) -> Path:
    path.symlink_to(to)
    return path


@pytest.mark.parametrize("kind", BROKEN)
def test_one_broken_file_does_not_stop_a_folder(kind: str, tmp_path: Path) -> None:
    path = BROKEN[kind](tmp_path)
    for name in ("a.log", "z.log"):
        (tmp_path / name).write_text(LOG, encoding="utf-8")
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == 2
    named = [one for one in reading.account.unread if str(path) in one.where]
    assert named
    assert all("\n" not in str(one) for one in named)
    found = command("hands", tmp_path, "--count")
    assert (found.stdout, found.exit_code) == ("2\n", 0 if kind == "a cut zip" else 1)
    assert str(path) in found.stderr


@pytest.mark.parametrize("kind", sorted(set(BROKEN) - {"a link to nothing"}))
def test_a_broken_file_alone_is_an_error(kind: str, tmp_path: Path) -> None:
    path = BROKEN[kind](tmp_path)
    with pytest.raises(NotationError, match=path.name):
        list(read_hands(path))


def test_hands_before_the_cut_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    chat = "".join(f"Ann said, {number}\n" for number in rng.integers(10**12, size=4000))
    packed = gzip.compress((STARS + "\n\n\nPokerStars Hand #5:\n" + chat).encode())
    path = written(tmp_path / "cut.gz", packed[:-4000])
    reading = read_hands(path)
    assert sum(map(len, reading)) == len(READABLE)
    assert reading.account.broken == 1


def test_files_in_archives_have_a_limit_that_can_be_raised(tmp_path: Path) -> None:
    bomb = zipped(tmp_path / "bomb.zip", a=LOG.encode(), b=LOG.encode() + bytes(3 << 20))
    with pytest.raises(NotationError, match=r"unpacks to more than 1,048,576 bytes.*--max-size"):
        list(read_hands(tarred(tmp_path / "bomb.tgz", LOG.encode() + bytes(3 << 20)), max_size=1 << 20))
    found = command("hands", bomb, "--count", "--max-size", 1)
    assert (found.stdout, found.exit_code) == ("1\n", 1)
    assert "allow more with --max-size" in found.stderr
    assert command("hands", bomb, "--count", "--max-size", "4").stdout == "2\n"


def test_a_lying_size_does_not_help(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "x.zip", a=bytes(3 << 20)).read_bytes())
    for mark, place in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        at = data.index(mark) + place
        data[at : at + 4] = (100).to_bytes(4, "little")
    with pytest.raises(NotationError, match=r"x\.zip"):
        list(read_hands(written(tmp_path / "x.zip", bytes(data)), max_size=1 << 20))


def test_a_stream_has_the_limit_of_its_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO", 1)
    lines = gzip.compress(LOG.encode() * 40_000)
    with pytest.raises(NotationError, match="unpacks to more than"):
        list(read_hands(written(tmp_path / "x.gz", lines), max_size=1 << 16, format="phh"))
    assert sum(map(len, read_hands(tmp_path / "x.gz", max_size=1 << 22))) == 40_000


def test_a_log_without_line_ends_is_given_up_early(tmp_path: Path) -> None:
    path = written(tmp_path / "x.gz", gzip.compress(LOG.encode() + b"STATE:1:" + bytes(40 << 20)))
    reading = read_hands(path)
    assert sum(map(len, reading)) == 1
    assert "line 2: expected a hand, got a line of over 1,048,576 bytes" in reading.account.unread[0].reason


def test_linked_folders_are_followed_once(tmp_path: Path) -> None:
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    (elsewhere / "deep").mkdir(parents=True)
    (here / "real").mkdir(parents=True)
    for path in (elsewhere / "a.log", elsewhere / "deep" / "b.log", here / "real" / "c.log"):
        path.write_text(LOG, encoding="utf-8")
    (here / "link").symlink_to(elsewhere)
    (elsewhere / "loop").symlink_to(here)
    (here / "again").symlink_to(here / "real")
    reading = read_hands(here)
    names = [Path(source).relative_to(here) for block in reading for source in block.sources]
    assert sorted(map(str, names)) == ["link/a.log", "link/deep/b.log", "real/c.log"]


def test_names_of_files_that_are_no_text_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / "na\udcffme.log"
    try:
        path.write_text(LOG + "STATE:x\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    assert command("hands", tmp_path, "--count", "--game", "limit").stdout == "1\n"
    assert write_hands(read_hands(tmp_path, game=LIMIT), tmp_path / "stored") == 1


# Hands that were read before


def test_a_hand_of_a_site_is_read_once_whatever_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(STARS, encoding="utf-8")
    (tmp_path / "b.txt").write_text(STARS, encoding="utf-8")
    zipped(tmp_path / "c.zip", a=STARS.encode())
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == reading.account.hands == len(READABLE)
    assert reading.account.duplicates == {"read before": 2 * len(READABLE)}
    told = json.loads(command("stats", tmp_path, "--json").stdout)
    assert told["account"]["duplicates"] == {"read before": 2 * len(READABLE)}


def test_another_hand_of_the_same_number_is_counted_as_such(tmp_path: Path) -> None:
    other = STARS.replace("$25 in chips", "$24 in chips")
    (tmp_path / "a.txt").write_text(STARS + "\n\n\n" + other, encoding="utf-8")
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == len(READABLE)
    assert reading.account.duplicates["read before with different betting, cards or chips"] == 1


def test_numbers_that_say_nothing_are_not_compared(tmp_path: Path) -> None:
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(LOG, encoding="utf-8")
    write_hands([recorded(LIMIT, 1)], tmp_path / "one")
    write_hands([recorded(LIMIT, 1)], tmp_path / "two")
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == 2 + 2 * 6
    assert not reading.account.duplicates


def test_many_hands_are_remembered() -> None:
    hands, account, seen = numbered(range(20_000_000, 20_030_000)), Account(), DuplicateIndex()
    assert len(playable(hands, account, seen)) == 30_000
    assert len(playable(hands, account, seen)) == 0
    assert account.duplicates == {"read before": 30_000}
    assert account.hands == 30_000


def numbered(numbers: range) -> Hands:
    block = recorded(LIMIT, 1, 1)[np.zeros(len(numbers), dtype=np.int64)]
    rows = block.rows.copy()
    rows["number"], rows["site"] = numbers, 1
    return replace(block, rows=rows, sites=("", "PokerStars"))


# What the commands say


def test_a_refused_hand_is_shown_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "PokerStars Hand #701234567:  Omaha Pot Limit ($1/$2) - 2012/01/01 1:01:01 ET\n\n", encoding="utf-8"
    )
    with pytest.raises(NotationError, match=r"a.txt:1: expected Hold'em.*hand 701234567, which was left out"):
        command("hands", path, "--number", "701234567")
    with pytest.raises(NotationError, match=r"got 1; 1 hand left out, .*a.txt:1: expected Hold'em"):
        command("hands", path, "--show", "1")


def test_what_was_not_used_is_in_text_and_json(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(LOG + LOG.replace("-50|50", "50|50"), encoding="utf-8")
    found = command("stats", path, "--json", "--game", "limit")
    assert json.loads(found.stdout)["account"]["differing"] == 1
    assert "1 differ and were replaced" in found.stderr
    found = command("convert", path, "-o", tmp_path / "b.log", "--json", "--game", "limit")
    assert json.loads(found.stdout)["account"]["hands"] == 2
    assert (tmp_path / "b.log").read_text(encoding="utf-8").count(":-50|50:") == 2
    found = command("learn", path, "--player", "p1", "--game", "limit", "-o", tmp_path / "cases", "--json")
    assert json.loads(found.stdout)["account"]["differing"] == 1


# Fuzz


def test_damage_of_any_kind_keeps_the_law() -> None:
    """A few cases of each reader; `python tests/fuzz_readers.py` runs as many as there is time for."""
    counts, faults = fuzz(seed=7, seconds=600, cases=3)
    assert faults == []
    assert {reader: found.total() for reader, found in counts.items()} == dict.fromkeys(READERS, 3)


def test_a_long_line_keeps_no_reader_busy() -> None:
    """Most of these took minutes when patterns were matched against whole lines."""
    counts, faults = fuzz(seed=7, seconds=600, cases=len(RUNS), readers=(RUNNING,))
    assert faults == []
    assert counts[RUNNING].total() == len(RUNS)


def test_a_month_without_its_players_is_named(tmp_path: Path) -> None:
    place = tmp_path / "199501"
    (place / "pdb").mkdir(parents=True)
    (place / "hdb").write_text("900000001 1 1 2 2/40 2/100 2/140 2/180 3h Ac 4s 7d 9d\n", encoding="utf-8")
    (tmp_path / "a.log").write_text(LOG, encoding="utf-8")
    reading = read_hands(tmp_path)
    assert sum(map(len, reading)) == 1
    assert reading.account.broken == 1
