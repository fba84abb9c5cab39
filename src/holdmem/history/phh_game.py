"""The game that PHH's fields say, and the field of our own that says what they cannot."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any

from holdmem.errors import NotationError
from holdmem.history.phh_text import Fields
from holdmem.history.records import Terms
from holdmem.history.said_terms import read_terms
from holdmem.rules import Game
from holdmem.rules.state import SEATS, UNLIMITED

GAME_FIELD = "_holdmem_game"
"""What is played and what a chip is, as JSON; written where the fields of PHH do not say it in full."""

VARIANTS = {
    "FT": "fixed-limit Texas hold'em",
    "NT": "no-limit Texas hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high/low",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud high/low",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}

# Amounts

LONGEST = 30
"""Digits of an amount before and after the point."""

MOST_DECIMALS = 9
"""Decimals of a chip: with more no stack would fit."""


@lru_cache(maxsize=1 << 14)
def decimals(text: str) -> int:
    """How many decimals an amount needs: "0.10" needs one."""
    exponent = _decimal(text).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@lru_cache(maxsize=1 << 14)
def whole_chips(value: int | str, digits: int) -> int:
    """An amount in chips of so many decimals; an infinite one is as much as no hand can exhaust."""
    amount = _decimal(value)
    if amount == Decimal("inf"):
        return UNLIMITED
    scaled = amount.scaleb(digits)
    if not scaled.is_finite() or scaled != scaled.to_integral_value() or abs(scaled) > UNLIMITED:
        raise NotationError(f"expected an amount with at most {digits} decimals, got {value!r}")
    return int(scaled)


def _decimal(value: Any) -> Decimal:
    """An amount of at most thirty digits before and after the point: `1e3000000` would take for ever."""
    try:
        amount = Decimal(value)
    except (InvalidOperation, ValueError, TypeError):
        amount = Decimal("nan")
    exponent = amount.as_tuple().exponent
    short = isinstance(exponent, int) and exponent >= -LONGEST and amount.adjusted() <= LONGEST
    if not short and not (amount.is_infinite() and not amount.is_signed()):
        raise NotationError(f"expected an amount, got {value!r:.40}")
    return amount


def amount_in(value: int | str) -> Fraction:
    """An amount that need not be whole chips, exactly."""
    amount = _decimal(value)
    if not amount.is_finite():
        raise NotationError(f"expected an amount, got {value!r:.40}")
    return Fraction(amount)


_RAISE = re.compile(r" cbr ([^ ]*[.eE][^ ]*)").findall


def digits_needed(fields: Fields) -> int:
    """Decimals that a chip needs for every amount to be whole: none, cents, or as many as there are.

    Money is counted in cents even in a hand without any, so that hands of one game have one kind of chip.
    """
    if GAME_FIELD in fields:
        digits = digits_of(_said(str(fields[GAME_FIELD])).chip)
        return 0 if digits is None else digits
    found = [fields.get(name) for name in ("min_bet", "small_bet", "big_bet")]
    for name in ("antes", "blinds_or_straddles", "starting_stacks"):
        found += chip_list(fields, name)
    found += _RAISE(" ".join(fields["actions"]))
    needed = max((decimals(value) for value in found if isinstance(value, str)), default=0)
    if needed > MOST_DECIMALS:
        raise NotationError(f"expected amounts of at most {MOST_DECIMALS} decimals, got {needed}")
    money = "currency" in fields or "currency_symbol" in fields
    return max(needed, 2) if needed or money else 0


def chip_list(fields: Fields, name: str) -> list[Any]:
    """A field that is a list of amounts."""
    found = fields.get(name)
    if not isinstance(found, list) or not all(map(_is_amount, found)):
        raise NotationError(f"expected a list of amounts as {name}, got {found!r:.60}")
    return found


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


# What is played


def check_variant(fields: Fields) -> None:
    """Refuse any game but limit and no-limit hold'em by its name, whatever else its fields say."""
    variant = fields.get("variant")
    if variant not in ("FT", "NT"):
        known = VARIANTS.get(str(variant))
        name = f"{known} is not read: " if known else ""
        raise NotationError(f"{name}expected variant FT or NT, got {variant!r:.40}")


def check_seats(fields: Fields) -> None:
    """Refuse a table that is not ours before anything is counted by seat."""
    seats = len(chip_list(fields, "starting_stacks"))
    if not 2 <= seats <= SEATS:
        raise NotationError(f"expected 2 to {SEATS} starting_stacks, got {seats}")


def find_terms(fields: Fields, digits: int, book: Game | None = None) -> Terms:
    """What is played; of `book`, if given, the caps and what rule books differ on."""
    variant = str(fields.get("variant"))
    stacks = [whole_chips(stack, digits) for stack in fields["starting_stacks"]]
    antes, blinds = (_by_seat(fields, name, len(stacks), digits) for name in ("antes", "blinds_or_straddles"))
    sizes = ("small_bet", "big_bet") if variant == "FT" else ("min_bet",)
    terms = _terms(
        variant,
        _settled(antes, stacks, trimmed=fields.get("ante_trimming_status") is True),
        blinds,
        tuple(whole_chips(_needed(fields, size), digits) for size in sizes),
        digits,
        str(fields.get("currency") or fields.get("currency_symbol") or ""),
    )
    if GAME_FIELD in fields:
        return _ours(fields[GAME_FIELD], terms.game)
    return terms if book is None else replace(terms, game=_by_the_book(terms.game, book))


