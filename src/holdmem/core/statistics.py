"""Means with confidence intervals. Every rate has a sample count, an interval and a unit."""

import math
from dataclasses import dataclass
from typing import Any

from scipy.special import stdtrit

from holdmem.core.errors import NotationError

CONFIDENCE = 0.95
NORMAL = 1.96
"""Half-width of a 95% interval in standard errors, for very many samples."""

FEWEST_MATCHES = 5
"""With fewer matches, an interval by Student's t is so wide that it misleads."""


@dataclass(frozen=True)
class Estimate:
    """Mean per hand with its standard error and 95% interval by Student's t over independent samples.

    `standard_error`, `low` and `high` are None if there are too few samples.
    """

    mean: float
    standard_error: float | None
    low: float | None
    high: float | None
    unit: str
    samples: int

    @property
    def significant(self) -> bool | None:
        """Whether the interval excludes zero; None without an interval."""
        return None if self.low is None or self.high is None else self.low > 0 or self.high < 0

    def more_hands(self, hands: int) -> int | None:
        """Estimate how many more hands would make a mean of this size significant; None if it already is.

        Also None if the mean is zero or without an interval.
        """
        if self.significant is not False or not self.mean or self.standard_error is None:
            return None
        needed = math.ceil(hands * (NORMAL * self.standard_error / abs(self.mean)) ** 2)
        return max(needed - hands, 1)

    def scaled(self, factor: float, unit: str) -> "Estimate":
        """Convert to another unit, or to the other side with a negative factor."""
        low, high = (self.low, self.high) if factor >= 0 else (self.high, self.low)
        error, low, high = (
            None if x is None else x * by
            for x, by in ((self.standard_error, abs(factor)), (low, factor), (high, factor))
        )
        return Estimate(self.mean * factor, error, low, high, unit, self.samples)

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as JSON values."""
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "ci95": None if self.low is None else [self.low, self.high],
            "unit": self.unit,
            "samples": self.samples,
        }

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.mean:+.4f} {self.unit} (no interval: {self.samples} samples)"
        return f"{self.mean:+.4f} ± {(self.high - self.low) / 2:.4f} {self.unit}"


def estimate(count: int, total: int, squares: int, scale: float, unit: str, fewest: int = 2) -> Estimate:
    """Estimate from the count, sum and sum of squares of independent samples; `scale` converts to the unit.

    The inputs are integers, so the variance is free of rounding errors: (n·Σx² − (Σx)²) / (n·(n − 1)).
    """
    mean = total / count * scale
    if count < max(fewest, 2):
        return Estimate(mean, None, None, None, unit, count)
    variance = (count * squares - total * total) / (count * (count - 1))
    error = math.sqrt(variance / count) * scale
    reach = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * error
    return Estimate(mean, error, mean - reach, mean + reach, unit, count)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Return one mean minus another from an independent run, with an interval by Welch's approximation."""
    if one.unit != other.unit:
        raise NotationError(f"means in different units cannot be compared: {one.unit} and {other.unit}")
    mean = one.mean - other.mean
    if one.standard_error is None or other.standard_error is None:
        return Estimate(mean, None, None, None, one.unit, min(one.samples, other.samples))
    a, b = one.standard_error**2, other.standard_error**2
    error = math.sqrt(a + b)
    if error == 0:
        return Estimate(mean, 0.0, mean, mean, one.unit, min(one.samples, other.samples))
    freedom = (a + b) ** 2 / (a**2 / (one.samples - 1) + b**2 / (other.samples - 1))
    reach = float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * error
    return Estimate(mean, error, mean - reach, mean + reach, one.unit, min(one.samples, other.samples))


@dataclass(frozen=True)
class Share:
    """How often something was done of the times it could have been, with a 95% interval by Wilson's score.

    `value`, `low` and `high` are None without an opportunity.
    """

    made: int
    opportunities: int
    value: float | None
    low: float | None
    high: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the share as JSON values."""
        return {
            "made": self.made,
            "opportunities": self.opportunities,
            "value": self.value,
            "ci95": None if self.value is None else [self.low, self.high],
        }


def share(made: int, opportunities: int) -> Share:
    """Return made / opportunities with the score interval of Wilson (1927).

    With p = made / n and z = 1.96: (p + z²/2n ± z √(p (1 − p) / n + z²/4n²)) / (1 + z²/n).

    >>> round(share(3, 4).low, 4), round(share(3, 4).high, 4)
    (0.3006, 0.9544)
    """
    if not opportunities:
        return Share(made, 0, None, None, None)
    n, p, z = opportunities, made / opportunities, NORMAL
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = (0.0 if not made else middle - reach), (1.0 if made == n else middle + reach)
    return Share(made, n, p, low, high)


def odds(made: int, others: int) -> Share:
    """Return the odds made / others with an interval, from that of the share made / (made + others).

    `value` is None without others; `high` is None if the interval has no upper end.
    """
    part = share(made, made + others)
    if part.low is None or part.high is None:
        return part
    value = made / others if others else None
    high = None if part.high == 1 else part.high / (1 - part.high)
    low = None if part.low == 1 else part.low / (1 - part.low)
    return Share(made, made + others, value, low, high)
