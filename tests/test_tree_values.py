"""Means, errors, losses and costs of sampled values in Kuhn and Leduc, next to exact values."""

import numpy as np
import pytest
from scipy.stats import t as student

from holdmem.cfr.best_response import value
from holdmem.cfr.kuhn import Kuhn
from holdmem.cfr.leduc import Leduc
from holdmem.cfr.solver import CFRSolver
from holdmem.ev import cost_of, loss_of
from holdmem.ev.estimate import differences
from tree_values import WIDTH, TreeValues, random_strategy

NOBODY = 2
SAMPLES = 400


@pytest.mark.parametrize("game", [Kuhn(), Leduc()], ids=["kuhn", "leduc"])
def test_exact_values_are_those_of_the_tree(game: Kuhn | Leduc) -> None:
    """Another action at an information set changes the value of the game by its advantage times the reach."""
    one = TreeValues(game, random_strategy(game, 1))
    tree, exact, reach = one.tree, one.exact(), one.reach(NOBODY)
    assert one.node_values()[0] == pytest.approx(value(tree, one.strategy))
    for info in range(0, len(exact), len(exact) // 8):
        slots = slice(tree.slots[info], tree.slots[info + 1])
        with_action = []
        for place in (0, 1):
            changed = one.strategy.copy()
            changed[slots] = np.arange(slots.stop - slots.start) == place
            with_action.append((1 if tree.player[info] == 0 else -1) * value(tree, changed))
        first, second = exact[info, one.columns(info)[:2]]
        share = reach[tree.info == info].sum()
        assert with_action[1] - with_action[0] == pytest.approx(share * (second - first))


@pytest.fixture(scope="module")
def decisions() -> list[np.ndarray]:
    """Rows of all decisions of some random strategies: exact, estimated, error and effective samples."""
    rows: list[list[np.ndarray]] = [[], [], []]
    for game, seeds in ((Kuhn(), 12), (Leduc(), 4)):
        for seed in range(seeds):
            one, rng = TreeValues(game, random_strategy(game, seed)), np.random.default_rng(seed + 100)
            exact, actions, sums = one.exact(), one.candidates(rng), one.sampled(SAMPLES, rng)
            taken = exact[np.arange(len(exact)), actions.chosen]
            apart = actions.present & (np.arange(WIDTH) != actions.chosen[:, None])
            effective = np.repeat(sums.effective[:, None], WIDTH, axis=1)
            assert (effective < SAMPLES).any()
            some = (exact - taken[:, None], *differences(sums, actions), effective)
            rows[0].append(np.stack([column[apart] for column in some]))
            mean = (np.nan_to_num(exact) * actions.reference).sum(axis=1)
            rows[1].append(np.stack([mean - taken, *cost_of(sums, actions), sums.effective]))
            loss, error, _ = loss_of(sums, actions)
            rows[2].append(np.stack([np.nanmax(exact, axis=1) - taken, loss, error, sums.effective]))
    return [np.concatenate(some, axis=1) for some in rows]


@pytest.mark.parametrize("which", [0, 1], ids=["differences of actions", "costs"])
def test_intervals_have_the_exact_value(decisions: list[np.ndarray], which: int) -> None:
    exact, mean, error, effective = decisions[which]
    inside = np.abs(mean - exact) <= student.ppf(0.975, effective - 1) * error
    assert len(inside) > 1200
    assert 0.93 <= inside.mean() <= 0.97


def test_costs_have_no_bias_and_chance_makes_no_losses(decisions: list[np.ndarray]) -> None:
    exact, cost, *_ = decisions[1]
    assert abs((cost - exact).mean()) < 3 * (cost - exact).std() / np.sqrt(len(exact))
    exact, loss, *_ = decisions[2]
    assert (loss - exact).mean() < 3 * (loss - exact).std() / np.sqrt(len(exact))
    assert np.corrcoef(loss, exact)[0, 1] > 0.97


def test_where_the_game_is_solved_the_strategy_loses_nothing() -> None:
    """Kuhn (1950): the game is worth −1/18, and every action that the solution takes is a best one."""
    solver = CFRSolver(TreeValues(Kuhn(), random_strategy(Kuhn(), 0)).tree)
    solver.run(2000)
    one = TreeValues(Kuhn(), solver.average())
    assert one.node_values()[0] == pytest.approx(-1 / 18, abs=1e-3)
    sums, actions = one.sampled(4000, np.random.default_rng(1)), one.candidates(np.random.default_rng(2))
    likely = actions.reference > 0.05
    apart = (np.nanmax(one.exact(), axis=1)[:, None] - one.exact())[likely]
    assert apart.max() < 0.02
    means, errors = sums.whole.means[:, 0], sums.whole.errors
    best = np.where(actions.present, means, -np.inf).max(axis=1)
    assert ((best[:, None] - means)[likely] < 0.02 + 4 * np.maximum(errors[likely], 0.01)).all()
