"""Verdicts: their error rates are what they claim, and stored findings carry those that the rules give."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.core.errors import NotationError
from holdmem.papers import PAPERS, Row, find_paper
from holdmem.papers.findings import CLAIMED, Finding
from holdmem.papers.imitators_published import (
    MENDED,
    NO_LIMIT_OPPONENTS,
    NO_LIMIT_TABLE,
    ONE_AHEAD,
    OTHERS_BEHIND,
    judge_no_limit,
)
from holdmem.papers.judging import judged, measured
from holdmem.papers.storage import judge, read_findings
from holdmem.papers.verdicts import (
    INCONCLUSIVE,
    NOT_REPLICATED,
    REPLICATED,
    UNJUDGED,
    Measurement,
    VerdictTest,
    all_of,
    decide,
    exactly,
    holm,
    same_factor,
    same_sign,
    same_value,
    same_winner,
    settled,
    within,
)

RESULTS = Path(__file__).parents[1] / "results"
ROWS, TABLES, ERROR = 6, 600, 0.01
MARGIN = 0.02
probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def closed_testing(values: list[float], level: float) -> list[bool]:
    """Holm's procedure by its definition: reject what Bonferroni rejects in every set that contains it."""
    numbers = range(len(values))
    sets = [[n for n in numbers if mask >> n & 1] for mask in range(1, 1 << len(values))]
    kept = [one for one in sets if min(values[n] for n in one) > level / len(one)]
    return [not any(number in one for one in kept) for number in numbers]


@given(probabilities)
def test_holm_rejects_what_closed_testing_rejects(values: list[float]) -> None:
    assert holm(values, 0.05) == closed_testing(values, 0.05)


def share_of_tables(
    verdict: str, ask: "type[VerdictTest] | object", truth: float, published: float, seed: int
) -> float:
    """Return how many of many tables have that verdict in a row; both figures have errors."""
    draw, wrong = np.random.default_rng(seed), 0
    for _ in range(TABLES):
        tests = []
        for _ in range(ROWS):
            theirs = Measurement(draw.normal(published, ERROR), ERROR)
            tests.append(ask(theirs, Measurement(draw.normal(truth, ERROR), ERROR)))  # type: ignore[operator]
        wrong += verdict in decide(tests)
    return wrong / TABLES


BOUND = 0.05 + 3 * math.sqrt(0.05 * 0.95 / TABLES)
"""Five in a hundred, and three standard deviations of so many tables."""


def test_equal_figures_are_seldom_called_not_replicated() -> None:
    ask = lambda theirs, ours: same_value(theirs, ours, MARGIN)  # noqa: E731
    assert share_of_tables(NOT_REPLICATED, ask, 0.3, 0.3, 1) <= BOUND


def test_figures_a_margin_apart_are_seldom_called_replicated() -> None:
    ask = lambda theirs, ours: same_value(theirs, ours, MARGIN)  # noqa: E731
    assert share_of_tables(REPLICATED, ask, 0.3 + MARGIN, 0.3, 2) <= BOUND


def test_a_draw_is_seldom_called_a_replicated_win() -> None:
    assert share_of_tables(REPLICATED, same_winner, 0.0, 0.3, 3) <= BOUND


def test_half_of_the_published_win_is_seldom_called_not_replicated() -> None:
    """A little more than half: the published figure, whose half is the bound, has its own error."""
    assert share_of_tables(NOT_REPLICATED, same_winner, 0.17, 0.3, 4) <= BOUND


def test_precise_figures_find_what_is_true() -> None:
    """The rules are not only careful: what is alike, and what is not, is found at sizes that resolve it."""
    fine = Measurement(0.3, 0.001)
    assert decide([same_value(fine, Measurement(0.302, 0.001), MARGIN)]) == [REPLICATED]
    assert decide([same_value(fine, Measurement(0.35, 0.001), MARGIN)]) == [NOT_REPLICATED]
    assert decide([same_winner(fine, Measurement(0.1, 0.01))]) == [REPLICATED]
    assert decide([same_winner(fine, Measurement(-0.1, 0.01))]) == [NOT_REPLICATED]
    assert decide([same_winner(fine, Measurement(0.0, 0.01))]) == [NOT_REPLICATED]
    assert decide([same_winner(fine, Measurement(0.05, 0.04))]) == [NOT_REPLICATED]
    assert decide([same_winner(fine, Measurement(0.1, 0.06))]) == [INCONCLUSIVE]
    assert decide([same_winner(fine, Measurement(0.1, 0.5))]) == [UNJUDGED], "too wide to resolve 0.3"


