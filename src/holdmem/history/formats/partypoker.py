"""Reader of partypoker hand histories: hold'em cash games and tournaments.

Cash games state the buy-in or the blinds; the blinds are taken from the posts. Winnings include uncalled
bets, and the rake is what is missing from the pot.
"""

import re
from collections.abc import Iterable, Iterator

from holdmem.cards.notation import cards as read_cards
from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.bracket_lines import NEAR_BEGINNING, read_lines
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.text_files import HandSplitter, head_text, read_text_file
from holdmem.history.formats.text_lines import currency_of, match_player, plain_number, seconds
from holdmem.history.formats.text_record import record
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand

FIRST = r"\*{5} Hand History [Ff]or Game (\w+) \*{5}"
HEADER = re.compile(FIRST)
GAME = re.compile(r"(?:\b(NL|FL|PL) )?(?:Texas )?Hold'?em\b(?: Game Table \((NL|FL|PL)\))?")
OTHERS = re.compile(r"Omaha|Stud|Double|Short|6\+|Draw")
BLINDS = re.compile(r"(?:Blinds|Stakes)\S*?\(([\d.,]+)/([\d.,]+)|^\S*?([\d.,]+)/\S*?([\d.,]+) ")
CHIPS = re.compile(r"Trny|Tourney|Buy-?in", re.IGNORECASE)
TIME = re.compile(r"([A-Z][a-z]{2})[a-z]* (\d\d?),? (\d\d?:\d\d:\d\d) ?\S* +(\d{4})")
MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
SILENT = re.compile(r"Blinds(?:-Antes)?\(([\d.,]+)/([\d.,]+)(?: ?- ?([\d.,]+))?\)")
SEVERAL_WIN = re.compile(r"(?<=\.)(?=\S+ wins )")
WINS = re.compile(r"wins ([$€£]? ?[\d.,]+)(?: .*)?")
BALANCE = re.compile(
    r"balance [\d.,]*\d(?:, (?:bet|lost) [\d.,]*\d)?(?:, collected ([\d.,]*\d))?(?:, net \S*\d)?(?: \(.*?\))?"
    r"(?: ?\[ ?(\w\w, ?\w\w) ?\].*)?"
)
"""A player's line of the summary in newer tournaments."""
NUMBER = re.compile(r"[\ufeff\0]*(?:#Game No|Game #\d+ starts)")
"""A line before the first of a hand."""
SPLIT = HandSplitter(HEADER, NEAR_BEGINNING, re.compile(r".* wins |\*\* Summary"))


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    return read_text_file(source, account, split, read_hand)


def split(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the lines of each hand, without the number before it."""
    return SPLIT("" if NUMBER.match(line) else line for line in lines)


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text = _header(lines, begin)
    apart = [part for line in lines[2:] for part in SEVERAL_WIN.split(line)]
    read_lines(text, apart, begin + 2, WINS)
    _summary(text, lines)
    _silent_posts(text, lines)
    text.line = begin
    return record(text)


def _silent_posts(text: HandText, lines: list[str]) -> None:
    """Add the posts of tournaments, which state blinds and antes in one line and not by player."""
    silent = next((found for line in lines[2:] if (found := SILENT.match(line))), None)
    if silent is None or any(deed.verb.startswith("posts") for deed in text.deeds):
        return
    small, big, ante = (text.chips(plain_number(part)) if part else 0 for part in silent.groups())
    seats = sorted(text.names, key=lambda seat: (seat <= text.button, seat))
    blinds = (seats[-1:] + seats)[:2] if len(seats) == 2 else seats[:2]
    due = [(seat, "posts the ante", ante) for seat in seats if ante]
    due += zip(blinds, ("posts small blind", "posts big blind"), (small, big), strict=False)
    left, acted, text.deeds, text.street = dict(text.stacks), text.deeds, [], 0
    for seat, verb, chips in due:
        paid = min(chips, left[seat])
        left[seat] -= paid
        if paid:
            text.add(seat, verb, paid, all_in=not left[seat])
    text.deeds += acted


def _header(lines: list[str], number: int) -> HandText:
    begins, stakes = HEADER.match(lines[0]), " ".join((lines[1:2] or [""])[0].split())
    if begins is None or not stakes:
        reason = f"expected '***** Hand History for Game …' and stakes, got {lines[:2]!r:.100}"
        raise UnreadableHand(number, reason, "not a hand")
    game = GAME.search(stakes)
    betting = (game[1] or game[2] or "FL") if game else ""
    if betting in ("", "PL") or OTHERS.search(stakes):
        reason = f"expected NL or FL Texas Hold'em, got {stakes[:60]!r}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    chips = CHIPS.search(stakes) is not None
    sign = "" if chips else currency_of(stakes)
    hand = int(begins[1]) if re.fullmatch(r"[0-9]{1,18}", begins[1]) else UNKNOWN
    text = HandText("partypoker", hand, _time(stakes), betting == "FL", sign, (0, 0), not chips, line=number)
    text.site = "PartyPoker" if hand != UNKNOWN else ""
    text.rake, text.gross = (0 if chips else UNKNOWN), True
    text.stakes = _stakes(text, stakes)
    return text


def _stakes(text: HandText, line: str) -> tuple[int, int]:
    """Return small and big blind, or bets in limit; a cash game's buy-in is a hundred big blinds."""
    found = BLINDS.search(line)
    if found is not None:
        small, big = (part for part in found.groups() if part)
        return text.chips(plain_number(small)), text.chips(plain_number(big))
    buy_in = re.match(r"[$€£]?([\d.,]+)", line)
    big = text.chips(plain_number(buy_in[1])) // 100 if buy_in else 0
    return big // 2, big


def _time(line: str) -> int:
    found = TIME.search(line)
    if found is None or found[1] not in MONTHS:
        return UNKNOWN
    return seconds(found[4], MONTHS.index(found[1]) // 3 + 1, found[2], found[3])


def _summary(text: HandText, lines: list[str]) -> None:
    """Parse the balances at the end of newer tournament hands: winnings and cards."""
    by_name = {name: seat for seat, name in text.names.items()}
    for line in lines:
        found = match_player(line, by_name, BALANCE)
        if found is not None and found[1][1]:
            text.won[found[0]] += text.chips(plain_number(found[1][1]))
        if found is not None and found[1][2]:
            text.cards.setdefault(found[0], read_cards(found[1][2]))


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here."""
    return re.search(FIRST, head_text(head)) is not None


FORMAT = Format("partypoker", "partypoker text", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand", "split"]
