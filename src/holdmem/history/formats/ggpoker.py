"""Reader of GGPoker hand histories (PokerCraft): hold'em cash games, Rush & Cash and tournaments.

The lines are those of PokerStars. Players other than the hero have codes instead of names, which differ from
table to table. What the house takes besides the rake (jackpot, bingo, fortune, tax) is counted as rake.
"""

import re
from collections.abc import Iterator

from holdmem.engine import Game
from holdmem.history.account import Account
from holdmem.history.archives import Source
from holdmem.history.formats.format import Format
from holdmem.history.formats.hand_text import HandText, UnreadableHand
from holdmem.history.formats.stars_lines import hand_splitter, read_lines, read_stakes, read_time
from holdmem.history.formats.text_files import head_text, read_text_file
from holdmem.history.formats.text_record import record
from holdmem.history.hands import Hands, RecordedHand

SPLIT = hand_splitter(r"(?:GG)?Poker Hand #[A-Z]*\d+: ")
HEADER = re.compile(r"(?:GG)?Poker Hand #([A-Z]*)(\d+): +(.*)")
GAME = re.compile(r"\bHold'em (No Limit|Limit)\b")
ADDED = re.compile(r"Cash Drop to Pot|\bSplash")
"""Money from the house in the pot."""


def read(source: Source, account: Account, game: Game | None = None) -> Iterator[Hands]:
    """Read all hands of a file; those that cannot be read are reported by line."""
    return read_text_file(source, account, SPLIT, read_hand)


def read_hand(lines: list[str], begin: int = 1) -> RecordedHand:
    """Parse one hand from its lines; `begin` is the line number of the first in its file."""
    text = _header(lines[0], begin)
    added = next((place for place, line in enumerate(lines) if ADDED.match(line)), None)
    if added is not None:
        reason = f"expected a pot of bets only, got {lines[added][:60]!r}"
        raise UnreadableHand(begin + added, reason, "a pot to which the house added money")
    read_lines(text, lines[1:], begin)
    return record(text)


def _header(line: str, number: int) -> HandText:
    begins = HEADER.match(line)
    if begins is None:
        raise UnreadableHand(number, f"expected 'Poker Hand #…', got {line[:60]!r}", "not a hand")
    game = GAME.search(begins[3])
    if game is None:
        reason = f"expected Hold'em No Limit or Hold'em Limit, got {begins[3][:60]!r}"
        raise UnreadableHand(number, reason, "a game other than limit or no-limit hold'em")
    time, limit = read_time(begins[3]), game[1] == "Limit"
    text = HandText("ggpoker", int(begins[2]), time, limit, "", (0, 0), False, line=number)
    # Cash games (HD), Rush & Cash (RC) and tournaments (TM) are numbered separately.
    text.site = f"GGPoker {begins[1]}".strip()
    read_stakes(text, begins[3], game.end())
    return text


def looks_like(source: Source, head: bytes) -> bool:
    """Return whether the first hand begins here."""
    return re.search(r"(?m)^(?:GG)?Poker Hand #[A-Z]*\d+: ", head_text(head)) is not None


FORMAT = Format("ggpoker", "GGPoker text", (), looks_like, read)

__all__ = ["FORMAT", "looks_like", "read", "read_hand"]
