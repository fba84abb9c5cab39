"""The players and opponents of tables 1 and 2 of Rubin and Watson (2011), and their matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdmem.arena import Design, Estimate, MatchResult
from holdmem.core.statistics import difference
from holdmem.engine import Game, find_game
from holdmem.papers.imitators_published import LIMIT_TABLE, NO_LIMIT_TABLE
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


LARGER = 4
"""Times the paper's number of matches, where its size does not resolve the differences of table 1."""


def designs(
    runner: ExperimentRunner, table: PublishedTable, players: Sequence[str], larger: bool = False
) -> list[Design]:
    """Return the duplicate matches of each of these players against both opponents.

    At full scale these are five matches of 3,000 hands each, or twenty if `larger`.
    """
    hands, matches = runner.at(smoke=(4, 2), quick=(300, 5), full=(3_000, 5))
    if larger:
        matches *= runner.at(smoke=1, quick=1, full=LARGER)
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
