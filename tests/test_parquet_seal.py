"""Damaged Parquet files are refused before polars, which may abort the process on them, reads them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from fuzz_seeds import block, stored, unsealed
from holdmem.core.errors import NotationError
from holdmem.history import StoredHands, join, write_hands
from holdmem.history.formats import parquet_seal
from holdmem.history.formats.parquet_seal import SEAL, expect_sound, seal


def test_other_tools_read_a_sealed_file_as_usual(tmp_path: Path) -> None:
    sealed = pl.read_parquet(stored(tmp_path))
    assert len(sealed) == len(block())
    assert sealed.equals(pl.read_parquet(unsealed(tmp_path / "a.parquet")))


@pytest.mark.parametrize("name", ["folder", "file.parquet"])
def test_every_written_file_is_sealed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_seal, "_try_elsewhere", lambda *_: pytest.fail("a file without a digest"))
    write_hands([block(), block()], tmp_path / name)
    assert len(StoredHands(tmp_path / name)) == 2 * len(block())


def test_a_change_of_any_byte_is_noticed(tmp_path: Path) -> None:
    path = stored(tmp_path)
    whole = path.read_bytes()
    for at in np.random.default_rng(1).integers(len(whole), size=300):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        if _in_seal(whole, at):
            continue  # then it is a file without a digest
        with pytest.raises(NotationError, match=r"damaged|cannot be read as stored hands"):
            expect_sound(path, 100)


def _in_seal(whole: bytes, at: int) -> bool:
    begin = whole.rindex(parquet_seal.MARK)
    return begin <= at < begin + SEAL


def test_a_change_of_the_seal_alone_loses_nothing_or_is_noticed(tmp_path: Path) -> None:
    path = stored(tmp_path)
    whole = path.read_bytes()
    begin = whole.rindex(parquet_seal.MARK)
    path.write_bytes(whole[:begin] + b"H" + whole[begin + 1 :])
    assert list(join(list(StoredHands(path)))) == list(block())
    path.write_bytes(whole[: begin + SEAL - 1] + b"?" + whole[begin + SEAL :])
    with pytest.raises(NotationError, match="does not match its digest"):
        list(StoredHands(path))


def test_a_file_that_kills_its_reader_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = unsealed(stored(tmp_path))
    assert list(join(list(StoredHands(path)))) == list(block())
    monkeypatch.setattr(parquet_seal, "_READER", "import os; os.abort()")
    with pytest.raises(NotationError, match=r"a\.parquet: damaged: a process that tried to read it ended"):
        list(StoredHands(path))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1PAR1", b"x" * 100, b"PAR1" + b"\xff" * 4 + b"PAR1"])
def test_what_is_no_parquet_is_neither_sealed_nor_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    for what in (seal, lambda file: expect_sound(file, 100)):
        with pytest.raises(NotationError, match="not a complete file"):
            what(path)
    with pytest.raises(NotationError, match="No such file"):
        expect_sound(tmp_path / "none.parquet", 100)
