"""Reader of Winamax hand histories: hold'em cash games, Go Fast and tournaments.

A hand's identifier has three parts: table or tournament, hand there, time. The first becomes part of the
site's name, the others the number. Uncalled bets have no lines; they follow from the pot.
"""

import re
from collections.abc import Iterator

from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import cards as read_cards
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.text_files import HandSplitter, head_text, read_text_file
from holdmem.history.formats.text_lines import currency_of, match_player, plain_number, seconds
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand

HEADER = re.compile(r"Winamax Poker - (.*?) ?- HandId: #(\d+)-(\d+)-(\d+) - (.*?) \((.*?)\)(.*)")
TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?:\d\d:\d\d)")
TABLE = re.compile(r"Table:? '(.*)' .*?Seat #(\d+) is the button")
SEAT = re.compile(r"Seat (\d+): (.*) \(([\d.,  ]+)[^\d,]?(?:, .*)?\)(?: .*)?")
MONEY = r"([\d][\d.,  ]*)(?:€|\$|�|\S{0,3})"
ACTION = re.compile(
    rf"(folds|checks|calls|bets|raises|posts (?:ante|small blind|big blind))(?: {MONEY})?(?: to {MONEY})?"
    r"( and is all-in)?( out of position)?"
)
SHOWS = re.compile(r"(?:shows|mucks) \[(.*?)\].*")
COLLECTED = re.compile(rf"collected {MONEY} from .*")
DEALT = re.compile(r"Dealt to (.*) \[(.*?)\]")
STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* (.*)")
RAKE = re.compile(rf"Total pot .*\| (?:Rake {MONEY}|No rake)")
VERBS = {"posts ante": "posts the ante"}
GAMES = {"Holdem no limit": False, "Holdem fixed limit": True}
NEAR_BEGINNING = re.compile(r"Table:? '.*is the button|\*\*\* ANTE/BLINDS")
SPLIT = HandSplitter(re.compile(r"Winamax Poker - "), NEAR_BEGINNING, re.compile(r"\*\*\* SUMMARY"))


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    return read_text_file(source, account, SPLIT, read_hand)


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text, by_name = _header(lines[0], begin), dict[str, int]()
    for text.line, line in enumerate(lines[1:], start=begin + 1):
        if text.deeds or not _seating(text, line, by_name):
            _line(text, line, by_name)
    text.line = begin
    return record(text)


def _header(line: str, number: int) -> HandText:
    begins = HEADER.match(line)
    if begins is None:
        reason = f"expected 'Winamax Poker - … - HandId: #…', got {line[:60]!r}"
        raise UnreadableHand(number, reason, "not a hand")
    if begins[5] not in GAMES:
        reason = f"expected Holdem no limit or Holdem fixed limit, got {begins[5][:40]!r}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    chips = begins[1].startswith("Tournament")
    when = TIME.search(begins[7])
    time = seconds(*when.groups()) if when else UNKNOWN
    sign = "" if chips else currency_of(begins[6])
    hand = int(begins[3] + begins[4])
    text = HandText("winamax", hand, time, GAMES[begins[5]], sign, (0, 0), not chips, line=number)
    text.site = f"Winamax {begins[2]}"
    small, big = (text.chips(plain_number(part)) for part in begins[6].split("/")[-2:])
    text.stakes = (small, big)
    return text


def _seating(text: HandText, line: str, by_name: dict[str, int]) -> bool:
    """Parse a line that gives a seat or the table; return whether it is one."""
    seat, table = SEAT.fullmatch(line), TABLE.match(line)
    if seat is not None:
        place = int(seat[1])
        text.names[place], text.stacks[place] = seat[2], text.chips(plain_number(seat[3]))
        by_name[seat[2]] = place
    elif table is not None:
        text.table, text.button = table[1], int(table[2])
    return seat is not None or table is not None


def _line(text: HandText, line: str, by_name: dict[str, int]) -> None:
    """Parse any line after the seats; lines that concern neither cards nor chips are ignored."""
    if line.startswith("*** "):
        _section(text, line)
    elif text.summary:
        rake = RAKE.match(line)
        text.rake = text.chips(plain_number(rake[1])) if rake and rake[1] else text.rake
    elif (dealt := DEALT.match(line)) is not None and dealt[1] in by_name:
        text.cards[by_name[dealt[1]]] = read_cards(dealt[2])
    elif (found := match_player(line, by_name, ACTION, SHOWS, COLLECTED)) is not None:
        _deed(text, *found)


def _section(text: HandText, line: str) -> None:
    street = STREET.match(line)
    if street is not None:
        text.board = read_board("".join(re.findall(r"\[(.*?)\]", street[2])))
        text.street = ("FLOP", "TURN", "RIVER").index(street[1]) + 1
    text.summary |= line.startswith("*** SUMMARY")


def _deed(text: HandText, seat: int, found: re.Match[str]) -> None:
    if found.re is SHOWS:
        text.cards.setdefault(seat, read_cards(found[1]))
    elif found.re is COLLECTED:
        text.won[seat] += text.chips(plain_number(found[1]))
    else:
        chips, total = (text.chips(plain_number(part)) if part else 0 for part in (found[2], found[3]))
        verb = VERBS.get(found[1], found[1])
        late_small = verb == "posts small blind" and found[5]
        text.add(seat, "posts dead blind" if late_small else verb, chips, total, bool(found[4]))


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here."""
    return re.search(r"(?m)^Winamax Poker - .*HandId: #|^Winamax Poker - ", head_text(head)) is not None


FORMAT = Format("winamax", "Winamax text", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand"]
