"""Rubin and Watson (2011): expert imitators, ensembles, dynamic selection. Tables 1 and 2, figures 1 to 4."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdmem.arena import Estimate, MatchResult
from holdmem.papers import imitators_controls, imitators_curve, references, summaries
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding, Grid, Picture, Row, claim, shares, shown
from holdmem.papers.imitators_controls import STAND_INS
from holdmem.papers.imitators_oracle import oracle
from holdmem.papers.imitators_published import (
    MENDED,
    ONE_AHEAD,
    OTHERS_BEHIND,
    judge_combinations,
    judge_limit,
    judge_no_limit,
    winner_of,
)
from holdmem.papers.imitators_tables import LIMIT, NO_LIMIT, PublishedTable, means
from holdmem.papers.runner import ExperimentRunner


def rows_of(
    runner: ExperimentRunner, table: PublishedTable, results: Mapping[str, list[MatchResult]]
) -> list[Row]:
    """Return a row per player and opponent. The published ± is a standard deviation over five matches."""
    rows = []
    for name, ours in table.players().items():
        for place, found in enumerate(results[name]):
            mean, deviation = table.published[name][place]
            rows.append(
                Row(
                    f"{name} against {table.originals[place]}",
                    f"{mean:+.4f}, standard deviation {deviation:.3f}",
                    shown(found.estimates()[0], unit=True), found.hands,
                    f"{ours} against {table.against(runner)[place]}", remark="the verdict is on who wins",
                    samples=found.estimates()[0].samples, published_hands=30_000,
                )
            )  # fmt: skip
    return rows


def averages(table: PublishedTable, mean: Mapping[str, Estimate], hands: int) -> list[Row]:
    """Return the last column of the table: each player's average, best first."""
    rows = []
    for name, ours in sorted(mean.items(), key=lambda entry: -entry[1].mean):
        said = sum(value for value, _ in table.published[name]) / 2
        rows.append(
            Row(f"{name}, average", f"{said:+.4f}", shown(ours, unit=True), hands, table.players()[name],
                samples=ours.samples, published_hands=60_000)
        )  # fmt: skip
    return rows


def table1(runner: ExperimentRunner) -> Finding:
    """Reproduce table 1, limit: both combinations are claimed to beat every single imitator."""
    results, mean = means(runner, LIMIT)
    hands = sum(found.hands for found in results["Dynamic"])
    single = [name for name in mean if name not in ("Dynamic", "Ensemble")]
    rows = rows_of(runner, LIMIT, results) + averages(LIMIT, mean, hands)
    rows += [
        claim(winner_of(name), f"{shown(mean[name])}; the best single one {_best(mean, single)}", hands * 8)
        for name in ("Dynamic", "Ensemble")
    ]  # fmt: skip
    return Finding(tuple(rows), (in_order(LIMIT, mean),), remark=STAND_INS)


def table2(runner: ExperimentRunner) -> Finding:
    """Reproduce table 2, no-limit.

    The best single imitator is claimed to beat both combinations, and these to beat all other imitators.
    """
    results, mean = means(runner, NO_LIMIT)
    hands = sum(found.hands for found in results["Dynamic"])
    single = [name for name in mean if name not in ("Dynamic", "Ensemble")]
    rows = rows_of(runner, NO_LIMIT, results) + averages(NO_LIMIT, mean, hands)
    rows += [
        claim(ONE_AHEAD,
              f"{_best(mean, single)}; Dynamic {shown(mean['Dynamic'])}", hands * 8),
        claim(OTHERS_BEHIND,
              f"Ensemble {shown(mean['Ensemble'])}", hands * 8),
    ]  # fmt: skip
    marked = [replace(row, remark=f"{row.remark}; {MENDED}" if row.remark else MENDED) for row in rows]
    return Finding(tuple(marked), (in_order(NO_LIMIT, mean),), remark=STAND_INS)


def _best(mean: Mapping[str, Estimate], names: Sequence[str]) -> str:
    best = max(names, key=lambda name: mean[name].mean)
    return f"{best} {shown(mean[best])}"


