"""Reading in several processes: the same blocks, account and files for any number of workers."""

import gzip
import os
import random
import shutil
import tarfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.core.parallel import WorkerDied, WorkerPool
from holdmem.engine import find_game
from holdmem.history import Hands, read_hands, units, write_hands
from holdmem.history.resume import store_resumably
from holdmem.history.sources import Source, sources
from holdmem.history.units import ReadUnit, in_units, kept
from pokerstars_hands import READABLE
from random_hands import recorded


def folder_of_everything(folder: Path) -> Path:
    """Files of several formats; some are damaged, one is there twice."""
    place = folder / "hands"
    place.mkdir()
    for number in range(4):
        write_hands(recorded(find_game("nolimit"), number), place / f"{number}.phhs")
        write_hands(recorded(find_game("limit"), number), place / f"{number}.log")
    texts = [sample.text for sample in READABLE.values()]
    (place / "4.txt").write_text("\n\n\n".join(texts[:4]), encoding="utf-8")
    (place / "5.txt").write_text("\n\n\n".join(texts[2:6]).replace("checks", "cheques", 1), encoding="utf-8")
    (place / "6.txt.gz").write_bytes(gzip.compress("\n\n\n".join(texts).encode())[:-200])
    (place / "7.phhs").write_text("[1]\nvariant = 'NT'\n[2]\n", encoding="utf-8")
    (place / "8.bin").write_bytes(b"no hands at all")
    write_hands(recorded(find_game("limit"), 9), place / "9.parquet")
    return place


def run_here(
    self: WorkerPool, function: Callable[[ReadUnit], Any], batch: Iterable[ReadUnit]
) -> Iterator[tuple[ReadUnit, Any]]:
    """What a pool does, in this process and in another order."""
    shuffled = list(batch)
    random.Random(len(shuffled)).shuffle(shuffled)
    return ((unit, function(unit)) for unit in shuffled)


def all_of(path: Path, **how: Any) -> tuple[list[list[Any]], dict[str, Any], list[str]]:
    """The hands of each block, the account, and what could not be read."""
    listed: list[str] = []
    reading = read_hands(path, listen=lambda item: listed.append(str(item)), **how)
    return [list(block) for block in reading], reading.account.as_json(), listed


@pytest.mark.parametrize("size", [1, 2000, 1 << 20])
def test_blocks_and_account_are_the_same_for_any_units(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder_of_everything(tmp_path)
    monkeypatch.setattr(units, "UNIT", size)
    monkeypatch.setattr(WorkerPool, "run", run_here)
    alone = all_of(place)
    assert alone[1]["broken_files"] == 1
    assert alone[1]["duplicates"]
    assert all_of(place, workers=3) == alone


def test_units_are_cut_by_size_and_take_their_bytes_along(tmp_path: Path) -> None:
    place = folder_of_everything(tmp_path)
    found = [[kept(source) for source in unit] for unit in in_units(sources(place))]
    shutil.rmtree(place)
    assert sum(map(len, found)) == 14
    for source in (source for unit in found for source in unit):
        if source.name.endswith(".gz"):
            with pytest.raises(NotationError, match="cannot be read to its end"):
                source.read()
            assert b"PokerStars Hand" in source.open().read()
        else:
            assert len(source.read()) == source.size


def test_a_worker_that_dies_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder_of_everything(tmp_path)
    died = WorkerDied("the worker died")
    monkeypatch.setattr(WorkerPool, "run", lambda self, function, batch: ((unit, died) for unit in batch))
    with pytest.raises(WorkerDied):
        list(read_hands(place, workers=2))


def test_a_source_is_kept_in_memory() -> None:
    assert kept(Source("a", lambda: b"abc", size=3)).read() == b"abc"


def test_an_archive_through_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    place = folder_of_everything(tmp_path)
    (place / "9.parquet").unlink()  # can be read from a disk only
    archive, pipe = tmp_path / "all.tgz", tmp_path / "pipe"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(place, "hands", filter=lambda member: None if member.name.endswith(".gz") else member)
    os.mkfifo(pipe)
    feeder = threading.Thread(target=lambda: pipe.write_bytes(archive.read_bytes()))
    feeder.start()
    found = all_of(pipe)
    feeder.join()
    assert found[:2] == all_of(archive)[:2]


# Going on after a kill


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("blocks", [1, 3, 6])
def test_a_killed_run_goes_on_where_it_was(
    blocks: int, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result has the same bytes, the account is the same, and finished units are not read again."""
    place = folder_of_everything(tmp_path)
    monkeypatch.setattr(units, "UNIT", 1)
    monkeypatch.setattr(WorkerPool, "run", run_here)
    straight = read_hands(place)
    store_resumably(straight, tmp_path / "straight")
    target = tmp_path / "killed"
    killed = read_hands(place, workers=workers)
    with pytest.raises(KeyboardInterrupt):
        store_resumably(killed, target, until_killed(killed, blocks))
    assert not target.exists()
    again = read_hands(place, workers=workers)
    assert store_resumably(again, target) == straight.account.hands
    assert again.before is not None
    assert again.before.units == (blocks if blocks < 6 else again.before.units) > 0
    assert files_in(target) == files_in(tmp_path / "straight")
    assert again.account.as_json() == straight.account.as_json()
    assert again.account.unread == straight.account.unread
    assert not (tmp_path / "killed.unfinished").exists()


def until_killed(reading: Iterable[Hands], blocks: int) -> Iterator[Hands]:
    """The first blocks, then the one that is never written."""
    for number, block in enumerate(reading):
        yield block
        if number == blocks:
            raise KeyboardInterrupt


def test_what_another_run_left_is_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder_of_everything(tmp_path)
    monkeypatch.setattr(units, "UNIT", 1)
    killed = read_hands(place)
    with pytest.raises(KeyboardInterrupt):
        store_resumably(killed, tmp_path / "hands-2", until_killed(killed, 2))
    (place / "4.txt").unlink()
    with pytest.raises(NotationError, match="left by a run on other files"):
        store_resumably(read_hands(place), tmp_path / "hands-2")


@pytest.mark.long
def test_convert_writes_the_same_bytes_with_one_worker_and_two(tmp_path: Path) -> None:
    place = folder_of_everything(tmp_path)
    written = {}
    for workers in ("1", "2"):
        target = tmp_path / f"by-{workers}"
        CliRunner().invoke(app, ["convert", str(place), "-o", str(target), "--workers", workers])
        written[workers] = {path.name: path.read_bytes() for path in sorted(target.iterdir())}
    assert written["1"]
    assert written["1"] == written["2"]
