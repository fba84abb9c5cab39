"""What comes out of an experiment: rows with the published figure beside ours, grids, pictures, a verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdmem.arena import Estimate, estimate

Verdict = Literal["agrees", "differs", "can't be compared", "no verdict"]

AGREES: Verdict = "agrees"
DIFFERS: Verdict = "differs"
APART: Verdict = "can't be compared"
UNJUDGED: Verdict = "no verdict"
CLAIMED = "claimed"
"""What stands in place of a published figure for a conclusion in words."""
TOO_SMALL = "A smoke run shows that everything works; it is far too small for a verdict."


@dataclass(frozen=True)
class Row:
    """One line: what was measured, what the publication has, what we have, over how many hands, against whom.

    `against` names our opponents and whom they stand in for.
    """

    what: str
    paper: str = "–"
    ours: str = "–"
    hands: int = 0
    against: str = ""
    verdict: Verdict = APART
    remark: str = ""


@dataclass(frozen=True)
class Grid:
    """A table of another shape than `Row`: counts by bucket, a cross table."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A figure: `draw` is called with matplotlib's `Figure`, empty and laid out."""

    title: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (8.0, 4.5)


@dataclass(frozen=True)
class Finding:
    """What an experiment found."""

    rows: tuple[Row, ...] = ()
    grids: tuple[Grid, ...] = ()
    pictures: tuple[Picture, ...] = ()
    remark: str = ""


def unjudged(finding: Finding) -> Finding:
    """The same without verdicts: what a run of a few hands found neither agrees nor differs."""
    rows = tuple(
        replace(row, verdict=UNJUDGED, ours="not judged" if row.paper == CLAIMED else row.ours)
        for row in finding.rows
    )
    return replace(finding, rows=rows, remark=f"{TOO_SMALL} {finding.remark}".strip())


def shown(found: Estimate, unit: bool = False) -> str:
    """A mean with its 95% interval; without one it says so."""
    tail = f" {found.unit}" if unit else ""
    if found.low is None or found.high is None:
        return f"{found.mean:+.4f}{tail} (no interval: {found.samples} samples)"
    return f"{found.mean:+.4f} ± {(found.high - found.low) / 2:.4f}{tail}"


def over_matches(values: Sequence[float]) -> Estimate:
    """The mean of what was won in each match, in small bets a hand, by Student's t."""
    whole = [round(value * 1e9) for value in values]
    return estimate(len(whole), sum(whole), sum(value * value for value in whole), 1e-9, "sb/h")


def shares(counts: Mapping[str, int]) -> str:
    """Who was chosen how often, the favourite first."""
    total = sum(counts.values())
    order = sorted(counts.items(), key=lambda entry: -entry[1])
    return ", ".join(f"{name} {count / total:.0%}" for name, count in order)


def same_number(published: float, found: Estimate, reach: float = 0.0) -> Verdict:
    """Whether the published mean lies in our interval, widened by the published one's own `reach`.

    An interval wider than the published mean itself holds it without saying anything.
    """
    if found.low is None or found.high is None:
        return APART
    if not found.low - reach <= published <= found.high + reach:
        return DIFFERS
    return AGREES if (found.high - found.low) / 2 <= max(abs(published), reach) else APART


def same_order(published: float, ours: float) -> Verdict:
    """Whether two counts are alike: neither is more than half as much again as the other."""
    return AGREES if 2 / 3 <= ours / published <= 3 / 2 else DIFFERS


def same_sign(published: float, found: Estimate) -> Verdict:
    """Whether both say who wins, where the opponents are too different for the size of it to be compared."""
    if not found.significant:
        return APART
    return AGREES if (found.mean > 0) == (published > 0) else DIFFERS


def claim(what: str, holds: bool | None, because: str, hands: int = 0, against: str = "") -> Row:
    """A conclusion of the publication in words, and whether it holds here; None where we cannot tell."""
    verdict = APART if holds is None else AGREES if holds else DIFFERS
    ours = "can't be told" if holds is None else "holds" if holds else "does not hold"
    return Row(what, CLAIMED, ours, hands, against, verdict, because)


def beyond(one: Estimate, other: Estimate) -> bool | None:
    """Whether the first mean is above the second beyond their intervals; None if the intervals overlap."""
    if None in (one.low, one.high, other.low, other.high):
        return None
    if one.low > other.high:  # type: ignore[operator]
        return True
    return False if one.high < other.low else None  # type: ignore[operator]


def all_true(answers: Sequence[bool | None]) -> bool | None:
    """Whether all hold; False if one does not, None if one cannot be told."""
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True