@given(st.floats(-1, 1), st.floats(0.001, 1), st.floats(-1, 1), st.floats(0.001, 1))
def test_a_sign_is_as_good_as_the_other(theirs: float, one: float, ours: float, other: float) -> None:
    plain = same_winner(Measurement(theirs, one), Measurement(ours, other))
    mirrored = same_winner(Measurement(-theirs, one), Measurement(-ours, other))
    assert (plain.replicated, plain.refuted, plain.settled) == pytest.approx(
        (mirrored.replicated, mirrored.refuted, mirrored.settled)
    )


@given(st.floats(-1, 1), st.floats(0.0001, 1), st.floats(2, 1000))
def test_a_published_zero_confirms_nothing(mean: float, error: float, freedom: float) -> None:
    published = Measurement(mean, error, freedom)
    found = decide([same_winner(published, Measurement(math.copysign(5.0, mean), 0.001))])
    assert (found == [INCONCLUSIVE]) == published.zero


@given(st.floats(-5, 5), st.floats(0.001, 2), st.integers(3, 1000))
def test_an_interval_gives_back_its_error(mean: float, half: float, samples: int) -> None:
    found = Measurement.of_interval(mean, half, samples)
    assert found.half == pytest.approx(half)
    assert found.zero == (abs(mean) <= found.half)
    assert found.above(mean) == pytest.approx(0.5)
    assert found.above(mean - half) == pytest.approx(0.025)
    assert found.below(mean + half) == pytest.approx(0.025)


def test_other_questions() -> None:
    certain = Measurement(0.4, 0.01)
    assert decide([same_factor(100, 140), same_factor(100, 60)]) == [REPLICATED, NOT_REPLICATED]
    assert decide([same_factor(10, 25, error=0.6)]) == [INCONCLUSIVE], "counts of ten say little"
    assert decide([same_sign(certain), same_sign(certain, -1)]) == [REPLICATED, NOT_REPLICATED]
    assert decide([within(certain, 0, 1, ""), within(certain, 0.5, 1, "")]) == [REPLICATED, NOT_REPLICATED]
    assert decide([exactly(True, ""), exactly(False, "")]) == [REPLICATED, NOT_REPLICATED]
    assert decide([all_of([exactly(True, ""), exactly(False, "")])]) == [NOT_REPLICATED]
    assert decide([all_of([exactly(True, ""), settled(UNJUDGED, "void")])]) == [UNJUDGED]
    assert decide([settled(UNJUDGED, "chosen")]) == [UNJUDGED]


def test_a_row_is_judged_from_what_it_prints() -> None:
    row = Row("a", "+0.3", "+0.2990 ± 0.0050 sb/h = +0.5980 ± 0.0100 small blinds/h", 1000, samples=10)
    assert (measured(row).mean, measured(row).half) == pytest.approx((0.299, 0.005))
    assert measured(row, "last less first: +736 ± 1,111").half == pytest.approx(1111)
    published = Measurement(0.3, 0.001)
    (found, other) = judged(
        [row, Row("b")], {"a": lambda there: same_value(published, measured(there["a"]), MARGIN)}
    )
    assert (found.verdict, other.verdict) == (REPLICATED, UNJUDGED)
    assert "margin 0.02" in found.reason
    with pytest.raises(NotationError, match="expected a mean with its interval, got 'nothing'"):
        measured(Row("c", ours="nothing"))


def rows_of_table_2(remark: str) -> list[Row]:
    """Table 2 with our figures equal to the published ones, within 0.001."""
    matches = [
        Row(f"{name} against {other}", "", f"{pair[place][0]:+.4f} ± 0.0010", 1000, remark=remark, samples=5)
        for name, pair in NO_LIMIT_TABLE.items()
        for place, other in enumerate(NO_LIMIT_OPPONENTS)
    ]
    claims = [Row(what, CLAIMED, "not judged", 1000, remark=remark) for what in (ONE_AHEAD, OTHERS_BEHIND)]
    return [*matches, *claims]


