"""Controls for Rubin (2007): what its conclusions rest on, each on decks that its memory has not seen.

A tested player sits at a table with the same cards as the other tested players, in all nine seats, and is
compared with one of them match by match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from holdmem.arena import Design, Estimate, MatchResult
from holdmem.arena.design import DeckPurpose
from holdmem.cbr.store import read_cases
from holdmem.core import statistics
from holdmem.core.data import DATA
from holdmem.history import StoredHands
from holdmem.learning.learn import measure_imitation
from holdmem.learning.record import record
from holdmem.papers.casper_published import CASPER02, GENERAL, OPPONENT, SIMBOT
from holdmem.papers.casper_tables import GAME, SIZES, STANDS_IN, TABLES
from holdmem.papers.findings import Finding, Grid, Row, over_matches, shown
from holdmem.papers.pairing import difference, per_match
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.casper import of_first_hands

SEED = 5_100_000
"""Far from the seed of the recording, 2007."""
BOTH = ("adaptive", "aggressive")


def played(
    runner: ExperimentRunner, seats: Sequence[str], players: Sequence[str], hands: int, matches: int
) -> dict[str, MatchResult]:
    """Play each player with these eight opponents and the same cards."""
    designs = [Design(GAME, (one, *seats), hands, matches, seed=SEED + runner.seed) for one in players]
    return dict(zip(players, runner.matches(designs, "controls of CASPER"), strict=True))


def rate(what: str, found: MatchResult, against: str, remark: str = "", paper: str = "–") -> Row:
    """Return a row with a player's winnings."""
    ours = over_matches(per_match(found))
    return Row(what, paper, shown(ours), found.hands, against, remark=remark, samples=ours.samples)


def gain(what: str, one: MatchResult, other: MatchResult, against: str, remark: str = "") -> Row:
    """Return a row with a difference on the same cards."""
    apart = difference(one, other)
    return Row(what, "–", shown(apart), one.hands, against, remark=remark, samples=apart.samples)


# Figures 5.6 and 5.7: people.

PEOPLE = {CASPER02: "+0.29", GENERAL: "+0.22", "random": "-3.08"}
REAL_MONEY = "-0.07"


def people(runner: ExperimentRunner) -> Finding:
    """Play at the loose table, which stands in for people with play money; there is none for real money."""
    hands, matches = runner.at(smoke=(1, 2), quick=(20, 10), full=(225, 50))
    found = played(runner, TABLES["loose"], [*PEOPLE, "poki"], hands, matches)
    against = STANDS_IN["loose"]
    rows = [rate(name, result, against, paper=PEOPLE.get(name, "–")) for name, result in found.items()]
    rows.append(gain(f"{CASPER02} less {GENERAL}", found[CASPER02], found[GENERAL], against))
    rows.append(Row("casper against people for real money (figure 5.7)", REAL_MONEY, "not played"))
    remark = (
        "The thesis's opponents are people. Programs stand in for those with play money, so that signs and"
        " order can be seen side by side, without verdicts; nothing stands in for people with real money."
    )
    return Finding(tuple(rows), remark=remark)


# Imitation of each teacher.


@dataclass(frozen=True)
class TeacherTest:
    """Hands of the teachers among themselves that CASPER's memory has not seen."""

    teacher: str
    hands: int
    matches: int
    seed: int
    purpose: DeckPurpose = "play"


def agreement(asked: TeacherTest) -> list[dict[str, Any]]:
    """Return the agreement and log-loss of CASPER's memory with one teacher, by street."""
    with TemporaryDirectory(prefix="holdmem-") as place:
        record(_teachers(asked), Path(place) / "hands")
        base = read_cases(DATA / "casper")
        found = measure_imitation(base, StoredHands(Path(place) / "hands"), asked.teacher)
    return [one.as_json() for one in found]


def _teachers(asked: "TeacherTest | CurveTest") -> Design:
    """Return a match of the teachers among themselves."""
    seats = ("poki", SIMBOT) * 4 + ("poki",)
    return Design(
        GAME, seats, asked.hands, asked.matches, kind="ring", seed=asked.seed, purpose=asked.purpose
    )


