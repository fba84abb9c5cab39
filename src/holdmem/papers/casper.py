"""Rubin (2007): CASPER. Its case bases, two tables of opponents, its weights, and retrieval statistics.

One tested player sits with eight opponents and plays the same cards in each of the nine seats. All tested
players of a table also get the same cards, so that two of them are compared match by match.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdmem.arena import Design, MatchResult
from holdmem.arena.design import DeckPurpose
from holdmem.cbr.store import read_cases, write_cases
from holdmem.core.data import DATA
from holdmem.engine import STREET_NAMES
from holdmem.history import StoredHands
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from holdmem.papers import casper_controls, evolving, references, summaries
from holdmem.papers.casper_published import (
    CASPER01,
    CASPER02,
    FIGURES,
    GENERAL,
    HANDS,
    MISSES,
    OPPONENT,
    RANDOM,
    RECORDED,
    SIMBOT,
    SIMILARITY,
    PublishedCurves,
    judge_cases,
    judge_retrieval,
)
from holdmem.papers.casper_retrieval import retrieval_statistics
from holdmem.papers.casper_tables import AGGRESSIVE, GAME, SIZES, STANDS_IN, TABLES
from holdmem.papers.casper_teachers import teachers
from holdmem.papers.catalogue import Experiment, Paper
from holdmem.papers.findings import Finding, Picture, Row, claim, over_matches, shown
from holdmem.papers.pairing import difference, per_match
from holdmem.papers.runner import ExperimentRunner
from holdmem.players.casper import CASPER

# Tables 3.1 and 3.2: cases.


def cases(runner: ExperimentRunner) -> Finding:
    """Compare the number of cases in the shipped case base after 7,000 hands and after all hands."""
    runner.note_files([DATA / "casper"])
    marks = read_cases(DATA / "casper").about["marks"]
    rows = []
    for mark, (name, published) in RECORDED.items():
        for street, theirs, ours in zip(STREET_NAMES, published, marks[mark], strict=True):
            rows.append(
                Row(
                    f"{name}, {street}", f"{theirs:,}", f"{ours:,}", int(mark), "five Poki and four Simbot",
                    published_hands=7_000 if name == "casper01" else HANDS,
                )
            )  # fmt: skip
    remark = (
        "Nine seats make about nine decisions per hand before the flop, as in table 3.2. Table 3.1 has 4.0."
        " Fewer seats do not explain this: their cases could never reach the threshold at nine (they are in"
        " another group of table 3.5, which alone costs 0.05). Fewer decisions do: those of about four seats"
        " of nine. Ours are all decisions of the first 7,000 hands."
    )
    return Finding(tuple(rows), remark=remark)


# Sections 5.1 and 5.2: one tested player at a table.


PUBLISHED_HANDS = (450, 50)
"""Hands per seat in a match, and matches; nine times their product is 202,500 hands, ten times the thesis's.

Differences then have intervals of ± 0.013 to ± 0.018 sb/h: as much as a margin of 0.02 needs.
"""


def played_at(
    runner: ExperimentRunner, table: str, players: Sequence[str], full: tuple[int, int] = PUBLISHED_HANDS
) -> dict[str, MatchResult]:
    """Play each player at the same table with the same cards."""
    hands, matches = runner.at(smoke=(1, 2), quick=(20, 10), full=full)
    designs = [
        Design(GAME, (player, *TABLES[table]), hands, matches, seed=runner.seed + 2007) for player in players
    ]
    found = runner.matches(designs, f"CASPER at the {table} table")
    return dict(zip(players, found, strict=True))


def curves(runner: ExperimentRunner, published: PublishedCurves) -> Finding:
    """Return one row per tested player, then one per pair with the difference."""
    found = played_at(runner, published.table, list(published.rates))
    against = STANDS_IN[published.table]
    rows = []
    for player, result in found.items():
        ours = over_matches(per_match(result))
        rows.append(
            Row(
                player, published.said(player), shown(ours), result.hands, against, samples=ours.samples,
                published_hands=HANDS,
            )
        )  # fmt: skip
    for one, other in published.pairs:
        apart = difference(found[one], found[other])
        rows.append(
            Row(
                f"{one} less {other}", published.said_of_pair(one, other), shown(apart), found[one].hands,
                against, remark="same cards, match by match", samples=apart.samples, published_hands=HANDS,
            )
        )  # fmt: skip
    return Finding(tuple(rows), pictures=(_growing(published, found),))


def _growing(published: PublishedCurves, found: dict[str, MatchResult]) -> Picture:
    """Plot cumulative small bets won over hands, as in the thesis."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for player, one in found.items():
            hands = one.hands // one.design.matches
            won = [hands * value for value in per_match(one)]
            axes.plot(
                [hands * number for number in range(len(won) + 1)],
                [sum(won[:number]) for number in range(len(won) + 1)],
                label=f"{player} (published: {published.said(player)})",
            )
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set(xlabel="hands", ylabel="small bets won", title=f"The {published.table} table")
        axes.legend()

    return Picture(f"Small bets won at the {published.table} table", draw)


