"""Local best response where the best response is known: never above it, and equal to it against callers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.cfr import CFRSolver, Kuhn, Leduc, best_response, build_game_tree
from naive.local_response import fold_and_call, local_response, pass_and_bet

KUHN, LEDUC = build_game_tree(Kuhn()), build_game_tree(Leduc())
GAMES = {"kuhn": (KUHN, pass_and_bet), "leduc": (LEDUC, fold_and_call)}


def all_do(tree, roles, which: int):
    """The strategy that always folds (0; checks where there is nothing to fold to) or calls (1)."""
    found = np.zeros(tree.size)
    for info, known in enumerate(tree.information):
        both = roles(known, tree.moves[info])
        found[tree.slots[info] + (both[1] if both[which] is None else both[which])] = 1
    return found


@given(st.sampled_from(sorted(GAMES)), st.sampled_from([0, 1]), st.integers(0, 2**32), st.floats(0.05, 5))
def test_never_wins_more_than_the_best_response(name: str, player: int, seed: int, evenness: float) -> None:
    tree, roles = GAMES[name]
    weights = np.random.default_rng(seed).gamma(evenness, size=tree.size)
    strategy = tree.normalised(weights)
    local = local_response(tree, strategy, player, roles)
    assert local.value <= best_response(tree, strategy, player).value + 1e-9


@pytest.mark.parametrize(("iterations", "short"), [(1, 0.4), (25, 0.1), (300, 0.005)])
def test_comes_near_the_best_response_as_a_strategy_is_solved(iterations: int, short: float) -> None:
    solver = CFRSolver(LEDUC)
    solver.run(iterations)
    for player in (0, 1):
        best = best_response(LEDUC, solver.average(), player).value
        local = local_response(LEDUC, solver.average(), player).value
        assert best - short < local <= best + 1e-9


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("player", [0, 1])
def test_is_the_best_response_to_who_always_calls(name: str, player: int) -> None:
    tree, roles = GAMES[name]
    strategy = all_do(tree, roles, 1)
    best = best_response(tree, strategy, player).value
    assert local_response(tree, strategy, player, roles).value == pytest.approx(best)


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("player", [0, 1])
def test_takes_the_ante_of_who_always_folds(name: str, player: int) -> None:
    tree, roles = GAMES[name]
    assert local_response(tree, all_do(tree, roles, 0), player, roles).value == pytest.approx(1)


def test_kuhns_caller_by_hand() -> None:
    """The king bets and wins two, the queen gains nothing by it, the jack checks and loses its ante."""
    found = local_response(KUHN, all_do(KUHN, pass_and_bet, 1), 0, pass_and_bet)
    moves = {known: found.actions[KUHN.information.index(known)] for known in ("J:", "Q:", "K:")}
    assert moves == {"J:": 0, "Q:": 0, "K:": 1}
    assert found.value == pytest.approx((2 + 0 - 1) / 3)
