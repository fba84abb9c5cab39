"""Write hands as PHH (one hand) or PHHS (several)."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from holdmem.cards import name as card_name
from holdmem.core.errors import NotationError
from holdmem.engine import CALL, FOLD, Game
from holdmem.engine.state import BOARD_CARDS, PARTS, SEATS, STREETS, UNLIMITED
from holdmem.history.formats.phh_game import (
    GAME_FIELD,
    digits_needed,
    digits_of,
    even_antes,
    find_terms,
    opener,
    swap_heads_up,
)
from holdmem.history.formats.phh_text import Fields
from holdmem.history.formats.terms_json import terms_text
from holdmem.history.hands import UNKNOWN, Hands, RecordedHand, Terms
from holdmem.history.replay import Decisions, replay, replay_results
from holdmem.history.steps import collected, replay_hand

FINER = 6
"""Extra decimals for results that are not whole chips: enough to distinguish any two."""


def write(hands: Iterable[Hands], file: TextIO, *, one: bool = False) -> int:
    """Write all hands under `[1]`, `[2]`, …, or one hand without a header; return the number of hands."""
    count = 0
    for block in hands:
        for hand, actions in zip(_standing(block), actions_of(block), strict=True):
            count += 1
            if one and count > 1:
                raise NotationError("a PHH file holds one hand only; write several hands to a .phhs file")
            file.write("" if one else f"[{count}]\n")
            file.write(
                "".join(f"{key} = {_toml(value)}\n" for key, value in fields_of(hand, actions).items())
            )
            file.write("" if one else "\n")
    return count


def _standing(hands: Hands) -> Iterator[RecordedHand]:
    """Yield the hands, without their recorded result where replay contradicts it."""
    for hand, stands in zip(hands, replay_results(hands).stands.tolist(), strict=True):
        yield hand if stands else hand._replace(net=None, rake=0)


class AmountText(str):
    """An amount in its written form."""

    __slots__ = ()


def number(parts: int, digits: int) -> AmountText:
    """Format an amount given in parts of a chip (1/PARTS) in units of 10^digits chips, without end zeros."""
    if parts % PARTS:
        scaled, places = round(abs(parts) * 10**FINER / PARTS), digits + FINER
    else:
        scaled, places = abs(parts) // PARTS, digits
    whole, rest = divmod(scaled, 10**places)
    tail = f".{rest:0{places}}".rstrip("0") if rest else ""
    return AmountText(f"{'-' if parts < 0 else ''}{whole}{tail}")


def _toml(value: Any) -> str:
    """Format a value as TOML, preferably in a form that `phh_text.quick` reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str) and not isinstance(value, AmountText):
        plain = not re.search(r"['\x00-\x1f\x7f]", value)
        return f"'{value}'" if plain else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


# Fields


def fields_of(hand: RecordedHand, actions: list[str]) -> Fields:
    """Return the fields of one hand; NotationError for what PHH cannot represent."""
    game, digits = hand.terms.game, _digits(hand.terms)
    if hand.second:
        raise NotationError(f"{game.name}: PHH allows only one board, but this hand was run twice")
    if game.short_blinds == "in-full" and _short(game, hand.stacks):
        raise NotationError(
            f"{game.name}: in PHH a short blind is called as posted, but here it is called in full"
        )
    antes, trimmed = _antes(game, hand.stacks)
    sizes = {name: number(PARTS * size, digits) for name, size in _sizes(game).items()}
    fields: Fields = {
        "variant": "FT" if game.limit else "NT",
        "ante_trimming_status": trimmed,
        "antes": _amounts(swap_heads_up(antes), digits),
        "blinds_or_straddles": _amounts(swap_heads_up(_signed(game)), digits),
        **sizes,
        "starting_stacks": _stacks(hand.stacks, digits),
        "actions": actions,
        **_about(hand),
    }
    fields |= _result(hand, digits)
    if hand.terms.currency:
        code = hand.terms.currency.isalpha() and len(hand.terms.currency) == 3
        fields["currency" if code else "currency_symbol"] = hand.terms.currency
    if find_terms(fields, digits_needed(fields)) != hand.terms:
        fields[GAME_FIELD] = terms_text(hand.terms)
    return fields


def _stacks(stacks: Sequence[int], digits: int) -> list[AmountText]:
    """Format starting stacks; an unlimited stack is infinite, as in PokerKit."""
    return [AmountText("inf") if stack == UNLIMITED else number(PARTS * stack, digits) for stack in stacks]


def _result(hand: RecordedHand, digits: int) -> Fields:
    """Return the finishing stacks, or the winnings of each seat if a stack is unlimited; none if inferred."""
    if hand.net is None or hand.inferred:
        return {}
    if UNLIMITED in hand.stacks:
        return {"winnings": [number(parts, digits) for parts in collected(replay_hand(hand)) or ()]}
    ends = [PARTS * stack + net for stack, net in zip(hand.stacks, hand.net, strict=True)]
    return {"finishing_stacks": [number(parts, digits) for parts in ends]}


def _short(game: Game, stacks: Sequence[int]) -> bool:
    """Return whether a seat cannot pay its blind after antes and dead chips."""
    owed = zip(game.blinds, game.antes or (0,) * game.seats, game.dead or (0,) * game.seats, strict=True)
    return any(stack < sum(chips) for stack, chips in zip(stacks, owed, strict=True))


