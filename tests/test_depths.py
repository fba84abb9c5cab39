"""No-limit strategies for several depths: which is played, at any stacks; and solves at other stacks."""

import numpy as np
import pytest

from holdmem import check_agent, find_game, make_agent, match, solve
from holdmem.agent import Situation
from holdmem.cfr.strategy import read_strategy
from holdmem.core.errors import AgentError, GameError
from holdmem.core.random import Streams
from holdmem.learning.solve import SolveTask, with_stacks
from holdmem.players.depths import SHIPPED


def seat_of(stack):
    game = with_stacks(find_game("nolimit"), stack)
    return make_agent("eqm-nl-depths").sit(game, 1, Streams.of(0, "player", 0)), game


@pytest.mark.parametrize(
    ("stack", "chosen"), [(300, 0), (2000, 0), (6000, 0), (6700, 1), (20000, 1), (90000, 1)]
)
def test_the_nearest_depth_is_played(stack, chosen):
    seat, game = seat_of(stack)
    spot = Situation("AhKd", "", "r200", game).views
    assert seat.chosen(spot).tolist() == [chosen]
    expected, found = seat.lookups[chosen].policy(spot), seat.policy(spot)
    np.testing.assert_array_equal(found.codes, expected.codes)
    np.testing.assert_array_equal(found.probabilities, expected.probabilities)


@pytest.mark.parametrize("agent", ["eqm-nl-depths", "resolve:base=eqm-nl-depths,iterations=3"])
@pytest.mark.parametrize("stack", [700, 5000])
def test_it_sits_and_plays_at_any_stack(agent, stack):
    game = with_stacks(find_game("nolimit"), stack)
    result = match(game, agent, "simplebot", hands=10, seed=1)
    assert result.hands == 20


def test_other_blinds_and_limit_are_refused():
    with pytest.raises(AgentError, match="heads-up no-limit with blinds"):
        make_agent("eqm-nl-depths").sit(find_game("limit"), 1, Streams.of(0))


def test_it_keeps_the_contract():
    report = check_agent("eqm-nl-depths", ["nolimit"], seed=1)
    assert not report.problems


def test_the_shipped_strategy_names_its_command():
    strategy = read_strategy(SHIPPED[0])
    assert strategy.tree.game.stacks == (2000, 2000)
    assert "--stack 2000" in strategy.about.source


def test_a_solve_at_another_stack_says_so_and_is_refused_in_limit():
    solved = solve("nolimit", iterations=1, stack=400, buckets=(10, 2, 2, 2), bets=(1.0,), most_raises=1)
    assert solved.solver.solver.tree.game.stacks == (400, 400)
    assert "--stack 400 " in SolveTask("nolimit", stack=400).command(1)
    with pytest.raises(GameError, match="no-limit game"):
        solve("limit", iterations=1, stack=400)
    with pytest.raises(GameError, match="big blind or more"):
        solve("nolimit", iterations=1, stack=40)
