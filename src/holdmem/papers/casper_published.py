"""Figures published by Rubin (2007), and the verdicts on ours.

The thesis prints means of runs of 20,000 hands without their errors. Their standard error is taken from ours:
an equal spread per hand, so √(our hands / 20,000) times our standard error. Its players did not share cards,
so that a published difference has the errors of both.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from holdmem.engine import STREET_NAMES
from holdmem.papers.findings import Row
from holdmem.papers.judging import Questions, Rows, judged, measured
from holdmem.papers.verdicts import (
    Measurement,
    VerdictTest,
    all_of,
    same_factor,
    same_sign,
    same_value,
    same_winner,
)

CASPER01, CASPER02 = "casper:first=7000", "casper"
GENERAL, OPPONENT, RANDOM = (f"casper:weights={name}" for name in ("general", "opponent", "random-1"))
SIMBOT = "simbot:rollouts=16"
HANDS = 20_000
"""Hands of each published run of chapter 5."""
MARGIN = 0.02
"""Small bets per hand by which two rates may differ and still count as the same."""


@dataclass(frozen=True)
class PublishedCurves:
    """A figure of chapter 5: the table, each player's rate, or its sign and the thesis's words, and pairs."""

    table: str
    rates: Mapping[str, float | tuple[int, str]]
    pairs: Sequence[tuple[str, str]]

    def said(self, player: str) -> str:
        """Return what the thesis says of a player."""
        rate = self.rates[player]
        return rate[1] if isinstance(rate, tuple) else f"{rate:+.3f}"

    def said_of_pair(self, one: str, other: str) -> str:
        """Return what follows from it for the difference of two players."""
        mine, theirs = self.rates[one], self.rates[other]
        if isinstance(mine, tuple) or isinstance(theirs, tuple):
            return "wins, and the other loses"
        return f"{mine - theirs:+.3f}"

    def questions(self) -> Questions:
        """Return a question per row."""
        rates = {player: self._rate(player) for player in self.rates}
        return rates | {f"{one} less {other}": self._pair(one, other) for one, other in self.pairs}

    def judge(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Give verdicts; the published figures are those of the code, not of a stored row."""
        said = {player: self.said(player) for player in self.rates}
        said |= {f"{one} less {other}": self.said_of_pair(one, other) for one, other in self.pairs}
        printed = [replace(row, paper=said.get(row.what, row.paper)) for row in rows]
        return judged(printed, self.questions())

    def _rate(self, player: str) -> Callable[[Rows], VerdictTest]:
        rate = self.rates[player]

        def asked(rows: Rows) -> VerdictTest:
            ours = measured(rows[player])
            if isinstance(rate, tuple):
                return same_sign(ours, rate[0], f"no number is published: {rate[1]}")
            return same_value(_published(rows[player], rate), ours, MARGIN, "sb/h")

        return asked

    def _pair(self, one: str, other: str) -> Callable[[Rows], VerdictTest]:
        mine, theirs = self.rates[one], self.rates[other]

        def asked(rows: Rows) -> VerdictTest:
            ours = measured(rows[f"{one} less {other}"])
            if isinstance(mine, tuple) or isinstance(theirs, tuple):
                return same_sign(ours, 1, "no number is published; one wins and the other loses")
            return same_winner(_published(rows[one], mine).less(_published(rows[other], theirs)), ours)

        return asked


def _published(row: Row, rate: float) -> Measurement:
    ours = measured(row)
    return Measurement(rate, ours.error * math.sqrt(row.hands / HANDS), ours.freedom)


FIGURES = {
    "figure5.1": PublishedCurves(
        "adaptive",
        {CASPER01: -0.009, CASPER02: 0.004, "random": -1.67},
        [(CASPER02, CASPER01), (CASPER01, "random")],
    ),
    "figure5.2": PublishedCurves(
        "aggressive",
        {CASPER01: -0.09, CASPER02: 0.03, "random": -1.49},
        [(CASPER02, CASPER01), (CASPER01, "random")],
    ),
    "figure5.3": PublishedCurves(
        "aggressive",
        {"poki": 0.08, SIMBOT: (-1, "a loss, slightly less than casper01's"), CASPER02: 0.03},
        [("poki", SIMBOT), (CASPER02, SIMBOT)],
    ),
    "figure5.4": PublishedCurves(
        "adaptive",
        {GENERAL: -0.06, OPPONENT: 0.006, RANDOM: -0.11, CASPER02: 0.004},
        [(GENERAL, RANDOM), (OPPONENT, GENERAL), (CASPER02, GENERAL), (CASPER02, RANDOM)],
    ),
    "figure5.5": PublishedCurves(
        "aggressive",
        {GENERAL: -0.02, RANDOM: -0.11, CASPER02: 0.03},
        [(GENERAL, RANDOM), (CASPER02, GENERAL)],
    ),
}

