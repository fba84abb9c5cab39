"""Entries of a PokerNow hand: stacks, posts, actions, cards and pots."""

import re

from holdmem.cards.notation import cards as read_cards
from holdmem.history.formats.hand_text import HandText
from holdmem.history.formats.text_lines import match_player, plain_number

STACKS = "Player stacks: "
PLAYER = re.compile(r"#(\d+) \"(.*)\" \(([\d.,]+)\)")
AMOUNT = r"([\d.,]+)"
POST = re.compile(
    rf"posts (?:a|an) (ante|small blind|big blind|missed big blind|missing big blind|missing small blind"
    rf"|missed small blind|straddle|bomb pot bet|dead blind) of {AMOUNT}( and go all in)?"
)
ACTION = re.compile(rf"(folds|checks|calls|bets|raises to)(?: {AMOUNT})?( and go all in)?")
COLLECTED = re.compile(rf"collected {AMOUNT} from pot.*")
SHOWN = re.compile(r"(\".*\") shows a (.*)\.")
SHOWS = re.compile(r"shows a (.*)\.")
UNCALLED = re.compile(rf"Uncalled bet of {AMOUNT} returned to \"(.*)\"")
YOURS = re.compile(r"Your hand is (.*)")
STREET = re.compile(r"(Flop|Turn|River)( \((?:second|2nd) run\))?: +(.*)")
SUITS = str.maketrans("♣♦♥♠", "cdhs")
STREETS = ("Flop", "Turn", "River")
VERBS = {
    "ante": "posts the ante",
    "small blind": "posts small blind",
    "big blind": "posts big blind",
    "missed big blind": "posts extra blind",
    "missing big blind": "posts extra blind",
    "missed small blind": "posts dead blind",
    "missing small blind": "posts dead blind",
    "dead blind": "posts dead blind",
    "straddle": "posts straddle",
    "raises to": "raises",
}


def shown_hero(entries: list[str]) -> str | None:
    """Return the name, in quotation marks, of the player who shows "your" cards in this hand."""
    yours = next((_sorted(found[1]) for entry in entries if (found := YOURS.match(entry))), None)
    stacks = next((entry for entry in entries if entry.startswith(STACKS)), "")
    for entry in entries:
        shown = SHOWN.fullmatch(entry)
        if shown and shown[1] in stacks and _sorted(shown[2]) == yours:
            return shown[1]
    return None


def _sorted(cards: str) -> list[str]:
    return sorted(cards.split(", "))


def read_entries(text: HandText, entries: list[str], dealer: str, hero: str | None) -> None:
    """Parse the entries after the first, oldest first."""
    by_name: dict[str, int] = {}
    for entry in entries:
        yours = YOURS.match(entry)
        if entry.startswith(STACKS):
            _stacks(text, entry.removeprefix(STACKS), by_name)
        elif (street := STREET.match(entry)) is not None:
            _street(text, street)
        elif yours is None:
            _line(text, entry, by_name)
        elif hero in by_name:
            text.cards[by_name[hero]] = _cards(yours[1])
    posts = {deed.verb: deed for deed in reversed(text.deeds)}
    blinds = [posts.get(f"posts {which} blind") for which in ("small", "big")]
    small, big = (0 if post is None else post.chips for post in blinds)
    text.stakes = (small, big)
    before_small = blinds[0].seat - 1 if blinds[0] else 0
    text.button = by_name.get(f'"{dealer}"', before_small)


def _stacks(text: HandText, entry: str, by_name: dict[str, int]) -> None:
    for part in re.split(r" \| (?=#\d)", entry):
        found = PLAYER.fullmatch(part)
        if found is None:
            text.stop(f"expected #seat, name and stack, got {part[:60]!r}", "stacks that cannot be read")
        seat = int(found[1])
        text.names[seat], text.stacks[seat] = found[2], text.chips(plain_number(found[3]))
        by_name[f'"{found[2]}"'] = seat


def _street(text: HandText, street: re.Match[str]) -> None:
    cards = _cards(re.sub(r"[\[\]]", " ", street[3]).replace(" ,", " "))
    text.street = STREETS.index(street[1]) + 1
    if street[2]:
        text.second = cards
    else:
        text.board = cards


def _cards(said: str) -> list[int]:
    return read_cards(said.translate(SUITS).replace(",", " "))


def _line(text: HandText, entry: str, by_name: dict[str, int]) -> None:
    """Parse an entry about a player; chat, joining and leaving are ignored."""
    back = UNCALLED.match(entry)
    found = match_player(entry, by_name, POST, ACTION, COLLECTED, SHOWS)
    if back is not None and f'"{back[2]}"' in by_name:
        text.back[by_name[f'"{back[2]}"']] += text.chips(plain_number(back[1]))
    elif found is not None:
        _deed(text, *found)


def _deed(text: HandText, seat: int, found: re.Match[str]) -> None:
    if found.re is SHOWS:
        text.cards.setdefault(seat, _cards(found[1]))
    elif found.re is COLLECTED:
        text.won[seat] += text.chips(plain_number(found[1]))
    elif found[1] == "bomb pot bet":
        text.stop("expected blinds, got a bomb pot", "a bomb pot")
    else:
        chips = text.chips(plain_number(found[2])) if found[2] else 0
        verb = VERBS.get(found[1], found[1])
        paid = chips if verb.startswith("posts") else 0
        text.add(seat, verb, paid, 0 if paid else chips, bool(found[3]))
