"""Reader of 888 hand histories (888poker, Pacific, Cassava): hold'em cash games and tournaments.

Amounts are written in the player's own way ("$1,550", "1.550 $"). The rake is what is missing from the pot.
"""

import re
from collections.abc import Iterable, Iterator

from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.bracket_lines import NEAR_BEGINNING, read_lines
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.text_files import HandSplitter, head_text, read_text_file
from holdmem.history.formats.text_lines import currency_of, plain_number, seconds
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand

FIRST = r"\*{5} (?!Hand History)(\S+)(?: .*)? Hand History for Game (\d+) \*{5}"
HEADER = re.compile(FIRST)
STAKES = re.compile(r"(.*?)/(.*?) Blinds (No Limit|Fix Limit|Pot Limit) (\S+)( Jackpot table)? - \*\*\*(.*)")
TIME = re.compile(r"(\d\d) (\d\d) (\d{4}) (\d\d?:\d\d:\d\d)")
COLLECTED = re.compile(r"collected \[ ?([^\[\]]*?) ?\]")
SPLIT = HandSplitter(HEADER, NEAR_BEGINNING, re.compile(r"\*\* Summary \*\*"))


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    return read_text_file(source, account, split, read_hand)


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand, without the number before it."""
    return SPLIT("" if line.lstrip("\ufeff").startswith("#Game No") else line for line in lines)


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text = _header(lines, begin)
    read_lines(text, lines[2:], begin + 2, COLLECTED)
    text.line = begin
    return record(text)


def _header(lines: list[str], number: int) -> HandText:
    begins, stakes = HEADER.match(lines[0]), STAKES.match(lines[1] if len(lines) > 1 else "")
    if begins is None or stakes is None:
        reason = f"expected '***** 888poker Hand History for Game …' and stakes, got {lines[:2]!r:.100}"
        raise UnreadableHand(number, reason, "not a hand")
    if stakes[4] != "Holdem" or stakes[3] == "Pot Limit":
        reason = f"expected No Limit Holdem or Fix Limit Holdem, got {stakes[3]} {stakes[4]}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    chips = lines[2].startswith("Tournament") if len(lines) > 2 else False
    sign = "" if chips else currency_of(stakes[1] + stakes[2])
    limit, hand = stakes[3] == "Fix Limit", int(begins[2])
    text = HandText("888", hand, _time(stakes[6]), limit, sign, (0, 0), not chips, begins[1], line=number)
    text.stakes = (text.chips(plain_number(stakes[1])), text.chips(plain_number(stakes[2])))
    text.rake = 0 if chips else UNKNOWN
    return text


def _time(text: str) -> int:
    found = TIME.search(text)
    if found is None:
        return UNKNOWN
    day, month, year, clock = found.groups()
    return seconds(year, month, day, clock)


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here."""
    text = head_text(head)
    return re.search(FIRST, text) is not None and re.search(" Blinds (?:No|Fix|Pot) Limit ", text) is not None


FORMAT = Format("888", "888poker text", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split"]
