"""Lines of a hand as PokerStars and GGPoker write them, below the header.

Names come from the seat list, so they may contain anything, including colons and verbs. A player with an
action line was dealt in. The text lists every action except a check after which nothing can follow.
"""

import calendar
import re

from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import cards as read_cards
from holdmem.history.formats.hand_text import HandText
from holdmem.history.formats.text_files import HandSplitter
from holdmem.history.formats.text_lines import match_player
from holdmem.history.hands import UNKNOWN

STAKES = re.compile(r"[(,] ?([^\d(),]*)([\d.,]+)/[^\d(),]*([\d.,]+)([^)]*)\)")
TIME = re.compile(r"(\d{4})[/-](\d\d?)[/-](\d\d?) (\d\d?):(\d\d):(\d\d)")
TABLE = re.compile(r"Table '(.*)' .*?Seat #(\d+) is the button")
SEAT = re.compile(r"Seat (\d+): (.*) \([^\d(]*([\d.,]+) in chips.*?\)(.*)")
MONEY = r"[^\d\s]{0,3}([\d.,]+)"
ACTION = re.compile(
    rf"(folds|checks|calls|bets|raises|posts (?:the ante|small blind|big blind|small & big blinds|straddle"
    rf"|dead blind))(?: {MONEY})?(?: to {MONEY})?( and is all-in)?(?: \[(.*?)\])?"
)
SHOWS = re.compile(r"(?:shows|mucks|showed|mucked|shows hand|mucks hand|doesn't show hand)(?: \[(.*?)\])?.*")
SUMMARY_CARDS = re.compile(r"Seat (\d+): .*(?:showed|mucked) \[(.*?)\]")
STREET = re.compile(r"\*\*\* (?:(FIRST|SECOND) )?(FLOP|TURN|RIVER) \*\*\* (.*)")
MORE_RUNS = re.compile(r"\*\*\* (?:THIRD|FOURTH) ")
COLLECTED = re.compile(rf":? (?:collected|wins) {MONEY} from (?:the )?(?:main |side )?pot.*")
CASHED = "(pot not awarded as player cashed out)"
"""Follows, in the summary, the amount a player would have collected without the cash-out."""
WON = re.compile(rf"\b(?:won|collected) \({MONEY}\)")
UNCALLED = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.*)")
DEALT = re.compile(r"Dealt to (.*) \[(.*?)\]")
TOTAL = re.compile(rf"Total pot {MONEY}.*?\| Rake {MONEY}(.*)")
FEE = re.compile(rf"\| \w+ {MONEY}")
"""What else the house takes, as at GGPoker: jackpot, bingo, fortune, tax."""


def hand_splitter(begins: str, after_gap: str = r"(?!)") -> HandSplitter:
    """Return a splitter of hands with this first line."""
    near, over = re.compile(rf"{TABLE.pattern}|\*\*\* HOLE CARDS"), re.compile(r"\*\*\* SUMMARY")
    return HandSplitter(re.compile(begins), near, over, re.compile(after_gap))


def read_stakes(text: HandText, header: str, begin: int) -> None:
    """Parse the stakes in the header after `begin`: currency, blinds and whether amounts are in cents."""
    stakes = STAKES.search(header, begin)
    if stakes is None or "Cap" in stakes[4]:
        reason = f"expected stakes such as ($1/$2) without a cap, got {header[begin:][:60]!r}"
        text.stop(reason, "stakes that cannot be read")
    text.currency = stakes[1].strip()
    text.cents = bool(text.currency) or "." in stakes[2] + stakes[3]
    text.stakes = (text.chips(stakes[2]), text.chips(stakes[3]))


def read_time(text: str) -> int:
    """Return seconds since 1970 by the local clock; if two times are given, the last is Eastern Time."""
    found = TIME.findall(text)
    if not found:
        return UNKNOWN
    return calendar.timegm(tuple(map(int, found[-1]))) or UNKNOWN


def read_lines(text: HandText, lines: list[str], begin: int) -> None:
    """Parse the lines below the header; `begin` is the line number of the header in its file."""
    by_name: dict[str, int] = {}
    for text.line, line in enumerate(lines, start=begin + 1):
        if text.deeds or not _seating(text, line, by_name):
            _line(text, line, by_name)
    text.line = begin


def _seating(text: HandText, line: str, by_name: dict[str, int]) -> bool:
    """Parse a line that gives a seat or the table; return whether it is one."""
    seat = SEAT.match(line)
    if seat is not None:
        place = int(seat[1])
        text.names[place], text.stacks[place] = seat[2], text.chips(seat[3])
        by_name[seat[2]] = place
        return True
    table = TABLE.match(line)
    if table is not None:
        text.table, text.button = table[1], int(table[2])
    return table is not None


def _line(text: HandText, line: str, by_name: dict[str, int]) -> None:
    """Parse any line after the seats; lines that concern neither cards nor chips are ignored."""
    if line.startswith("*** "):
        _section(text, line)
    elif text.summary:
        _in_summary(text, line)
    elif (deed := match_player(line, by_name, ACTION, SHOWS, after=": ")) is not None:
        _deed(text, *deed)
    elif (uncalled := UNCALLED.match(line)) is not None and uncalled[2] in by_name:
        text.back[by_name[uncalled[2]]] += text.chips(uncalled[1])
    elif (dealt := DEALT.match(line)) is not None and dealt[1] in by_name:
        text.cards[by_name[dealt[1]]] = read_cards(dealt[2])
    elif (taken := match_player(line, by_name, COLLECTED, after="")) is not None:
        text.won[taken[0]] += text.chips(taken[1][1])


def _section(text: HandText, line: str) -> None:
    if MORE_RUNS.match(line):
        text.stop(f"expected at most two boards, got {line[:40]!r}", "run more than twice")
    street = STREET.match(line)
    if street is not None:
        board = read_board("".join(re.findall(r"\[(.*?)\]", street[3])))
        if street[1] == "SECOND":
            text.second = board
        else:
            text.board = board
        text.street = ("FLOP", "TURN", "RIVER").index(street[2]) + 1
    text.summary |= line.startswith("*** SUMMARY")


def _in_summary(text: HandText, line: str) -> None:
    total = TOTAL.match(line)
    if total is not None:
        fees = [text.chips(fee) for fee in FEE.findall(total[3])]
        text.pot, text.rake = text.chips(total[1]), text.chips(total[2]) + sum(fees)
        text.rounded = sum(fee > 0 for fee in fees)
    shown = SUMMARY_CARDS.match(line)
    if shown is not None:
        text.cards.setdefault(int(shown[1]), read_cards(shown[2]))
    if line.endswith(CASHED):
        _cashed_out(text, line)


def _cashed_out(text: HandText, line: str) -> None:
    """Credit the pot as the cards award it; what the house paid instead does not affect the table."""
    for seat, name in text.names.items():
        before = f"Seat {seat}: {name}"
        if line.startswith(f"{before} ") and not text.won[seat]:
            text.won[seat] = sum(text.chips(chips) for chips in WON.findall(line, len(before)))


def _deed(text: HandText, seat: int, found: re.Match[str]) -> None:
    cards = found[found.re.groups]
    if cards:
        text.cards.setdefault(seat, read_cards(cards))
    if found.re is ACTION:
        chips, total = (text.chips(part) if part else 0 for part in (found[2], found[3]))
        text.add(seat, found[1], chips, total, bool(found[4]))
