"""Round robins: a worked example by hand, what a failure costs, and the shape of the numbers."""

import json
import math
from typing import Any

import pytest

from holdmem import match, tournament
from holdmem.arena import Design, MatchPlan, MatchResult, Tournament
from holdmem.core.errors import GameError, UnknownAgent
from holdmem.engine import PARTS, find_game
from strangers import called
from test_arena import limit_for

LIMIT = find_game("limit")
NAMES = ("rock", "paper", "scissors", "fish")

WINS = {
    (0, 1): -3,  # paper covers rock
    (0, 2): 2,  # rock blunts scissors
    (1, 2): -2,  # scissors cut paper
    (0, 3): 1,
    (1, 3): 9,  # paper robs the fish
    (2, 3): 1,
}
"""What the first of two wins from the second, in small bets per hand.

Means over three matches: rock (-3 + 2 + 1)/3 = 0, paper (3 - 2 + 9)/3 = 10/3, scissors (-2 + 2 + 1)/3 = 1/3,
fish -11/3. The fish drops out; then rock -1/2, paper 1/2, scissors 0: rock drops out; scissors beat paper.
"""


def synthetic(table: tuple[int, int], wins: int, samples: int = 100, spread: int = 0) -> MatchResult:
    """A match of two in which every deck pair gave the first `wins` small bets a hand, give or take."""
    design = Design(LIMIT, tuple(NAMES[agent] for agent in table), hands=samples)
    pairs = [2 * PARTS * 10 * (wins + (spread if i % 2 else -spread)) for i in range(samples)]
    total, squares = sum(pairs), sum(pair * pair for pair in pairs)
    unit = {
        "matches": {"0": {"hands": 2 * samples, "net": {"money": [total, -total]}}},
        "samples": samples,
        "moments": {"money": [[total, squares], [-total, squares]]},
        "style": [[2 * samples, 0, 0, 0, 0, 0, 0, 0]] * 2,
    }
    return MatchResult(MatchPlan(design, f"hash of {table}", sequential=False), (unit,))


@pytest.fixture
def worked() -> Tournament:
    results = {table: synthetic(table, wins, spread=1) for table, wins in WINS.items()}
    return Tournament(LIMIT, NAMES, results, {})


def test_the_bankroll_goes_to_who_robs_the_weak(worked: Tournament) -> None:
    names = [NAMES[agent] for agent, _ in worked.bankroll()]
    assert names == ["paper", "scissors", "rock", "fish"]
    assert [mean for _, mean in worked.bankroll()] == pytest.approx([10 / 3, 1 / 3, 0, -11 / 3])


def test_the_run_off_goes_to_who_beats_the_strong(worked: Tournament) -> None:
    assert [NAMES[agent] for agent in worked.runoff()] == ["scissors", "paper", "rock", "fish"]


def test_a_cell_and_its_mirror_sum_to_zero(worked: Tournament) -> None:
    for (one, other), wins in WINS.items():
        here, there = worked.cell(one, other), worked.cell(other, one)
        assert here.mean == pytest.approx(wins)
        assert (here.mean, here.low, here.high) == pytest.approx((-there.mean, -there.high, -there.low))
    assert worked.cell(1, 1) is None


def test_the_error_of_a_mean_is_never_more_than_the_mean_of_the_errors(worked: Tournament) -> None:
    """Matches share their cards: they are not taken for independent."""
    cell, overall = worked.cell(0, 1), worked.overall(0)
    assert overall.standard_error == pytest.approx(cell.standard_error)
    assert overall.high - overall.low == pytest.approx(cell.high - cell.low)
    assert overall.samples == 3 * cell.samples


def test_places_whose_intervals_overlap_are_not_told_apart() -> None:
    """Means over three matches 0, 10/3, 1/3 and -11/3, give or take 1.2 at 100 samples of spread 6."""
    results = {table: synthetic(table, wins, spread=6) for table, wins in WINS.items()}
    found = Tournament(LIMIT, NAMES, results, {})
    level = {place.agent: place.level_with for place in found.bankroll_places()}
    assert level == {1: (), 2: (0,), 0: (2,), 3: ()}
    # Dropped: the fish alone; rock at -1/2 beside paper 1/2 and scissors 0; then paper, at -2 against 2.
    level = {place.agent: place.level_with for place in found.runoff_places()}
    assert level == {2: (0,), 1: (0,), 0: (2, 1), 3: ()}
    means = [place.mean.mean for place in found.runoff_places()]
    assert means == pytest.approx([2, -2, -1 / 2, -11 / 3])


def test_without_intervals_nobody_is_told_apart() -> None:
    found = Tournament(LIMIT, NAMES[:2], {(0, 1): synthetic((0, 1), 5, samples=1)}, {})
    for places in (found.bankroll_places(), found.runoff_places()):
        assert [(place.agent, place.level_with) for place in places] == [(0, (1,)), (1, (0,))]


def test_of_two_with_the_same_mean_the_last_named_drops_out() -> None:
    level = Tournament(
        LIMIT, NAMES[:3], {table: synthetic(table, 0) for table in ((0, 1), (0, 2), (1, 2))}, {}
    )
    assert level.runoff() == [0, 1, 2]


