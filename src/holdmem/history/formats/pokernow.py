"""Reader of PokerNow logs (CSV): no-limit hold'em at private tables.

A log has the columns `entry`, `at` and `order`, newest first as downloaded. Hands are found between the
entries that start and end them. Bets, calls and raises are totals for the street. The number of a hand is
the `order` of its first entry, which is a time, since the site counts hands from one at every table. The log
says what "your" cards are but not who you are: that is whoever shows them in some hand.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice, pairwise

from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.pokernow_entries import read_entries, shown_hero
from holdmem.history.formats.text_files import head_text, in_text, read_text_file
from holdmem.history.formats.text_lines import seconds
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand

STARTS = re.compile(
    r"-- starting hand #(\d+) +(?:\(id: \w+\) +)?\((.*?)\) +(?:\(dealer: \"(.*)\"\)|\(dead button\)) --"
)
STARTING, ENDING = '"-- starting hand', '"-- ending hand'
LOOKED_AT = 40
"""Number of leading lines from which the direction of a log is inferred."""
ORDER = re.compile(r",([0-9]{1,18})\s*$")
HOLDEM = re.compile(r"no limit texas hold'?em", re.IGNORECASE)
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)")


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    return read_text_file(source, account, split, partial(read_hand, hero=_hero(source)))


def _hero(source: Source) -> str | None:
    """Return the player who most often shows "your" cards, if there is one."""
    shown = Counter[str]()
    with source.open() as file:
        for _, lines in split(in_text(file)):
            with suppress(NotationError):  # such a hand is refused when it is read
                found = shown_hero([row[0] for row in _rows(lines) if row])
                shown.update([found] if found else [])
    return max(sorted(shown), key=shown.__getitem__, default=None)


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand, as they are in the file.

    A hand lies between two marks. What is before the first of them is left out, unless that mark is missing.
    """
    several = iter(lines)
    head = list(islice(several, LOOKED_AT))
    opens, closes = (STARTING, ENDING) if _oldest_first(head) else (ENDING, STARTING)
    begin, hand, opened = 1, list[str](), False
    for number, line in enumerate(chain(head, several), start=1):
        text = line.strip("\ufeff\r\n")
        if text.startswith(opens):
            if opened:
                yield begin, hand  # its other mark is missing
            hand, opened = [], True
        begin = begin if hand else number
        hand.append(text)
        if text.startswith(closes):
            yield begin, hand
            hand, opened = [], False
    if opened:
        yield begin, hand


def _oldest_first(head: list[str]) -> bool:
    """Return whether the `order` of the first rows increases more often than it decreases."""
    orders = [int(found[1]) for line in head if (found := ORDER.search(line))]
    return sum((after > before) - (after < before) for before, after in pairwise(orders)) > 0


def _rows(lines: list[str]) -> list[list[str]]:
    try:
        return list(csv.reader(lines))
    except csv.Error as problem:
        raise NotationError(f"expected lines of CSV: {problem}") from None


def read_hand(lines: list[str], begin: int = 1, hero: str | None = None) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    rows = [row for row in _rows(lines) if len(row) >= 3]
    if rows and not rows[0][0].startswith("-- starting"):
        rows.reverse()
    text, dealer = _header(rows, begin)
    read_entries(text, [row[0] for row in rows[1:]], dealer, hero)
    return record(text)


def _header(rows: list[list[str]], line: int) -> tuple[HandText, str]:
    """Check what is played, and return an empty hand of it and the name of the dealer, if there is one."""
    entry = rows[0][0] if rows else ""
    found = STARTS.match(entry)
    if found is None:
        raise UnreadableHand(line, f"expected '-- starting hand #…', got {entry[:60]!r}", "not a hand")
    if not HOLDEM.search(found[2]):
        reason = f"expected No Limit Texas Hold'em, got {found[2][:40]!r}"
        raise UnreadableHand(line, reason, "a game other than limit or no-limit hold'em")
    when, order = TIME.match(rows[0][1]), rows[0][2]
    time = seconds(*when.groups()) if when else UNKNOWN
    number = int(order) if re.fullmatch(r"[0-9]{1,18}", order) else UNKNOWN
    cents = any(re.search(r"\d\.\d", row[0]) for row in rows)
    text = HandText("pokernow", number, time, False, "", (0, 0), cents, "PokerNow", line=line)
    return text, found[3] or ""


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is a log of PokerNow."""
    return re.search(r"\A\s*entry,at,order|-- (?:starting|ending) hand #\d+", head_text(head)) is not None


FORMAT = Format("pokernow", "PokerNow log (CSV)", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split"]
