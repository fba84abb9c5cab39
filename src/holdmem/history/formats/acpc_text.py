"""Text lines of ACPC dealer logs: cards, results, finished hands and the end of a match."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from holdmem.cards import names as card_names
from holdmem.engine.state import PARTS

STREETS = ((0, 3), (3, 4), (4, 5))
"""Start and end of the flop, turn and river within the board."""


def cards_text(hole: Iterable[Iterable[int]], board: Sequence[int]) -> str:
    """Format the cards field: hole cards by seat (empty if hidden) separated by |, then each street."""
    streets = [card_names(board[begin:end]) for begin, end in STREETS if len(board) >= end]
    return "/".join(["|".join(map(card_names, hole)), *streets])


def state_line(number: int, betting: str, cards: str, parts: Sequence[int], names: Sequence[str]) -> str:
    """Format a finished hand: results, given in parts of a chip, and names by seat."""
    return f"STATE:{number}:{betting}:{cards}:{_results(parts)}:{'|'.join(names)}"


def score_line(parts: Iterable[int], names: Iterable[str]) -> str:
    """Format the last line of a log: results of the whole match, by player."""
    return f"SCORE:{_results(parts)}:{'|'.join(names)}"


def _results(parts: Iterable[int]) -> str:
    return "|".join(map(chips_text, parts))


def chips_text(parts: int) -> str:
    """Format a result as the dealer does: `-90`, `552584.5`, with at most six decimals."""
    chips = Fraction(parts, PARTS)
    if chips.denominator == 1:
        return str(chips.numerator)
    millionths = round(abs(chips) * 10**6)
    text = f"{millionths // 10**6}.{millionths % 10**6:06}".rstrip("0")
    return f"-{text}" if chips < 0 else text
