"""Derive the game from PHH's fields, or from our own field for what they cannot express."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any

from holdmem.core.errors import NotationError
from holdmem.engine import Game
from holdmem.engine.state import SEATS, UNLIMITED
from holdmem.history.formats.phh_text import Fields
from holdmem.history.formats.terms_json import read_terms
from holdmem.history.hands import Terms

GAME_FIELD = "_holdmem_game"
"""Custom field with game and chip as JSON, written where the fields of PHH do not define them fully."""

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
"""Most digits of an amount before and after the decimal point."""

MOST_DECIMALS = 9
"""Most decimals of a chip; with more, no stack would fit."""


@lru_cache(maxsize=1 << 14)
def decimals(text: str) -> int:
    """Return the number of decimals an amount needs: "0.10" needs one."""
    exponent = _decimal(text).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@lru_cache(maxsize=1 << 14)
def whole_chips(value: int | str, digits: int) -> int:
    """Convert an amount to chips of 10^-digits; infinity becomes UNLIMITED, which no hand exhausts."""
    amount = _decimal(value)
    if amount == Decimal("inf"):
        return UNLIMITED
    scaled = amount.scaleb(digits)
    if not scaled.is_finite() or scaled != scaled.to_integral_value() or abs(scaled) > UNLIMITED:
        raise NotationError(f"expected an amount with at most {digits} decimals, got {value!r}")
    return int(scaled)


def _decimal(value: Any) -> Decimal:
    """Parse an amount of at most 30 digits before and after the point; `1e3000000` would take forever."""
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
    """Parse an amount exactly; it need not be whole chips."""
    amount = _decimal(value)
    if not amount.is_finite():
        raise NotationError(f"expected an amount, got {value!r:.40}")
    return Fraction(amount)


_RAISE = re.compile(r" cbr ([^ ]*[.eE][^ ]*)").findall


def digits_needed(fields: Fields) -> int:
    """Return the decimals of a chip that make every amount whole: 0, 2, or as many as needed.

    Money is always counted in cents, even in a hand without any, so that hands of one game have the same kind
    of chip.
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
    """Return a field that must be a list of amounts."""
    found = fields.get(name)
    if not isinstance(found, list) or not all(map(_is_amount, found)):
        raise NotationError(f"expected a list of amounts as {name}, got {found!r:.60}")
    return found


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


# The game


def check_variant(fields: Fields) -> None:
    """Raise NotationError for any variant but limit and no-limit hold'em, whatever the other fields say."""
    variant = fields.get("variant")
    if variant not in ("FT", "NT"):
        known = VARIANTS.get(str(variant))
        name = f"{known} is not supported: " if known else ""
        raise NotationError(f"{name}expected variant FT or NT, got {variant!r:.40}")


def check_seats(fields: Fields) -> None:
    """Raise NotationError for an unsupported number of seats, before anything is counted by seat."""
    seats = len(chip_list(fields, "starting_stacks"))
    if not 2 <= seats <= SEATS:
        raise NotationError(f"expected 2 to {SEATS} starting_stacks, got {seats}")


def find_terms(fields: Fields, digits: int, book: Game | None = None) -> Terms:
    """Return the terms; `book`, if given, provides the caps and the rules on which rule books differ."""
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
    """Return chips by seat; heads-up, PHH lists them in reverse order, small blind first."""
    chips = [whole_chips(value, digits) for value in chip_list(fields, name)]
    if len(chips) > seats:
        raise NotationError(f"expected {seats} {name}, one per stack, got {len(chips)}")
    chips += [0] * (seats - len(chips))
    return swap_heads_up(chips)


def swap_heads_up(chips: Sequence[int]) -> tuple[int, ...]:
    """Convert between PHH's order of blinds and antes and ours; they differ heads-up only."""
    return tuple(reversed(chips)) if len(chips) == 2 else tuple(chips)


Posts = tuple[tuple[int, ...], tuple[int, ...]]
"""Antes that count as paid by a seat, and dead chips, which only belong to the main pot."""


def _settled(antes: tuple[int, ...], stacks: Sequence[int], *, trimmed: bool) -> Posts:
    """Return antes and dead chips as PokerKit treats them.

    Trimmed antes count towards what a seat can win, and the unmatched part is returned. Untrimmed antes
    belong to the main pot: the part that all pay is an ante, and the rest is dead chips.
    """
    if not any(antes):
        return (), ()
    if min(antes) < 0:
        raise NotationError(f"antes must not be negative, got {antes}")
    if trimmed:
        matched = sorted(map(min, antes, stacks))[-2]
        if not even_antes([min(ante, matched) for ante in antes], stacks):
            raise NotationError(f"trimmed antes must be the same for every seat, got {antes}")
        return (matched,) * len(antes), ()
    common = min(antes)
    dead = tuple(ante - common for ante in antes)
    for stack, ante, rest in zip(stacks, antes, dead, strict=True):
        if stack < ante or stack <= rest:
            raise NotationError(f"expected stacks above the untrimmed antes {antes}, got {tuple(stacks)}")
    return (common,) * len(antes), dead


def even_antes(antes: Sequence[int], stacks: Sequence[int]) -> bool:
    """Return whether every seat pays the same ante, or all that it has.

    Where antes differ otherwise, PokerKit returns a bet that no other bet matches although another ante
    would, and burns what a folded seat had paid beyond all others. No two rule sets then pay the same.
    """
    return all(min(max(antes), stack) == min(ante, stack) for ante, stack in zip(antes, stacks, strict=True))


@lru_cache(maxsize=1 << 10)
def _terms(
    variant: str, posted: Posts, signed: tuple[int, ...], sizes: tuple[int, ...], digits: int, currency: str
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
    """Return the first to act: left of the largest blind, the last of equal ones; late posts are negative."""
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
    """Return the decimals of a chip of this value, or None if it is not a power of 1/10."""
    digits = len(str(chip.denominator)) - 1
    return digits if chip == Fraction(1, 10**digits) else None
