"""Marques (n.d.): the Outcome Learner and the Action Learner, with every experiment of chapter 6."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from holdmem.core.statistics import difference
from holdmem.learning.training_runs import TrainingReport
from holdmem.papers import references, summaries
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding, Picture, Row, claim, shown
from holdmem.papers.learners_buckets import figures5, table5_1, table5_2, table5_3, table5_4
from holdmem.papers.learners_courses import courses, total_hands
from holdmem.papers.learners_published import BANKROLLS, BOTS, MISPRINTS_6_1, TABLE_6_1, bb_per_hand
from holdmem.papers.learners_sensitivity import sensitivity
from holdmem.papers.learners_verdicts import (
    BEATEN,
    BEATS,
    EQUALLY_GOOD,
    LOSES,
    MORE,
    PUBLISHED_3,
    TABLES,
    WINS,
    judge_courses,
    judge_test_bots,
    judge_three,
)
from holdmem.papers.runner import ExperimentRunner
from holdmem.plots.learners import draw_curves

# Chapter 6.


def table6_1(runner: ExperimentRunner) -> Finding:
    """Reproduce table 6.1: the five test bots against one another."""
    hands, matches = runner.at(smoke=(20, 2), quick=(1_000, 6), full=(50_000, 10))
    pairs = list(combinations(BOTS, 2))
    reports = courses(runner, [(one, (other,)) for one, other in pairs], hands, matches)
    rows = []
    for pair, report in zip(pairs, reports, strict=True):
        paper, ours = bb_per_hand(TABLE_6_1[pair], 100_000), report.winnings()
        said = f"{TABLE_6_1[pair]:+,} $, {paper:+.3f} bb/h"
        remark = MISPRINTS_6_1.get(pair, "")
        rows.append(Row(f"{pair[0]} against {pair[1]}", said, shown(ours), total_hands(report),
                        "HoldMem's, after the descriptions", remark=remark, samples=ours.samples,
                        published_hands=100_000))  # fmt: skip
    rows.append(claim(WINS, "each pairing above", sum(map(total_hands, reports))))
    rows.append(claim(LOSES, "each pairing above"))
    remark = "Dollars with a big blind of ten cents; every hand starts with 100 big blinds."
    return Finding(tuple(rows), remark=remark)


def figures6(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 6.1 to 6.20: both learners with both bucketings against the five test bots."""
    hands, matches = runner.at(smoke=(30, 2), quick=(1_500, 6), full=(100_000, 10))
    kinds = list(BANKROLLS)
    players = [(_named(*kind), (bot,)) for kind in kinds for bot in BOTS]
    reports = courses(runner, players, hands, matches)
    by_kind = {kind: reports[len(BOTS) * place : len(BOTS) * (place + 1)] for place, kind in enumerate(kinds)}
    rows = [row for kind in kinds for row in _bankroll_rows(kind, by_kind[kind])]
    rows += _conclusions(by_kind)
    pictures = tuple(_curves(" ".join(kind), found, BOTS) for kind, found in by_kind.items())
    remark = (
        "Every hand starts with 100 big blinds; raises are pot-sized. The unit of the plots, big blinds per"
        " 1,000 games, must mean per game, as the bankrolls show."
    )
    return Finding(tuple(rows), pictures=pictures, remark=remark)


def _named(learner: str, bucketing: str) -> str:
    return learner if bucketing == "LNU" else f"{learner}:bucketing={bucketing}"


def _bankroll_rows(kind: tuple[str, str], reports: list[TrainingReport]) -> list[Row]:
    rows = []
    for bot, dollars, report in zip(BOTS, BANKROLLS[kind], reports, strict=True):
        ours, last = report.winnings(), report.winnings(0.9, 1.0)
        paper = "–" if dollars is None else f"{dollars:+,} $, {bb_per_hand(dollars, 200_000):+.3f} bb/h"
        rows.append(
            Row(f"{' '.join(kind)} against {bot}", paper, shown(ours), total_hands(report),
                "HoldMem's agent of that name", remark=f"in the last tenth {shown(last, unit=True)}",
                samples=ours.samples, published_hands=0 if dollars is None else 200_000)
        )  # fmt: skip
    return rows


def _conclusions(by_kind: dict[tuple[str, str], list[TrainingReport]]) -> list[Row]:
    hands = sum(total_hands(report) for found in by_kind.values() for report in found)

    def won(learner: str) -> str:
        found = [one.winnings() for kind, ones in by_kind.items() if kind[0] == learner for one in ones]
        wins = [one.mean > 0 if one.significant else None for one in found]
        return (
            f"{wins.count(True)} of {len(wins)} courses won, {wins.count(False)} lost,"
            f" {wins.count(None)} open"
        )

    apart = [
        f"{learner} against {bot}"
        for learner in ("outcome-learner", "action-learner")
        for bot, one, other in zip(BOTS, by_kind[learner, "LNU"], by_kind[learner, "NNU"], strict=True)
        if difference(one.winnings(), other.winnings()).significant
    ]
    return [
        claim(BEATS, won("action-learner"), hands),
        claim(BEATEN, won("outcome-learner"), hands),
        claim(EQUALLY_GOOD, f"significantly apart: {', '.join(apart) or 'none'}", hands),
    ]


