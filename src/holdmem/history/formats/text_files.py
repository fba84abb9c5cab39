"""Files of hands as text: decode them, cut them into hands, and read each hand on its own."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from holdmem.core.errors import GameError, NotationError
from holdmem.history.account import Account
from holdmem.history.archives import Source, UnreadableFile
from holdmem.history.formats.hand_text import UnreadableHand
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.hands import Hands, RecordedHand
from holdmem.history.hands_builder import HandsBuilder, expect_fit

Splitter = Callable[[Iterable[str]], Iterator[tuple[int, list[str]]]]
HandParser = Callable[[list[str], int], RecordedHand]

NEVER = re.compile(r"(?!)")
UNREADABLE_LINE = "a line that cannot be read"
LONGEST_LINE, MOST_LINES = 2_000, 5_000
"""Letters of a line and lines of a hand that are read, far above those of any site.

Matching a pattern can take time in proportion to the square of a line's length, and telling who acts in
proportion to the square of a hand's: without limits, one long line would keep the reader busy for hours.
"""
ENDLESS = 1 << 20
"""Bytes of a line after which a file that is read as a whole is given up."""


def read_text_file(
    source: Source,
    account: Account,
    split: Splitter,
    parse: HandParser,
    longest: int | None = LONGEST_LINE,
) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line.

    `split` yields the first line number and the lines of each hand; `parse` turns them into a record. Of a
    line the first `longest` letters are read, or all of it.
    """
    builder, broken = HandsBuilder([source.name]), list[UnreadableFile]()
    with source.open() as file:
        lines = _until_broken(in_text(file, longest), broken)
        for hand in read_each(split(lines), source.name, account, parse):
            builder.add(hand)
            if len(builder) == BLOCK:
                yield builder.take()
    if len(builder):
        yield builder.take()
    if broken:
        raise broken[0]


def read_each(
    found: Iterable[tuple[int, list[str]]], source: str, account: Account, parse: HandParser
) -> Iterator[RecordedHand]:
    """Yield the hands of these lines; what is wrong with others is recorded in the account."""
    for line, lines in found:
        try:
            hand = parse(lines[:MOST_LINES], line)
            expect_fit(hand)
            yield hand
        except UnreadableHand as problem:
            where = f"{source}:{problem.line}"
            account.skip(where, str(problem), problem.kind, _number(lines[0]))
        except (NotationError, GameError, ValueError, OverflowError) as problem:
            account.skip(f"{source}:{line}", str(problem), UNREADABLE_LINE, _number(lines[0]))


def _until_broken(lines: Iterator[str], broken: list[UnreadableFile]) -> Iterator[str]:
    """Yield lines up to the point of damage, so that the hands before it can be read."""
    try:
        yield from lines
    except UnreadableFile as error:
        broken.append(error)


def read_until_broken(file: BinaryIO, size: int, broken: list[UnreadableFile]) -> bytes:
    """Return the next bytes of a file; at its end or the point of damage none, and the error in `broken`."""
    try:
        return file.read(size) or file.read(1)  # a damaged stream ends first, and the next read raises
    except UnreadableFile as error:
        broken.append(error)
        return b""


def _number(header: str) -> int | None:
    """Return the hand number in a header line, even one that cannot be parsed."""
    found = re.search(r"#[A-Z]{0,2}(\d{1,18})\b", header)
    return None if found is None else int(found[1])


def in_text(file: Iterable[bytes], longest: int | None = LONGEST_LINE) -> Iterator[str]:
    """Decode lines as UTF-8, else Windows-1252 (older files), or as UTF-16 if there is a byte order mark."""
    lines = iter(file)
    first = next(lines, b"")
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = io.StringIO(b"".join([first, *lines]).decode("utf-16", errors="replace"))
        yield from (line[:longest] for line in text)
        return
    yield _decoded(first)[:longest]
    for line in lines:
        yield _decoded(line)[:longest]


def expect_lines(data: bytes) -> None:
    """Raise UnreadableFile if there is an endless line, looking at one byte in many."""
    at = 0
    while len(data) - at > ENDLESS:
        end = data.rfind(b"\n", at, at + ENDLESS + 1)
        if end < 0:
            line = 1 + data.count(b"\n", 0, at)
            raise UnreadableFile(f"line {line}: expected text, got a line of over {ENDLESS:,} bytes")
        at = end + 1


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def head_text(head: bytes) -> str:
    """Decode the first bytes of a file, which may end within a character, to recognise its format."""
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    return head.decode("utf-16" if wide else "utf-8", errors="replace").lstrip("\ufeff")


@dataclass(frozen=True)
class HandSplitter:
    """Cuts lines into hands where they begin, even if the first line of one is damaged.

    Attributes
    ----------
    begins : the first line of a hand.
    table : a line near the beginning of a hand, such as the table's, that never occurs after its end.
    over : a line after which no action follows.
    after_gap : another first line, recognised only at the start or after an empty line.
    """

    begins: re.Pattern[str]
    table: re.Pattern[str]
    over: re.Pattern[str]
    after_gap: re.Pattern[str] = NEVER

    def __call__(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield the first line number and the lines of each hand; text before the first header is one too."""
        begin, hand, over = 1, list[str](), False
        for number, line in enumerate(lines, start=1):
            text = line.strip("\ufeff\r\n \t\0")
            if over and self.table.match(text):  # belongs to a hand whose first line is damaged
                cut = _last_gap(hand)
                yield begin, hand[:cut]
                begin, hand, over = begin + cut, hand[cut:], False
            if self.begins.match(text) or ((not hand or not hand[-1]) and self.after_gap.match(text)):
                if any(hand):
                    yield begin, hand
                begin, hand, over = number, [], False
            over = over or self.over.match(text) is not None
            if not hand and not text:
                begin = number + 1
                continue
            hand.append(text)
        if any(hand):
            yield begin, hand


def _last_gap(lines: list[str]) -> int:
    """Return the index after the last empty line, or of the last line if there is none."""
    last = len(lines) - 1
    return next((place + 1 for place in range(last, -1, -1) if not lines[place]), last)
