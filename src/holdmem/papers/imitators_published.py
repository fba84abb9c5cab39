"""Tables 1 and 2 of Rubin and Watson (2011), and the verdicts on ours.

The published ± are standard deviations over five matches, so that a mean has the error of one over √5 and
four degrees of freedom.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from holdmem.papers.findings import Row
from holdmem.papers.judging import Questions, Rows, judged, measured
from holdmem.papers.verdicts import (
    UNJUDGED,
    Measurement,
    VerdictTest,
    all_of,
    same_sign,
    same_winner,
    settled,
)

PublishedRates = Mapping[str, tuple[tuple[float, float], tuple[float, float]]]
"""By player, mean and standard deviation against each of two opponents."""

LIMIT_TABLE: PublishedRates = {
    "Dynamic": ((0.01342, 0.006), (0.68848, 0.009)),
    "Ensemble": ((0.00830, 0.010), (0.67348, 0.010)),
    "Rockhopper-max": ((-0.01445, 0.009), (0.69504, 0.009)),
    "PULPO-max": ((-0.00768, 0.006), (0.66053, 0.024)),
    "Sartre-max": ((0.00825, 0.014), (0.63898, 0.019)),
    "PULPO-prob": ((-0.00355, 0.011), (0.63385, 0.018)),
    "Sartre-prob": ((-0.01816, 0.006), (0.64535, 0.015)),
    "Rockhopper-prob": ((-0.02943, 0.011), (0.63870, 0.020)),
}
NO_LIMIT_TABLE: PublishedRates = {
    "Hyperborean-max": ((1.7781, 0.193), (0.7935, 0.084)),
    "Dynamic": ((1.3332, 0.146), (0.5928, 0.058)),
    "Ensemble": ((1.3138, 0.047), (0.5453, 0.058)),
    "Hyperborean-prob": ((1.1036, 0.165), (0.5075, 0.093)),
    "Sartre-max": ((0.9313, 0.117), (0.5248, 0.032)),
    "Sartre-prob": ((0.4524, 0.106), (0.3933, 0.073)),
    "Tartanian-max": ((0.1033, 0.451), (0.3450, 0.087)),
    "Tartanian-prob": ((-0.0518, 0.127), (0.4221, 0.032)),
}
MATCHES = 5
VOID = "void: played before MCTSBot's search was mended"
MENDED = "MCTSBot's search as mended in November 2026"
"""Marks rows played since; those before are void."""
ONE_AHEAD = "one single imitator does better on average than both combinations"
OTHERS_BEHIND = "both combinations do better than the other single imitators"
LIMIT_OPPONENTS = ("Fell Omen 2", "AlistairBot")
NO_LIMIT_OPPONENTS = ("MCTSBot", "SimpleBot")
COMBINATIONS = ("Dynamic", "Ensemble")


def published(rates: PublishedRates, name: str, place: int) -> Measurement:
    """Return a published mean with its error."""
    mean, deviation = rates[name][place]
    return Measurement(mean, deviation / math.sqrt(MATCHES), MATCHES - 1)


def average(rates: PublishedRates, name: str) -> Measurement:
    """Return the published mean over both opponents."""
    one, other = (published(rates, name, place) for place in (0, 1))
    return one.less(other.scaled(-1)).scaled(0.5)


def winner_of(name: str) -> str:
    """Return the claim of table 1 on a combination."""
    return f"{name} does better on average than any single imitator"


def judge_limit(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge table 1: who wins each match, each average, and whether combining pays."""
    rates = LIMIT_TABLE
    questions: dict[str, Callable[[Rows], VerdictTest]] = {
        **_matches(rates, LIMIT_OPPONENTS),
        **{f"{name}, average": _average(name) for name in rates},
        **{winner_of(name): _ahead(name) for name in COMBINATIONS},
    }
    return judged(rows, questions)


