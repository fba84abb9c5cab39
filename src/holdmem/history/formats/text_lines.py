"""What lines of different sites have in common: players at the start of a line, amounts, dates."""

import calendar
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from holdmem.history.hands import UNKNOWN

_GROUPED = re.compile(r"\d{1,3}(?:[., ]\d{3})+(?:[.,]\d{1,2})?").fullmatch
_DECIMAL = re.compile(r"(\d+)(?:[.,](\d{1,2}))?").fullmatch
_DIGITS = re.compile(r"\d(?:.*\d)?", re.DOTALL)
"""From the first digit to the last."""


def plain_number(text: str) -> str:
    """Return an amount without currency and thousands separators, with a point before the decimals.

    A comma or point before three digits separates thousands, otherwise decimals: "1.550 $", "$2,50".
    """
    digits = _DIGITS.search(text)
    shape = digits[0].replace("\xa0", " ").replace("\u202f", " ") if digits else ""
    if _GROUPED(shape):
        tail = re.search(r"[.,](\d{1,2})$", shape)
        whole = shape[: tail.start()] if tail else shape
        return re.sub(r"[., ]", "", whole) + (f".{tail[1]}" if tail else "")
    found = _DECIMAL(shape)
    if found is None:
        raise ValueError(f"expected an amount, got {text[:40]!r}")
    return found[1] + (f".{found[2]}" if found[2] else "")


def currency_of(text: str) -> str:
    """Return the sign of the currency in an amount, or an empty text."""
    found = re.search(r"[$€£]", text)
    return found[0] if found else ""


def match_player(
    line: str, by_name: Mapping[str, int], *patterns: re.Pattern[str], after: str = " "
) -> tuple[int, re.Match[str]] | None:
    """Return the player a line is about and the match: the longest name after which the rest fits whole."""
    for name in sorted((name for name in by_name if line.startswith(name + after)), key=len, reverse=True):
        rest = line[len(name) + len(after) :]
        for pattern in patterns:
            found = pattern.fullmatch(rest)
            if found is not None:
                return by_name[name], found
    return None


def seconds(year: str | int, month: str | int, day: str | int, clock: str) -> int:
    """Convert a date and a time such as 20:15:00 to seconds since 1970, without regard to the time zone."""
    hour, minute, second = map(int, clock.split(":"))
    when = datetime(int(year), int(month), int(day), hour, minute, second, tzinfo=UTC)
    return calendar.timegm(when.utctimetuple()) or UNKNOWN
