"""Reading in several processes: the same blocks, account and files for any number of workers."""

import gzip
import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdmem.cli import app
from holdmem.core.errors import NotationError
from holdmem.core.parallel import WorkerDied, WorkerPool
from holdmem.engine import find_game
from holdmem.history import read_hands, units, write_hands
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