def judge_combinations(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge by whom the averages of table 1 are led, where ours are paired match by match."""

    def lead(one: str, other: str) -> Callable[[Rows], VerdictTest]:
        said = average(LIMIT_TABLE, one).less(average(LIMIT_TABLE, other))
        return lambda there: same_winner(said, measured(there[lead_of(one, other)]))

    names = [name for name in LIMIT_TABLE if name.endswith("-max")]
    return judged(rows, {lead_of(one, other): lead(one, other) for one in COMBINATIONS for other in names})


def lead_of(one: str, other: str) -> str:
    """Return what a row measures that compares two averages of table 1."""
    return f"{one} less {other}, average"


def judge_no_limit(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge table 2; what was played against MCTSBot before it was mended is void, with what rests on it."""
    live = _matches(NO_LIMIT_TABLE, NO_LIMIT_OPPONENTS)
    if any(MENDED in row.remark for row in rows):
        averages = {
            f"{name}, average": _average(name, NO_LIMIT_TABLE, NO_LIMIT_OPPONENTS) for name in NO_LIMIT_TABLE
        }
        return judged(rows, {**live, **averages, ONE_AHEAD: _one_ahead, OTHERS_BEHIND: _others_behind})
    void = {
        row.what: lambda there: settled(UNJUDGED, VOID)
        for row in rows
        if not row.what.endswith("against SimpleBot")
    }
    return judged(rows, {**live, **void})


def _single(there: Rows) -> list[str]:
    """Return the single imitators of table 2 by our average, best first."""
    single = [name for name in NO_LIMIT_TABLE if name not in COMBINATIONS]
    return sorted(single, key=lambda name: -_mean(there, name, NO_LIMIT_OPPONENTS).mean)


def _leads(there: Rows, leaders: Sequence[str], others: Sequence[str]) -> VerdictTest:
    """Ask whether each of some players is ahead of each of others; averages were not paired."""
    leads = [
        _mean(there, one, NO_LIMIT_OPPONENTS).less(_mean(there, other, NO_LIMIT_OPPONENTS))
        for one in leaders
        for other in others
    ]
    least = min(leads, key=lambda lead: lead.mean)
    return all_of([same_sign(lead) for lead in leads], f"smallest lead {least.mean:+.4f} ± {least.half:.4f}")


def _one_ahead(there: Rows) -> VerdictTest:
    """Ask whether our best single imitator beats both combinations, corrected for choosing it among six."""
    single = _single(there)
    found = _leads(there, single[:1], COMBINATIONS)
    return replace(
        found,
        replicated=min(1.0, len(single) * found.replicated),
        reason=f"{single[0]}: {found.reason}, not paired",
    )


def _others_behind(there: Rows) -> VerdictTest:
    """Ask whether both combinations beat all single imitators but our best one."""
    found = _leads(there, COMBINATIONS, _single(there)[1:])
    return replace(found, reason=f"{found.reason}, not paired")


def _matches(rates: PublishedRates, originals: tuple[str, str]) -> Questions:
    return {
        f"{name} against {original}": _winner(f"{name} against {original}", published(rates, name, place))
        for name in rates
        for place, original in enumerate(originals)
    }


def _winner(what: str, said: Measurement) -> Callable[[Rows], VerdictTest]:
    return lambda there: same_winner(said, measured(there[what]))


def _mean(there: Rows, name: str, originals: Sequence[str] = LIMIT_OPPONENTS) -> Measurement:
    """Return our mean over both opponents from the rows of its two matches."""
    one, other = (measured(there[f"{name} against {original}"]) for original in originals)
    return one.less(other.scaled(-1)).scaled(0.5)


def _average(
    name: str, rates: PublishedRates = LIMIT_TABLE, originals: Sequence[str] = LIMIT_OPPONENTS
) -> Callable[[Rows], VerdictTest]:
    return lambda there: same_winner(average(rates, name), _mean(there, name, originals))


def _ahead(name: str) -> Callable[[Rows], VerdictTest]:
    """Ask whether a combination is ahead of all six; the averages share cards but were not paired."""
    single = [one for one in LIMIT_TABLE if one not in COMBINATIONS]

    def asked(there: Rows) -> VerdictTest:
        mine = _mean(there, name)
        leads = {one: mine.less(_mean(there, one)) for one in single}
        worst = min(leads, key=lambda one: leads[one].mean)
        said = f"ahead of {worst} by {leads[worst].mean:+.4f} ± {leads[worst].half:.4f}, not paired"
        return all_of([same_sign(lead) for lead in leads.values()], said)

    return asked
