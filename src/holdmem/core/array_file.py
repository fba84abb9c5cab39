"""Checkpoint files: numpy archives of arrays, with one line of JSON that describes them.

Nothing in such a file is ever executed: arrays of Python objects are rejected. The checksums of the zip
archive reveal damage and truncation.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.atomic import atomic_file

Arrays = dict[str, NDArray[Any]]
ABOUT = "task"
"""Name of the array with the line of JSON, which states the task that the arrays belong to."""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write arrays and their JSON description."""
    said = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with atomic_file(path) as beside, beside.open("wb") as file:
        np.savez(file, allow_pickle=False, **{ABOUT: said, **arrays})


def read_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Read arrays and their description; FileNotFoundError, or ValueError for any other file."""
    arrays = read_npz(path)
    try:
        about = json.loads(arrays.pop(ABOUT).tobytes())
    except (KeyError, ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise ValueError("a file of another kind, without a description")
    return arrays, about


def read_npz(path: Path) -> Arrays:
    """Read a numpy archive; FileNotFoundError, or ValueError for any other file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return dict(kept)
    except FileNotFoundError:
        raise
    except Exception as error:  # numpy and zipfile have a dozen kinds of errors for damaged files
        raise ValueError(f"{error or 'nothing'}: the file is damaged, truncated or of another kind") from None


def like(expected: NDArray[Any], found: NDArray[Any] | None, what: str) -> NDArray[Any]:
    """Return `found` if it has the expected type and shape and is finite; otherwise raise ValueError."""
    if found is None:
        raise ValueError(f"no {what}")
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        raise ValueError(f"{what} of {found.dtype} and shape {found.shape}")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError(f"{what} with numbers that are not finite")
    return found
