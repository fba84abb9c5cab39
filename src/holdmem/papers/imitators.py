"""Rubin and Watson (2011): expert imitators, ensembles, dynamic selection. Tables 1 and 2, figures 1 to 4."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdmem.arena import Design, Estimate, MatchResult
from holdmem.arena.design import DeckPurpose
from holdmem.cbr import read_cases
from holdmem.core.data import DATA
from holdmem.core.statistics import difference
from holdmem.engine import Game, find_game
from holdmem.history import StoredHands
from holdmem.learning.learn import measure_imitation
from holdmem.learning.record import record
from holdmem.papers import imitators_curve, references, summaries
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding, Grid, Picture, Row, claim, shares, shown
from holdmem.papers.imitators_oracle import AT_STAKE, oracle
from holdmem.papers.imitators_published import (
    LIMIT_TABLE,
    NO_LIMIT_TABLE,
    judge_limit,
    judge_no_limit,
    winner_of,
)
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.imitators.imitator import LIMIT_EXPERTS, NO_LIMIT_EXPERTS


@dataclass(frozen=True)
class PublishedTable:
    """A published table: the game, our opponents, the originals they stand in for, and the experts.

    `experts` maps the paper's experts to ours. `published` has a mean and a standard deviation against each
    of the two opponents, for each player.
    """

    game: Game
    opponents: tuple[str, str]
    small_budgets: tuple[str, str]
    originals: tuple[str, str]
    experts: Mapping[str, str]
    published: Mapping[str, tuple[tuple[float, float], tuple[float, float]]]

    def players(self) -> dict[str, str]:
        """Map the paper's eight players to ours."""
        policies = {"max": "", "prob": ",policy=probabilistic"}
        single = {
            f"{theirs}-{short}": f"imitator:expert={ours}{policy}"
            for short, policy in policies.items()
            for theirs, ours in self.experts.items()
        }
        return {"Dynamic": "dynamic", "Ensemble": "ensemble"} | single

    def against(self, runner: ExperimentRunner) -> tuple[str, str]:
        """Return the opponents, with smaller budgets below full scale."""
        return runner.at(smoke=self.small_budgets, quick=self.small_budgets, full=self.opponents)


LIMIT = PublishedTable(
    find_game("limit"),
    ("eqm", "alistairbot:samples=200"),
    ("eqm", "alistairbot:samples=20"),
    ("Fell Omen 2", "AlistairBot"),
    {"Rockhopper": LIMIT_EXPERTS[1], "PULPO": LIMIT_EXPERTS[0], "Sartre": LIMIT_EXPERTS[2]},
    LIMIT_TABLE,
)
NO_LIMIT = PublishedTable(
    find_game("nolimit"),
    ("mctsbot:iterations=400", "simplebot"),
    ("mctsbot:iterations=50", "simplebot"),
    ("MCTSBot", "SimpleBot"),
    {"Hyperborean": NO_LIMIT_EXPERTS[0], "Tartanian": NO_LIMIT_EXPERTS[1], "Sartre": NO_LIMIT_EXPERTS[2]},
    NO_LIMIT_TABLE,
)


def designs(runner: ExperimentRunner, table: PublishedTable, players: Sequence[str]) -> list[Design]:
    """Return the duplicate matches of each of these players against both opponents.

    At full scale these are five matches of 3,000 hands each.
    """
    hands, matches = runner.at(smoke=(4, 2), quick=(300, 5), full=(3_000, 5))
    return [
        Design(table.game, (player, opponent), hands, matches, seed=runner.seed)
        for player in players
        for opponent in table.against(runner)
    ]


def means(
    runner: ExperimentRunner, table: PublishedTable
) -> tuple[dict[str, list[MatchResult]], dict[str, Estimate]]:
    """Return both results of each player, and their mean."""
    players = table.players()
    played = iter(
        runner.matches(designs(runner, table, list(players.values())), "eight players, two opponents")
    )
    results = {name: [next(played), next(played)] for name in players}
    return results, {name: average(pair) for name, pair in results.items()}


def average(pair: Sequence[MatchResult]) -> Estimate:
    """Return the mean of two results, with their combined error."""
    one, other = (result.estimates()[0] for result in pair)
    return difference(one, other.scaled(-1.0, other.unit)).scaled(0.5, one.unit)


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
        claim("one single imitator does better on average than both combinations",
              f"{_best(mean, single)}; Dynamic {shown(mean['Dynamic'])}", hands * 8),
        claim("both combinations do better than the other single imitators",
              f"Ensemble {shown(mean['Ensemble'])}", hands * 8),
    ]  # fmt: skip
    return Finding(tuple(rows), (in_order(NO_LIMIT, mean),), remark=STAND_INS)


def experts(runner: ExperimentRunner) -> Finding:
    """Play the imitated experts themselves against the opponents of tables 1 and 2, on the same decks."""
    rows = []
    for table in (LIMIT, NO_LIMIT):
        players = [*table.experts.values(), *(f"imitator:expert={one}" for one in table.experts.values())]
        played = iter(runner.matches(designs(runner, table, players), "experts beside their imitators"))
        found = {player: [next(played), next(played)] for player in players}
        for expert in table.experts.values():
            rows += _beside(runner, table, expert, found)
    return Finding(tuple(rows), remark="Not in the paper, whose experts are not available to anybody.")


