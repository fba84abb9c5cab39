"""Reader of PokerStars hand histories: cash games and tournaments, limit and no-limit hold'em.

Names come from the seat list, so they may contain anything, including colons and verbs. Amounts are in cents
at real-money tables. A player with an action line was dealt in; seats are counted from the left of
the button. The text lists every action except a check after which nothing can follow. The engine requires
that check, so it is added. The result is available in two ways, from the chips in the text and from the
engine, and users of `Hands` can compare them.
"""

import calendar
import io
import re
from collections.abc import Iterable, Iterator

from holdmem.cards.notation import board as read_board
from holdmem.cards.notation import cards as read_cards
from holdmem.core.errors import GameError, NotationError
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source, UnreadableFile
from holdmem.history.formats.format import Format
from holdmem.history.formats.parquet import BLOCK
from holdmem.history.formats.pokerstars_hand import ActionLine, HandText, UnreadableHand, record
from holdmem.history.formats.pokerstars_write import write
from holdmem.history.hands import UNKNOWN, Hands, HandsBuilder, RecordedHand

BEGINS = re.compile(r"PokerStars .*#\d+: ")
FOREIGN = re.compile(r".{0,40}\bPokerStars\b.{0,40}\d{6}")
"""First line of a hand in another language, recognised only at the start or after an empty line."""
HEADER = re.compile(r"PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(\d+): +(.*)")
GAME = re.compile(r"\b(?:(Hold'em) (No Limit|Limit)\b)")
STAKES = re.compile(r"[(,] ?([^\d(),]*)([\d.,]+)/[^\d(),]*([\d.,]+)([^)]*)\)")
TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d)")
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
COLLECTED = re.compile(rf" (?:collected|wins) {MONEY} from (?:the )?(?:main |side )?pot")
CASHED = "(pot not awarded as player cashed out)"
"""Follows, in the summary, the amount a player would have collected without the cash-out."""
WON = re.compile(rf"\b(?:won|collected) \({MONEY}\)")
UNCALLED = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.*)")
DEALT = re.compile(r"Dealt to (.*) \[(.*?)\]")
TOTAL = re.compile(rf"Total pot {MONEY}(.*)\| Rake {MONEY}")


# From a file to its hands


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    builder, broken = HandsBuilder([source.name]), list[UnreadableFile]()
    with source.open() as file:
        for line, lines in split(_until_broken(in_text(file), broken)):
            try:
                builder.add(read_hand(lines, line))
            except UnreadableHand as problem:
                where = f"{source.name}:{problem.line}"
                account.skip(where, str(problem), problem.kind, _number(lines[0]))
            except (NotationError, GameError, ValueError, OverflowError) as problem:
                kind = "a line that cannot be read"
                account.skip(f"{source.name}:{line}", str(problem), kind, _number(lines[0]))
            if len(builder) == BLOCK:
                yield builder.take()
    if len(builder):
        yield builder.take()
    if broken:
        raise broken[0]


def _until_broken(lines: Iterator[str], broken: list[UnreadableFile]) -> Iterator[str]:
    """Yield lines up to the point of damage, so that the hands before it can be read."""
    try:
        yield from lines
    except UnreadableFile as error:
        broken.append(error)


def _number(header: str) -> int | None:
    """Return the hand number in a header line, even one that cannot be parsed."""
    found = re.search(r"#(\d{1,18})\b", header)
    return None if found is None else int(found[1])