def _needed(fields: Fields, name: str) -> Any:
    if not _is_amount(fields.get(name)):
        raise NotationError(f"expected an amount as {name}, got {fields.get(name)!r:.40}")
    return fields[name]


def _by_seat(fields: Fields, name: str, seats: int, digits: int) -> tuple[int, ...]:
    """A list of chips by seat; heads-up PHH lists them the other way round, small blind first."""
    chips = [whole_chips(value, digits) for value in chip_list(fields, name)]
    if len(chips) > seats:
        raise NotationError(f"expected {seats} {name}, one a stack, got {len(chips)}")
    chips += [0] * (seats - len(chips))
    return in_order(chips)


def in_order(chips: Sequence[int]) -> tuple[int, ...]:
    """From PHH's order of blinds and antes to ours, and back: they differ heads-up."""
    return tuple(reversed(chips)) if len(chips) == 2 else tuple(chips)


Posted = tuple[tuple[int, ...], tuple[int, ...]]
"""Antes that count as paid by a seat, and dead chips, which only belong to the main pot."""


def _settled(antes: tuple[int, ...], stacks: Sequence[int], *, trimmed: bool) -> Posted:
    """Antes as PokerKit has them.

    Trimmed ones count towards what a seat can win, and what nobody else matches goes back. Those that are not
    trimmed belong to the main pot: what all pay is an ante, and the rest of them are dead chips.
    """
    if not any(antes):
        return (), ()
    if min(antes) < 0:
        raise NotationError(f"expected antes of no less than nothing, got {antes}")
    if trimmed:
        matched = sorted(map(min, antes, stacks))[-2]
        if not even_antes([min(ante, matched) for ante in antes], stacks):
            raise NotationError(f"expected the same ante from all where antes are trimmed, got {antes}")
        return (matched,) * len(antes), ()
    common = min(antes)
    dead = tuple(ante - common for ante in antes)
    for stack, ante, rest in zip(stacks, antes, dead, strict=True):
        if stack < ante or stack <= rest:
            raise NotationError(
                f"expected stacks above antes that are not trimmed {antes}, got {tuple(stacks)}"
            )
    return (common,) * len(antes), dead


def even_antes(antes: Sequence[int], stacks: Sequence[int]) -> bool:
    """Whether every seat pays the same ante, or all that it has.

    Where antes differ otherwise, PokerKit gives back a bet that no other bet matches though another ante
    would, and burns what a seat that folded had paid beyond all others: no two rules pay the same then.
    """
    return all(min(max(antes), stack) == min(ante, stack) for ante, stack in zip(antes, stacks, strict=True))


@lru_cache(maxsize=1 << 10)
def _terms(
    variant: str, posted: Posted, signed: tuple[int, ...], sizes: tuple[int, ...], digits: int, currency: str
) -> Terms:
    limit = variant == "FT"
    game = Game(
        name=f"phh.{'limit' if limit else 'nolimit'}.{len(signed)}p",
        blinds=tuple(map(abs, signed)),
        raise_sizes=(sizes[0],) * 2 + (sizes[1],) * 2 if limit else None,
        first=(opener(signed), 0, 0, 0),
        antes=posted[0],
        dead=posted[1],
        min_bet=0 if limit else sizes[0],
        # Half a chip can be won, half a cent cannot.
        odd_chips="first-seat" if digits else "exact",
        reopening="full-raise",
        after_short="full-raise",
    )
    if limit:
        game = replace(game, max_raises=(4, 4, 4, 4))
    return Terms(game, Fraction(1, 10**digits), currency)


def opener(signed: Sequence[int]) -> int:
    """Who acts first: left of the largest blind, of equal ones the last. Negative ones are late posts."""
    largest = max(range(len(signed)), key=lambda seat: (signed[seat], seat))
    return (largest + 1) % len(signed)


def _by_the_book(game: Game, book: Game) -> Game:
    return replace(
        game,
        max_raises=book.max_raises,
        odd_chips=book.odd_chips,
        reopening=book.reopening,
        after_short=book.after_short,
        cap_counts=book.cap_counts,
        short_blinds=book.short_blinds,
    )


# Our own field


@lru_cache(maxsize=1 << 10)
def _said(text: str) -> Terms:
    return read_terms(text, GAME_FIELD)


def _ours(text: Any, fields: Game) -> Terms:
    terms = _said(str(text))
    if terms.game.blinds != fields.blinds or terms.game.limit != fields.limit:
        raise NotationError(f"expected {GAME_FIELD} with the blinds {fields.blinds}, got {text!r}")
    return terms


def digits_of(chip: Fraction) -> int | None:
    """How many decimals a chip of this worth has, or None if it is no tenth, hundredth and so on."""
    digits = len(str(chip.denominator)) - 1
    return digits if chip == Fraction(1, 10**digits) else None
