"""Rubin and Watson (2010): SARTRE-1 and SARTRE-2. Tables 2 to 5 with our own teacher and field."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from holdmem.arena import Design, Estimate
from holdmem.engine import find_game
from holdmem.history import StoredHands
from holdmem.learning.learn import CaseLearner
from holdmem.learning.record import record
from holdmem.papers import references
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import (
    APART,
    Finding,
    Grid,
    Picture,
    Row,
    all_true,
    beyond,
    claim,
    over_matches,
    same_number,
    same_order,
    same_sign,
    shown,
)
from holdmem.papers.ranking import crossing, ranked
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.sartre import SARTRE_2

LIMIT = find_game("limit")
TEACHER = "eqm stands in for Hyperborean-Eqm (SARTRE-1) and MANZANA (SARTRE-2)"

# Table 2: cases of both systems by street.

PUBLISHED_1 = {"preflop": 201_335, "flop": 300_577, "turn": 281_529, "river": 216_597}
PUBLISHED_2 = {"preflop": 857, "flop": 6_743, "turn": 35_464, "river": 52_088}


@dataclass(frozen=True)
class CaseGrowth:
    """Hands of the teacher against itself, and the hand counts at which its cases are counted."""

    hands: int
    steps: tuple[int, ...]
    seed: int = 2009


def count_cases(observed: CaseGrowth) -> list[dict[str, Any]]:
    """Return hands, decisions and cases by street as more hands are observed."""
    with TemporaryDirectory(prefix="holdmem-") as place:
        folder = Path(place) / "hands"
        record(Design(LIMIT, ("eqm", "eqm"), observed.hands, kind="ring", seed=observed.seed), folder)
        learner, found, steps = CaseLearner(SARTRE_2, "eqm", held_out=0), [], list(observed.steps)
        for block in StoredHands(folder):
            learner.read(block)
            if steps and learner.hands >= steps[0]:
                found.append({"hands": learner.hands, "streets": learner.so_far().counts})
                steps = [step for step in steps if step > learner.hands]
    return found


def table2(runner: ExperimentRunner) -> Finding:
    """Reproduce table 2: cases of SARTRE-2 by hands observed; SARTRE-1 has one case per decision."""
    sizes = (10_000, 30_000, 100_000, 300_000, 1_000_000)
    most = runner.at(smoke=2_000, quick=100_000, full=1_000_000)
    steps = (*(step for step in sizes if step < most), most)
    (found,) = runner.work(count_cases, [CaseGrowth(most, steps)], "observing eqm")
    last = found[-1]["streets"]
    # Case counts grow with the hands and the paper does not state its number, so compare at a million.
    rows = [
        Row(
            f"SARTRE-2, {street}", f"{published:,}", f"{last[street]['cases']:,}", found[-1]["hands"],
            TEACHER, same_order(published, last[street]["cases"]) if runner.scale == "full" else APART,
            "our listing of hand types and textures; agrees if within a factor of 1.5",
        )
        for street, published in PUBLISHED_2.items()
    ]  # fmt: skip
    cases, decisions = ([sum(row[name] for row in one["streets"].values()) for one in found]
                        for name in ("cases", "decisions"))  # fmt: skip
    rows.append(
        claim(
            "merging into triples leaves a fraction of the cases (claim 1)", decisions[-1] > 5 * cases[-1],
            f"{decisions[-1]:,} decisions, one case each in SARTRE-1 (published"
            f" {sum(PUBLISHED_1.values()):,}), make {cases[-1]:,} cases of SARTRE-2", found[-1]["hands"],
        )
    )  # fmt: skip
    grid = Grid(
        "Cases of SARTRE-2 by hands observed",
        ("hands", "decisions", *PUBLISHED_2, "all"),
        tuple(
            (f"{one['hands']:,}", f"{count:,}", *(f"{row['cases']:,}" for row in one["streets"].values()),
             f"{total:,}")
            for one, count, total in zip(found, decisions, cases, strict=True)
        ),
    )  # fmt: skip
    return Finding(tuple(rows), (grid,))


# Table 3: the competition of 2009.

FIELD_2009 = (
    "sartre-1", "eqm", "eqm-aggressive", "eqm-passive", "simplebot", "megabot", "jagbot", "dpp", "poki",
    "whlbot", "always-call", "always-raise",
)  # fmt: skip


def table3(runner: ExperimentRunner) -> Finding:
    """Rank SARTRE-1 in a field of twelve."""
    hands, matches = runner.at(smoke=(50, 1), quick=(200, 5), full=(3_000, 10))
    field = runner.at(smoke=FIELD_2009[:3], quick=FIELD_2009, full=FIELD_2009)
    found = runner.tournament(LIMIT, field, hands=hands, matches=matches)
    rows = ranked(found, {"sartre-1": ("6th of 12, +0.097 ± 0.002 sb/h", "7th of 13")})
    remark = (
        "The field differs from that of 2009, so places can't be compared; the ranking method is the same."
    )
    return Finding(rows, (crossing(found),), remark=remark)


# Table 4: the three policies of SARTRE-2.

POLICIES = ("majority", "probabilistic", "best-outcome")
PUBLISHED_4 = {
    ("majority", "probabilistic"): (0.011, 0.005),
    ("majority", "best-outcome"): (0.076, 0.008),
    ("probabilistic", "best-outcome"): (0.036, 0.009),
}


def table4(runner: ExperimentRunner) -> Finding:
    """Reproduce table 4: each policy against each other.

    Played at the paper's size and at one large enough to resolve the differences.
    """
    sizes = runner.at(smoke=[(100, 2)], quick=[(3_000, 3), (50_000, 1)], full=[(3_000, 3), (500_000, 1)])
    rows, last = [], {}
    for hands, matches in sizes:
        designs = [
            Design(
                LIMIT, tuple(f"sartre-2:policy={policy}" for policy in pair), hands, matches, seed=runner.seed
            )
            for pair in combinations(POLICIES, 2)
        ]
        for pair, found in zip(PUBLISHED_4, runner.matches(designs, "policies of SARTRE-2"), strict=True):
            (mean, reach), ours = PUBLISHED_4[pair], found.estimates()[0]
            last[pair] = ours
            rows.append(
                Row(" against ".join(pair), f"{mean:+.3f} ± {reach:.3f}", shown(ours), found.hands, TEACHER,
                    same_number(mean, ours, reach), f"sign: {same_sign(mean, ours)}")
            )  # fmt: skip
    best = all_true([_wins(last[pair]) for pair in PUBLISHED_4 if pair[0] == "majority"])
    worst = all_true([_wins(last[pair]) for pair in PUBLISHED_4 if pair[1] == "best-outcome"])
    total = 2 * sizes[-1][0] * sizes[-1][1] * 3
    rows.append(claim("majority-rules beats both others", best, "the largest of the runs above", total))
    rows.append(claim("best-outcome loses to both others", worst, "the largest of the runs above", total))
    return Finding(tuple(rows))


def _wins(found: Estimate) -> bool | None:
    return found.mean > 0 if found.significant else None


# Table 5: SARTRE-2 against SARTRE-1.

PUBLISHED_5 = (-0.034, 0.30, 0.016, 0.005, 0.001, -0.013, -0.004, 0.011, 0.004, 0.000)


def table5(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5: ten matches with Student's t, then enough hands to resolve 0.01 sb per hand."""
    hands = runner.at(smoke=100, quick=3_000, full=3_000)
    designs = [
        Design(LIMIT, ("sartre-2", "sartre-1"), hands, seed=runner.seed + number) for number in range(10)
    ]
    played = runner.matches(designs, "SARTRE-2 against SARTRE-1")
    means = np.array([one.estimates()[0].mean for one in played])
    over = over_matches(means.tolist())
    many = runner.match(LIMIT, "sartre-2", "sartre-1", hands=runner.at(smoke=500, quick=50_000, full=500_000))
    large = many.estimates()[0]
    rows = (
        Row("mean of ten matches, Student's t", "+0.0286, −0.040 to +0.098", shown(over), 20 * hands, TEACHER,
            same_number(0.0286, over, 0.069), "the published mean rests on one match of +0.30"),
        Row("standard deviation of a match", "0.0964", f"{means.std(ddof=1):.4f}", 20 * hands,
            remark="+0.030 in place of +0.30, perhaps a misprint, would make it 0.017"),
        Row("over pairs of hands", "–", shown(large), many.hands, TEACHER),
        claim("SARTRE-2 is the better player", beyond(large, Estimate(0, 0, 0, 0, "sb/h", 0)),
              "over pairs of hands; both have one teacher here, the paper's had two", many.hands),
    )  # fmt: skip

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        places = np.arange(len(PUBLISHED_5))
        axes.bar(places - 0.2, PUBLISHED_5, 0.4, label="published")
        axes.bar(places + 0.2, means, 0.4, label="ours")
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set(xlabel="match of 6,000 hands", ylabel="SARTRE-2 wins, sb/h", xticks=places)
        axes.legend()

    return Finding(rows, pictures=(Picture("SARTRE-2 against SARTRE-1, match by match", draw),))


PAPER = Paper(
    "sartre",
    references.SARTRE,
    "SARTRE: heads-up limit from memory",
    (
        Experiment("table2", "Table 2: cases recorded", table2),
        Experiment("table3", "Table 3: a competition in the manner of 2009", table3),
        Experiment("table4", "Table 4: three ways to re-use solutions", table4),
        Experiment("table5", "Table 5: after maintenance against before", table5),
    ),
)
