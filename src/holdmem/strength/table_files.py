"""Table files: a human-readable header, then the columns.

    holdmem table 1
    {"columns": ["hs1", ...], "digest": "...", "name": "flop", ...}

The two lines are padded with spaces to `HEADER` bytes; the columns follow one after another. Numbers from 0
to 1 are stored as integer multiples of 1/65535 ("u2") or as doubles ("f8"). Packed columns have the high
bytes and the low bytes of a column separated, then compressed with zlib.
"""

import json
import os
import zlib
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import TableError

FIRST_LINE = b"holdmem table 1\n"
HEADER = 1024
STEP = 1 / 65535
"""Resolution of numbers stored in 16 bits; the rounding error is at most half of it."""

TableColumns = NDArray[np.uint16] | NDArray[np.float64]


@dataclass(frozen=True)
class TableHeader:
    """Contents of the second line of a file."""

    name: str
    version: int
    columns: tuple[str, ...]
    rows: int
    dtype: str
    packed: bool
    length: int
    digest: str

    @classmethod
    def parse(cls, text: bytes) -> "TableHeader":
        """Parse this line, or raise ValueError, TypeError or KeyError."""
        fields = json.loads(text)
        fields["columns"] = tuple(fields["columns"])
        return cls(**fields)

    def line(self) -> bytes:
        """Return the line, padded to the start of the columns."""
        text = json.dumps(asdict(self), sort_keys=True).encode()
        return text.ljust(HEADER - len(FIRST_LINE) - 1) + b"\n"


def write_table(path: Path, name: str, version: int, columns: dict[str, TableColumns], packed: bool) -> None:
    """Write a table atomically: to a temporary file next to `path`, then renamed."""
    values: NDArray[Any] = np.stack(list(columns.values()))
    body = _pack(values) if packed else values.tobytes()
    header = TableHeader(
        name=name,
        version=version,
        columns=tuple(columns),
        rows=values.shape[1],
        dtype=values.dtype.str[1:],
        packed=packed,
        length=len(body),
        digest=sha256(body).hexdigest(),
    )
    write_atomically(path, FIRST_LINE + header.line() + body)


def read_header(path: Path) -> TableHeader:
    """Read the header of a table file; TableError describes what is wrong with any other file."""
    with path.open("rb") as file:
        head = file.read(HEADER)
        size = file.seek(0, os.SEEK_END)
    if not head.startswith(FIRST_LINE):
        raise TableError(f"{path}: expected a table that begins with {FIRST_LINE!r}, got {head[:16]!r}")
    try:
        header = TableHeader.parse(head[len(FIRST_LINE) :])
    except (ValueError, TypeError, KeyError) as error:
        raise TableError(f"{path}:2: expected a header in JSON, got {head[16:76]!r}") from error
    if size != HEADER + header.length:
        raise TableError(f"{path}: expected {HEADER + header.length:,} bytes, got {size:,}")
    return header


def read_table(path: Path, expected: dict[str, Any]) -> dict[str, TableColumns]:
    """Read the columns of a table file; check the `expected` header fields and the digest.

    Columns that are not packed are memory-mapped.
    """
    header = read_header(path)
    for field, value in expected.items():
        if getattr(header, field) != value:
            raise TableError(f"{path}: expected {field} {value!r}, got {getattr(header, field)!r}")
    body = np.memmap(path, np.uint8, "r", HEADER)
    found = sha256(body.data).hexdigest()
    if found != header.digest:
        raise TableError(f"{path}: damaged: expected digest {header.digest}, got {found}")
    shape = len(header.columns), header.rows
    values = _unpack(body, shape) if header.packed else body.view(header.dtype).reshape(shape)
    return dict(zip(header.columns, values, strict=True))


def _pack(values: NDArray[Any]) -> bytes:
    """Compress, with high and low bytes separated: high bytes vary slowly, low bytes are noise."""
    shape = (*values.shape, values.itemsize)
    return zlib.compress(values.view(np.uint8).reshape(shape).transpose(0, 2, 1).tobytes(), 9)


def _unpack(body: NDArray[np.uint8], shape: tuple[int, int]) -> NDArray[np.uint16]:
    planes = np.frombuffer(zlib.decompress(body.data), np.uint8).reshape(shape[0], 2, shape[1])
    return np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<u2")[:, :, 0]
