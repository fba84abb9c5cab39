"""Build a hand from its PHH fields: the careful reader of one hand."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from holdmem.cards import DECK, name
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, Game
from holdmem.engine.state import PARTS, SEATS, UNLIMITED
from holdmem.history.formats.phh_game import (
    amount_in,
    check_seats,
    check_variant,
    chip_list,
    digits_needed,
    find_terms,
    whole_chips,
)
from holdmem.history.formats.phh_text import Fields
from holdmem.history.hands import UNKNOWN, RecordedHand
from holdmem.history.hands_builder import expect_fit

_CARDS = {name(card): card for card in DECK} | {"??": UNKNOWN}
_PLAYERS = {f"p{seat + 1}": seat for seat in range(SEATS)}


class PHHHand(NamedTuple):
    """A hand as PHH states it: the seat of each action, and what was collected in parts of a chip.

    `shown` are the seats that show their cards at the end, as a bit mask.
    """

    hand: RecordedHand
    actors: Sequence[int]
    collected: Sequence[int] | None
    shown: int = 0


# One action


class PHHAction(NamedTuple):
    """One parsed entry of `actions`; a raise keeps the text of its amount."""

    kind: str
    seat: int
    cards: tuple[int, ...] = ()
    amount: str = ""


@lru_cache(maxsize=1 << 16)
def step(text: str) -> PHHAction:
    """Parse one entry of `actions`, ignoring a comment after #."""
    words = text.partition("#")[0].split()
    if not words:
        return PHHAction("remark", UNKNOWN)
    who, kind = words[0], words[1] if len(words) > 1 else ""
    try:
        if who == "d" and kind == "db" and len(words) == 3:
            return PHHAction("db", UNKNOWN, _cards(words[2]))
        if who == "d" and kind == "dh" and len(words) == 4:
            return PHHAction("dh", _PLAYERS[words[2]], _cards(words[3]))
        if kind == "cbr" and len(words) == 3:
            return PHHAction("cbr", _PLAYERS[who], (), words[2])
        if kind in ("f", "cc") and len(words) == 2:
            return PHHAction(kind, _PLAYERS[who])
        if kind == "sm" and len(words) <= 3:
            shown = words[2] if len(words) == 3 and words[2] != "-" else ""
            return PHHAction("sm", _PLAYERS[who], _cards(shown))
    except KeyError:
        pass
    raise NotationError(
        f"expected an action such as 'd dh p1 AhKd', 'd db 2c3d4h', 'p1 f', 'p1 cc', 'p1 cbr 20' or"
        f" 'p1 sm AhKd', got {text!r}"
    )


def _cards(text: str) -> tuple[int, ...]:
    return tuple(_CARDS[text[begin : begin + 2]] for begin in range(0, len(text), 2))


class _ActionReader:
    """Collects cards and actions from the entries of one hand."""

    def __init__(self, seats: int, digits: int) -> None:
        self.hole: list[list[int]] = [[] for _ in range(seats)]
        self.board: list[int] = []
        self.betting: list[int] = []
        self.actors: list[int] = []
        self.shown = 0
        self._digits = digits

    def add(self, text: str) -> None:
        kind, seat, cards, amount = step(text)
        if seat >= len(self.hole):
            raise NotationError(f"expected a player from p1 to p{len(self.hole)}, got {text!r}")
        if kind == "cc":
            self._act(seat, CALL)
        elif kind == "f":
            self._act(seat, FOLD)
        elif kind == "cbr":
            chips = whole_chips(amount, self._digits)
            if chips <= 0:
                raise NotationError(f"expected a raise with an amount, got {text!r}")
            self._act(seat, chips)
        elif kind == "dh":
            self.hole[seat] += cards
        elif kind == "db":
            self.board += cards
        elif kind == "sm":
            self._show(seat, cards)

    def _act(self, seat: int, action: int) -> None:
        self.actors.append(seat)
        self.betting.append(action)

    def _show(self, seat: int, cards: tuple[int, ...]) -> None:
        hole = self.hole[seat]
        if UNKNOWN not in cards and len(cards) == len(hole) == 2:
            self.shown |= 1 << seat
        for place, card in enumerate(cards):
            if card != UNKNOWN and place < len(hole):
                hole[place] = card

    def hole_cards(self) -> list[list[int]]:
        """Return two hole cards per seat; those not dealt are unknown."""
        for seat, cards in enumerate(self.hole, start=1):
            if len(cards) > 2:
                raise NotationError(f"expected two hole cards per seat, got {len(cards)} for p{seat}")
        return [cards + [UNKNOWN] * (2 - len(cards)) for cards in self.hole]


