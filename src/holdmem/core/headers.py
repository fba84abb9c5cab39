"""Headers in JSON with format and version: in a file next to the data, or at the top of the same file."""

import json
import mmap
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from holdmem.core.atomic import write_atomically
from holdmem.core.errors import HoldMemError

Built = TypeVar("Built")

MOST_BYTES, MOST_HEADER = 2**31, 2**20
"""Largest file and longest header that are read, far above those of any file we write."""

INVALID = (
    HoldMemError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
    zlib.error,
)  # fmt: skip
"""Exceptions raised while an object is built from a header or body with unexpected content."""


@dataclass(frozen=True)
class HeaderedFile:
    """A kind of file: two lines of text, then a body, whose digest is in the second line.

        holdmem strategy 1
        {"digest": "...", "iterations": 8000, "length": 1412345, ...}

    The first line has the name of the format and its version. The second is a header in JSON with sorted
    keys. `digest` is the SHA-256 of the body, or of the header without it and the body if the file is
    `sealed`. `length`, if given, is the number of bytes of the body. With `width`, the two lines are padded
    with spaces to that many bytes. Whatever is wrong with a file raises `error`.
    """

    name: str
    version: int
    error: type[HoldMemError]
    sealed: bool = False
    width: int = 0
    most: int = MOST_BYTES

    @property
    def first_line(self) -> bytes:
        """The line that identifies the format."""
        return f"holdmem {self.name} {self.version}\n".encode()

    def write(self, path: Path, header: Mapping[str, Any], body: bytes) -> None:
        """Write header and body atomically: `path` never holds part of a file."""
        line = _line({**header, "digest": self._digest(header, body)})
        write_atomically(path, (self.first_line + line).ljust(self.width - 1) + b"\n" + body)

    def _digest(self, header: Mapping[str, Any], body: bytes | memoryview) -> str:
        digest = sha256(_line(header) if self.sealed else b"")
        digest.update(body)
        return digest.hexdigest()

    def read(self, path: Path, mapped: bool = False) -> tuple[dict[str, Any], memoryview]:
        """Return the header without its digest, and the body, memory-mapped on request."""
        content = self._content(path, mapped)
        line = self._header_line(path, bytes(content[:MOST_HEADER]))
        body = content[len(self.first_line) + len(line) + 1 :]
        try:
            header = json.loads(line)
            digest, length = header.pop("digest"), header.get("length", len(body))
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
            raise self.error(f"{path}:2: expected a header in JSON, got {line[:60]!r}") from None
        if len(body) != length:
            raise self.error(f"{path}: expected {length!r:.20} bytes after the header, got {len(body)}")
        found = self._digest(header, body)
        if found != digest:
            raise self.error(f"{path}: damaged: expected digest {digest!s:.64}, got {found}")
        _release_pages(content)
        return header, body

    def load(
        self, path: Path, build: Callable[[dict[str, Any], memoryview], Built], mapped: bool = False
    ) -> Built:
        """Build an object from the file's header and body."""
        header, body = self.read(path, mapped)
        try:
            return build(header, body)
        except INVALID as problem:
            raise self.error(f"{path}: invalid {self.name}: {problem}") from None

    def _content(self, path: Path, mapped: bool) -> memoryview:
        try:
            with path.open("rb") as file:
                size = path.stat().st_size
                if size > self.most:
                    raise self.error(f"{path}: expected at most {self.most:,} bytes, got {size:,}")
                if mapped and size:
                    return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
                return memoryview(file.read())
        except OSError as problem:
            raise self.error(f"{path}: cannot read the {self.name} file: {problem.strerror}") from None

    def _header_line(self, path: Path, head: bytes) -> bytes:
        if not head.startswith(self.first_line):
            other = head.startswith(f"holdmem {self.name} ".encode())
            kind = f"a {self.name} file of another version" if other else f"not a {self.name} file"
            raise self.error(f"{path}: {kind}: expected the line {self.first_line!r}, got {head[:24]!r}")
        return head[len(self.first_line) :].partition(b"\n")[0]


def _release_pages(content: memoryview) -> None:
    """Unload the pages of a mapped file that its digest has loaded; they are loaded again on use."""
    if isinstance(content.obj, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        content.obj.madvise(mmap.MADV_DONTNEED)


def _line(header: Mapping[str, Any]) -> bytes:
    return json.dumps(header, sort_keys=True).encode()


def unzip(body: bytes | memoryview, length: int) -> bytes:
    """Decompress a body of known length, and no further: a small file must not fill the memory."""
    raw = zlib.decompressobj().decompress(body, length + 1)
    if len(raw) != length:
        raise ValueError(f"the body has {'more' if len(raw) > length else 'fewer'} than {length:,} bytes")
    return raw


def write_header(file: Path, said: Mapping[str, Any]) -> None:
    """Write a header as indented JSON."""
    file.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_header(file: Path, what: str, form: str, version: int, error: type[HoldMemError]) -> dict[str, Any]:
    """Read the header of `what`; raise `error` unless it has this format and version."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise error(f"{file}: cannot be read as the header of {what}: {problem}") from None
    if not isinstance(said, dict) or said.get("format") != form:
        raise error(f"{file}: expected format {form!r}, got {str(said)[:80]}")
    if said.get("version") != version:
        raise error(f"{file}: expected version {version}, got {said.get('version')}")
    return said
