"""Beyond Rubin and Watson (2011): experts beside imitators, more matches, other rules, and agreement."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdmem.arena import Design, MatchResult
from holdmem.arena.design import DeckPurpose
from holdmem.cbr import read_cases
from holdmem.core.data import DATA
from holdmem.core.statistics import difference
from holdmem.engine import find_game
from holdmem.history import StoredHands
from holdmem.learning.learn import measure_imitation
from holdmem.learning.record import record
from holdmem.papers.findings import Finding, Grid, Row, over_matches, shown
from holdmem.papers.imitators_oracle import AT_STAKE
from holdmem.papers.imitators_published import lead_of
from holdmem.papers.imitators_tables import LIMIT, NO_LIMIT, PublishedTable, designs
from holdmem.papers.pairing import per_match
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.imitators.imitator import LIMIT_EXPERTS, NO_LIMIT_EXPERTS


def combinations(runner: ExperimentRunner) -> Finding:
    """Play both combinations and their three members of table 1 in more matches, paired match by match."""
    names = ("Dynamic", "Ensemble", *(f"{name}-max" for name in LIMIT.experts))
    players = [LIMIT.players()[name] for name in names]
    played = iter(runner.matches(designs(runner, LIMIT, players, larger=True), "combinations and members"))
    found = {name: [next(played), next(played)] for name in names}
    won = {name: [per_match(one) for one in pair] for name, pair in found.items()}
    rows = []
    for name in names[:2]:
        for other in names[2:]:
            pairs = zip(*won[name], *won[other], strict=True)
            apart = over_matches([(one + two - three - four) / 2 for one, two, three, four in pairs])
            said = sum(mean for mean, _ in LIMIT.published[name]) - sum(
                mean for mean, _ in LIMIT.published[other]
            )
            rows.append(
                Row(lead_of(name, other), f"{said / 2:+.4f}", shown(apart, unit=True),
                    sum(one.hands for one in (*found[name], *found[other])),
                    "eqm and AlistairBot", remark="same cards, match by match", samples=apart.samples,
                    published_hands=60_000)
            )  # fmt: skip
    return Finding(tuple(rows), remark=STAND_INS)


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