def _figure(name: str, title: str) -> Experiment:
    """Return the experiment of a figure of chapter 5."""
    published = FIGURES[name]
    return Experiment(name, title, partial(curves, published=published), published.judge)


# Table 5.1: retrieval statistics.


@dataclass(frozen=True)
class RetrievalRun:
    """A player at a table, whose retrievals are counted over a number of hands."""

    table: str
    player: str
    hands: int
    matches: int
    seed: int
    purpose: DeckPurpose = "play"


def retrievals(sitting: RetrievalRun) -> list[dict[str, Any]]:
    """Return mean similarity, number of cases and threshold misses per street."""
    agents = (sitting.player, *TABLES[sitting.table])
    design = Design(
        GAME, agents, sitting.hands, sitting.matches, kind="ring", seed=sitting.seed, purpose=sitting.purpose
    )
    return [
        {
            "street": one.street, "decisions": one.decisions, "hands": one.hands, "cases": one.cases,
            "similarity": one.similarity, "missed": one.share_missed, "per_10000": one.missed_per_10000,
        }
        for one in retrieval_statistics(design, sitting.player)
    ]  # fmt: skip


def _counted(runner: ExperimentRunner, sittings: list[RetrievalRun]) -> list[Any]:
    """Return the statistics of each run."""
    return runner.work(
        retrievals, sittings, "what CASPER retrieves", lambda one: [one.player, *TABLES[one.table]]
    )


def table51(runner: ExperimentRunner) -> Finding:
    """Reproduce table 5.1: mean similarity and case count at three tables, and preflop threshold misses."""
    hands, matches = runner.at(smoke=(9, 1), quick=(45, 5), full=(999, 20))
    sittings = [
        RetrievalRun(table, player, hands, matches, runner.seed + 51, runner.purpose)
        for table in TABLES
        for player in (CASPER01, CASPER02)
    ]
    found = dict(zip(sittings, _counted(runner, sittings), strict=True))
    rows = []
    for sitting, streets in found.items():
        where = f"{sitting.player}, {sitting.table} table"
        if sitting.player == CASPER02:
            for (theirs, cases), one in zip(SIMILARITY[sitting.table], streets, strict=True):
                rows.append(
                    Row(
                        f"{where}, {one['street']}", f"{theirs:.4f} ({cases})",
                        f"{one['similarity']:.4f} ({one['cases']:.1f})", one["hands"],
                        STANDS_IN[sitting.table], remark="mean similarity and number of cases used",
                        published_hands=HANDS,
                    )
                )  # fmt: skip
        published = MISSES.get((sitting.table, sitting.player))
        rows.append(
            Row(
                f"{where}, preflop misses of 0.97", f"{published} per 10,000 hands" if published else "–",
                f"{streets[0]['per_10000']:.1f} per 10,000 hands, {streets[0]['missed']:.2%} of decisions",
                streets[0]["hands"], STANDS_IN[sitting.table], published_hands=HANDS if published else 0,
            )
        )  # fmt: skip
    rows.extend(_claims_on_retrieval(found))
    return Finding(tuple(rows))


def _claims_on_retrieval(found: dict[RetrievalRun, list[dict[str, Any]]]) -> list[Row]:
    misses = {(one.table, one.player): streets[0]["per_10000"] for one, streets in found.items()}
    hands = sum(streets[0]["hands"] for streets in found.values())
    more = all(misses[table, CASPER02] <= misses[table, CASPER01] for table in TABLES)
    known = misses["adaptive", CASPER02] <= min(misses["aggressive", CASPER02], misses["loose", CASPER02])
    return [
        claim("more cases, fewer misses of the threshold", "casper02 and casper01, each table", hands,
              holds=more),
        claim("fewest misses among the players that were recorded", "casper02, adaptive table first", hands,
              holds=known),
    ]  # fmt: skip


# Weights evolved here.


def our_weights(runner: ExperimentRunner) -> Finding:
    """Compare our evolved weights with the thesis's evolved, hand-picked and random ones.

    All play the same cards.
    """
    tasks = {
        "§4.2": evolving.general_task(runner),
        "§4.2 with more hands": evolving.larger_task(runner),
        "§4.3": evolving.opponent_task(runner),
    }
    ours = {evolving.player_of(evolving.evolved(runner, task)): said for said, task in tasks.items()}
    both = ("adaptive", "aggressive")
    rows = []
    for table in runner.at(smoke=("aggressive",), quick=both, full=both):
        found = played_at(runner, table, [CASPER02, GENERAL, OPPONENT, RANDOM, *ours], SIZES[table])
        for player, said in ours.items():
            for other in (CASPER02, GENERAL, OPPONENT, RANDOM):
                apart = difference(found[player], found[other])
                rows.append(
                    Row(
                        f"evolved here by {said} less {other}, {table} table", "–", shown(apart),
                        found[player].hands, STANDS_IN[table], remark=f"same cards; {player}",
                        samples=apart.samples,
                    )
                )  # fmt: skip
    return Finding(tuple(rows))