def _beside(
    runner: ExperimentRunner, table: PublishedTable, expert: str, found: Mapping[str, list[MatchResult]]
) -> list[Row]:
    """Return rows of an expert, and of its imitator less the expert, for each opponent."""
    rows = []
    for place, opponent in enumerate(table.against(runner)):
        mine, theirs = found[expert][place], found[f"imitator:expert={expert}"][place]
        apart = difference(theirs.estimates()[0], mine.estimates()[0])
        for what, ours, remark in (
            (f"{expert} against {opponent}", mine.estimates()[0], ""),
            (f"its imitator less {expert} against {opponent}", apart, "as if decks were not shared"),
        ):
            shown_as = shown(ours, unit=True)
            rows.append(Row(what, "–", shown_as, mine.hands, opponent, remark=remark, samples=ours.samples))
    return rows


STAND_INS = (
    "Experts and opponents are ours, so the verdict is on who wins, never on how much. Where an opponent or"
    " Dynamic learns, a sample is a match, otherwise a deck played both ways."
)


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


# Beyond the paper: other selection rules, other utilities, and how well the imitators imitate.

RULES = {
    "UCB1 as in the paper": "dynamic",
    "UCB1, money as utility": "dynamic:utility=money",
    "UCB1, scaled to [0, 1]": "dynamic:scale={scale}",
    "UCB1-Tuned, scaled": "dynamic:rule=ucb1-tuned,scale={scale}",
    "Thompson sampling": "dynamic:rule=thompson",
}


def rules(runner: ExperimentRunner) -> Finding:
    """Play other selection rules in place of Dynamic's, against the opponents that do not learn."""
    hands, matches = runner.at(smoke=(4, 2), quick=(300, 5), full=(3_000, 10))
    rows = []
    for table, opponent in ((LIMIT, "eqm"), (NO_LIMIT, "simplebot")):
        players = {what: text.format(scale=AT_STAKE[table.game.limit]) for what, text in RULES.items()}
        asked = [
            Design(table.game, (player, opponent), hands, matches, seed=runner.seed)
            for player in players.values()
        ]
        for what, found in zip(players, runner.matches(asked, "rules of choice"), strict=True):
            counts = found.counts()[0]
            most, times = max(counts.items(), key=lambda entry: entry[1])
            rows.append(
                Row(f"{what}, against {opponent}", "–", shown(found.estimates()[0], unit=True), found.hands,
                    remark=f"chosen most: {most}, {times / found.hands:.0%}")
            )  # fmt: skip
    return Finding(tuple(rows), remark="Not in the paper. Intervals over matches.")


@dataclass(frozen=True)
class ImitationTest:
    """Hands of an expert against itself that its imitator has not seen."""

    expert: str
    game: str
    hands: int
    seed: int
    purpose: DeckPurpose = "play"


def agreement(asked: ImitationTest) -> list[dict[str, Any]]:
    """Return the agreement of the shipped imitator with its expert, by street."""
    with TemporaryDirectory(prefix="holdmem-") as place:
        folder, pair = Path(place) / "hands", (asked.expert, asked.expert)
        design = Design(
            find_game(asked.game), pair, asked.hands, kind="ring", seed=asked.seed, purpose=asked.purpose
        )
        record(design, folder)
        base = read_cases(DATA / f"imitator-{asked.expert}")
        return [one.as_json() for one in measure_imitation(base, StoredHands(folder), asked.expert)]


def _read_by(asked: ImitationTest) -> list[str | Path]:
    """Return the expert and the memory on which a measurement depends."""
    return [asked.expert, DATA / f"imitator-{asked.expert}"]


def imitation(runner: ExperimentRunner) -> Finding:
    """Measure held-out agreement of the six imitators, with a baseline."""
    hands = runner.at(smoke=200, quick=5_000, full=50_000)
    games = {"limit": LIMIT_EXPERTS, "nolimit": NO_LIMIT_EXPERTS}
    asked = [
        ImitationTest(expert, game, hands, 1000 + runner.seed, runner.purpose)
        for game, experts in games.items()
        for expert in experts
    ]
    found = runner.work(agreement, asked, "imitation of the six experts", _read_by)
    rows, cells = [], []
    for one, streets in zip(asked, found, strict=True):
        whole = streets[-1]
        rows.append(
            Row(f"imitator of {one.expert}, all streets", "–", f"{whole['agreement']:.1%}", hands,
                remark=f"baseline {whole['baseline_agreement']:.1%}, {whole['decisions']:,} decisions")
        )  # fmt: skip
        cells.append(
            (one.expert, *(f"{row['agreement']:.1%} ({row['baseline_agreement']:.1%})" for row in streets))
        )
    grid = Grid(
        "Agreement of the most frequent action (baseline in brackets)",
        ("expert", *(row["street"] for row in found[0])),
        tuple(cells),
    )
    return Finding(tuple(rows), (grid,), remark="Not in the paper, which does not measure the imitation.")


PAPER = Paper(
    "imitators",
    references.IMITATORS,
    "Expert imitators, ensembles and dynamic selection",
    (
        Experiment("table1", "Table 1: limit, eight players against two opponents", table1, judge_limit),
        Experiment(
            "table2", "Table 2: no-limit, eight players against two opponents", table2, judge_no_limit
        ),
        Experiment("figures", "Figures 1 to 4: how often each imitator was chosen", figures),
        Experiment("rules", "Beyond the paper: other rules of choice", rules),
        Experiment("oracle", "Beyond the paper: choosing with all cards known, an oracle", oracle),
        Experiment("imitation", "Beyond the paper: agreement with the experts", imitation),
        Experiment("curve", "Beyond the paper: hands remembered", imitators_curve.curve, minutes=15),
        Experiment("experts", "Beyond the paper: the experts beside their imitators", experts, minutes=60),
    ),
    summaries.IMITATORS,
    summaries.IMITATORS_METHOD,
)
