"""Reader of PokerStars hand histories: cash games and tournaments, limit and no-limit hold'em.

Amounts are in cents at real-money tables. Seats are counted from the left of the button. The engine requires
checks after which nothing can follow, which the text leaves out, so they are added. The result is available
in two ways, from the chips in the text and from the engine, and users of `Hands` can compare them.
"""

import io
import re
from collections.abc import Iterable, Iterator

import numpy as np

from holdmem.core.types import Flags, Ints
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source, UnreadableFile
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.pokerstars_write import write
from holdmem.history.formats.stars_fast import StarsPiece, scan_text
from holdmem.history.formats.stars_languages import language_of
from holdmem.history.formats.stars_lines import hand_splitter, read_lines, read_stakes, read_time
from holdmem.history.formats.text_files import (
    head_text,
    in_text,
    read_each,
    read_text_file,
    read_until_broken,
)
from holdmem.history.formats.text_record import record
from holdmem.history.hands import Hands, RecordedHand
from holdmem.history.hands_builder import HandsBuilder, join

FOREIGN = r".{0,40}\bPokerStars\b.{0,40}\d{6}"
"""First line of a hand in another language, recognised only at the start or after an empty line."""
SPLIT = hand_splitter(r"PokerStars .*#\d+: ", FOREIGN)
HEADER = re.compile(r"PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(\d+): +(.*)")
GAME = re.compile(r"\b(?:(Hold'em) (No Limit|Limit)\b)")
FIRST_NUMBER = 10_000_000
"""Lowest number of public PokerStars hands; smaller ones come from other programs and identify nothing."""


PIECE = 1 << 22
"""Bytes read at a time."""
LONGEST = 1 << 10
"""Most bytes of a first line at which a file is cut into pieces."""
MOST = 1 << 24
"""Bytes without the first line of a hand after which a file is cut at an empty line, or at any."""


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    broken, line = list[UnreadableFile](), 1
    for data in _pieces(source, broken):
        if line == 1 and data.startswith((b"\xff\xfe", b"\xfe\xff")):
            yield from read_carefully(source, account)
            return
        for piece in scan_text(data, line, source.name, _is_public, _header):
            hands = _with_careful(piece, source.name, account)
            if len(hands):
                yield hands
        line += data.count(b"\n")
    if broken:
        raise broken[0]


def read_carefully(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read a file as `read` does, without compiled code for the text."""
    return read_text_file(source, account, split, read_hand)


def _pieces(source: Source, broken: list[UnreadableFile]) -> Iterator[bytes]:
    """Yield the text of some hands at a time, up to the point of damage."""
    rest = b""
    with source.open() as file:
        while data := read_until_broken(file, PIECE, broken):
            rest += data
            cut = _last_header(rest) or (_last_line(rest) if len(rest) > MOST else 0)
            if cut:
                yield rest[:cut]
                rest = rest[cut:]
            elif len(rest) > MOST:
                broken.append(UnreadableFile(f"expected a hand, got a line of over {MOST:,} bytes"))
                return
    if rest:
        yield rest


def _last_header(data: bytes) -> int:
    """Return where the last line begins that begins a hand, or 0."""
    cut = data.rfind(b"\nPokerStars ")
    while cut >= 0:
        line, newline, _ = data[cut + 1 : cut + 1 + LONGEST].partition(b"\n")
        if newline and SPLIT.begins.match(line.decode("latin-1").strip("\r \t\0")):
            return cut + 1
        cut = data.rfind(b"\nPokerStars ", 0, cut)
    return 0


def _last_line(data: bytes) -> int:
    """Return where the last line begins that follows an empty one, else where the last begins, or 0."""
    return (data.rfind(b"\n\n") + 2 if b"\n\n" in data else 0) or data.rfind(b"\n") + 1


def _is_public(numbers: Ints) -> Flags:
    return numbers >= FIRST_NUMBER


def _with_careful(piece: StarsPiece, source: str, account: Account) -> Hands:
    """Return all hands of a piece in their order, those that were left out read carefully."""
    builder = HandsBuilder([source])
    for begin, data in piece.left:
        found = ((begin + line - 1, lines) for line, lines in split(in_text(io.BytesIO(data))))
        for hand in read_each(found, source, account, read_hand):
            builder.add(hand)
    if not len(builder):
        return builder.take() if piece.hands is None else piece.hands
    hands = join([builder.take()] if piece.hands is None else [piece.hands, builder.take()])
    return hands[np.argsort(hands.rows["line"], kind="stable")]  # type: ignore[no-any-return]


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand; text before the first header is one too."""
    # A line of asterisks and a number separates hands that were sent by e-mail.
    return SPLIT("" if line.startswith("*********** #") else line for line in lines)


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text = _header(lines, begin)
    read_lines(text, lines[1:], begin)
    if not text.names and language_of(lines) is not None:
        raise UnreadableHand(begin, *_not_english(lines))
    return record(text)


def _header(lines: list[str], number: int) -> HandText:
    begins = HEADER.match(lines[0])
    if begins is None:
        raise UnreadableHand(number, *_not_english(lines))
    game = GAME.search(begins[2])
    if game is None:
        reason = f"expected Hold'em No Limit or Hold'em Limit, got {begins[2][:60]!r}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    hand, limit = int(begins[1]), game[2] == "Limit"
    text = HandText("pokerstars", hand, read_time(begins[2]), limit, "", (0, 0), False, line=number)
    text.site = "PokerStars" if hand >= FIRST_NUMBER else ""
    read_stakes(text, begins[2], game.end())
    return text


def _not_english(lines: list[str]) -> tuple[str, str]:
    """Return the reason and its kind for a hand without an English header."""
    language = language_of(lines)
    if language is None:
        return f"expected 'PokerStars Hand #…' in English, got {lines[0][:60]!r}", "not a hand in English"
    reason = f"expected a hand in English, got one in {language}: {lines[0][:60]!r}"
    return reason, f"a PokerStars hand in {language}; only English is read"


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here, in English or another language."""
    pattern = r"PokerStars .{0,80}#\d+|^.{0,40}\bPokerStars\b.{0,40}\d{6}"
    return re.search(pattern, head_text(head)) is not None


FORMAT = Format(
    "pokerstars",
    "PokerStars text",
    (".txt",),
    looks_like,
    read,
    write_lines=lambda hands, file, options: write(hands, file, options.hero, options.refused),
)

__all__ = ["FORMAT", "looks_like", "read", "read_carefully", "read_hand", "split", "write"]
