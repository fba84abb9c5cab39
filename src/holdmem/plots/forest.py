"""Forest plots as inline SVG: estimates with intervals below one another, published values beside ours.

Colours follow the page's text, so that a plot can be read on light and dark pages, and every row has its
label above it, so that it fits a phone.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, MARGIN = 360, 12
LINE, BAR = 15, 22
"""Heights of a line of a label and of an interval, in the units of `WIDTH`."""
OURS = "#3b82d0"
"""Readable on white and on near-black."""


@dataclass(frozen=True)
class ForestRow:
    """One estimate with its interval, and the published one if there is any."""

    label: str
    low: float
    mean: float
    high: float
    published: float | None = None
    published_low: float | None = None
    published_high: float | None = None

    @property
    def values(self) -> list[float]:
        """All values that must be on the axis."""
        theirs = (self.published, self.published_low, self.published_high)
        return [self.low, self.mean, self.high, *(value for value in theirs if value is not None)]


@dataclass(frozen=True)
class Axis:
    """A linear axis with round ticks."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, values: Sequence[float]) -> "Axis":
        """Return an axis that shows these values and zero."""
        low, high = min(0.0, *values), max(0.0, *values)
        high = high if high > low else 1.0
        rough = (high - low) / 4
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        return cls(math.floor(low / step) * step, math.ceil(high / step) * step, step)

    @property
    def ticks(self) -> list[float]:
        """Return the round values to mark."""
        return [self.low + self.step * k for k in range(round((self.high - self.low) / self.step) + 1)]

    def place(self, value: float) -> float:
        """Return the distance of a value from the left edge."""
        return MARGIN + (value - self.low) / (self.high - self.low) * (WIDTH - 2 * MARGIN)

    def text(self, value: float) -> str:
        """Format a tick with a minus sign, not a hyphen."""
        digits = max(0, -math.floor(math.log10(self.step)))
        return f"{value:,.{digits}f}".replace("-", "−") if abs(value) > self.step / 2 else "0"


def forest_plot(rows: Sequence[ForestRow], title: str, unit: str = "") -> str:
    """Return a forest plot of at least one row as an SVG element."""
    axis = Axis.over([value for row in rows for value in row.values])
    parts, top = [], 4.0
    for row in rows:
        found, top = _row(row, axis, top)
        parts.append(found)
    scale = _axis(axis, top, unit)
    size = f"viewBox='0 0 {WIDTH} {top + 34:.0f}'"
    return (
        f"<svg class='forest' role='img' aria-label='{escape(title, quote=True)}' {size} font-size='12'"
        f" font-family='system-ui, sans-serif' fill='currentColor'>{scale}{''.join(parts)}</svg>"
    )


def _row(row: ForestRow, axis: Axis, top: float) -> tuple[str, float]:
    """Return a row's SVG and where the next begins."""
    lines = textwrap.wrap(row.label, 54) or [""]
    parts = []
    for line in lines:
        top += LINE
        parts.append(f"<text x='{MARGIN}' y='{top - 3:.0f}'>{escape(line)}</text>")
    middle = top + BAR / 2 - 3
    if row.published is not None:
        low, high = row.published_low, row.published_high
        parts.append(_theirs(axis, row.published, low, high, middle + 4))
        middle -= 3
    parts.append(_ours(axis, row, middle))
    return "".join(parts), top + BAR


def _ours(axis: Axis, row: ForestRow, y: float) -> str:
    low, mean, high = (axis.place(value) for value in (row.low, row.mean, row.high))
    ends = f"M{low:.1f} {y - 4:.1f}v8M{low:.1f} {y:.1f}H{high:.1f}M{high:.1f} {y - 4:.1f}v8"
    bar = f"<path d='{ends}' stroke='{OURS}' stroke-width='2' fill='none'/>"
    return f"{bar}<circle cx='{mean:.1f}' cy='{y:.1f}' r='3' fill='{OURS}'/>"


def _theirs(axis: Axis, value: float, low: float | None, high: float | None, y: float) -> str:
    x, bar = axis.place(value), ""
    if low is not None and high is not None:
        ends = f"x1='{axis.place(low):.1f}' x2='{axis.place(high):.1f}' y1='{y:.1f}' y2='{y:.1f}'"
        bar = f"<line {ends} stroke='currentColor'/>"
    diamond = f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"
    return f"{bar}<path d='{diamond}' fill='none' stroke='currentColor' stroke-width='1.5'/>"


def _axis(axis: Axis, bottom: float, unit: str) -> str:
    parts = []
    for tick in axis.ticks:
        x, zero = axis.place(tick), abs(tick) < axis.step / 2
        look = " opacity='.7'" if zero else " opacity='.2'"
        parts.append(
            f"<line x1='{x:.1f}' x2='{x:.1f}' y1='2' y2='{bottom:.0f}' stroke='currentColor'{look}/>"
        )
        anchor = "start" if x < 2 * MARGIN else "end" if x > WIDTH - 2 * MARGIN else "middle"
        at = {"start": 2.0, "end": WIDTH - 2.0}.get(anchor, x)
        text = escape(axis.text(tick))
        parts.append(f"<text x='{at:.1f}' y='{bottom + 14:.0f}' text-anchor='{anchor}'>{text}</text>")
    words = f"<text x='{WIDTH / 2}' y='{bottom + 29:.0f}' text-anchor='middle'>{escape(unit)}</text>"
    return "".join(parts) + (words if unit else "")
