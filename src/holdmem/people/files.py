"""Files of people: named arrays behind a header in JSON, compressed, with a digest and checked ranges."""

import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.core.array_file import Arrays
from holdmem.core.errors import KnowledgeError
from holdmem.core.headers import HeaderedFile, unzip
from holdmem.people.kernels.situations import COUNT, VALUES
from holdmem.people.tree import SituationTree

FILE = HeaderedFile("people", 1, KnowledgeError, sealed=True)
TYPES = ("<i2", "|u1", "<i4", "<f2", "<f4")
MOST_NUMBERS = 50_000_000


def write_arrays_file(path: Path, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays with their description."""
    listed = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
    raw = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    body = zlib.compress(raw, 9)
    FILE.write(path, {**about, "arrays": listed, "bytes": len(raw), "length": len(body)}, body)


def read_arrays_file(path: Path) -> tuple[dict[str, Any], Arrays]:
    """Read a description and arrays; KnowledgeError if anything is wrong with the file."""
    return FILE.load(path, _unpacked)


def _unpacked(header: dict[str, Any], body: memoryview) -> tuple[dict[str, Any], Arrays]:
    listed, size = header.pop("arrays"), header.pop("bytes")
    if not 0 <= size <= 4 * MOST_NUMBERS:
        raise ValueError(f"expected at most {4 * MOST_NUMBERS:,} bytes of arrays, got {size:,}")
    raw, place, found = unzip(body, size), 0, {}
    for name, kind, shape in listed:
        if kind not in TYPES or any(not isinstance(side, int) or side < 0 for side in shape):
            raise ValueError(f"{name}: expected an array of {', '.join(TYPES)}, got {kind} of shape {shape}")
        length = prod(shape) * np.dtype(kind).itemsize
        found[name] = np.frombuffer(raw[place : place + length], dtype=kind).reshape(shape)
        place += length
        if found[name].dtype.kind == "f" and not (
            np.isfinite(found[name]).all() and (found[name] >= 0).all()
        ):
            raise ValueError(f"{name}: expected numbers of zero or more")
    if place != len(raw):
        raise ValueError(f"expected {place:,} bytes of arrays, got {len(raw):,}")
    return header, found


def tree_arrays(name: str, tree: SituationTree) -> Arrays:
    """Return the arrays of a tree."""
    return {f"{name}.split": tree.split, f"{name}.cut": tree.cut, f"{name}.right": tree.right}


def checked_tree(name: str, arrays: Arrays) -> SituationTree:
    """Return a tree from the arrays of a file; ValueError unless every walk down it ends at a leaf."""
    split, cut, right = (arrays[f"{name}.{part}"] for part in ("split", "cut", "right"))
    kinds = (split.dtype.str, cut.dtype.str, right.dtype.str)
    if kinds != ("<i2", "|u1", "<i4") or split.ndim != 1 or not split.shape == cut.shape == right.shape:
        raise ValueError(f"{name}: expected a tree, got {kinds} of shapes {split.shape}, {right.shape}")
    inner, place = split >= 0, np.arange(len(split))
    forward = (right > place + 1) & (right < len(split))
    if not len(split) or (split < -1).any() or (split >= COUNT).any() or (cut >= VALUES).any():
        raise ValueError(f"{name}: expected a tree over {COUNT} features, got others")
    if not forward[inner].all():
        raise ValueError(f"{name}: expected children after their parents, got {right[inner][:5].tolist()}")
    return SituationTree(split.copy(), cut.copy(), right.copy())
