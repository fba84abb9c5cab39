"""The running result of a person: the mean a hand with its interval, and what duplicate hands make of it."""

from dataclasses import dataclass, field
from typing import Any

from holdmem.arena.statistics import Estimate, estimate
from holdmem.rules import Game
from holdmem.rules.state import PARTS

FEWEST_HANDS = 30
"""With fewer hands an interval would only mislead."""
FEWEST_PAIRS = 15


@dataclass
class Score:
    """Results of a person at one table, in exact parts of a chip."""

    game: Game
    results: list[int] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    """For every hand that was dealt again with the cards exchanged: the results of both together."""

    def add(self, parts: int, first_time: int | None = None) -> None:
        """One more hand; `first_time` is what the same cards brought before, from the other side."""
        self.results.append(parts)
        if first_time is not None:
            self.pairs.append(parts + first_time)

    def plain(self) -> dict[str, Any]:
        """The same as values of a message."""
        unit = self.game.unit[1]
        return {
            "hands": len(self.results),
            "total": sum(self.results) / PARTS,
            "unit": unit,
            "rate": _rate(self.game, self.results, 1, FEWEST_HANDS),
            "pairs": len(self.pairs),
            "duplicate_rate": _rate(self.game, self.pairs, 2, FEWEST_PAIRS),
            "last": self.results[-1] / PARTS if self.results else 0,
        }


def _rate(game: Game, samples: list[int], hands: int, fewest: int) -> dict[str, Any] | None:
    """The mean a hand; each sample has so many hands."""
    if not samples:
        return None
    chips, unit = game.unit
    squares = sum(sample * sample for sample in samples)
    found: Estimate = estimate(len(samples), sum(samples), squares, 1 / (PARTS * chips * hands), unit, fewest)
    return found.as_json()
