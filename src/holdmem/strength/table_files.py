"""Table files: columns of numbers one after another, in a `HeaderedFile` whose body begins at byte `HEADER`.

Numbers from 0 to 1 are stored as integer multiples of 1/65535 ("u2") or as doubles ("f8"). Packed columns
have the high bytes and the low bytes of a column separated, then compressed with zlib.
"""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.core.errors import TableError
from holdmem.core.headers import HeaderedFile, unzip

HEADER = 1024
FORMAT = HeaderedFile("table", 1, TableError, width=HEADER)
STEP = 1 / 65535
"""Resolution of numbers stored in 16 bits; the rounding error is at most half of it."""

TableColumns = NDArray[np.uint16] | NDArray[np.float64]


def write_table(path: Path, name: str, version: int, columns: dict[str, TableColumns], packed: bool) -> None:
    """Write a table atomically: to a temporary file next to `path`, then renamed."""
    values: NDArray[Any] = np.stack(list(columns.values()))
    body = _pack(values) if packed else values.tobytes()
    header = {
        "name": name,
        "version": version,
        "columns": list(columns),
        "rows": values.shape[1],
        "dtype": values.dtype.str[1:],
        "packed": packed,
        "length": len(body),
    }
    FORMAT.write(path, header, body)


def read_table(path: Path, expected: dict[str, Any]) -> dict[str, TableColumns]:
    """Read the columns of a table file; check the `expected` header fields and the digest.

    Columns that are not packed are memory-mapped.
    """

    def build(header: dict[str, Any], body: memoryview) -> dict[str, TableColumns]:
        for field, value in expected.items():
            found = tuple(header[field]) if field == "columns" else header[field]
            if found != value:
                raise ValueError(f"expected {field} {value!r}, got {found!r:.80}")
        shape = len(header["columns"]), header["rows"]
        plain = np.frombuffer(body, np.uint8)
        values = _unpack(body, shape) if header["packed"] else plain.view(header["dtype"]).reshape(shape)
        if values.dtype.kind == "f" and not ((values >= 0) & (values <= 1)).all():
            raise ValueError("expected numbers from 0 to 1")
        return dict(zip(header["columns"], values, strict=True))

    return FORMAT.load(path, build, mapped=True)


def _pack(values: NDArray[Any]) -> bytes:
    """Compress, with high and low bytes separated: high bytes vary slowly, low bytes are noise."""
    shape = (*values.shape, values.itemsize)
    return zlib.compress(values.view(np.uint8).reshape(shape).transpose(0, 2, 1).tobytes(), 9)


def _unpack(body: memoryview, shape: tuple[int, int]) -> NDArray[np.uint16]:
    planes = np.frombuffer(unzip(body, 2 * shape[0] * shape[1]), np.uint8).reshape(shape[0], 2, shape[1])
    return np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<u2")[:, :, 0]
