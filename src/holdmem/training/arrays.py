"""Arrays in a file, for checkpoints: numpy's zip of arrays, with a line of JSON that says what they are.

Nothing in such a file is ever run: arrays of Python objects are refused. What is damaged or cut short is
found by the checksums of the zip.
"""

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from holdmem.whole import whole_file

Arrays = dict[str, NDArray[Any]]
ABOUT = "task"
"""The name of the line of JSON, which tells what task the arrays belong to."""

UNREADABLE = (OSError, EOFError, BadZipFile, zlib.error, LookupError, TypeError, ValueError, AttributeError)
"""What numpy raises at a file that is damaged, cut short or of another kind."""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write arrays and what is to be said of them."""
    said = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with whole_file(path) as beside, beside.open("wb") as file:
        np.savez(file, allow_pickle=False, **{ABOUT: said, **arrays})


def read_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of a file and what is said of them; FileNotFoundError, or ValueError for any other file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = dict(kept)
        about = json.loads(arrays.pop(ABOUT).tobytes())
        if not isinstance(about, dict):
            raise ValueError(f"{about!r:.60} for what it is about")
    except FileNotFoundError:
        raise
    except UNREADABLE as error:
        raise ValueError(f"{error or 'nothing'}: it is damaged, cut short or of another kind") from None
    return arrays, about


def like(expected: NDArray[Any], found: NDArray[Any] | None, what: str) -> NDArray[Any]:
    """The array, if it is of the expected type and shape and its numbers are finite; else ValueError."""
    if found is None:
        raise ValueError(f"no {what}")
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        raise ValueError(f"{what} of {found.dtype} and shape {found.shape}")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise ValueError(f"{what} that are not finite")
    return found
