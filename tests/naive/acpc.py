"""Lines of an ACPC log taken apart with `split` and played by the naive rules."""

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from holdmem.cards import RANKS, SUITS
from holdmem.engine import CALL, FOLD, PARTS, Game
from naive.rules import Hand


class Line(NamedTuple):
    """What one `STATE:` line says: its legal actions, results in parts of a chip."""

    number: int
    actions: list[int]
    legal: bool
    holes: list[list[int]]
    board: list[int]
    parts: list[int]
    names: list[str]


class NoLine(ValueError):
    """A line that no dealer writes."""


def expect(fine: object) -> None:
    if not fine:
        raise NoLine


def read_line(text: str, game: Game) -> Line | None:
    """The hand of this line, or None if no dealer would write it."""
    text = re.split(r"[ \t]#(?:[ \t]|$)", text, maxsplit=1)[0].rstrip(" \t\r")
    try:
        word, number, betting, dealt, results, names = text.split(":")
        expect(word == "STATE" and re.fullmatch("[0-9]{1,18}", number))
        actions, legal = read_actions(betting, game)
        holes, *board = dealt.split("/")
        expect(len(holes.split("|")) == len(results.split("|")) == len(names.split("|")) == game.seats)
        expect([len(street) for street in board] == [6, 2, 2][: len(board)])
        expect(all(len(hole) == 4 for hole in holes.split("|")) and all(names.split("|")))
        return Line(
            int(number),
            actions,
            legal,
            [read_cards(hole) for hole in holes.split("|")],
            read_cards("".join(board)),
            [read_result(result) for result in results.split("|")],
            names.split("|"),
        )
    except ValueError:
        return None


def read_cards(text: str) -> list[int]:
    """Cards of two letters each; `index` knows no others."""
    pairs = [text[begin : begin + 2] for begin in range(0, len(text), 2)]
    return [4 * RANKS.index(pair[0]) + SUITS.index(pair[1]) for pair in pairs]


def read_result(text: str) -> int:
    expect(re.fullmatch(r"-?[0-9]{1,12}(\.[0-9]{1,12})?", text))
    try:
        parts = abs(Decimal(text)) * PARTS
    except InvalidOperation:
        raise NoLine from None
    expect(abs(Decimal(text)) <= 10 * (2**31 - 1) + 1)
    nearest = int(parts + Decimal("0.5"))
    return -nearest if text.startswith("-") else nearest


def read_actions(text: str, game: Game) -> tuple[list[int], bool]:
    """The actions up to one that the rules forbid, and whether there was none."""
    hand, actions, marks = Hand(game, range(game.deck_cards), game.stacks), [], 0
    for token in re.findall(r"r[0-9]*|.", text, re.DOTALL) if not game.limit else text:
        if token == "/":
            marks += 1
            continue
        seat = hand.to_act()
        expect(token[0] in "fcr")
        action = {"f": FOLD, "c": CALL}.get(token)
        if action is None:
            action = raise_of(token, hand, seat)
        if seat is None:
            return actions, False
        expect(hand.street == marks)
        _, least, most = hand.legal()
        if action > CALL and not least <= action <= most:
            return actions, False
        hand.act(action)
        actions.append(action)
    if hand.to_act() is None:
        expect(marks == (3 if len(hand.live()) > 1 else hand.street))
    return actions, True


def raise_of(token: str, hand: Hand, seat: int | None) -> int:
    """The total of the street; after the end of a hand any will do."""
    if hand.game.limit:
        return 1 if seat is None else max(hand.legal()[1], 1)
    expect(token != "r" and int(token[1:]) < 10**18)
    who = 0 if seat is None else seat
    total = int(token[1:]) - (hand.paid(who) - hand.bet(who))
    expect(0 < total <= 2**31 - 1)
    return total