# Future work of the thesis.

OPTIONS = {
    "casper:policy=best-outcome": "re-use by outcome",
    "casper:policy=majority": "the most frequent action only",
    "casper:retain=own": "keeps its own decisions",
    "casper:retain=seen": "keeps all decisions whose cards it saw",
    "casper:strength=ehs": "effective hand strength in place of IHS and PPOT",
}


def options(runner: ExperimentRunner) -> Finding:
    """Compare each option with plain CASPER on the same cards."""
    rows = []
    for table in ("adaptive", "aggressive"):
        found = played_at(runner, table, [CASPER02, *OPTIONS], SIZES[table])
        for player, meaning in OPTIONS.items():
            apart = difference(found[player], found[CASPER02])
            rows.append(
                Row(
                    f"{player} less casper, {table} table", "–", shown(apart), found[player].hands,
                    STANDS_IN[table], remark=meaning, samples=apart.samples,
                )
            )  # fmt: skip
    return Finding(tuple(rows))


def opponents(runner: ExperimentRunner) -> Finding:
    """Test a second case base of Poki and Simbot among Jagbots, used where opponents resemble those."""
    hands, matches = runner.at(smoke=(45, 4), quick=(99, 30), full=(198, 101))
    among = runner.recording(
        Design(GAME, ("poki", SIMBOT, *AGGRESSIVE[:7]), hands, matches, kind="ring", seed=runner.seed + 2009)
    )
    with TemporaryDirectory(prefix="holdmem-") as place:
        record(among, Path(place) / "hands", workers=runner.workers, on=runner.on)
        lesson = learn(StoredHands(Path(place) / "hands"), ("poki", SIMBOT), CASPER, held_out=0)
        write_cases(lesson.base, Path(place) / "cases")
        players = (CASPER02, f"casper:cases={place}/cases", f"casper:opponents=[{place}/cases]")
        names = (CASPER02, "casper with the second memory alone", "casper with both, by opponents")
        rows = []
        for table in ("adaptive", "aggressive"):
            played = played_at(runner, table, players, SIZES[table])
            found = dict(zip(names, played.values(), strict=True))
            for name in names[1:]:
                apart = difference(found[name], found[CASPER02])
                rows.append(
                    Row(
                        f"{name} less casper, {table} table", "–", shown(apart), found[name].hands,
                        STANDS_IN[table], samples=apart.samples,
                        remark=f"second memory: {len(lesson.base):,} cases of {hands * matches:,} hands",
                    )
                )  # fmt: skip
    return Finding(tuple(rows))


PAPER = Paper(
    "casper",
    references.CASPER,
    "CASPER: two to ten seats, limit, from memory",
    (
        Experiment("cases", "Tables 3.1 and 3.2: cases recorded", cases, judge_cases),
        Experiment(
            "figure4.6", "Figures 4.6 to 4.9: evolution by self-play", evolving.self_play, evolving.judge
        ),
        Experiment(
            "figure4.11", "Figures 4.11 to 4.14: evolution against Pokis", evolving.against_pokis, minutes=20
        ),
        Experiment("evolved", "Sections 4.2 and 4.3: how our evolved weights play", our_weights, minutes=45),
        _figure("figure5.1", "Figure 5.1: the strong and adaptive table"),
        _figure("figure5.2", "Figure 5.2: the aggressive table"),
        _figure("figure5.3", "Figure 5.3: the recorded experts at the aggressive table"),
        _figure("figure5.4", "Figure 5.4: evolved and random weights, adaptive table"),
        _figure("figure5.5", "Figure 5.5: evolved and random weights, aggressive table"),
        Experiment("table5.1", "Table 5.1: similarity and retrieval", table51, judge_retrieval),
        Experiment("options", "Section 6.1: what the thesis leaves to the future", options),
        Experiment("opponents", "Section 6.1: cases of opponents like those at hand", opponents, minutes=20),
        Experiment(
            "teachers", "Beyond the thesis: why CASPER loses among its teachers", teachers, minutes=40
        ),
        Experiment(
            "people",
            "Figures 5.6 and 5.7: loose players in place of people",
            casper_controls.people,
            minutes=10,
        ),
        Experiment(
            "imitation", "Beyond the thesis: imitation of each teacher", casper_controls.imitation, minutes=3
        ),
        Experiment("curve", "Beyond the thesis: hands remembered", casper_controls.curve, minutes=12),
        Experiment(
            "selection",
            "Beyond the thesis: evolution without selection, and with less luck",
            evolving.selection,
            minutes=30,
        ),
        Experiment("vectors", "Beyond the thesis: ten random vectors", casper_controls.vectors, minutes=40),
        Experiment(
            "ablations",
            "Beyond the thesis: threshold, cap and nearest cases",
            casper_controls.ablations,
            minutes=10,
        ),
        Experiment(
            "sensitivity",
            "Beyond the thesis: parameters of the opponents",
            casper_controls.sensitivity,
            minutes=30,
        ),
    ),
    summaries.CASPER,
    summaries.CASPER_METHOD,
)
