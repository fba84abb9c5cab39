"""The lines of the ACPC's log files."""

from collections.abc import Sequence

from holdmem.rules.state import PARTS

SECOND = 1000
"""In milliseconds, which the head of a log counts in."""


def head(
    name: str, game: str, hands: int, seed: int, response: float, hand: float, per_hand: float
) -> list[str]:
    """The comments at the start of a log; times are given in seconds."""
    return [
        f"# name/game/hands/seed {name} {game}.game {hands} {seed}",
        f"#--t_response {round(response * SECOND)}",
        f"#--t_hand {round(hand * SECOND)}",
        f"#--t_per_hand {round(per_hand * SECOND)}",
    ]


def state_line(number: int, betting: str, cards: str, parts: Sequence[int], names: Sequence[str]) -> str:
    """An ended hand: results (in parts of a chip) and names by seat."""
    return f"STATE:{number}:{betting}:{cards}:{_results(parts)}:{'|'.join(names)}"


def score_line(parts: Sequence[int], names: Sequence[str]) -> str:
    """The end of a log: the whole match, by player."""
    return f"SCORE:{_results(parts)}:{'|'.join(names)}"


def _results(parts: Sequence[int]) -> str:
    return "|".join(map(chips_text, parts))


def chips_text(parts: int) -> str:
    """A result as the dealer writes it: `-90`, `552584.5`, at most six digits after the point."""
    whole, rest = divmod(parts, PARTS)
    return f"{parts / PARTS:.6f}".rstrip("0").rstrip(".") if rest else str(whole)
