"""A player's running result: the mean per hand with its interval, over all hands and over duplicate pairs."""

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

    @property
    def total(self) -> float:
        """Chips won in all hands."""
        return sum(self.results) / PARTS

    @property
    def rate(self) -> Estimate | None:
        """The mean per hand in the game's unit, with an interval from `FEWEST_HANDS` hands on."""
        return _rate(self.game, self.results, 1, FEWEST_HANDS)

    def plain(self) -> dict[str, Any]:
        """Return the score as values of a message."""
        rate, pairs = self.rate, _rate(self.game, self.pairs, 2, FEWEST_PAIRS)
        return {
            "hands": len(self.results),
            "total": self.total,
            "unit": self.game.unit[1],
            "rate": rate and rate.as_json(),
            "pairs": len(self.pairs),
            "duplicate_rate": pairs and pairs.as_json(),
            "last": self.results[-1] / PARTS if self.results else 0,
        }

    def __str__(self) -> str:
        count, rate = len(self.results), self.rate
        text = f"{self.total:+g} chips after {count} hand{'s' * (count != 1)}"
        if rate is None or rate.low is None or rate.high is None:
            return text
        return f"{text}, {rate.mean:+.3f} ± {(rate.high - rate.low) / 2:.3f} {rate.unit} (95%)"


def _rate(game: Game, samples: list[int], hands: int, fewest: int) -> Estimate | None:
    """Return the mean per hand in the game's unit; each sample is the sum of `hands` hands."""
    if not samples:
        return None
    chips, unit = game.unit
    squares = sum(sample * sample for sample in samples)
    return estimate(len(samples), sum(samples), squares, 1 / (PARTS * chips * hands), unit, fewest)