def test_matches_that_failed_do_not_count(worked: Tournament) -> None:
    left = {table: result for table, result in worked.results.items() if 3 not in table}
    failed = dict.fromkeys(set(WINS) - set(left), "it fell off its chair")
    found = Tournament(LIMIT, NAMES, left, failed)
    assert found.mean(3) == -math.inf
    assert [NAMES[agent] for agent in found.runoff()] == ["scissors", "paper", "rock", "fish"]
    told = found.as_json()
    fish = {"name": "fish", "mean": None, "ci95": None, "unit": "sb/h", "not_told_apart_from": []}
    assert told["bankroll"][-1] == fish
    assert told["agents"][3]["mean"] is None
    assert len(told["failures"]) == 3


def test_the_shape_of_the_json(worked: Tournament) -> None:
    told = json.loads(json.dumps(worked.as_json()))
    assert list(told) == [
        *("agents", "hands", "matches", "seed", "game", "luck", "hash", "crosstable", "bankroll", "runoff"),
        *("results", "failures"),
    ]
    assert [agent["name"] for agent in told["agents"]] == list(NAMES)
    for agent in told["agents"]:
        assert list(agent) == ["name", "mean", "standard_error", "ci95", "unit", "samples"]
        low, high = agent["ci95"]
        assert low < agent["mean"] < high
    assert told["hands"] == 6 * 200
    assert (told["matches"], told["seed"], told["game"]) == (1, 0, LIMIT.name)
    assert [place["name"] for place in told["runoff"]] == ["scissors", "paper", "rock", "fish"]
    assert told["bankroll"][0]["mean"] == pytest.approx(10 / 3)
    for place in told["bankroll"] + told["runoff"]:
        assert list(place) == ["name", "mean", "ci95", "unit", "not_told_apart_from"]
        assert place["ci95"][0] < place["mean"] < place["ci95"][1]
    assert [[cell is None for cell in row] for row in told["crosstable"]] == [
        [one == other for other in range(4)] for one in range(4)
    ]
    assert told["crosstable"][2][1]["mean"] == pytest.approx(2)


@pytest.mark.parametrize("bad", ["RaisesTooMuch", "Raises", "WrongShape", "RaisesInSit", "Exits", "Loops"])
def test_a_bad_agent_costs_only_its_own_matches(bad: str) -> None:
    limit = limit_for(bad)
    found = tournament(LIMIT, "random", called(bad), "always-call", hands=600, time_limit=limit)
    assert list(found.results) == [(0, 2)]
    assert list(found.failures) == [(0, 1), (1, 2)]
    for reason in found.failures.values():
        assert called(bad) in reason
    assert found.bankroll()[-1] == (1, -math.inf)


def test_an_unknown_name_is_told_before_anything_is_played() -> None:
    played: list[Any] = []
    with pytest.raises(UnknownAgent):
        tournament(LIMIT, "random", "always-call", "randon", progress=lambda *told: played.append(told))
    assert not played


def test_everybody_meets_everybody_at_tables_of_three() -> None:
    names = ["random", "always-call", "always-raise", "random"]
    found = tournament(find_game("nolimit", 3), *names, hands=20)
    assert sorted(found.results) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert found.as_json()["crosstable"] is None
    assert sorted(found.runoff()) == [0, 1, 2, 3]
    for places in (found.bankroll_places(), found.runoff_places()):
        assert all(place.mean.low < place.mean.mean < place.mean.high for place in places)
        for place in places:
            assert all(place.agent in other.level_with for other in places if other.agent in place.level_with)
    assert sum(found.mean(agent) for agent in range(4)) == pytest.approx(0)


def test_the_same_agent_twice_is_two_agents() -> None:
    found = tournament(LIMIT, "random", "always-call", "random", hands=300)
    assert found.cell(0, 1).mean == -found.cell(1, 0).mean
    assert len(found.results) == 3


def test_a_table_needs_its_agents() -> None:
    with pytest.raises(GameError, match="at least 3 agents, got 2"):
        tournament(find_game("nolimit", 3), "random", "random")


@pytest.mark.parametrize("method", ["adjusted", "aivat"])
def test_a_tournament_may_rank_without_luck(method) -> None:
    choices = {"hands": 40, "seed": 3}
    found = tournament("limit", "always-call", "random", luck=method, **choices)
    alone = match("limit", "always-call", "random", luck=(method,), **choices)
    assert found.cell(0, 1) == alone.estimates(method)[0]
    assert found.cell(0, 1) != alone.estimates()[0]
    assert found.as_json()["luck"] == method


def test_a_tournament_says_which_pairs_have_no_known_policy_and_refuses_biased_rankings() -> None:
    found = tournament("limit", "always-call", "simbot", "alistairbot", luck="aivat", hands=2)
    assert list(found.failures) == [(1, 2)]
    assert "AIVAT needs an agent whose policy is known" in found.failures[1, 2]
    with pytest.raises(GameError, match="expected adjusted or aivat, got divat"):
        tournament("limit", "always-call", "always-raise", luck="divat", hands=2)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="AIVAT needs a heads-up game"):
        tournament("limit", "random", "random", "random", seats=3, luck="aivat", hands=2)