def in_text(file: Iterable[bytes]) -> Iterator[str]:
    """Decode lines as UTF-8, else Windows-1252 (older files), or as UTF-16 if there is a byte order mark."""
    lines = iter(file)
    first = next(lines, b"")
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield from io.StringIO(b"".join([first, *lines]).decode("utf-16", errors="replace"))
        return
    yield _decoded(first)
    for line in lines:
        yield _decoded(line)


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand; text before the first header is one too."""
    begin, hand, over = 1, list[str](), False
    for number, line in enumerate(lines, start=1):
        text = line.strip("\ufeff\r\n \t")
        if over and TABLE.match(text):  # belongs to a hand whose header line is damaged
            last = max(place for place, one in enumerate(hand) if one)
            yield begin, hand[:last]
            begin, hand, over = begin + last, hand[last:], False
        if BEGINS.match(text) or ((not hand or not hand[-1]) and FOREIGN.match(text)):
            if any(hand):
                yield begin, hand
            begin, hand, over = number, [], False
        over = over or text.startswith("*** SUMMARY")
        if text.startswith("*********** #"):  # separator between hands sent by e-mail
            text = ""
        if not hand and not text:
            begin = number + 1
            continue
        hand.append(text)
    if any(hand):
        yield begin, hand


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text = _header(lines[0], begin)
    by_name: dict[str, int] = {}
    for text.line, line in enumerate(lines[1:], start=begin + 1):
        if text.deeds or not _seating(text, line, by_name):
            _line(text, line, by_name)
    text.line = begin
    return record(text)


# Line by line


def _header(line: str, number: int) -> HandText:
    begins = HEADER.match(line)
    if begins is None:
        reason = f"expected 'PokerStars Hand #…' in English, got {line[:60]!r}"
        raise UnreadableHand(number, reason, "not a hand in English")
    game = GAME.search(begins[2])
    if game is None:
        reason = f"expected Hold'em No Limit or Hold'em Limit, got {begins[2][:60]!r}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    stakes = STAKES.search(begins[2], game.end())
    if stakes is None or "Cap" in stakes[4]:
        reason = f"expected stakes such as ($1/$2) without a cap, got {begins[2][game.end() :][:60]!r}"
        raise UnreadableHand(number, reason, "stakes that cannot be read")
    sign = stakes[1].strip()
    cents = bool(sign) or "." in stakes[2] + stakes[3]
    text = HandText(int(begins[1]), _time(begins[2]), game[2] == "Limit", sign, (0, 0), cents, line=number)
    text.stakes = (text.chips(stakes[2]), text.chips(stakes[3]))
    return text


def _time(text: str) -> int:
    """Return seconds since 1970 by the local clock; if two times are given, the last is Eastern Time."""
    found = TIME.findall(text)
    if not found:
        return UNKNOWN
    return calendar.timegm(tuple(map(int, found[-1]))) or UNKNOWN


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
    elif (deed := _of_player(line, ": ", by_name)) is not None:
        _deed(text, *deed)
    elif (uncalled := UNCALLED.match(line)) is not None and uncalled[2] in by_name:
        text.back[by_name[uncalled[2]]] += text.chips(uncalled[1])
    elif (dealt := DEALT.match(line)) is not None and dealt[1] in by_name:
        text.cards[by_name[dealt[1]]] = read_cards(dealt[2])
    elif (taken := _of_player(line, "", by_name, COLLECTED)) is not None:
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
        text.pot, text.rake = text.chips(total[1]), text.chips(total[3])
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


def _of_player(
    line: str, after: str, by_name: dict[str, int], shape: re.Pattern[str] | None = None
) -> tuple[int, re.Match[str]] | None:
    """Return the player a line is about and the match: the longest name after which the rest parses."""
    whole = shape is None
    for name in sorted((name for name in by_name if line.startswith(name + after)), key=len, reverse=True):
        rest = line[len(name) + len(after) :]
        patterns = (ACTION, SHOWS) if shape is None else (shape,)
        for pattern in patterns:
            found = pattern.fullmatch(rest) if whole else pattern.match(rest)
            if found is not None:
                return by_name[name], found
    return None


def _deed(text: HandText, seat: int, found: re.Match[str]) -> None:
    cards = found[found.re.groups]
    if cards:
        text.cards.setdefault(seat, read_cards(cards))
    if found.re is ACTION:
        chips, total = (text.chips(part) if part else 0 for part in (found[2], found[3]))
        text.deeds.append(ActionLine(text.line, text.street, seat, found[1], chips, total, bool(found[4])))


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here, in English or another language."""
    plain = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1", errors="replace")
    return re.search(r"PokerStars .{0,80}#\d+|^.{0,40}\bPokerStars\b.{0,40}\d{6}", plain) is not None


FORMAT = Format(
    "pokerstars",
    "PokerStars text",
    (".txt",),
    looks_like,
    read,
    write_lines=lambda hands, file, options: write(hands, file, options.hero, options.refused),
)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split", "write"]
