"""Reader of iPoker hand histories: XML, a session with its games; hold'em cash games and tournaments.

Each game is read on its own, as a list of tags with their attributes, so that a damaged one does not affect
the others. The header of the session is put before the lines of each of its games.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape

from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.ipoker_actions import Tag, read_rounds
from holdmem.history.formats.text_files import head_text, read_text_file
from holdmem.history.formats.text_lines import currency_of, plain_number, seconds
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand

BEGINS = re.compile(r"<game[ >]|<session[ >]")
PIECES = re.compile(r"(?=<game[ >])|(?=<session[ >])|(?<=</game>)")
GAME = re.compile(r"(?:Holdem|LH \S+ \S+) (NL|L|SL|Limit|No limit)\b(.*)")
STAKES = re.compile(r"(?<![\d.,])([\d.,]+)/\D{0,4}([\d.,]+)")
CLOCK = r"(\d\d?:\d\d:\d\d)"
TIME = re.compile(rf"(\d{{4}})[-/](\d\d)[-/](\d\d) {CLOCK}|(\d\d)[-/](\d\d)[-/](\d{{4}}) {CLOCK}")
CODE = re.compile(r'<game gamecode="(\d+)"')
TAG = re.compile(r"<(\w+)((?:\s+\w+=\"[^\"]*\")*)\s*/?>([^<]*)")
ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")
PARTS_OF_CHIPS = re.compile(r'="[\d,]*\d\.\d')
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    # All hands can be on one line; its patterns take time in proportion to its length.
    return read_text_file(source, account, split, read_hand, longest=None)


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number of each game, and the header of its session followed by the game's lines."""
    begin, header, part, inside = 1, "", list[str](), False
    for number, line in enumerate(lines, start=1):
        for piece in PIECES.split(line.strip("\ufeff\r\n")):
            if BEGINS.match(piece):
                header = _session(part, header)
                if inside or _is_game(part):
                    yield begin, [header, *part]
                begin, part, inside = number, [], piece.startswith("<game")
            part.append(piece)
            if piece.endswith("</game>"):
                header = _session(part, header)
                yield begin, [header, *part]
                begin, part, inside = number + 1, [], False
    if inside or _is_game(part):
        yield begin, [header, *part]


def _is_game(part: list[str]) -> bool:
    """Return whether these lines are a game whose beginning is damaged."""
    return any("<action" in line for line in part)


def _session(part: list[str], header: str) -> str:
    """Return the header of the session if it is among these lines, else the one before."""
    text = "\n".join(part)
    return text.partition("</general>")[0] if "<gametype" in text else header


def tags(text: str) -> list[Tag]:
    """Return the tags of a text in order: name, attributes and the text after it."""
    return [
        (
            name,
            {key: unescape(value) for key, value in ATTRIBUTE.findall(attributes)},
            unescape(after).strip(),
        )
        for name, attributes, after in TAG.findall(text)
    ]


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from the header of its session and its lines, the first of which is number `begin`."""
    whole = "\n".join(lines[1:])
    text = _header(lines[0], whole, begin)
    found = tags(whole)
    _players(text, [attributes for name, attributes, _ in found if name == "player"])
    try:
        read_rounds(text, found)
    except KeyError as error:
        raise UnreadableHand(begin, f"expected a player and attributes, got {error}", "a bad tag") from None
    try:
        return record(text)
    except UnreadableHand:
        if text.pot == UNKNOWN:
            raise
        text.pot = UNKNOWN  # some sessions state no bets, or other ones
        return record(text)


def _header(header: str, game: str, line: int) -> HandText:
    """Check what is played, and return an empty hand of it."""
    session = {name: after for name, _, after in tags(header) if after}
    code, kind = CODE.search(game), session.get("gametype", "")
    if code is None:
        raise UnreadableHand(line, f"expected <game gamecode=…>, got {game[:60]!r}", "not a hand")
    holdem = GAME.fullmatch(kind)
    if holdem is None or "Six Plus" in kind:
        reason = f"expected Holdem NL or Holdem L, got {kind[:40]!r}"
        raise UnreadableHand(line, reason, "a game other than limit or no-limit hold'em")
    chips = "tournamentname" in session
    cents = not chips or PARTS_OF_CHIPS.search(game) is not None
    time = _time(next((after for name, _, after in tags(game) if name == "startdate"), ""))
    limit, hand = holdem[1] in ("L", "Limit"), int(code[1])
    sign = "" if chips else currency_of(holdem[2]) or SIGNS.get(session.get("currency", ""), "")
    text = HandText("ipoker", hand, time, limit, sign, (0, 0), cents, "iPoker", line=line)
    stakes = STAKES.search(holdem[2])
    if stakes is not None:
        text.stakes = (text.chips(plain_number(stakes[1])), text.chips(plain_number(stakes[2])))
    text.table, text.rake = session.get("tablename", ""), 0 if chips else UNKNOWN
    return text


def _time(text: str) -> int:
    found = TIME.search(text)
    if found is None:
        return UNKNOWN
    if found[1]:
        return seconds(*found.groups()[:4])
    day, month, year, clock = found.groups()[4:]
    return seconds(year, month, day, clock)


def _players(text: HandText, players: list[dict[str, str]]) -> None:
    for player in players:
        if not player.keys() >= {"seat", "name", "chips"} or not re.fullmatch(r"[0-9]{1,3}", player["seat"]):
            text.stop(f"expected a player with seat, name and chips, got {str(player)[:60]}", "a bad player")
        seat = int(player["seat"])
        text.names[seat] = player["name"]
        text.stacks[seat] = text.chips(plain_number(player["chips"]))
        text.won[seat] = text.chips(plain_number(player.get("win") or "0"))
        if player.get("dealer") == "1":
            text.button = seat
    if all(player.get("bet") for player in players):  # says whether an uncalled bet is among the winnings
        text.pot = sum(text.chips(plain_number(player["bet"])) for player in players)


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether this is a session of iPoker."""
    return re.search(r"<session sessioncode=|<game gamecode=", head_text(head)) is not None


FORMAT = Format("ipoker", "iPoker XML", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split"]