def imitation(runner: ExperimentRunner) -> Finding:
    """Measure how well CASPER's memory tells what each of its teachers does."""
    hands, matches = runner.at(smoke=(9, 1), quick=(99, 3), full=(198, 25))
    asked = [
        TeacherTest(teacher, hands, matches, SEED + runner.seed, runner.purpose)
        for teacher in ("poki", SIMBOT)
    ]
    found = runner.work(agreement, asked, "imitation of CASPER's teachers", _read_by)
    rows, cells = [], []
    for one, streets in zip(asked, found, strict=True):
        for street in streets:
            what = f"{one.teacher}, {street['street']}"
            ours = f"{street['agreement']:.1%}, log-loss {street['log_loss']:.3f}"
            baseline = f"{street['baseline_agreement']:.1%}, log-loss {street['baseline_log_loss']:.3f}"
            rows.append(Row(what, "–", ours, hands * matches, remark=f"baseline {baseline}"))
            cells.append((what, f"{street['decisions']:,}", ours, baseline))
    header = ("teacher and street", "decisions", "memory", "plain frequencies of the street")
    remark = (
        "Not in the thesis, which does not measure the imitation. The memory holds both teachers' decisions."
    )
    return Finding(
        tuple(rows), (Grid("Agreement of the most frequent action", header, tuple(cells)),), (), remark
    )


def _read_by(asked: TeacherTest) -> list[str | Path]:
    """Return what a measurement depends on."""
    return ["poki", SIMBOT, DATA / "casper"]


# A learning curve.


@dataclass(frozen=True)
class CurveTest:
    """Hands of the teachers among themselves, on which memories of more and more hands are tested."""

    marks: tuple[int, ...]
    hands: int
    matches: int
    seed: int
    purpose: DeckPurpose = "play"


def agreements(asked: CurveTest) -> list[dict[str, Any]]:
    """Return the agreement and log-loss, over all streets, of the memory of the first hands."""
    base = read_cases(DATA / "casper")
    with TemporaryDirectory(prefix="holdmem-") as place:
        record(_teachers(asked), Path(place) / "hands")
        hands = StoredHands(Path(place) / "hands")
        found = [
            measure_imitation(of_first_hands(base, mark), hands, ("poki", SIMBOT))[-1] for mark in asked.marks
        ]
    return [one.as_json() for one in found]


def curve(runner: ExperimentRunner) -> Finding:
    """Play the memory of the first hands of its recording, for each number of hands that it has marked."""
    marks = sorted(int(mark) for mark in read_cases(DATA / "casper").about["marks"])
    players = [f"casper:first={mark}" for mark in marks]
    hands, matches = runner.at(smoke=(9, 1), quick=(99, 3), full=(198, 25))
    asked = CurveTest(tuple(marks), hands, matches, SEED + runner.seed, runner.purpose)
    (imitated,) = runner.work(
        agreements, [asked], "imitation by hands remembered", lambda _: ["poki", SIMBOT, DATA / "casper"]
    )
    rows = [
        Row(
            f"{mark:,} hands remembered, agreement with both teachers", "–",
            f"{one['agreement']:.1%}, log-loss {one['log_loss']:.3f}", hands * matches,
            remark=f"baseline {one['baseline_agreement']:.1%}, log-loss {one['baseline_log_loss']:.3f}",
        )
        for mark, one in zip(marks, imitated, strict=True)
    ]  # fmt: skip
    for table in runner.at(smoke=BOTH[-1:], quick=BOTH, full=BOTH):
        found = played(runner, TABLES[table], players, *sizes(runner, table, (50, 50)))
        rows += [
            rate(f"{mark:,} hands remembered, {table} table", found[player], STANDS_IN[table])
            for mark, player in zip(marks, players, strict=True)
        ]
    return Finding(tuple(rows), remark="Not in the thesis, which compares 7,000 and 20,000 hands.")


# Variants of CASPER.

VECTORS = 10
ABLATIONS = {
    "casper:threshold=0.9": "similar cases from 0.9",
    "casper:threshold=0.99": "similar cases from 0.99",
    "casper:threshold=1": "equal cases only",
    "casper:most=10": "at most 10 cases",
    "casper:most=2000": "at most 2,000 cases",
    "casper:otherwise=5": "else the 5 nearest",
    "casper:otherwise=100": "else the 100 nearest",
    "casper:threshold=0,most=1,otherwise=1": "the nearest case alone",
}


