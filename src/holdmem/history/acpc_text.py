"""The lines that the ACPC's dealer writes: cards, results, ended hands and the end of a match."""

from collections.abc import Iterable, Sequence

from holdmem.cards import names as card_names
from holdmem.history.records import in_chips

STREETS = ((0, 3), (3, 4), (4, 5))
"""Where the flop, the turn and the river lie in a board."""


def cards_text(hole: Iterable[Iterable[int]], board: Sequence[int]) -> str:
    """The cards field: hole cards by seat (none where hidden) with | between them, then the streets."""
    streets = [card_names(board[begin:end]) for begin, end in STREETS if len(board) >= end]
    return "/".join(["|".join(map(card_names, hole)), *streets])


def state_line(number: int, betting: str, cards: str, parts: Sequence[int], names: Sequence[str]) -> str:
    """An ended hand: results (in parts of a chip) and names by seat."""
    return f"STATE:{number}:{betting}:{cards}:{_results(parts)}:{'|'.join(names)}"


def score_line(parts: Iterable[int], names: Iterable[str]) -> str:
    """The end of a log: the whole match, by player."""
    return f"SCORE:{_results(parts)}:{'|'.join(names)}"


def _results(parts: Iterable[int]) -> str:
    return "|".join(map(chips_text, parts))


def chips_text(parts: int) -> str:
    """A result as the dealer writes it: `-90`, `552584.5`, at most six digits after the point."""
    chips = in_chips(parts)
    if chips.denominator == 1:
        return str(chips.numerator)
    millionths = round(abs(chips) * 10**6)
    text = f"{millionths // 10**6}.{millionths % 10**6:06}".rstrip("0")
    return f"-{text}" if chips < 0 else text
