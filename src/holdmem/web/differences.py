"""Decisions in which a person differed from the adviser."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from holdmem.core.types import JsonObject
from holdmem.web.reasons import Decision, difference

LARGEST = 5
"""Maximum number of differences in the summary of a sitting."""


@dataclass
class AdviceDifferences:
    """Decisions in which the person differed from the adviser, largest difference first.

    The difference is the probability that the adviser gives to other actions. A deterministic adviser differs
    by 0 or 1, so this probability alone is not informative. Differences are ordered by the probability times
    the pot, which is a rank and not an amount of money. Ties go to the later decision.
    """

    decisions: int = 0
    """Number of decisions of the person so far."""
    differing: int = 0
    """Number of those to which the adviser gives a probability below 1/2."""
    largest: list[JsonObject] = field(default_factory=list)

    def add(self, hand: int, advised: Sequence[tuple[Decision, int]]) -> None:
        """Add the decisions of the hand of this number: what was advised, and what was done."""
        for place, (advice, done) in enumerate(advised):
            gap = difference(advice, done)
            self.decisions += 1
            if gap > 0.5:
                self.differing += 1
                entry = {
                    "hand": hand,
                    "place": place,
                    "difference": round(gap, 4),
                    "done": done,
                    "id": None,
                }
                self.largest.append({**entry, **advice.plain()})
        self.largest = sorted(self.largest, key=_rank)[:LARGEST]

    def stored(self, hand: int, number: int) -> None:
        """Note under which id the hand of this number was stored, so that it can be replayed."""
        for one in self.largest:
            if one["hand"] == hand:
                one["id"] = number

    def plain(self) -> JsonObject:
        """Return the differences as values of a message."""
        return {"differences": self.largest, "differing": self.differing, "decisions": self.decisions}


def _rank(one: JsonObject) -> tuple[float, int, int]:
    return -one["difference"] * one["pot"], -one["hand"], -one["place"]
