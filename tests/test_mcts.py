"""Monte Carlo tree search against its naive twin and against known values."""

import numpy as np
import pytest

from holdmem import CALL, FOLD, Situation, find_game
from holdmem.core.random import Streams
from holdmem.opponents.kernels.showdowns import BINS, RAISES
from holdmem.opponents.kernels.situations import FOLDED, SITUATIONS
from holdmem.players.simulation.mctsbot import MCTSBot
from holdmem.strength import ihs
from naive.mcts import FIRST_RAISE, Search
from simulated_decisions import GAMES, KEY, STEPS, decisions, drawn_shares

ITERATIONS = 80


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
def test_a_search_is_that_of_the_twin(name, steps):
    views, found = decisions(GAMES[name], steps)
    shares = np.concatenate([drawn_shares(views, steps), drawn_shares(views, steps + 50)], axis=2)
    shown = drawn_showdowns(views, steps)
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


# Known values

RIVER = Situation(hole="9c8d", board="Ks9h5d4s2c", betting="cc/cc/cc/r100", game="nolimit")
"""We face a bet of 100 into 200 and act last; the opponent may fold to a raise and never raises again."""


def searched(iterations, seed, folding, shown):
    """Search the river with an opponent who folds that often to a raise and shows these strengths."""
    views = RIVER.views
    seat = MCTSBot(iterations=iterations).sit(views.game, 1, Streams.of(seed))
    shares = np.zeros((1, 10, 2 * SITUATIONS, 3))
    shares[..., FOLDED] = folding
    seat.frequencies.probabilities = lambda _: shares
    seat.showdowns.probabilities = lambda _: np.broadcast_to(shown.cumsum(), (1, 10, RAISES, BINS))
    return seat.search(views)


def true_values(actions, folding, shown):
    """Chips gained over folding by each action, from the two probabilities that matter."""
    strength = BINS * float(ihs(RIVER.views)[0])
    whole = int(strength)
    win = shown[:whole].sum() + shown[whole] * (strength - whole)
    called = [
        300 * win - 100 * (1 - win) if to == CALL else (200 + to) * win - to * (1 - win) for to in actions
    ]
    return [
        0.0 if to == FOLD else value if to == CALL else folding * 300 + (1 - folding) * value
        for to, value in zip(actions, called, strict=True)
    ]


def mean_regret(iterations):
    """Over 100 opponents and seeds, what the chosen action is worth less than the best one offered."""
    rng, regrets = np.random.default_rng(1), []
    for seed in range(100):
        folding, shown = rng.uniform(0, 0.8), rng.dirichlet([1] * BINS)
        found = searched(iterations, seed, folding, shown)
        values = true_values(found.actions[0].tolist(), folding, shown)
        regrets.append(max(values) - values[found.actions[0].tolist().index(found.best()[0])])
    return float(np.mean(regrets))


def test_means_come_near_known_values():
    shown = np.random.default_rng(5).dirichlet([2] * BINS)
    found = searched(20_000, 3, 0.4, shown)
    values = true_values(found.actions[0].tolist(), 0.4, shown)
    for move in found.visits[0].argsort()[-2:]:
        most = 200 + max(found.actions[0, move], 100)  # no result is further from zero
        assert abs(found.means[0, move] - values[move]) < 4 * most / found.visits[0, move] ** 0.5


@pytest.mark.long
def test_more_iterations_do_not_add_regret():
    little, much = mean_regret(400), mean_regret(40_000)
    assert much <= little
    assert much < 60, "chips, where raises go up to 20,000"


@pytest.mark.parametrize("iterations", [400, 4_000])
@pytest.mark.parametrize("game", ["limit", "nolimit"])
def test_aces_are_not_folded_first_in(game, iterations):
    for seed in range(5):
        seat = MCTSBot(iterations).sit(find_game(game), 1, Streams.of(seed))
        assert seat.act(Situation(hole="AsAh", game=game).views).codes[0] != FOLD
