"""Numbers and lists in English: "three hands", "62%", "6.3 small bets", "a, b and c"."""

from collections.abc import Sequence

from holdmem.engine.game import Game

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Join parts as in a sentence: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def number(count: int) -> str:
    """Return a count as a word up to ten, and in digits beyond."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: "one hand", "1,279 hands"."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def often(count: int) -> str:
    """Return a number of times in words: "once", "twice", "three times"."""
    return {1: "once", 2: "twice"}.get(count) or f"{number(count)} times"


def percent(share: float) -> str:
    """Return a share as a percentage, with a decimal only below 10%, and never rounded to none or all."""
    if 0 < share < 0.01:
        return "less than 1%"
    if 0.99 < share < 1:
        return "more than 99%"
    return f"{plain(100 * share, 1 if share < 0.1 else 0)}%"


def plain(value: float, digits: int = 1) -> str:
    """Return a number with at most this many decimals and without a trailing zero."""
    text = f"{value:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", "−")


def unit_name(game: Game) -> str:
    """Return the unit of results: small bets in limit, big blinds in no-limit."""
    return "small bet" if game.limit else "big blind"


def in_unit(blinds: float, game: Game) -> float:
    """Return a result in big blinds in the unit of results."""
    return blinds * game.big_blind / game.unit[0]


def money(value: float, unit: str, digits: int = 1) -> str:
    """Return an amount in a unit: "6.3 small bets", "1 big blind"."""
    text = plain(value, digits)
    return f"{text} {unit}{'' if text in ('1', '−1') else 's'}"


def result(value: float, unit: str) -> str:
    """Return a mean result as a verb phrase: "won 6.3 small bets", "lost 1 big blind", "broke even"."""
    if plain(abs(value)) == "0":
        return "broke even"
    return f"{'won' if value > 0 else 'lost'} {money(abs(value), unit)}"