def _curves(title: str, reports: Sequence[TrainingReport], titles: Sequence[str]) -> Picture:
    def draw(figure: Any) -> None:
        draw_curves(figure, reports, titles)

    said = "moving average over 1,000 hands, mean and 10% to 90% of the matches"
    return Picture(f"{title}: {said}", draw, (3.2 * len(reports), 3.4))


# Figures 6.21 to 6.24: three seats.


def figures6_three(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 6.21 to 6.24: the Action Learner at tables of three, in all six orders."""
    hands, matches = runner.at(smoke=(10, 2), quick=(300, 6), full=(80_000, 10))
    reports = courses(runner, [("action-learner", others) for others in TABLES], hands, matches)
    rows = []
    for others, paper, report in zip(TABLES, PUBLISHED_3, reports, strict=True):
        last = report.winnings(0.9, 1.0)
        rows.append(Row(f"with {' and '.join(others)}", paper, shown(report.winnings()), total_hands(report),
                        "HoldMem's agent of that name", remark=f"in the last tenth {shown(last, unit=True)}",
                        samples=last.samples, published_hands=480_000))  # fmt: skip
    mine, theirs = (reports[2].winnings(player=player) for player in (0, 1))
    said = claim(MORE, f"{shown(mine)} and {shown(theirs)} bb/h", total_hands(reports[2]))
    rows.append(replace(said, samples=mine.samples, published_hands=480_000))
    titles = [" and ".join(others) for others in TABLES]
    return Finding(
        tuple(rows), pictures=(_curves("action-learner, three seats", reports, titles), _purses(reports[2]))
    )


def _purses(report: TrainingReport) -> Picture:
    def draw(figure: Any) -> None:
        axes = figure.subplots()
        bankrolls = report.bankrolls
        hands = (np.arange(bankrolls.shape[1]) + 1) * report.block
        for player, name in enumerate(report.course.players):
            (line,) = axes.plot(hands, bankrolls[:, :, player].mean(axis=0), label=name)
            low, high = np.quantile(bankrolls[:, :, player], (0.1, 0.9), axis=0)
            axes.fill_between(hands, low, high, alpha=0.25, color=line.get_color(), linewidth=0)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set(xlabel="hands", ylabel="big blinds won")
        axes.legend()

    return Picture("Bankrolls of all three (figure 6.24)", draw)


# Future work of the thesis: more raise sizes, finer types.

PLAIN, SIZES, FINER = "action-learner", "action-learner:raises=[0.5;1;2]", "action-learner:typing=sixteen"


def more_actions(runner: ExperimentRunner) -> Finding:
    """Compare three raise sizes and sixteen types with the plain Action Learner, then play against it."""
    hands, matches = runner.at(smoke=(20, 2), quick=(1_000, 6), full=(50_000, 10))
    players = [(learner, (bot,)) for learner in (PLAIN, SIZES, FINER) for bot in BOTS]
    reports = courses(runner, [*players, (SIZES, (PLAIN,)), (FINER, (PLAIN,))], hands, matches)
    rows = []
    for place, bot in enumerate(BOTS):
        plain = reports[place].winnings()
        for step, name in ((1, "three raise sizes"), (2, "sixteen types")):
            report = reports[step * len(BOTS) + place]
            gain = difference(report.winnings(), plain)
            rows.append(Row(f"{name} against {bot}", "–", shown(report.winnings()), total_hands(report),
                            remark=f"{shown(gain, unit=True)} more than the plain one",
                            samples=gain.samples))  # fmt: skip
    for report, name in zip(reports[-2:], ("three raise sizes", "sixteen types"), strict=True):
        rows.append(
            Row(
                f"{name} against the plain Action Learner", "–", shown(report.winnings()), total_hands(report)
            )
        )
    remark = "The thesis proposes raises of half the pot, the pot and twice the pot, and finer types."
    return Finding(tuple(rows), remark=remark)


PAPER = Paper(
    "learners",
    references.LEARNERS,
    "Outcome Learner and Action Learner: reinforcement learning over buckets",
    (
        Experiment("table5-1", "Table 5.1: preflop hands in 12 buckets", table5_1),
        Experiment("table5-2", "Table 5.2: preflop hands in 24 buckets", table5_2),
        Experiment("table5-3", "Table 5.3: flop hands in 12 buckets", table5_3),
        Experiment("table5-4", "Table 5.4: flop hands in 24 buckets", table5_4),
        Experiment("figures5", "Figures 5.2 to 5.5: nested buckets", figures5),
        Experiment("table6-1", "Table 6.1: the five test bots", table6_1, judge_test_bots),
        Experiment("figures6", "Figures 6.1 to 6.20: heads-up", figures6, judge_courses),
        Experiment("figures6-three", "Figures 6.21 to 6.24: three seats", figures6_three, judge_three),
        Experiment("more-actions", "Future work: more raise sizes, finer types", more_actions, minutes=13),
        Experiment(
            "sensitivity", "Beyond the thesis: parameters that it leaves open", sensitivity, minutes=20
        ),
    ),
    summaries.LEARNERS,
    summaries.LEARNERS_METHOD,
)
