"""Rates published by Friedrich and Schwind (2011), and the verdicts on ours.

The paper prints no errors. Its runs are as long as ours, so they are given our standard errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from holdmem.papers.findings import Row
from holdmem.papers.judging import Rows, judged, measured
from holdmem.papers.verdicts import Measurement, VerdictTest, same_winner

SMALL_BLINDS = 2
"""Small blinds per small bet: the paper's SB is the small blind, our unit is the small bet."""
STATIC = "plicas:off=dprc+dpac"
OPPONENTS = {
    "dpp": "HoldMem's dpp: fair by equity, far from an equilibrium, the original's namesake",
    "eqm": "eqm stands in for dpp as the paper describes it, a player of an ε-equilibrium",
}

PUBLISHED_5 = {
    "plicas": {"match": 0.302, "rematch": 0.377, "both": 0.340},
    STATIC: {"match": 0.179, "rematch": 0.250, "both": 0.215},
}
PUBLISHED_UNITS = {agent: parts["both"] for agent, parts in PUBLISHED_5.items()}


def paired(other: str) -> str:
    """Return the name of the row with the difference on the same cards."""
    return f"plicas less {STATIC}, against {other}"


def judge_figure5(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge who wins, and whether the dynamic units do; published runs are as long as ours and as exact."""
    questions: dict[str, Callable[[Rows], VerdictTest]] = {}
    for other in OPPONENTS:
        for agent, parts in PUBLISHED_5.items():
            for part, rate in parts.items():
                what = f"{agent} against {other}, {'match and rematch' if part == 'both' else part}"
                questions[what] = _winner(what, rate / SMALL_BLINDS)
        questions[paired(other)] = questions[f"the dynamic units win more from {other}"] = _units_win(other)
    return judged(rows, questions)


def _winner(what: str, rate: float) -> Callable[[Rows], VerdictTest]:
    def asked(there: Rows) -> VerdictTest:
        ours = measured(there[what])
        return same_winner(Measurement(rate, ours.error, ours.freedom), ours)

    return asked


def _units_win(other: str) -> Callable[[Rows], VerdictTest]:
    """Compare on the same cards, block by block, where the finding has that row, else as if unpaired."""

    def asked(there: Rows) -> VerdictTest:
        rates = [measured(there[f"{agent} against {other}, match and rematch"]) for agent in PUBLISHED_5]
        unpaired = rates[0].less(rates[1])
        means = [parts["both"] / SMALL_BLINDS for parts in PUBLISHED_5.values()]
        published = Measurement(means[0] - means[1], unpaired.error, unpaired.freedom)
        ours = measured(there[paired(other)]) if paired(other) in there else unpaired
        found = same_winner(published, ours)
        return replace(found, reason=f"ours {ours.mean:+.4f} ± {ours.half:.4f} sb/h; {found.reason}")

    return asked


def judge_units(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge who wins; a difference without an interval gets that of means that are not paired."""
    there = {row.what: row for row in rows}
    played = [
        replace(row, remark=_with_interval(row, there)) if "±" not in row.remark and row.remark else row
        for row in rows
    ]
    questions = {
        f"{agent} against dpp": _winner(f"{agent} against dpp", rate / SMALL_BLINDS)
        for agent, rate in PUBLISHED_UNITS.items()
    }
    return judged(played, questions)


def _with_interval(row: Row, there: Rows) -> str:
    other = row.what.rpartition(" against ")[2]
    apart = measured(row).less(measured(there[f"plicas against {other}"]))
    return f"{apart.mean:+.4f} ± {apart.half:.4f} sb/h compared with all units, not paired"
