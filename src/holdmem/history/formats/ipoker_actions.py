"""Rounds of an iPoker game: posts, actions and cards, which are put in the order of their numbers."""

import re

from holdmem.cards.notation import cards as read_cards
from holdmem.history.formats.hand_text import HandText
from holdmem.history.formats.text_lines import plain_number

VERBS = {
    "0": "folds",
    "1": "posts small blind",
    "2": "posts big blind",
    "3": "calls",
    "4": "checks",
    "5": "bets",
    "6": "goes all-in",
    "7": "goes all-in",
    "15": "posts the ante",
    "23": "raises",
}
PASSED_OVER = ("8", "9")
"""A player sits out or leaves."""
CARD = re.compile(r"([CDHS])(10|[2-9TJQKA])")

Tag = tuple[str, dict[str, str], str]


def read_rounds(text: HandText, tags: list[Tag]) -> None:
    """Parse the rounds: 0 has the posts, 1 the betting before the flop."""
    seats = {name: seat for seat, name in text.names.items()}
    street, actions = 0, list[tuple[int, int, dict[str, str]]]()
    for name, attributes, after in tags:
        if name == "round":
            street = max(_whole(text, attributes["no"]) - 1, 0)
        elif name == "cards":
            _cards(text, attributes, after, seats)
        elif name == "action":
            actions.append((street, _whole(text, attributes["no"]), attributes))
    for text.street, _, attributes in sorted(actions, key=lambda one: one[:2]):
        _action(text, attributes, seats)


def _whole(text: HandText, number: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", number) or int(number) > 10_000:
        text.stop(f"expected the number of a round or action, got {number[:20]!r}", "a bad tag")
    return int(number)


def _cards(text: HandText, attributes: dict[str, str], after: str, seats: dict[str, int]) -> None:
    found = read_cards("".join(rank + suit.lower() for suit, rank in CARD.findall(after)))
    if attributes["type"] == "Pocket":
        if found:
            text.cards[seats[attributes["player"]]] = found
    elif attributes["type"] in ("Flop", "Turn", "River"):
        text.board = [*text.board, *found]


def _action(text: HandText, attributes: dict[str, str], seats: dict[str, int]) -> None:
    kind = attributes["type"]
    if kind in PASSED_OVER:
        return
    if kind not in VERBS:
        text.stop(f"expected an action of type {', '.join(VERBS)}, got {kind[:20]!r}", "an unknown action")
    seat, chips, verb = seats[attributes["player"]], _chips(text, attributes["sum"]), VERBS[kind]
    posted = any(deed.verb == "posts big blind" for deed in text.deeds)
    if verb == "posts big blind" and posted and text.stakes[1] and chips > text.stakes[1]:
        verb = "posts small & big blinds"
    if verb == "raises":
        text.add(seat, verb, total=chips)
    else:
        text.add(seat, verb, chips, all_in=chips == text.stacks[seat])


def _chips(text: HandText, amount: str) -> int:
    return text.chips(plain_number(amount))
