"""Verdicts on the courses of Marques (n.d.), chapter 6.

A published course is one run as long as one of our ten matches, so its standard error is taken to be the
standard deviation between our matches; where both always put in their stacks, that of such hands.
"""

import math
from collections.abc import Callable, Sequence
from itertools import combinations

from holdmem.papers.findings import Row
from holdmem.papers.judging import Rows, judged, measured
from holdmem.papers.learners_published import BANKROLLS, BOTS, TABLE_6_1, bb_per_hand
from holdmem.papers.verdicts import (
    UNJUDGED,
    Measurement,
    VerdictTest,
    all_of,
    same_sign,
    same_value,
    same_winner,
    settled,
    within,
)

STACK = 100.0
"""Big blinds that a hand for whole stacks wins or loses: a bound on its standard deviation."""
SPECIFIED = ("always-all-in", "always-call")
"""Bots of which there is only one: against them, sizes are compared."""
MARGIN = 0.5
"""Big blinds per hand by which two rates may differ and still count as the same."""
BIG, SMALL = 1.0, 0.25
"""Big blinds per hand that "no big difference" excludes, and that "a little" allows."""

WINS, LOSES = "SimpleBot beats all the others", "always-all-in loses to all the others"
BEATS = "the Action Learner beats every test bot"
BEATEN = "the Outcome Learner does not beat every test bot"
EQUALLY_GOOD = "linear and nested buckets do equally well"
MORE = "with one of each it wins more than SimpleBot does"
FITTED = "our MegaBot's parameters were chosen so that SimpleBot beats it"
SCALE = "the scale of the initial weights was chosen with this figure in view"

TABLES = (("simplebot", "simplebot"), ("always-call", "always-call"), ("simplebot", "always-call"))
PUBLISHED_3 = ("settles a little below zero", "20 to 30 bb", "above zero, and above SimpleBot")

RowTest = Callable[[Rows], VerdictTest]


def published(rate: float, row: Row, hands: int) -> Measurement:
    """Return a published rate with the error of one run."""
    ours = measured(row)
    if row.what == "always-all-in against always-call":
        return Measurement(rate, STACK / math.sqrt(hands))
    return Measurement(rate, ours.error * math.sqrt(row.samples), ours.freedom)


def judge_test_bots(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge table 6.1: who wins each match; those of MegaBot are by construction."""
    questions: dict[str, RowTest] = {}
    for pair in combinations(BOTS, 2):
        what = " against ".join(pair)
        rate = bb_per_hand(TABLE_6_1[pair], 100_000)
        questions[what] = _nothing(FITTED) if "megabot" in pair else _winner(what, rate, 100_000)
    questions[WINS] = _nothing(FITTED)
    lost = [pair for pair in combinations(BOTS, 2) if pair[0] == "always-all-in" and pair[1] != "megabot"]
    questions[LOSES] = lambda there: all_of([questions[" against ".join(pair)](there) for pair in lost])
    return judged(rows, questions)


def judge_courses(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge figures 6.1 to 6.20: sizes against bots that are fully specified, winners against the others."""
    questions: dict[str, RowTest] = {}
    for kind, dollars in BANKROLLS.items():
        for bot, won in zip(BOTS, dollars, strict=True):
            if won is not None:
                what = f"{' '.join(kind)} against {bot}"
                questions[what] = _course(what, bb_per_hand(won, 200_000))
    questions[BEATS] = lambda there: _beats(there, "action-learner")
    questions[BEATEN] = _beaten
    questions[EQUALLY_GOOD] = _equally_good
    return judged(rows, questions)


def _course(what: str, rate: float) -> RowTest:
    learner, bot = what.split(maxsplit=1)[0], what.rsplit(maxsplit=1)[-1]
    if learner == "action-learner" and bot == "always-all-in":
        return _nothing(SCALE)
    if bot not in SPECIFIED:
        return _winner(what, rate, 200_000)
    return lambda there: same_value(
        published(rate, there[what], 200_000), measured(there[what]), MARGIN, "bb/h"
    )


def _winner(what: str, rate: float, hands: int) -> RowTest:
    return lambda there: same_winner(published(rate, there[what], hands), measured(there[what]))


def _nothing(reason: str) -> RowTest:
    return lambda there: settled(UNJUDGED, reason)


def _rates(there: Rows, learner: str) -> list[Measurement]:
    kinds = [" ".join(kind) for kind in BANKROLLS if kind[0] == learner]
    return [measured(there[f"{kind} against {bot}"]) for kind in kinds for bot in BOTS]


def _beats(there: Rows, learner: str) -> VerdictTest:
    return all_of([same_sign(rate) for rate in _rates(there, learner)], "all ten courses must be won")


def _beaten(there: Rows) -> VerdictTest:
    """Return the opposite of beating every bot: one course certainly lost is enough."""
    beats = _beats(there, "outcome-learner")
    return VerdictTest(beats.refuted, beats.replicated, "one course lost is enough")


def _equally_good(there: Rows) -> VerdictTest:
    """Ask whether any course differs by a big blind per hand; significance alone refutes nothing of "big"."""
    apart = {}
    for learner in ("outcome-learner", "action-learner"):
        for bot in BOTS:
            linear, nested = (measured(there[f"{learner} {name} against {bot}"]) for name in ("LNU", "NNU"))
            apart[f"{learner} against {bot}"] = linear.less(nested)
    worst = max(apart, key=lambda what: abs(apart[what].mean))
    said = f"largest: {worst}, {apart[worst].mean:+.2f} ± {apart[worst].half:.2f}; margin {BIG:g} bb/h"
    return all_of([within(one, -BIG, BIG, "") for one in apart.values()], said)


def judge_three(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Judge figures 6.21 to 6.24, of which the thesis speaks in words."""
    two_simple, two_calling, mixed = (f"with {' and '.join(others)}" for others in TABLES)

    def settles(there: Rows) -> VerdictTest:
        last = measured(there[two_simple], there[two_simple].remark)
        return within(last, -SMALL, SMALL, f"the last tenth; a little is taken as up to {SMALL:g} bb/h")

    def more(there: Rows) -> VerdictTest:
        mine, theirs = there[MORE].remark.split(" and ")
        ahead = measured(there[MORE], mine).less(measured(there[MORE], theirs))
        return same_sign(ahead, 1, f"{ahead.mean:+.2f} ± {ahead.half:.2f} bb/h ahead")

    return judged(
        rows,
        {
            two_simple: settles,
            two_calling: lambda there: within(measured(there[two_calling]), 20, 30, "20 to 30 bb/h"),
            mixed: lambda there: same_sign(measured(there[mixed]), 1, "above zero"),
            MORE: more,
        },
    )
