"""Rows of a finding as forest plots, one per unit: our intervals with the published figures beside them."""

import re
from collections.abc import Sequence

from holdmem.papers.findings import CLAIMED, Row
from holdmem.plots.forest import ForestRow, forest_plot

NUMBER = r"[+−-]?\$?[\d,]*\.?\d+"
OURS = re.compile(rf"({NUMBER}) ± ([\d,]*\.?\d+)(?: (sb/h|bb/h|small blinds/h|chips))?")
THEIRS = re.compile(rf"({NUMBER})(?: ± ({NUMBER})|, ({NUMBER}) to ({NUMBER}))?")
FEWEST = 2
"""Rows below which a picture says no more than the table."""


def plots(rows: Sequence[Row]) -> list[str]:
    """Return a plot for each unit that at least two rows share, rates and differences apart."""
    groups: dict[tuple[str, str], list[ForestRow]] = {}
    for row in rows:
        found = OURS.search(row.ours)
        if found and row.paper != CLAIMED:
            kind = "Differences" if " less " in row.what else "Rates"
            groups.setdefault((kind, found[3] or ""), []).append(_pictured(row, found))
    return [
        forest_plot(found, f"{kind} with 95% intervals{', ' if unit else ''}{unit}", unit)
        for (kind, unit), found in groups.items()
        if len(found) >= FEWEST
    ]


def _pictured(row: Row, found: re.Match[str]) -> ForestRow:
    mean, half = number(found[1]), number(found[2])
    return ForestRow(row.what, mean - half, mean, mean + half, *published(row.paper, found[3] or ""))


def published(text: str, unit: str) -> tuple[float | None, float | None, float | None]:
    """Return a published figure in this unit with its interval, as far as it is printed."""
    in_unit = re.search(rf"({NUMBER}) {re.escape(unit)}", text) if unit else None
    in_other = re.search(rf"({NUMBER}) (?:sb/h|bb/h|small blinds/h)", text)
    if in_unit or (in_other and not unit):
        return number((in_unit or in_other)[1]), None, None  # type: ignore[index]
    found = None if in_other else THEIRS.match(text)
    if not found or re.match(r"\s*(?:to \d|per |%|in bucket)", text[found.end(1) :]):
        return None, None, None
    value = number(found[1])
    if found[2]:
        return value, value - number(found[2]), value + number(found[2])
    return (value, number(found[3]), number(found[4])) if found[3] else (value, None, None)


def number(text: str) -> float:
    """Read a number with thousands separators, a dollar sign or a minus sign."""
    return float(text.replace("−", "-").replace(",", "").replace("$", ""))
