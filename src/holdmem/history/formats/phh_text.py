"""Parse PHH files into fields: TOML with one hand per file (PHH) or one per `[1]`, `[2]`, … table (PHHS).

Python's TOML parser takes most of the time per hand. Nearly all files write values in a few ways; `quick`
parses only those, line by line, and returns None for anything else, which then goes to the TOML parser.
Numbers with a decimal point are kept as text, so that no cent is lost.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator
from datetime import time
from typing import Any

from holdmem.core.errors import NotationError

Fields = dict[str, Any]

_HEADER = re.compile(
    r"^[ \t]*\[[ \t]*(?:[A-Za-z0-9_-]+|\"[0-9]+\"|'[0-9]+')[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE
)
_CONTENT = re.compile(r"^[^\S\n]*[^#\s]", re.MULTILINE)
_BRACKETED = re.compile(r"\W*\[[^=]*|[^=]*\]\W*").fullmatch
LONGEST_HEADER = 200
"""Letters of a line that may be a damaged header."""
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
LONGEST = 1 << 20
"""Most characters of a hand; Python's TOML parser would take a minute for a hundred times as many."""
_SPANNING = re.compile(r"'''|\"\"\"|^[^\S\n]*\[\[|^\[[^\]\n]*\.", re.MULTILINE)


def hands_of(text: str) -> Iterator[tuple[int, Fields | str]]:
    """Yield the first line of each hand (-1 if unclear), and its fields or an error message."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if _SPANNING.search(text):
        found = list(_whole(text))
        if not isinstance(found[0][1], str):
            yield from found
            return
    headers = list(_HEADER.finditer(text))
    before = text[: headers[0].start()] if headers else text
    if not headers or _CONTENT.search(before):
        yield from fields_of_hand(1, before)
    line, counted = 1, 0
    ends = [header.start() for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=bool(headers)):
        line += text.count("\n", counted, header.start())
        counted = header.start()
        yield from fields_of_hand(line, text[header.end() + 1 : end])


def fields_of_hand(line: int, text: str) -> Iterator[tuple[int, Fields | str]]:
    """Yield the hand in this text; if it is damaged, the hands merged into it by a broken header."""
    fields = _fields(text)
    if not isinstance(fields, str):
        yield line, fields
        return
    for number, piece in _pieces(text):
        yield line + number, _fields(piece)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split a text into hands and yield the first line and text of each.

    Where a field repeats, another hand has begun since it was first seen: at a line that is no field, such as
    a broken header, or else at the repeated field if that is `variant`.
    """
    lines = text.split("\n")
    begin, others, seen = 0, list[int](), dict[str, int]()
    for number, line in enumerate(lines):
        field = _FIELD.match(line)
        if field is None:
            others.append(number)
            continue
        between = others[bisect_right(others, seen.get(field[1], number)) :]
        if between or (field[1] in seen and field[1] == "variant"):
            end = _header_among(between, lines) if between else number
            yield begin, "\n".join(lines[begin:end])
            begin = end + 1 if between else end
            others, seen = [], {key: place for key, place in seen.items() if place >= begin}
        seen[field[1]] = number
    yield begin, "\n".join(lines[begin:])


def _header_among(places: list[int], lines: list[str]) -> int:
    """Return the line most like a header: the last one in brackets, else the first of the last run."""
    bracketed = [place for place in places if len(lines[place]) < LONGEST_HEADER and _BRACKETED(lines[place])]
    if bracketed:
        return bracketed[-1]
    known = set(places)
    return next(place for place in reversed(places) if place - 1 not in known)


def _fields(text: str) -> Fields | str:
    """Return the fields of one hand, or an error message."""
    if len(text) > LONGEST:
        return f"expected the fields of one hand, got {len(text):,} characters"
    fields = quick(text) if text.isascii() or not _BAD_BYTE(text) else None
    if fields is not None:
        return fields
    try:
        fields = by_toml(text)
    except NotationError as error:
        return str(error)
    tables = [name for name, value in fields.items() if isinstance(value, dict) and not name.startswith("_")]
    return f"expected the fields of one hand, got a table [{tables[0]}]" if tables else fields


def by_toml(text: str) -> Fields:
    """Parse any fields with the TOML parser."""
    damaged = _BAD_BYTE(text)
    if damaged is not None:
        raise NotationError(f"expected UTF-8, got the byte 0x{ord(damaged[0]) - 0xDC00:02x}")
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
    own = {
        name: value for name, value in found.items() if name.startswith("_") or not isinstance(value, dict)
    }
    if "variant" in own or not found:
        yield 1, own
    elif own:
        yield 1, f"expected a hand, got {next(iter(own.items()))!r:.40}"
    yield from ((-1, fields) for name, fields in found.items() if name not in own)


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
