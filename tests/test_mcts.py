"""Monte Carlo tree search against its naive twin: the same moves, visits and means."""

import numpy as np
import pytest

from holdmem.core.random import Streams
from holdmem.players.simulation.mctsbot import MCTSBot
from naive.mcts import FIRST_RAISE, Search
from simulated_decisions import GAMES, KEY, STEPS, decisions, drawn_shares

ITERATIONS = 80


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
def test_a_search_is_that_of_the_twin(name, steps):
    views, found = decisions(GAMES[name], steps)
    shares, shown = drawn_shares(views, steps), drawn_showdowns(views, steps)
    seat = MCTSBot(iterations=ITERATIONS).sit(views.game, len(views.table), Streams(KEY))
    seat.frequencies.probabilities = lambda _: shares
    seat.showdowns.probabilities = lambda _: shown
    kernel = seat.search(views)
    for i, decision in enumerate(found):
        twin = Search(decision, shares[i].tolist(), shown[i].tolist())
        twin.run(ITERATIONS)
        actions, means, visits = zip(*twin.report(), strict=True)
        moves = len(actions) if decision.view.max_raise_to else FIRST_RAISE
        assert kernel.visits[i].tolist() == list(visits)
        assert kernel.actions[i, :moves].tolist() == list(actions[:moves])
        assert kernel.means[i].tolist() == pytest.approx(means, rel=1e-12, abs=1e-12)


def drawn_showdowns(views, steps):
    """Cumulative probabilities of the strengths shown, at random: [view, seat, raises, bin]."""
    return np.random.default_rng(steps).dirichlet([1] * 10, (len(views), 10, 4)).cumsum(axis=3)
