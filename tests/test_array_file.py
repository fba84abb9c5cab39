"""Archives of arrays: written, read, and refused in one kind of error however they are damaged."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from holdmem.cfr.device.responder import Export
from holdmem.core.array_file import read_arrays, read_npz, write_arrays
from holdmem.web.library_values import COLUMNS, WIDE, values_file, values_of_hand
from holdmem.web.sessions_hands import SessionHands, keep, kept


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.npz"
    write_arrays(path, {"numbers": np.arange(10.0)}, {"run": "one"})
    return path


def spoiled(path: Path, field: int, value: int) -> None:
    """Set a field of 16 bits in the archive's list of members; each of these begins with PK\\1\\2."""
    data = bytearray(path.read_bytes())
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + field : at + field + 2] = value.to_bytes(2, "little")
        at = data.find(b"PK\x01\x02", at + 1)
    path.write_bytes(data)


def test_arrays_and_their_description_are_read(file: Path) -> None:
    arrays, about = read_arrays(file)
    assert about == {"run": "one"}
    np.testing.assert_array_equal(arrays["numbers"], np.arange(10.0))


@pytest.mark.parametrize(
    ("field", "value"), [(10, 77), (8, 1)], ids=["an unknown method of compression", "encrypted"]
)
def test_archives_that_zipfile_has_errors_of_its_own_for(field: int, value: int, file: Path) -> None:
    spoiled(file, field, value)
    with pytest.raises(ValueError, match="damaged, truncated or of another kind"):
        read_npz(file)
    with pytest.raises(ValueError, match="expected an exported strategy"):
        Export(file)


def test_an_array_beyond_all_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.npz"
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999,), }"
    header = header.ljust(117) + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("numbers.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ValueError, match="damaged, truncated or of another kind"):
        read_npz(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY", b"noise" * 100])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="of another kind"):
        read_arrays(path)
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "missing.npz")


def test_an_archive_without_a_description_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "plain.npz", numbers=np.arange(3))
    with pytest.raises(ValueError, match="without a description"):
        read_arrays(tmp_path / "plain.npz")


def columns(rows: int = 2) -> dict[str, np.ndarray]:
    found = {name: np.zeros((rows, 3) if name in WIDE else rows, np.float32) for name in COLUMNS}
    return found | {"place": np.ones(rows, np.int32)}


@pytest.mark.parametrize("damage", ["none", "shape", "text", "missing"])
def test_values_of_decisions_that_do_not_fit_are_not_shown(damage: str, tmp_path: Path) -> None:
    found = columns()
    if damage == "shape":
        found["loss"] = np.zeros(7)
    elif damage == "text":
        found["taken"] = np.array(["a", "b"])
    elif damage == "missing":
        del found["best"]
    np.savez(values_file(tmp_path, "me"), **found)
    assert len(values_of_hand(tmp_path, "me", 1, "1")) == (2 if damage == "none" else 0)


def some_hands(game: int = 0, hands: int = 3) -> SessionHands:
    whole, number = np.zeros(hands, np.int64), np.arange(hands)
    won, nobody = np.ones(hands), np.full((hands, 10), -1)
    everything = np.full(hands, game)
    return SessionHands(number, whole, won, won, whole, whole > 0, everything, nobody, ("limit",), ("me",), 0)


def test_hands_of_sessions_are_kept_and_damaged_ones_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "sessions.npz"
    keep(path, some_hands())
    found = kept(path)
    assert found is not None
    np.testing.assert_array_equal(found.won, np.ones(3))
    keep(path, some_hands(game=5))  # a game that is not in the list
    assert kept(path) is None
    spoiled(path, 10, 77)
    assert kept(path) is None