# Tables 3.1 and 3.2: cases.

RECORDED = {
    "7000": ("casper01", (28_224, 9_998, 7_023, 5_691)),
    "19998": ("casper02", (167_540, 50_948, 34_634, 27_507)),
}


def judge_cases(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Compare numbers of cases, which are exact, up to a factor of 1.5."""
    published = {
        f"{name}, {street}": count
        for name, counts in RECORDED.values()
        for street, count in zip(STREET_NAMES, counts, strict=True)
    }

    def asked(what: str) -> Callable[[Rows], VerdictTest]:
        return lambda there: same_factor(published[what], float(there[what].ours.replace(",", "")))

    return judged(rows, {what: asked(what) for what in published})


# Table 5.1: retrieval statistics.

SIMILARITY = {
    "adaptive": ((0.98850364, 92.4), (0.98220273, 94.7), (0.97887567, 89.3), (0.98286971, 93.2)),
    "aggressive": ((0.98845772, 90.1), (0.98166614, 85.3), (0.97826279, 88.7), (0.98237579, 90.2)),
    "loose": ((0.976867, 69.5), (0.979374, 59.0), (0.971135, 62.6), (0.982322, 63.4)),
}
FOR_MONEY = ((0.9178, 46.4), (0.9712, 44.4), (0.9642, 49.2), (0.9800, 69.0))
"""The fourth column: people for real money, for whom our loose table was not made."""
MISSES = {
    ("adaptive", CASPER01): 86, ("aggressive", CASPER01): 222,
    ("adaptive", CASPER02): 38, ("aggressive", CASPER02): 45,
}  # fmt: skip
SIMILARITY_TOLERANCE = 0.01
"""Mean similarities may differ by this much and still count as the same."""


def judge_retrieval(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Compare similarities, numbers of cases and misses, and our loose table with people for money too."""
    kept = [row for row in rows if not row.what.endswith("for money")]
    places = {f"{CASPER02}, loose table, {street}": number for number, street in enumerate(STREET_NAMES)}
    money = [
        replace(
            row,
            what=f"{row.what}, beside people for money",
            paper="{:.4f} ({:.1f})".format(*FOR_MONEY[places[row.what]]),
        )
        for row in kept
        if row.what in places
    ]
    questions: dict[str, Callable[[Rows], VerdictTest]] = {}
    for table, streets in SIMILARITY.items():
        for street, said in zip(STREET_NAMES, streets, strict=True):
            what = f"{CASPER02}, {table} table, {street}"
            questions[what] = _alike(what, said)
    for row, said in zip(money, FOR_MONEY, strict=False):
        questions[row.what] = _alike(row.what, said)
    for (table, player), count in MISSES.items():
        what = f"{player}, {table} table, preflop misses of 0.97"
        questions[what] = _missed(what, count)
    return judged([*kept, *money], questions)


def _alike(what: str, published: tuple[float, float]) -> Callable[[Rows], VerdictTest]:
    def asked(rows: Rows) -> VerdictTest:
        similarity, cases = rows[what].ours.rstrip(")").split(" (")
        theirs, ours = Measurement(published[0], 0), Measurement(float(similarity), 0)
        same = same_value(theirs, ours, SIMILARITY_TOLERANCE)
        number = same_factor(published[1], float(cases))
        return all_of([same, number], f"similarity: {same.reason}; cases: {number.reason}")

    return asked


def _missed(what: str, published: int) -> Callable[[Rows], VerdictTest]:
    """Compare rates of misses; their counts vary as Poisson's."""

    def asked(rows: Rows) -> VerdictTest:
        ours = float(rows[what].ours.split(" ")[0])
        counts = published * HANDS / 10_000, max(ours * rows[what].hands / 10_000, 1)
        return same_factor(published, ours, error=math.sqrt(sum(1 / count for count in counts)))

    return asked
