"""Reject damaged Parquet files before polars sees them: polars aborts the whole process on some of them.

A damaged length in a page of a Parquet file can ask for more memory than there is. polars then aborts, which
Python cannot catch. Files written here therefore hold a digest of everything else in them. It lies between
the last column and the footer, where Parquet allows any bytes, so that other tools read these files as
usual. A file without a digest, written by another tool or an older version, is first read by a process of
its own.
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from holdmem.core.errors import NotationError

MARK = b"holdmem digest 1"
SEAL = len(MARK) + 32
"""Length of the seal in bytes: the mark, then the SHA-256 of the rest of the file."""
TAIL = 8
"""Bytes at the end of a Parquet file: the length of the footer, then `PAR1`."""
PIECE = 1 << 20

_READER = """
import sys
import polars
rows = polars.scan_parquet(sys.argv[1])
for begin in range(0, rows.select(polars.len()).collect().item(), int(sys.argv[2])):
    rows.slice(begin, int(sys.argv[2])).collect()
"""


def seal(file: Path) -> None:
    """Insert a digest before the footer of a Parquet file."""
    with file.open("r+b") as stream:
        size = stream.seek(0, 2)
        begin = _footer(file, size)
        stream.seek(begin)
        footer = stream.read()
        digest = _digest(file, begin, begin)
        stream.seek(begin)
        stream.write(MARK + digest + footer)


def expect_sound(file: Path, block: int) -> None:
    """Raise NotationError if the file does not match its digest or, having none, cannot be read.

    `block` is the number of rows that are read at a time.
    """
    try:
        begin = _footer(file, file.stat().st_size)
        stored = _seal_before(file, begin)
        matches = stored is None or stored == _digest(file, begin - SEAL, begin)
    except OSError as error:
        raise NotationError(f"{file}: cannot be read as stored hands in Parquet: {error.strerror}") from None
    if not matches:
        raise NotationError(f"{file}: damaged: its content does not match its digest")
    if stored is None:
        _try_elsewhere(file, block)


def _footer(file: Path, size: int) -> int:
    """Return where the footer begins; NotationError if this is no Parquet file."""
    with file.open("rb") as stream:
        stream.seek(max(0, size - TAIL))
        tail = stream.read()
    begin = size - TAIL - int.from_bytes(tail[:4], "little")
    if len(tail) < TAIL or tail[4:] != b"PAR1" or begin < 4:
        raise NotationError(f"{file}: cannot be read as stored hands in Parquet: not a complete file")
    return begin


def _seal_before(file: Path, begin: int) -> bytes | None:
    """Return the digest stored before the footer, or None if there is none."""
    if begin < SEAL:
        return None
    with file.open("rb") as stream:
        stream.seek(begin - SEAL)
        found = stream.read(SEAL)
    return found[len(MARK) :] if found.startswith(MARK) else None


def _digest(file: Path, end: int, resume: int) -> bytes:
    """Return the digest of the file without the bytes from `end` to `resume`."""
    digest = sha256()
    with file.open("rb") as stream:
        while left := end - stream.tell():
            digest.update(stream.read(min(PIECE, left)) or _changed(file))
        stream.seek(resume)
        while piece := stream.read(PIECE):
            digest.update(piece)
    return digest.digest()


def _changed(file: Path) -> bytes:
    raise NotationError(f"{file}: changed while it was being read")


def _try_elsewhere(file: Path, block: int) -> None:
    """Read the file in another process; NotationError if that process does not survive it.

    An ordinary error of polars is left to the actual reading, which reports it.
    """
    words = [sys.executable, "-c", _READER, str(file), str(block)]
    code = subprocess.run(words, check=False, capture_output=True).returncode
    if code not in (0, 1):
        raise NotationError(f"{file}: damaged: a process that tried to read it ended with code {code}")
