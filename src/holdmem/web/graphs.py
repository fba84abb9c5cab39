"""Graphs of results as SVG, with axes and 95% intervals; colours come from the page's style sheet."""

import math
from collections.abc import Callable, Sequence
from html import escape

from holdmem.arena import Estimate, MatchResult

WIDTH, LEFT, RIGHT, LINE = 640, 150, 16, 30
COURSE_HEIGHT, COURSE_LEFT = 240, 64
NAME_CHARACTER = 11
"""Width of a character of a name on a phone, where the style sheet sets larger type."""
MOST_PARTS = 40
"""Points of a course at most."""


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round numbers that divide a range into about `count` parts."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def intervals(rows: Sequence[tuple[str, Estimate]]) -> str:
    """Return one line per estimate: its mean as a dot, its 95% interval as a bar, above one axis."""
    unit = rows[0][1].unit
    low, high = _reach([one for _, one in rows])
    left = min(max(LEFT, NAME_CHARACTER * max(len(name) for name, _ in rows) + 12), WIDTH / 2)
    x = _scale(low, high, left, WIDTH - RIGHT)
    bottom = len(rows) * LINE + 4
    parts = [_down(x(value), bottom, value) for value in ticks(low, high)]
    for place, (name, found) in enumerate(rows):
        y = place * LINE + LINE / 2 + 4
        parts.append(_text(left - 10, y + 4, name, "end", "name") + _interval(found, x, y, place))
    parts.append(_text(WIDTH - RIGHT, bottom + 34, unit, "end"))
    label = "; ".join(f"{name} {found}".replace(" -", " −") for name, found in rows)
    return _svg(bottom + 40, f"Results with 95% intervals: {label}", parts)


def _interval(found: Estimate, x: Callable[[float], float], y: float, place: int) -> str:
    bar = ""
    if found.low is not None and found.high is not None:
        wide = max(x(found.high) - x(found.low), 1)
        size = f"x='{x(found.low):.1f}' y='{y - 6:.1f}' width='{wide:.1f}' height='12' rx='3'"
        bar = f"<rect {size} class='band c{place % 10}'/>"
    dot = f"<circle cx='{x(found.mean):.1f}' cy='{y:.1f}' r='4.5' class='dot c{place % 10}'/>"
    return bar + dot


def course(result: MatchResult) -> str:
    """Return the first agent's mean as the parts of a match were added, with its 95% interval as a band.

    Empty if fewer than three parts have an interval.
    """
    parts = [_after(result, units) for units in _counts(len(result.units))]
    shown = [(hands, one) for hands, one in parts if one.low is not None]
    if len(shown) < 3:
        return ""
    low, high = _reach([one for _, one in shown])
    x = _scale(0, shown[-1][0], COURSE_LEFT, WIDTH - RIGHT)
    y = _scale(low, high, COURSE_HEIGHT - 30, 10)
    drawn = [_across(y(value), value) for value in ticks(low, high)]
    drawn += [
        _text(x(value), COURSE_HEIGHT - 10, f"{value:,.0f}", "middle")
        for value in ticks(0, shown[-1][0], 4)[:-1]
    ]
    drawn.append(_text(WIDTH - RIGHT, COURSE_HEIGHT - 10, "hands", "end"))
    edge = [(hands, one.low or 0.0) for hands, one in shown]
    edge += [(hands, one.high or 0.0) for hands, one in reversed(shown)]
    drawn.append(f"<polygon class='band c0' points='{_points(edge, x, y)}'/>")
    means = [(hands, one.mean) for hands, one in shown]
    drawn.append(f"<polyline class='line c0' points='{_points(means, x, y)}'/>")
    name, unit = result.design.agents[0], shown[-1][1].unit
    return _svg(COURSE_HEIGHT, f"Mean of {name} in {unit} as hands were added, with its 95% interval", drawn)


def _counts(units: int) -> list[int]:
    step = max(1, math.ceil(units / MOST_PARTS))
    return list(range(units, 0, -step))[::-1]


def _after(result: MatchResult, units: int) -> tuple[int, Estimate]:
    so_far = MatchResult(result.plan, result.units[:units])
    return so_far.hands, so_far.estimates()[0]


def _reach(found: Sequence[Estimate]) -> tuple[float, float]:
    """Return the range of an axis: all intervals and zero, with a little room."""
    ends = [0.0, *(end for one in found for end in (one.mean, one.low, one.high) if end is not None)]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    return min(ends) - room, max(ends) + room


def _scale(low: float, high: float, first: float, last: float) -> Callable[[float], float]:
    return lambda value: first + (value - low) / (high - low) * (last - first)


def _points(
    pairs: Sequence[tuple[float, float]], x: Callable[[float], float], y: Callable[[float], float]
) -> str:
    return " ".join(f"{x(one):.1f},{y(other):.1f}" for one, other in pairs)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _down(x: float, bottom: float, value: float) -> str:
    kind = "grid" if abs(value) > 1e-12 else "zero"
    line = f"<line x1='{x:.1f}' x2='{x:.1f}' y1='0' y2='{bottom:.1f}' class='{kind}'/>"
    return line + _text(x, bottom + 16, _tick(value), "middle")


def _across(y: float, value: float) -> str:
    kind = "grid" if abs(value) > 1e-12 else "zero"
    line = f"<line x1='{COURSE_LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}' class='{kind}'/>"
    return line + _text(COURSE_LEFT - 6, y + 4, _tick(value), "end")


def _text(x: float, y: float, text: str, anchor: str, kind: str = "tick") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' class='{kind}'>{escape(text)}</text>"


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    head = f"viewBox='0 0 {WIDTH} {height:.0f}' role='img' aria-label='{escape(label)}'"
    return f"<svg class='graph' {head}>{''.join(parts)}</svg>"
