"""Results of experiments: rows with the published figure next to ours, grids, pictures and verdicts."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from io import BytesIO
from typing import Any, Literal

from holdmem.arena import Estimate, estimate
from holdmem.core.display import html_table
from holdmem.plots.figure import new_figure

Verdict = Literal["agrees", "differs", "can't be compared", "no verdict"]

AGREES: Verdict = "agrees"
DIFFERS: Verdict = "differs"
APART: Verdict = "can't be compared"
UNJUDGED: Verdict = "no verdict"
CLAIMED = "claimed"
"""Stands in for the published figure if the publication states a conclusion in words."""
TOO_SMALL = "A smoke run shows that everything works; it is far too small for a verdict."


@dataclass(frozen=True)
class Row:
    """One comparison: what was measured, the published and our figure, the number of hands, the opponents.

    `against` names our opponents and those they stand in for.
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
    """A table of any other shape, such as counts by bucket or a cross table."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A figure; `draw` receives an empty matplotlib `Figure` with its layout set."""

    title: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (8.0, 4.5)


@dataclass(frozen=True)
class Finding:
    """Result of an experiment."""

    rows: tuple[Row, ...] = ()
    grids: tuple[Grid, ...] = ()
    pictures: tuple[Picture, ...] = ()
    remark: str = ""

    def __repr__(self) -> str:
        grids, pictures = len(self.grids), len(self.pictures)
        return f"Finding({len(self.rows)} rows, {grids} grids, {pictures} pictures)"

    def _repr_html_(self) -> str:
        headings = ("what", "paper", "ours (95%)", "hands", "verdict")
        rows = [(one.what, one.paper, one.ours, f"{one.hands:,}", one.verdict) for one in self.rows]
        parts = [html_table(headings, rows, self.remark)] if rows else [f"<p>{escape(self.remark)}</p>"]
        parts += [html_table(grid.header, grid.rows, grid.title) for grid in self.grids]
        return "".join([*parts, *(_image(picture) for picture in self.pictures)])


def _image(picture: Picture) -> str:
    """Return a picture as an image in the page."""
    figure, buffer = new_figure(*picture.size), BytesIO()
    picture.draw(figure)
    figure.savefig(buffer, format="png", dpi=90)
    data = base64.b64encode(buffer.getvalue()).decode()
    return (
        f"<figure><img alt='{escape(picture.title, quote=True)}' src='data:image/png;base64,{data}'></figure>"
    )


def without_verdicts(finding: Finding) -> Finding:
    """Remove the verdicts, because a run of a few hands neither agrees nor differs."""
    rows = tuple(
        replace(row, verdict=UNJUDGED, ours="not judged" if row.paper == CLAIMED else row.ours)
        for row in finding.rows
    )
    return replace(finding, rows=rows, remark=f"{TOO_SMALL} {finding.remark}".strip())


def shown(found: Estimate, unit: bool = False) -> str:
    """Format a mean with its 95% interval, or note that it has none."""
    tail = f" {found.unit}" if unit else ""
    if found.low is None or found.high is None:
        return f"{found.mean:+.4f}{tail} (no interval: {found.samples} samples)"
    return f"{found.mean:+.4f} ± {(found.high - found.low) / 2:.4f}{tail}"


def over_matches(values: Sequence[float]) -> Estimate:
    """Estimate the mean of winnings per match, in small bets per hand, by Student's t."""
    whole = [round(value * 1e9) for value in values]
    return estimate(len(whole), sum(whole), sum(value * value for value in whole), 1e-9, "sb/h")


def shares(counts: Mapping[str, int]) -> str:
    """Format how often each name was chosen, most frequent first."""
    total = sum(counts.values())
    order = sorted(counts.items(), key=lambda entry: -entry[1])
    return ", ".join(f"{name} {count / total:.0%}" for name, count in order)


def same_number(published: float, found: Estimate, reach: float = 0.0) -> Verdict:
    """Judge whether the published mean lies in our interval, widened by `reach`, the published half-width.

    If our half-width exceeds both the published mean and `reach`, the interval is too wide to say anything,
    and the verdict is that the two cannot be compared.
    """
    if found.low is None or found.high is None:
        return APART
    if not found.low - reach <= published <= found.high + reach:
        return DIFFERS
    return AGREES if (found.high - found.low) / 2 <= max(abs(published), reach) else APART


def same_order(published: float, ours: float) -> Verdict:
    """Judge whether two counts are within a factor of 1.5 of each other."""
    return AGREES if 2 / 3 <= ours / published <= 3 / 2 else DIFFERS


def same_sign(published: float, found: Estimate) -> Verdict:
    """Judge whether both agree on the winner, for opponents too different to compare the margin."""
    if not found.significant:
        return APART
    return AGREES if (found.mean > 0) == (published > 0) else DIFFERS


def claim(what: str, holds: bool | None, because: str, hands: int = 0, against: str = "") -> Row:
    """Return a row for a conclusion in words and whether it holds here; None if that is undecided."""
    verdict = APART if holds is None else AGREES if holds else DIFFERS
    ours = "can't be told" if holds is None else "holds" if holds else "does not hold"
    return Row(what, CLAIMED, ours, hands, against, verdict, because)


def beyond(one: Estimate, other: Estimate) -> bool | None:
    """Return whether the first interval lies above the second, or below it (False).

    None if the intervals overlap or are missing.
    """
    if None in (one.low, one.high, other.low, other.high):
        return None
    if one.low > other.high:  # type: ignore[operator]
        return True
    return False if one.high < other.low else None  # type: ignore[operator]


def all_true(answers: Sequence[bool | None]) -> bool | None:
    """Return whether all hold: False if one does not, else None if one is undecided."""
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True
