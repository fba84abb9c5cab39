"""Judge the rows of a finding from what they print, so that stored findings can be judged again.

A verdict needs nothing but the page: our figure with its interval and number of samples, and the published
figure with its uncertainty. `--judge` reads stored findings and judges them without playing a hand.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from holdmem.core.errors import NotationError
from holdmem.papers.findings import CLAIMED, Row
from holdmem.papers.verdicts import (
    NOT_REPLICATED,
    REPLICATED,
    UNJUDGED,
    Measurement,
    Verdict,
    VerdictTest,
    decide,
    settled,
)

INTERVAL = re.compile(r"([+-]?[\d,]*\.?\d+) ± ([\d,]*\.?\d+)")
ANSWERS: dict[Verdict, str] = {REPLICATED: "holds", NOT_REPLICATED: "does not hold", UNJUDGED: "not judged"}

Rows = Mapping[str, Row]
"""Rows of a finding by what they measure."""
Questions = Mapping[str, Callable[[Rows], VerdictTest]]
"""By what a row measures, the question to ask of it."""


class NoInterval(NotationError):
    """A figure of too few samples for an interval, which cannot be judged."""


def measured(row: Row, text: str = "") -> Measurement:
    """Parse our figure as the row prints it, or as `text` does, with the row's number of samples."""
    found = INTERVAL.search(text or row.ours)
    if "no interval" in (text or row.ours):
        raise NoInterval(f"{row.what} has no interval")
    if found is None:
        raise NotationError(f"{row.what}: expected a mean with its interval, got {text or row.ours!r}")
    mean, half = (float(number.replace(",", "")) for number in found.groups())
    return Measurement.of_interval(mean, half, row.samples)


def judged(rows: Sequence[Row], questions: Questions) -> tuple[Row, ...]:
    """Return the rows; those with a question get a verdict and its reason, corrected as one table."""
    there = {row.what: row for row in rows}
    asked = [what for what in there if what in questions]
    tests = [_ask(questions[what], there) for what in asked]
    found = dict(zip(asked, zip(decide(tests), tests, strict=True), strict=True))
    return tuple(_with(row, *found[row.what]) if row.what in found else row for row in rows)


def _ask(question: Callable[[Rows], VerdictTest], there: Rows) -> VerdictTest:
    try:
        return question(there)
    except NoInterval as problem:
        return settled(UNJUDGED, str(problem))


def _with(row: Row, verdict: Verdict, test: VerdictTest) -> Row:
    ours = ANSWERS.get(verdict, "can't be told") if row.paper == CLAIMED else row.ours
    small = "; our size cannot resolve it" if verdict == UNJUDGED and test.wide else ""
    return replace(row, verdict=verdict, reason=test.reason + small, ours=ours)
