"""Subgames: brute force over pairs of holdings, best responses by other code, laws of the gadget."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.cards import Range, cards
from holdmem.cfr import CFRSolver, best_response, build_game_tree
from holdmem.cfr import exploitability as tree_exploitability
from holdmem.cfr import value as tree_value
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.subgame.response import (
    SubgameStrategy,
    average,
    exploitability,
    game_value,
    root_values,
)
from holdmem.cfr.subgame.shape import DEALT, FOLDED, SHOWN
from holdmem.cfr.subgame.solver import Gadget, SubgameSolver
from holdmem.cfr.subgame.tree import Subgame, subgame_tree
from holdmem.core.errors import GameError
from naive.subgame import SubgameByPairs, slots_of

SHORT = PublicGame(4, 2, (0, 2, 1))
"""Eight cards, two on the turn and one on the river, so that hands have five."""
LIMIT = Subgame(3, 12, 10**6, fixed=(2, 2), most_raises=2)
NOLIMIT = Subgame(3, 12, 30, Sizes((0.5, 1.0), (1.0,), 2), min_bet=2)
BOARD = (44, 49, 36)


def ranges(seed, game=SHORT):
    """Two random ranges with some holdings missing."""
    rng = np.random.default_rng(seed)
    size = (2, len(game.holdings))
    return list(rng.random(size) * (rng.random(size) < 0.8))


def solver_of(subgame, seed=0, **options):
    """A solver on the short deck."""
    board = BOARD if subgame.street == 3 else BOARD[:2]
    return SubgameSolver(subgame, board, ranges(seed), game=SHORT, **options)


def random_strategy(solver, seed):
    """Any strategy, some actions never taken."""
    rng = np.random.default_rng(seed)

    def one(part):
        weights = rng.exponential(size=(part.tree.rows, len(part.sorted.holding)))
        weights[rng.random(weights.shape) < 0.2] = 0
        for node in np.flatnonzero(part.tree.turn < 2):
            rows = slice(part.tree.offset[node], part.tree.offset[node] + part.tree.actions[node])
            weights[rows] += 1e-3
            weights[rows] /= weights[rows].sum(axis=0)
        return weights

    return SubgameStrategy(one(solver.first), [one(part) for part in solver.rivers])


TURN = Subgame(2, 12, 10**6, fixed=(2, 4), most_raises=1)
SHORT_STACKS = Subgame(2, 12, 9, Sizes((0.5,), (1.0,), 1), min_bet=2)
SOME = pytest.mark.parametrize("subgame", [LIMIT, NOLIMIT, TURN, SHORT_STACKS])


@SOME
def test_values_and_best_responses_are_those_of_the_game_tree(subgame):
    solver = solver_of(subgame)
    strategy = random_strategy(solver, 1)
    tree = build_game_tree(SubgameByPairs(solver))
    same = slots_of(tree, solver, strategy)
    assert game_value(solver, strategy, 0) == pytest.approx(tree_value(tree, same), rel=1e-6)
    for seat in (0, 1):
        found = game_value(solver, strategy, seat, maximise=True)
        assert found == pytest.approx(best_response(tree, same, seat).value, rel=1e-6)
    assert exploitability(solver, strategy) * subgame.pot == pytest.approx(tree_exploitability(tree, same))


@pytest.mark.parametrize(("subgame", "iterations"), [(LIMIT, 4), (NOLIMIT, 1), (TURN, 1), (SHORT_STACKS, 1)])
@pytest.mark.parametrize("weighting", ["discounted", "plus"])
def test_regrets_are_those_of_a_solver_that_knows_only_the_tree(subgame, iterations, weighting):
    """After more iterations, actions of equal value are chosen by rounding where there are many of them."""
    solver = solver_of(subgame, 1, weighting=weighting)  # without exact ties, which rounding would break
    game = SubgameByPairs(solver)
    tree = build_game_tree(game)
    other = CFRSolver(tree, weighting)
    solver.run(iterations)
    other.run(iterations)
    ours = SubgameStrategy(
        solver.first.regrets.reshape(solver.trees[0].rows, -1),
        [part.regrets.reshape(part.tree.rows, -1) for part in solver.rivers],
    )
    counts = np.diff(tree.slots)
    held = np.array([int(known.split(":")[0]) for known in tree.information])
    own = np.where(tree.player == 0, solver.ranges[0][held], solver.ranges[1][held])  # chance in the tree
    expected = other.regrets * game.total / np.repeat(own, counts)
    np.testing.assert_allclose(slots_of(tree, solver, ours), expected, rtol=1e-3, atol=1e-3 * subgame.pot)


@SOME
def test_a_solution_is_an_equilibrium_by_another_best_response(subgame):
    solver = solver_of(subgame, 3)
    solver.run(200)
    tree = build_game_tree(SubgameByPairs(solver))
    won = tree_exploitability(tree, slots_of(tree, solver, average(solver)))
    assert 0 <= won / subgame.pot < 0.002


def test_a_solve_in_steps_is_the_same_solve():
    one, two = solver_of(NOLIMIT), solver_of(NOLIMIT)
    one.run(30)
    two.run(10)
    two.run(20)
    np.testing.assert_array_equal(one.first.regrets, two.first.regrets)
    np.testing.assert_array_equal(one.first.sums, two.first.sums)


def test_a_polarised_range_bluffs_as_often_as_the_pot_odds_say():
    """With a bet of the pot, half as many bluffs as value bets, and calls with half of the bluff catchers."""
    board = tuple(cards("2c2d7h7sKs"))
    nuts, bluffs, catchers = (Range.parse(text).weights for text in ("77", "43o", "AKo"))
    subgame = Subgame(3, 100, 100, Sizes((1.0,), (), 1), min_bet=1, first=0)
    held = HOLDEM.free(board)
    polar = nuts / (nuts * held).sum() + bluffs / (bluffs * held).sum()
    solver = SubgameSolver(subgame, board, [polar, catchers])
    solver.run(2000)
    strategy, part = average(solver).first, solver.first
    bet = part.tree.follow((100,))
    position = part.sorted.holding
    betting = strategy[part.tree.offset[0] + bet - part.tree.child[0]]
    weights = polar[position]
    bluffing = (betting * weights * (bluffs[position] > 0)).sum()
    assert betting[nuts[position] > 0] == pytest.approx(1, abs=0.01)
    assert bluffing == pytest.approx(0.5, abs=0.01)
    calling = strategy[part.tree.offset[bet] + 1][catchers[position] > 0].mean()
    assert calling == pytest.approx(0.5, abs=0.02)
    assert exploitability(solver) < 0.002


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0, 1]), st.sampled_from([0.0, 0.02]))
def test_a_safe_solution_gives_no_holding_more_than_the_old_strategy(seed, limit, keeper, share):
    subgame = LIMIT if limit else NOLIMIT
    plain = SubgameSolver(subgame, BOARD, ranges(seed), game=SHORT)
    every = [
        np.where(SHORT.free(BOARD), 1.0, 0.0) if seat != keeper else plain.ranges[seat] for seat in (0, 1)
    ]
    whole = SubgameSolver(subgame, BOARD, every, game=SHORT)
    old = root_values(whole, random_strategy(whole, seed), 1 - keeper)
    safe = SubgameSolver(subgame, BOARD, plain.ranges, Gadget(keeper, old, share), game=SHORT)
    safe.run(1500)
    new = root_values(safe, average(safe), 1 - keeper)
    chips = subgame.pot * safe.ranges[keeper].sum()
    assert (new - old).max() <= 0.003 * chips


def test_the_gadget_is_deterministic_and_needs_a_value_for_each_holding():
    alternative = np.zeros(len(SHORT.holdings))
    found = [solver_of(NOLIMIT, gadget=Gadget(1, alternative, 0.1)) for _ in range(2)]
    for one in found:
        one.run(20)
    np.testing.assert_array_equal(found[0].first.sums, found[1].first.sums)
    with pytest.raises(GameError, match="28 finite alternative"):
        solver_of(NOLIMIT, gadget=Gadget(0, alternative[:-1]))


def test_bets_that_were_made_become_nodes():
    plain = subgame_tree(NOLIMIT)[0]
    made = subgame_tree(Subgame(3, 12, 30, Sizes((0.5, 1.0), (1.0,), 2), min_bet=2, made=(0, 7, 19)))[0]
    assert plain.follow((0, 7)) < 0 <= plain.follow((0, 6))
    assert made.follow((0, 7, 19, 0)) > 0
    assert made.follow((0, 6)) > 0
    assert made.follow((7,)) < 0, "only where it was made"
    assert made.path(made.follow((0, 7, 19))) == (0, 7, 19)


@SOME
def test_the_tree_pays_what_was_put_in(subgame):
    for tree in subgame_tree(subgame):
        assert (tree.paid <= subgame.pot / 2 + subgame.stack).all()
        shown = (tree.turn == SHOWN) | (tree.turn == DEALT)
        assert (tree.paid[shown, 0] == tree.paid[shown, 1]).all()
        folded = np.flatnonzero(tree.turn == FOLDED)
        assert (tree.paid[folded, tree.loser[folded]] < tree.paid[folded, 1 - tree.loser[folded]]).all()
        for node in np.flatnonzero(tree.turn < 2):
            codes = tree.code[tree.child[node] : tree.child[node] + tree.actions[node]].tolist()
            assert codes == sorted(set(codes))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: Subgame(1, 12, 30), "turn .2. or river .3., got street 1"),
        (lambda: Subgame(3, 0, 30), "pot and a smallest bet above 0"),
        (lambda: SubgameSolver(LIMIT, BOARD[:2], ranges(0), game=SHORT), "board of 3 different cards"),
        (lambda: PublicGame(4, 2, (0, 1, 1)).strengths((44, 49), np.arange(3)), "board of 3 to 5 cards"),
        (lambda: SubgameSolver(LIMIT, BOARD, [np.ones(5), np.ones(28)], game=SHORT), "28 finite weights"),
        (lambda: SubgameSolver(LIMIT, BOARD, [np.zeros(28), np.ones(28)], game=SHORT), "no holding"),
    ],
)
def test_bad_subgames_are_refused(change, says):
    with pytest.raises(GameError, match=says):
        change()
