"""Verdicts with three meanings, and what each of them may get wrong.

A row asks one of two questions about a published figure p and ours m, each with its standard error.

**Same value**: is d = m − p small? `replicated` rejects |d| ≥ margin (two one-sided tests), `not replicated`
rejects d = 0. A difference that is certain but within the margin is replicated.

**Same winner**, where opponents differ too much to compare sizes: has m the sign of p? If p is zero within
its own error, nothing can be replicated, and the row is inconclusive. Otherwise `replicated` rejects that m
is zero or has the other sign, and `not replicated` rejects that m is at least half of p.

In a table, each of the two verdicts is corrected by the procedure of Holm (1979): at most 5% of tables have a
false `replicated`, and at most 5% a false `not replicated`. What neither rejects is `inconclusive`.
Where it is so because our interval is wider than both the published figure and the margin, there is no
verdict: the size could not have resolved the difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scipy.special import stdtr, stdtrit

from holdmem.core.statistics import CONFIDENCE

Verdict = Literal["replicated", "not replicated", "inconclusive", "no verdict"]

REPLICATED: Verdict = "replicated"
NOT_REPLICATED: Verdict = "not replicated"
INCONCLUSIVE: Verdict = "inconclusive"
UNJUDGED: Verdict = "no verdict"

LEVEL = 1 - CONFIDENCE
HALF = 0.5
"""Share of the published figure that ours must fall short of to be `not replicated`."""
MANY = 1_000_000
"""Degrees of freedom at which Student's t is the normal distribution."""


@dataclass(frozen=True)
class Measurement:
    """A mean with its standard error and degrees of freedom."""

    mean: float
    error: float
    freedom: float = MANY

    @classmethod
    def of_interval(cls, mean: float, half: float, samples: int = 0) -> "Measurement":
        """Return a mean with the half-width of its 95% interval by Student's t over samples."""
        freedom = samples - 1 if samples > 1 else MANY
        return cls(mean, half / float(stdtrit(freedom, 1 - LEVEL / 2)), freedom)

    @property
    def half(self) -> float:
        """Half-width of the 95% interval."""
        return self.error * float(stdtrit(self.freedom, 1 - LEVEL / 2))

    @property
    def zero(self) -> bool:
        """Whether the 95% interval includes zero."""
        return abs(self.mean) <= self.half

    def less(self, other: "Measurement") -> "Measurement":
        """Return the difference of independent measurements, with Welch's degrees of freedom."""
        a, b = self.error**2, other.error**2
        if a + b == 0:
            return Measurement(self.mean - other.mean, 0.0)
        freedom = (a + b) ** 2 / (a**2 / self.freedom + b**2 / other.freedom)
        return Measurement(self.mean - other.mean, math.sqrt(a + b), freedom)

    def scaled(self, factor: float) -> "Measurement":
        """Return the measurement in another unit."""
        return replace(self, mean=factor * self.mean, error=abs(factor) * self.error)

    def above(self, bound: float) -> float:
        """Return the one-sided p-value of the hypothesis that the true mean is at most `bound`."""
        if self.error == 0:
            return 0.0 if self.mean > bound else 1.0
        return float(stdtr(self.freedom, (bound - self.mean) / self.error))

    def below(self, bound: float) -> float:
        """Return the one-sided p-value of the hypothesis that the true mean is at least `bound`."""
        return self.scaled(-1).above(-bound)


@dataclass(frozen=True)
class VerdictTest:
    """The p-values behind a verdict on one row, and the comparison in words.

    Attributes
    ----------
    replicated : p-value of the hypothesis whose rejection means "replicated".
    refuted : p-value of the hypothesis whose rejection means "not replicated".
    reason : the comparison, in words.
    settled : the verdict, if it needs no test.
    wide : whether our interval is too wide to resolve the question.
    """

    replicated: float
    refuted: float
    reason: str
    settled: Verdict | None = None
    wide: bool = False


def _both_sides(value: float) -> float:
    """Double a one-sided p-value, so that a verdict on a sign agrees with the printed 95% interval."""
    return min(1.0, 2 * value)


def _signed(found: Measurement) -> str:
    """Format a mean with its interval, to whole numbers if it is large."""
    digits = 0 if abs(found.mean) >= 100 else 2 if abs(found.mean) >= 1 else 4
    return f"{found.mean:+,.{digits}f}" + (f" ± {found.half:,.{digits}f}" if found.error else "")