def sizes(runner: ExperimentRunner, table: str, adaptive: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return hands per seat in a match, and matches."""
    full = adaptive or SIZES[table] if table == "adaptive" else SIZES[table]
    return runner.at(smoke=(1, 2), quick=(20, 10), full=full)


def variants(runner: ExperimentRunner, meanings: Mapping[str, str], tables: Sequence[str]) -> list[Row]:
    """Compare variants with plain CASPER at tables, on the same cards."""
    rows = []
    for table in runner.at(smoke=tables[-1:], quick=tables, full=tables):
        found = played(runner, TABLES[table], [CASPER02, *meanings], *sizes(runner, table))
        rows.append(rate(f"casper, {table} table", found[CASPER02], STANDS_IN[table]))
        for player, meaning in meanings.items():
            what = f"{player} less casper, {table} table"
            rows.append(gain(what, found[player], found[CASPER02], STANDS_IN[table], meaning))
    return rows


def ablations(runner: ExperimentRunner) -> Finding:
    """Vary what the thesis sets: the threshold, the cap and the number of nearest cases."""
    chosen = dict(list(ABLATIONS.items())[:1]) if runner.scale == "smoke" else ABLATIONS
    return Finding(tuple(variants(runner, chosen, ("aggressive",))), remark="Not in the thesis.")


def vectors(runner: ExperimentRunner) -> Finding:
    """Compare good weights with ten random vectors, whose spread counts as a random effect."""
    count = runner.at(smoke=2, quick=VECTORS, full=VECTORS)
    draws = [f"casper:weights=random-{number}" for number in range(1, count + 1)]
    rows = []
    for table in runner.at(smoke=BOTH[-1:], quick=BOTH, full=BOTH):
        found = played(
            runner, TABLES[table], [CASPER02, GENERAL, OPPONENT, *draws], *sizes(runner, table, (75, 50))
        )
        for good in (CASPER02, GENERAL, OPPONENT):
            apart = beyond_draws(found[good], [found[draw] for draw in draws])
            what = f"{good} less random weights, {table} table"
            remark = f"interval over {count} random vectors and {found[good].design.matches} matches"
            rows.append(
                Row(
                    what, "–", shown(apart), found[good].hands, STANDS_IN[table], remark=remark,
                    samples=apart.samples,
                )
            )  # fmt: skip
    remark = "Intervals are for random vectors in general: they count chance in vectors and in matches."
    return Finding(tuple(rows), remark=remark)


def beyond_draws(good: MatchResult, draws: Sequence[MatchResult]) -> Estimate:
    """Estimate what a player wins more than random vectors do on average.

    Vectors and matches are both samples, so their variances add up, with Welch's approximation for the
    degrees of freedom. What differs by vector and match counts in both: the interval is a little too wide.
    """
    apart = np.array(per_match(good)) - np.array([per_match(draw) for draw in draws])
    vectors, matches = (over_matches(apart.mean(axis=axis).tolist()) for axis in (1, 0))
    return statistics.difference(vectors, replace(matches, mean=0.0))


# Opponents' parameters.

OPPONENTS: dict[str, tuple[str, ...]] = {
    "Simbots of 4 roll-outs": ("poki", "simbot:rollouts=4") * 4,
    "Simbots of 16 roll-outs": TABLES["adaptive"],
    "Simbots of 64 roll-outs": ("poki", "simbot:rollouts=64") * 4,
    "Jagbots of four versions": TABLES["aggressive"],
    "Jagbots, loose 0.5": ("jagbot:loose=0.5",) * 8,
    "Jagbots, loose 1": ("jagbot:loose=1",) * 8,
    "Jagbots, aggressive 0.4": ("jagbot:aggressive=0.4",) * 8,
    "Jagbots, aggressive 1": ("jagbot:aggressive=1",) * 8,
}


def sensitivity(runner: ExperimentRunner) -> Finding:
    """Vary the parameters of opponents that the thesis does not give."""
    hands, matches = runner.at(smoke=(1, 2), quick=(10, 10), full=(60, 50))
    names = runner.at(smoke=tuple(OPPONENTS)[-1:], quick=tuple(OPPONENTS), full=tuple(OPPONENTS))
    rows = []
    for name in names:
        found = played(runner, OPPONENTS[name], [CASPER02, GENERAL], hands, matches)
        rows.append(rate(f"casper against {name}", found[CASPER02], name))
        rows.append(gain(f"{CASPER02} less {GENERAL} against {name}", found[CASPER02], found[GENERAL], name))
    return Finding(tuple(rows), remark="The thesis leaves these parameters open.")