def in_order(table: PublishedTable, mean: Mapping[str, Estimate]) -> Grid:
    """Return the players ranked by average, in the paper and here."""
    published = {name: sum(value for value, _ in pair) / 2 for name, pair in table.published.items()}
    theirs = sorted(published, key=lambda name: -published[name])
    ours = sorted(mean, key=lambda name: -mean[name].mean)
    rows = [
        (str(place), one, f"{published[one]:+.4f}", other, shown(mean[other]))
        for place, (one, other) in enumerate(zip(theirs, ours, strict=True), 1)
    ]
    unit = next(iter(mean.values())).unit
    return Grid("By average", ("place", "published", unit, "ours", f"{unit} (95%)"), tuple(rows))


# Figures 1 to 4: how often each imitator was chosen.

SAID = (
    "Rockhopper-max most, then Sartre-prob, Sartre-max third",
    "PULPO-prob by far the most, Rockhopper-max third",
    "Sartre-max most, then Hyperborean-max",
    "Sartre-max most, then Hyperborean-max",
)


def figures(runner: ExperimentRunner) -> Finding:
    """Reproduce figures 1 to 4: Dynamic's selections in tables 1 and 2, with each imitator's own winnings."""
    rows: list[Row] = []
    charts: list[tuple[str, dict[str, int]]] = []
    for table in (LIMIT, NO_LIMIT):
        results, _ = means(runner, table)
        names = {ours: theirs for theirs, ours in table.players().items()}
        for place, opponent in enumerate(table.against(runner)):
            dynamic, number = results["Dynamic"][place], len(charts)
            counts = {names[ours]: count for ours, count in dynamic.counts()[0].items()}
            won = {name: results[name][place].estimates()[0] for name in counts}
            what = f"figure {number + 1}: chosen against {table.originals[place]}"
            rows.append(
                Row(what, SAID[number], shares(counts), dynamic.hands, f"dynamic against {opponent}",
                    remark=f"wins most alone: {_best(won, list(won))}")
            )  # fmt: skip
            charts.append((f"Figure {number + 1}: against {opponent}", counts))
    picture = Picture("How often each imitator was chosen", _bars(charts), (9, 7))
    return Finding(tuple(rows), pictures=(picture,), remark=CHOICES)


CHOICES = (
    "The paper expected the winning imitator to be chosen most and saw that it was not, against both limit"
    " opponents. Its counts are only drawn, not printed, so orders are compared by eye."
)


def _bars(charts: Sequence[tuple[str, Mapping[str, int]]]) -> Any:
    def draw(figure: Any) -> None:
        for axes, (title, counts) in zip(figure.subplots(2, 2).flat, charts, strict=True):
            axes.barh(list(counts), list(counts.values()))
            axes.invert_yaxis()
            axes.set(title=title, xlabel="hands")

    return draw


PAPER = Paper(
    "imitators",
    references.IMITATORS,
    "Expert imitators, ensembles and dynamic selection",
    (
        Experiment("table1", "Table 1: limit, eight players against two opponents", table1, judge_limit),
        Experiment(
            "table2", "Table 2: no-limit, eight players against two opponents", table2, judge_no_limit
        ),
        Experiment(
            "combinations",
            "Table 1, larger: do combinations beat their members?",
            imitators_controls.combinations,
            judge_combinations,
            minutes=35,
        ),
        Experiment("figures", "Figures 1 to 4: how often each imitator was chosen", figures),
        Experiment("rules", "Beyond the paper: other rules of choice", imitators_controls.rules),
        Experiment("oracle", "Beyond the paper: choosing with all cards known, an oracle", oracle),
        Experiment("imitation", "Beyond the paper: agreement with the experts", imitators_controls.imitation),
        Experiment("curve", "Beyond the paper: hands remembered", imitators_curve.curve, minutes=15),
        Experiment(
            "experts",
            "Beyond the paper: the experts beside their imitators",
            imitators_controls.experts,
            minutes=35,
        ),
    ),
    summaries.IMITATORS,
    summaries.IMITATORS_METHOD,
)
