"""Parse PHH files into fields: TOML with one hand per file (PHH) or one per `[1]`, `[2]`, … table (PHHS).

Python's TOML parser takes most of the time per hand. Nearly all files write values in a few ways; `quick`
parses only those, line by line, and returns None for anything else, which then goes to the TOML parser.
Numbers with a decimal point are kept as text, so that no cent is lost.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import time
from typing import Any

from holdmem.errors import NotationError

Fields = dict[str, Any]

_HEADER = re.compile(r"^\[([A-Za-z0-9_-]+)\]$", re.MULTILINE)
_BAD_BYTE = re.compile("[\udc80-\udcff]").search
_KEY = re.compile(r"[A-Za-z0-9_-]+").fullmatch
_FIELD = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_NUMBER = r"(?:inf|-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?)"
_TEXT = r"'[^'\x00-\x1f\x7f]*'"
_ONE_NUMBER = re.compile(_NUMBER).fullmatch
_ONE_TEXT = re.compile(_TEXT).fullmatch
_NUMBERS = re.compile(rf"\[{_NUMBER}(?:, {_NUMBER})*\]").fullmatch
_TEXTS = re.compile(rf"\[{_TEXT}(?:, {_TEXT})*\]").fullmatch
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])").fullmatch
_SPANNING = re.compile(r"'''|\"\"\"|^\s*\[\[|^\[[^\]]*\.", re.MULTILINE)


def hands_of(text: str) -> Iterator[tuple[int, Fields | str]]:
    """Yield the first line of each hand (-1 if unclear), and its fields or an error message."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    headers = list(_HEADER.finditer(text))
    before = text[: headers[0].start()] if headers else ""
    if _SPANNING.search(text) or before.strip():
        found = list(_whole(text))
        if not headers or not isinstance(found[0][1], str):
            yield from found
            return
        yield from _apart(1, before) if before.strip() else ()
    elif not headers:
        yield from _apart(1, text)
    line, counted = 1, 0
    ends = [header.start() for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=bool(headers)):
        line += text.count("\n", counted, header.start())
        counted = header.start()
        yield from _apart(line, text[header.end() + 1 : end])


def _apart(line: int, text: str) -> Iterator[tuple[int, Fields | str]]:
    """Yield the hand in this text; if it is damaged, the hands merged into it by a broken header."""
    fields = _fields(text)
    if not isinstance(fields, str):
        yield line, fields
        return
    for number, piece in _pieces(text):
        yield line + number, _fields(piece)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split a text into hands and yield the first line and text of each.

    A new hand begins where a field repeats, if that field is `variant` or follows a line that is not a field,
    such as a broken header.
    """
    lines = text.split("\n")
    begin, odd, keys = 0, None, set[str]()
    for number, line in enumerate(lines):
        field = _FIELD.match(line)
        if field is None:
            odd = number if line.strip() else odd
            continue
        if field[1] in keys and (odd is not None or field[1] == "variant"):
            yield begin, "\n".join(lines[begin : number if odd is None else odd])
            begin, keys = number, set()
        keys.add(field[1])
        odd = None
    yield begin, "\n".join(lines[begin:])


def _fields(text: str) -> Fields | str:
    """Return the fields of one hand, or an error message."""
    fields = quick(text) if text.isascii() or not _BAD_BYTE(text) else None
    if fields is not None:
        return fields
    try:
        return by_toml(text)
    except NotationError as error:
        return str(error)


def by_toml(text: str) -> Fields:
    """Parse any fields with the TOML parser."""
    damaged = _BAD_BYTE(text)
    if damaged is not None:
        raise NotationError(f"expected text in UTF-8, got the byte 0x{ord(damaged[0]) - 0xDC00:02x}")
    try:
        return tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise NotationError(f"expected TOML, got {error}") from None


def _whole(text: str) -> Iterator[tuple[int, Fields | str]]:
    """Parse a file that cannot be split into hands before TOML parsing."""
    try:
        found = by_toml(text)
    except NotationError as error:
        yield 1, str(error)
        return
    if "variant" in found:
        yield 1, found
        return
    for name, fields in found.items():
        yield -1, fields if isinstance(fields, dict) else f"expected a hand in [{name}], got {fields!r:.40}"


def quick(text: str) -> Fields | None:
    """Parse fields as `by_toml` does, if all are written in the usual ways; otherwise return None."""
    fields: Fields = {}
    for line in text.split("\n"):
        if line:
            key, _, written = line.partition(" = ")
            value = _value(written)
            if value is None or key in fields or not _KEY(key):
                return None
            fields[key] = value
    return fields


def _value(text: str) -> Any:
    """Parse a value written in a usual way; otherwise return None."""
    if text[:2] == "['":
        return text[2:-2].split("', '") if _TEXTS(text) else None
    if text[:1] == "[":
        return [_number(one) for one in text[1:-1].split(", ")] if _NUMBERS(text) else None
    if text[:1] == "'":
        return text[1:-1] if _ONE_TEXT(text) else None
    if _ONE_NUMBER(text):
        return _number(text)
    if text in ("true", "false"):
        return text == "true"
    return time.fromisoformat(text) if _TIME(text) else None


def _number(text: str) -> int | str:
    return text if "." in text or text == "inf" else int(text)
