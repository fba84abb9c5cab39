"""Results of experiments: rows with the published figure next to ours, grids, pictures and verdicts."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from io import BytesIO
from typing import Any

from holdmem.arena import Estimate, estimate
from holdmem.core.display import html_table
from holdmem.papers.verdicts import NOT_REPLICATED, REPLICATED, UNJUDGED, Verdict
from holdmem.plots.figure import new_figure

CLAIMED = "claimed"
"""Stands in for the published figure if the publication states a conclusion in words."""
TOO_SMALL = {
    "smoke": "A smoke run shows that everything works; it is far too small for a verdict.",
    "quick": "A quick run is smaller than the publication's and gives no verdict.",
}


@dataclass(frozen=True)
class Row:
    """One comparison: what was measured, the published and our figure, the number of hands, the opponents.

    `against` names our opponents and those they stand in for. `samples` is the number of independent samples
    behind our interval, `published_hands` the publication's own size. `reason` is how the verdict was
    reached. 0 stands for numbers that do not apply or are not known.
    """

    what: str
    paper: str = "–"
    ours: str = "–"
    hands: int = 0
    against: str = ""
    verdict: Verdict = UNJUDGED
    remark: str = ""
    reason: str = ""
    samples: int = 0
    published_hands: int = 0


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


def without_verdicts(finding: Finding, scale: str) -> Finding:
    """Remove the verdicts, because only runs of full size are judged."""
    rows = tuple(
        replace(row, verdict=UNJUDGED, reason="", ours="not judged" if row.paper == CLAIMED else row.ours)
        for row in finding.rows
    )
    return replace(finding, rows=rows, remark=f"{TOO_SMALL[scale]} {finding.remark}".strip())


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


def claim(what: str, because: str, hands: int = 0, against: str = "", holds: bool | None = None) -> Row:
    """Return a row for a conclusion in words.

    `holds` is given where an exact computation decides; otherwise the row is judged with its table.
    """
    if holds is None:
        return Row(what, CLAIMED, "not judged", hands, against, remark=because)
    verdict = REPLICATED if holds else NOT_REPLICATED
    ours = "holds" if holds else "does not hold"
    return Row(what, CLAIMED, ours, hands, against, verdict, because)