def _digits(terms: Terms) -> int:
    digits = digits_of(terms.chip)
    if digits is None:
        raise NotationError(
            f"{terms.game.name}: PHH needs a chip worth a power of ten (1, 0.1, 0.01 …), got {terms.chip}"
        )
    return digits


def _amounts(chips: Iterable[int], digits: int) -> list[AmountText]:
    return [number(PARTS * value, digits) for value in chips]


def _antes(game: Game, stacks: Sequence[int]) -> tuple[list[int], bool]:
    """Return what each seat pays before the blinds, and whether that counts towards what it can win."""
    antes, dead = (list(chips or (0,) * game.seats) for chips in (game.antes, game.dead))
    if not even_antes(antes, stacks):
        raise NotationError(
            f"{game.name}: PHH needs the same ante from every seat (use dead chips for others), got"
            f" {game.antes} from stacks {tuple(stacks)}"
        )
    if not game.dead:
        return [max(antes)] * game.seats, True
    posted = [max(antes) + chips for chips in dead]
    if any(stack < chips for stack, chips in zip(stacks, posted, strict=True)):
        raise NotationError(
            f"{game.name}: with dead chips, PHH needs stacks that cover the antes in full, got antes"
            f" {game.antes}, dead {game.dead} and stacks {tuple(stacks)}"
        )
    return posted, False


def _signed(game: Game) -> tuple[int, ...]:
    """Return the blinds, negated where posted late: late posts do not change who acts first."""
    big = (game.first[0] - 1) % game.seats
    signed = tuple(
        -chips if (chips, seat) > (game.blinds[big], big) else chips for seat, chips in enumerate(game.blinds)
    )
    if game.first != (opener(signed), 0, 0, 0):
        raise NotationError(
            f"{game.name}: PHH needs the seat left of the big blind to act first before the flop and the one"
            f" left of the button later, got blinds {game.blinds} and first {game.first}"
        )
    return signed


def _sizes(game: Game) -> dict[str, int]:
    """Return the fields that give bet sizes."""
    if game.raise_sizes is None:
        return {"min_bet": game.min_bet or game.big_blind}
    small, also_small, big, also_big = game.raise_sizes
    if (small, big) != (also_small, also_big):
        raise NotationError(f"{game.name}: PHH needs a small and a big bet, got {game.raise_sizes}")
    return {"small_bet": small, "big_bet": big}


def _about(hand: RecordedHand) -> Fields:
    """Return number, time, site, table and players."""
    about: Fields = {}
    if hand.number != UNKNOWN:
        about["hand"] = hand.number
    if hand.time != UNKNOWN:
        moment = datetime.fromtimestamp(hand.time, UTC)
        about["time"] = moment.time()
        about |= {"day": moment.day, "month": moment.month, "year": moment.year}
    if hand.site:
        about["venue"] = hand.site
    if hand.table:
        about["table"] = hand.table
    return about | {"players": list(hand.names)}


# Actions


def actions_of(hands: Hands) -> list[list[str]]:
    """Return the PHH action list of each hand: cards dealt, actions, cards shown."""
    found = replay_results(hands)
    lists = [_ActionList(hand) for hand in hands]
    for seen in replay(hands):
        views, asked = seen.views, _asked(seen)
        columns = (seen.hand, views.street, views.seat, seen.actions, asked)
        for place, street, seat, action, ask in zip(*(column.tolist() for column in columns), strict=True):
            lists[place].act(street, seat, action, ask)
    for one, shown in zip(lists, found.shown.tolist(), strict=True):
        if shown:
            one.show(shown)
    return [one.actions for one in lists]


def _asked(seen: Decisions) -> NDArray[np.bool_]:
    """Return whether PokerKit asks for each action: not for a check if no other live seat has chips."""
    views = seen.views
    others = ((views.live[:, None] >> np.arange(SEATS)) & 1).astype(np.bool_) & (views.stack > 0)
    others[np.arange(len(seen)), views.seat] = False
    return (views.to_call > 0) | (seen.actions != CALL) | others.any(axis=1)  # type: ignore[no-any-return]


class _ActionList:
    """The PHH action list of one hand, built action by action."""

    def __init__(self, hand: RecordedHand) -> None:
        self._hand = hand
        self._digits = _digits(hand.terms)
        self._street, self._raiser = 0, 0
        self.actions = [f"d dh p{seat} {_names(cards)}" for seat, cards in enumerate(hand.hole, start=1)]

    def act(self, street: int, seat: int, action: int, ask: bool) -> None:
        """Append one action, after dealing the board of its street."""
        self._deal(street)
        if action > CALL:
            self._raiser = seat
        said = {FOLD: "f", CALL: "cc"}.get(action) or f"cbr {number(PARTS * action, self._digits)}"
        if ask:
            self.actions.append(f"p{seat + 1} {said}")

    def _deal(self, street: int) -> None:
        while self._street < street:
            self._street += 1
            self._raiser = 0
            begin, end = BOARD_CARDS[self._street - 1 : self._street + 1]
            self.actions.append(f"d db {_names(self._hand.board[begin:end])}")

    def show(self, shown: int) -> None:
        """Show the remaining hands, the last raiser first, then deal the rest of the board."""
        hole = self._hand.hole
        for place in range(len(hole)):
            seat = (self._raiser + place) % len(hole)
            if shown >> seat & 1:
                self.actions.append(f"p{seat + 1} sm {_names(hole[seat])}")
        self._deal(STREETS - 1)


def _names(cards: Iterable[int]) -> str:
    return "".join("??" if card == UNKNOWN else card_name(card) for card in cards)