def test_table_2_is_judged_once_mctsbot_is_mended() -> None:
    void = {row.what: row.verdict for row in judge_no_limit(rows_of_table_2("the verdict is on who wins"))}
    mended = {row.what: row.verdict for row in judge_no_limit(rows_of_table_2(MENDED))}
    assert (void[ONE_AHEAD], void["Dynamic against MCTSBot"]) == (UNJUDGED, UNJUDGED)
    assert void["Dynamic against SimpleBot"] == mended["Dynamic against SimpleBot"] == REPLICATED
    assert (mended[ONE_AHEAD], mended["Dynamic against MCTSBot"]) == (REPLICATED, REPLICATED)
    assert mended[OTHERS_BEHIND] == REPLICATED
    assert mended["Tartanian-prob against MCTSBot"] == INCONCLUSIVE, "zero within its error as published"


STORED = [
    (paper, experiment, kept)
    for paper in map(find_paper, PAPERS)
    for experiment in paper.experiments
    for kept in read_findings(RESULTS, paper)
    if kept.experiment == experiment.name
]


@pytest.mark.parametrize(
    ("paper", "experiment", "kept"), STORED, ids=[f"{kept.paper}-{kept.experiment}" for *_, kept in STORED]
)
def test_stored_findings_carry_the_verdicts_of_the_rules(paper, experiment, kept) -> None:
    """Judging again changes nothing, and only findings of full size are judged."""
    found = judge(experiment, Finding(kept.rows, kept.grids, (), ""), kept.scale)
    assert found.rows == kept.rows
    assert kept.scale == "full" or {row.verdict for row in kept.rows} <= {UNJUDGED}
    for row in kept.rows:
        assert row.paper != "–" or row.verdict == UNJUDGED, "nothing published, nothing replicated"


AUDITED = {
    ("casper", "figure5.1", "casper less casper:first=7000"): INCONCLUSIVE,
    ("casper", "figure5.2", "casper less casper:first=7000"): NOT_REPLICATED,
    ("casper", "figure5.4", "casper:weights=general"): NOT_REPLICATED,
    ("casper", "figure5.4", "casper:weights=general less casper:weights=random-1"): INCONCLUSIVE,
    ("casper", "figure5.3", "simbot:rollouts=16"): NOT_REPLICATED,
    ("casper", "table5.1", "casper, aggressive table, preflop misses of 0.97"): NOT_REPLICATED,
    ("sartre", "table4", "majority against probabilistic"): NOT_REPLICATED,
    ("sartre", "table4", "probabilistic against best-outcome"): REPLICATED,
    ("imitators", "table1", "Dynamic against Fell Omen 2"): NOT_REPLICATED,
    ("imitators", "table1", "PULPO-prob against Fell Omen 2"): INCONCLUSIVE,
    ("imitators", "table1", "Ensemble does better on average than any single imitator"): NOT_REPLICATED,
    ("learners", "figures6", "outcome-learner LNU against always-all-in"): NOT_REPLICATED,
    ("learners", "figures6-three", "with simplebot and simplebot"): NOT_REPLICATED,
    ("learners", "table6-1", "SimpleBot beats all the others"): UNJUDGED,
    ("plicas", "figure5", "the dynamic units win more from dpp"): NOT_REPLICATED,
}
"""Verdicts that a reader of the publications reached by hand, before the rules were written."""


def test_verdicts_reached_by_hand() -> None:
    rows = {(kept.paper, kept.experiment, row.what): row for _, _, kept in STORED for row in kept.rows}
    assert {key: rows[key].verdict for key in AUDITED} == AUDITED


def test_no_number_is_published_that_the_thesis_does_not_have() -> None:
    """Simbot's loss in figure 5.3 is told in words only."""
    (kept,) = (kept for _, _, kept in STORED if kept.experiment == "figure5.3")
    assert not any("0.080" in row.paper or "0.160" in row.paper for row in kept.rows if "simbot" in row.what)


def test_the_readme_of_the_results_counts_them() -> None:
    counts = Counter(row.verdict for _, _, kept in STORED for row in kept.rows)
    said = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert (
        f"{counts[REPLICATED]} rows are replicated, {counts[NOT_REPLICATED]} are not,"
        f" {counts[INCONCLUSIVE]} are inconclusive" in said
    )
