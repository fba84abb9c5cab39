"""Kuhn and Leduc: the solver's kernels against hand-made values, OpenSpiel's CFR and plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.cfr import CFRSolver, Kuhn, Leduc, best_response, build_game_tree, exploitability, value
from holdmem.cfr.kernels.update import faded, regretted
from holdmem.cfr.solver import WEIGHTINGS, discount_factors, total_weight
from holdmem.core.errors import GameError
from naive.cfr import NaiveRegrets

KUHN, LEDUC = build_game_tree(Kuhn()), build_game_tree(Leduc())
LEDUC_VALUE = -0.0856064  # to the first player, as published with the game's solutions


def test_sizes_are_those_of_the_literature() -> None:
    assert len(KUHN.information) == 12
    assert len(LEDUC.information) == 288  # 936 where suits are told apart


def test_kuhn_is_worth_minus_one_eighteenth() -> None:
    solver = CFRSolver(KUHN)
    solver.run(2000)
    assert value(KUHN, solver.average()) == pytest.approx(-1 / 18, abs=2e-4)
    assert exploitability(KUHN, solver.average()) < 0.001


def test_kuhns_family_of_equilibria_cannot_be_exploited() -> None:
    """Kuhn, 1950: player 0 bets the jack with a third of the chance with which it bets the king."""
    for alpha in (0.0, 0.1, 1 / 3):
        bets = {"J:": alpha, "Q:": 0.0, "K:": 3 * alpha, "J:pb": 0.0, "Q:pb": alpha + 1 / 3, "K:pb": 1.0}
        bets |= {"J:p": 1 / 3, "Q:p": 0.0, "K:p": 1.0, "J:b": 0.0, "Q:b": 1 / 3, "K:b": 1.0}
        strategy = KUHN.strategy({known: {"b": bet, "p": 1 - bet} for known, bet in bets.items()})
        assert exploitability(KUHN, strategy) == pytest.approx(0, abs=1e-12)
        assert value(KUHN, strategy) == pytest.approx(-1 / 18)


def test_leduc_is_solved_to_five_thousandths_of_an_ante() -> None:
    solver = CFRSolver(LEDUC)
    solver.run(500)
    assert exploitability(LEDUC, solver.average()) < 0.005
    assert value(LEDUC, solver.average()) == pytest.approx(LEDUC_VALUE, abs=0.003)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("tree", [KUHN, LEDUC], ids=lambda tree: tree.name)
def test_kernels_agree_with_plain_python(tree, weighting) -> None:
    solver, naive = CFRSolver(tree, weighting), NaiveRegrets(tree, weighting)
    solver.run(3)
    naive.run(3)
    assert solver.regrets == pytest.approx(naive.regrets)
    assert solver.average() == pytest.approx(naive.average())


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_vanilla_is_openspiels_cfr(name) -> None:
    """The same average strategy after each of some iterations, as far as a best response can tell."""
    pyspiel = pytest.importorskip("pyspiel")
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    theirs_of = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    tree = {"kuhn": KUHN, "leduc": LEDUC}[name]
    game = pyspiel.load_game(f"{name}_poker")
    theirs, ours = cfr.CFRSolver(game), CFRSolver(tree, "vanilla")
    for _ in range(3):
        theirs.evaluate_and_update_policy()
        ours.run(1)
        expected = theirs_of.exploitability(game, theirs.average_policy())
        assert exploitability(tree, ours.average()) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 2**32 - 1))
def test_a_best_response_is_worth_what_it_says_and_no_strategy_is_worth_more(seed) -> None:
    random = np.random.default_rng(seed)
    strategy = KUHN.normalised(random.random(KUHN.size))
    other = KUHN.normalised(random.random(KUHN.size))
    for player in (0, 1):
        best = best_response(KUHN, strategy, player)
        own = np.repeat(KUHN.player == player, np.diff(KUHN.slots))
        sign = 1 if player == 0 else -1
        assert sign * value(KUHN, np.where(own, best.strategy(KUHN), strategy)) == pytest.approx(best.value)
        assert sign * value(KUHN, np.where(own, other, strategy)) <= best.value + 1e-12


def test_strategies_go_into_words_and_back() -> None:
    strategy = LEDUC.normalised(np.random.default_rng(1).random(LEDUC.size))
    assert LEDUC.strategy(LEDUC.in_words(strategy)) == pytest.approx(strategy)
    with pytest.raises(GameError, match=r"leduc: the strategy has no probabilities for 'J:'"):
        LEDUC.strategy({})


def test_a_solver_goes_on_where_it_was() -> None:
    once, twice = CFRSolver(LEDUC), CFRSolver(LEDUC)
    once.run(20)
    twice.run(7)
    twice.run(13)
    assert once.regrets.tolist() == twice.regrets.tolist()


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("iterations", [1, 2, 50])
def test_the_total_weight_is_what_a_constant_regret_of_one_adds_up_to(weighting, iterations: int) -> None:
    regret = 0.0
    for iteration in range(1, iterations + 1):
        fading = discount_factors(weighting, iteration)[0]
        regret = faded(regretted(regret, 3.0, 2.0, 1.0), fading)
    assert total_weight(weighting, iterations) == pytest.approx(regret)


def test_total_weights_by_formula() -> None:
    assert total_weight("vanilla", 100) == total_weight("plus", 100) == 100
    assert total_weight("linear", 100) == pytest.approx(50)
    assert 940 < total_weight("discounted", 1000) < 950


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_factors_do_not_depend_on_how_many_are_asked_for(weighting) -> None:
    together = discount_factors(weighting, 5, 300)
    assert np.array_equal(together, np.concatenate([discount_factors(weighting, t) for t in range(5, 305)]))