# One hand


def hand_of(fields: Fields, line: int = UNKNOWN, game: Game | None = None) -> PHHHand:
    """Build a hand from its PHH fields.

    PHH does not record every rule. `game`, if given, supplies the rest, such as the cap on raises.
    """
    check_variant(fields)
    check_seats(fields)
    stacks, steps = chip_list(fields, "starting_stacks"), _texts(fields, "actions")
    digits = digits_needed(fields)
    terms = find_terms(fields, digits, game)
    actions = _ActionReader(len(stacks), digits)
    for text in steps:
        actions.add(text)
    if len(actions.board) > 5:
        raise NotationError(f"expected one board of five cards, got {len(actions.board)} cards")
    chips = [whole_chips(stack, digits) for stack in stacks]
    net, collected = _results(fields, chips, digits)
    hand = RecordedHand(
        terms=terms,
        names=_players(fields, len(stacks)),
        stacks=chips,
        hole=actions.hole_cards(),
        board=actions.board,
        betting=actions.betting,
        net=net,
        rake=_rake(net) if net else 0,
        number=hand_number(fields.get("hand")),
        table=str(fields.get("table", "")),
        time=moment(fields),
        line=line,
        site=str(fields.get("venue", "")),
    )
    expect_fit(hand)
    return PHHHand(hand, actions.actors, collected, actions.shown)


def _texts(fields: Fields, name: str) -> list[str]:
    """Return a field that must be a list of strings."""
    found = fields.get(name)
    if not isinstance(found, list) or not all(isinstance(value, str) for value in found):
        raise NotationError(f"expected a list of strings as {name}, got {found!r:.60}")
    return found


def _players(fields: Fields, seats: int) -> list[str]:
    names = _texts(fields, "players") if fields.get("players") else [f"p{seat + 1}" for seat in range(seats)]
    if len(names) != seats:
        raise NotationError(f"expected {seats} players, one per stack, got {len(names)}")
    return names


def _results(fields: Fields, chips: list[int], digits: int) -> tuple[list[int] | None, list[int] | None]:
    """Return net results if finishing stacks are given; otherwise the amounts collected, if given."""
    if "finishing_stacks" in fields:
        ends = _parts(fields, "finishing_stacks", len(chips), digits)
        return [end - PARTS * stack for end, stack in zip(ends, chips, strict=True)], None
    collected = _parts(fields, "winnings", len(chips), digits) if "winnings" in fields else []
    # Somebody always wins the pot, so all zeros means that winnings were not recorded.
    return None, collected if any(collected) else None


def _parts(fields: Fields, name: str, seats: int, digits: int) -> list[int]:
    values = chip_list(fields, name)
    if len(values) != seats:
        raise NotationError(f"expected {seats} {name}, one per stack, got {len(values)}")
    return [_in_parts(value, digits) for value in values]


@lru_cache(maxsize=1 << 12)
def _in_parts(value: int | str, digits: int) -> int:
    """Convert an amount to parts of a chip, rounded to the nearest: thirds have no finite decimal form."""
    parts: int = round(amount_in(value) * 10**digits * PARTS)
    if abs(parts) > PARTS * SEATS * UNLIMITED:
        raise NotationError(f"amount out of range, got {value!r:.40}")
    return parts


def _rake(net: Sequence[int]) -> int:
    """Return the chips that no player received; 0 for the invalid case of more collected than paid."""
    return max(0, round(Fraction(-sum(net), PARTS)))


def hand_number(said: Any) -> int:
    """Return the number of a hand, or UNKNOWN for any other name of it."""
    number = said if isinstance(said, int) else UNKNOWN
    if isinstance(said, str) and re.fullmatch("[0-9]{1,19}", said):
        number = int(said)
    return number if 0 <= number < 2**63 else UNKNOWN


def moment(fields: Fields) -> int:
    """Return the hand's time in seconds since 1970, by the source's clock; midnight if it has none."""
    year, month, day = (fields.get(name) for name in ("year", "month", "day"))
    clock = fields.get("time", time())
    if year is None or month is None or day is None or not isinstance(clock, time):
        return UNKNOWN
    try:
        return int(datetime.combine(date(year, month, day), clock.replace(tzinfo=UTC)).timestamp())
    except (ValueError, TypeError, OverflowError):
        raise NotationError(f"expected a date, got year {year}, month {month}, day {day}") from None
