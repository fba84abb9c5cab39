"""A player's winnings over the hands of a table, with 95% bands, thinned for a graph."""

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from holdmem.arena.score import FEWEST_HANDS
from holdmem.core.statistics import CONFIDENCE
from holdmem.core.types import Ints, JsonObject
from holdmem.engine.state import PARTS

MOST_POINTS = 300


def points(hands: int) -> Ints:
    """Return after how many hands the graph has a point: a few hundred, evenly spaced, with the last."""
    step = max(1, (hands + 1) // MOST_POINTS)
    return np.arange(hands, -1, -step, dtype=np.int64)[::-1]


def bankroll(results: Sequence[int]) -> list[float]:
    """Return the running total in chips at `points`."""
    totals = np.cumsum([0, *results]) / PARTS
    return [float(total) for total in totals[points(len(results))]]


def band(results: Sequence[int]) -> list[list[float] | None]:
    """Return the 95% interval of the total in chips at `points`; None where there are too few hands.

    After n hands with mean m and standard deviation s it is n·m ± t·s·√n: the rate's interval times n.
    """
    chips = np.array(results, dtype=np.float64) / PARTS
    count = points(len(results)).astype(np.float64)
    totals, squares = (
        np.concatenate([[0.0], np.cumsum(chips**power)])[count.astype(int)] for power in (1, 2)
    )
    many = np.maximum(count, 2)
    spread = np.sqrt(np.maximum(squares - totals**2 / many, 0) / (many - 1) * many)
    reach = stdtrit(many - 1, (1 + CONFIDENCE) / 2) * spread
    return [
        [float(total - far), float(total + far)] if hands >= FEWEST_HANDS else None
        for hands, total, far in zip(count, totals, reach, strict=True)
    ]


def curve(results: Sequence[int]) -> JsonObject:
    """Return both as values of a message."""
    return {"bankroll": bankroll(results), "band": band(results)}