def settled(verdict: Verdict, reason: str) -> VerdictTest:
    """Return a verdict that does not depend on a test."""
    return VerdictTest(1.0, 1.0, reason, verdict)


def same_value(published: Measurement, ours: Measurement, margin: float, unit: str = "") -> VerdictTest:
    """Ask whether our figure is the published one, up to a margin."""
    apart, tail = ours.less(published), f" {unit}" if unit else ""
    reason = f"ours less theirs {_signed(apart)}, margin {margin:,g}{tail}"
    within = max(apart.above(-margin), apart.below(margin))
    other = _both_sides(min(apart.above(0), apart.below(0)))
    return VerdictTest(within, other, reason, wide=ours.half > max(abs(published.mean), margin))


def same_factor(published: float, ours: float, factor: float = 1.5, error: float = 0.0) -> VerdictTest:
    """Ask whether two counts are equal up to a factor; `error` is that of the logarithm of their ratio."""
    ratio = ours / published
    found = same_value(Measurement(0, error), Measurement(math.log(max(ratio, 1e-9)), 0), math.log(factor))
    return replace(found, reason=f"{ratio:.2f} times the published number, margin a factor of {factor:g}")


def same_winner(published: Measurement, ours: Measurement) -> VerdictTest:
    """Ask whether our figure has the sign of the published one."""
    said = f"published {_signed(published)}"
    if published.zero:
        return settled(INCONCLUSIVE, f"{said} is zero within its error")
    sign = math.copysign(1.0, published.mean)
    towards = ours.scaled(sign)
    share = ours.mean / published.mean
    size = "" if 1 / 3 < share < 3 or share < 0 else f"; ours is {share:.2g} times as large"
    wide = ours.half > abs(published.mean)
    won, short = towards.above(0), towards.below(HALF * abs(published.mean))
    return VerdictTest(_both_sides(won), _both_sides(short), said + size, wide=wide)


def same_sign(ours: Measurement, sign: int = 1, said: str = "a sign in words") -> VerdictTest:
    """Ask whether our figure has a sign that the publication states in words, without a number."""
    towards = ours.scaled(sign)
    return VerdictTest(_both_sides(towards.above(0)), _both_sides(towards.below(0)), said)


def within(ours: Measurement, low: float, high: float, said: str) -> VerdictTest:
    """Ask whether our figure lies in a range that stands for words such as "no big difference"."""
    inside = max(ours.above(low), ours.below(high))
    return VerdictTest(inside, _both_sides(min(ours.above(high), ours.below(low))), said)


def all_of(tests: Sequence[VerdictTest], reason: str = "") -> VerdictTest:
    """Ask whether all of several statements hold: each must, and one that does not refutes the whole."""
    for verdict in (INCONCLUSIVE, UNJUDGED):
        if any(test.settled == verdict for test in tests):
            because = next(test.reason for test in tests if test.settled == verdict)
            return settled(verdict, "; ".join(filter(None, (reason, because))))
    refuted = min(1.0, len(tests) * min(test.refuted for test in tests))
    return VerdictTest(max(test.replicated for test in tests), refuted, reason)


def exactly(holds: bool, reason: str) -> VerdictTest:
    """Return what an exact computation, without sampling, says."""
    return VerdictTest(float(not holds), float(holds), reason)


def holm(values: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Return which hypotheses are rejected so that any true one is with probability at most `level`.

    The k smallest p-values are compared with level/n, level/(n − 1), … until one is larger (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [True, False, False]
    """
    order = sorted(range(len(values)), key=lambda place: values[place])
    rejected = [False] * len(values)
    for rank, place in enumerate(order):
        if values[place] > level / (len(values) - rank):
            break
        rejected[place] = True
    return rejected


def decide(tests: Sequence[VerdictTest]) -> list[Verdict]:
    """Return the verdicts on the rows of one table; Holm's procedure corrects each kind of rejection."""
    open_ones = [place for place, test in enumerate(tests) if test.settled is None]
    yes = holm([tests[place].replicated for place in open_ones])
    no = holm([tests[place].refuted for place in open_ones])
    found = [test.settled or INCONCLUSIVE for test in tests]
    for place, agreed, refuted in zip(open_ones, yes, no, strict=True):
        if agreed or refuted:
            found[place] = REPLICATED if agreed else NOT_REPLICATED
        elif tests[place].wide:
            found[place] = UNJUDGED
    return found
