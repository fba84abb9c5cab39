"""A person's running result: the mean per hand with its interval, over all hands and over duplicate pairs."""

from dataclasses import dataclass, field
from typing import Any

from holdmem.core.statistics import Estimate, estimate
from holdmem.engine import Game
from holdmem.engine.state import PARTS

FEWEST_HANDS = 30
"""Minimum number of hands for an interval; with fewer it would be misleading."""
FEWEST_PAIRS = 15


@dataclass
class Score:
    """Results of a player at one table, in exact fractions of a chip (`PARTS` per chip)."""

    game: Game
    results: list[int] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    """For every duplicate pair of hands, dealt with the cards exchanged: the sum of both results."""

    def add(self, parts: int, first_time: int | None = None) -> None:
        """Add a hand; for a duplicate, `first_time` is the earlier result with the cards exchanged."""
        self.results.append(parts)
        if first_time is not None:
            self.pairs.append(parts + first_time)

    def plain(self) -> dict[str, Any]:
        """Return the score as values of a message."""
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
    """Return the mean per hand in the game's unit; each sample is the sum of `hands` hands."""
    if not samples:
        return None
    chips, unit = game.unit
    squares = sum(sample * sample for sample in samples)
    found: Estimate = estimate(len(samples), sum(samples), squares, 1 / (PARTS * chips * hands), unit, fewest)
    return found.as_json()
