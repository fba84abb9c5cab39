"""Lines of a hand with amounts in brackets, as 888 and partypoker write them, below the stakes.

An amount is what the player pays by that action, except after "to". Neither site states the rake, which is
what is missing from the pot.
"""

import re

from holdmem.cards.notation import cards as read_cards
from holdmem.history.formats.hand_text import HandText
from holdmem.history.formats.text_lines import match_player, plain_number

BUTTON = re.compile(r".*\bSeat (\d+) is the button", re.IGNORECASE)
SEAT = re.compile(r"Seat (\d+): (.*?) ?\( ?([^()]*\d[^()]*?) ?\)(?: .*)?", re.IGNORECASE)
TABLE = re.compile(r"Table (.*?) ?(?:\( ?(?:Real|Play|Practice).*)?")
NEAR_BEGINNING = re.compile(
    r"Total number of players|.*\bSeat \d+ is the button|Table .*\( ?(?:Real|Play|Prac)"
)
STREET = re.compile(r"\*\* Dealing (flop|turn|river) \*\* ?:? ?\[(.*?)\]", re.IGNORECASE)
AMOUNT = r" *[\[(] ?([^\[\]()]*\d[^\[\]()]*?) ?[\])]"
ACTION = re.compile(
    rf"(folds|checks|calls|bets|raises|is all-In|posts (?:ante(?: of)?|small blind|big blind|dead blind"
    rf"|big blind \+ dead|small blind \+ dead))(?:{AMOUNT}| ([\d.,]+) to ([\d.,]+))?\.?",
    re.IGNORECASE,
)
SHOWS = re.compile(r"(?:shows|mucks|doesn't show|does not show) ?\[(.*?)\].*")
DEALT = re.compile(r"Dealt to (.*) \[(.*?)\]")
STREETS = ("flop", "turn", "river")


def read_lines(text: HandText, lines: list[str], begin: int, won: re.Pattern[str]) -> None:
    """Parse the lines below the header; `begin` is the number of the first, `won` is what a winner's say."""
    by_name: dict[str, int] = {}
    for text.line, line in enumerate(lines, start=begin):
        if text.deeds or not _seating(text, line, by_name):
            _line(text, line, by_name, won)


def _seating(text: HandText, line: str, by_name: dict[str, int]) -> bool:
    """Parse a line that gives the table, the button or a seat; return whether it is one."""
    seat, button, table = SEAT.fullmatch(line), BUTTON.match(line), TABLE.fullmatch(line)
    if button is not None:
        text.button = int(button[1])
    if seat is not None:
        if not seat[2]:
            text.stop("expected a name at every seat", "a player without a name")
        place = int(seat[1])
        text.names[place], text.stacks[place] = seat[2], text.chips(plain_number(seat[3]))
        by_name[seat[2]] = place
    elif table is not None:
        text.table = text.table or table[1]
    return not (seat is None and button is None and table is None)


def _line(text: HandText, line: str, by_name: dict[str, int], won: re.Pattern[str]) -> None:
    """Parse any line after the seats; lines that concern neither cards nor chips are ignored."""
    street = STREET.match(line)
    if street is not None:
        text.board = [*text.board, *read_cards(street[2])]
        text.street = STREETS.index(street[1].lower()) + 1
    elif (dealt := DEALT.match(line)) is not None and dealt[1] in by_name:
        text.cards[by_name[dealt[1]]] = read_cards(dealt[2])
    elif (found := match_player(line, by_name, ACTION, SHOWS, won)) is not None:
        _deed(text, *found)


def _deed(text: HandText, seat: int, found: re.Match[str]) -> None:
    if found.re is SHOWS:
        text.cards.setdefault(seat, read_cards(found[1]))
    elif found.re is ACTION:
        _act(text, seat, found)
    else:
        text.won[seat] += text.chips(plain_number(found[1]))


def _act(text: HandText, seat: int, found: re.Match[str]) -> None:
    verb, parts = found[1].lower(), (found[2] or "").split("+")
    chips = sum(text.chips(plain_number(part)) for part in parts if part)
    total = text.chips(plain_number(found[4])) if found[4] else 0
    if verb == "is all-in":
        if chips:
            text.add(seat, "goes all-in", chips, all_in=True)
    elif verb.startswith("posts ante"):
        text.add(seat, "posts the ante", chips)
    elif verb.endswith("dead") or (verb == "posts dead blind" and len(parts) > 1):
        text.add(seat, "posts small & big blinds", chips)
    else:
        text.add(seat, verb, chips, total, all_in=chips == text.stacks[seat])
