"""The gradient of exploitability: finite differences on Leduc, zero sums, short decks."""

import numpy as np
import pytest

from holdmem.arena.exact import exact_response
from holdmem.arena.exact_result import all_flops
from holdmem.cfr import Leduc, build_game_tree
from holdmem.cfr.exact_gradient import GradientWalk, strategy_gradient
from holdmem.cfr.exact_response import ExactResponse, respond_before_flop, respond_to_flop, street_values
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.engine import find_game
from naive.exact_response import best_response_value
from test_exact_response import (
    LeducCards,
    LeducTables,
    RandomTables,
    leduc_tables,
    leduc_tree,
    short_tree,
    sum_up,
)

LEDUC = LeducCards(3, 2, (0, 1))


def respond(response):
    """Return flops, their summed values and the gradient."""
    flops = list(response.game.deals(1))
    values = sum_up([respond_to_flop(response, flop) for flop in flops])
    return values, strategy_gradient(response, [(flop, 1.0) for flop in flops], values)


def leduc_strategy(seed):
    """Return the betting of Leduc and tables of a random strategy."""
    tree, rounds = leduc_tree()
    game = build_game_tree(Leduc())
    strategy = game.normalised(np.random.default_rng(seed).exponential(size=game.size))
    return tree, leduc_tables(tree, rounds, game, strategy)


def losses(tree, tables):
    """Return what the best response in each seat wins."""
    response = ExactResponse(tree, LeducTables(LEDUC, tables), LEDUC, np.float64)
    values = sum_up([respond_to_flop(response, flop) for flop in LEDUC.deals(1)])
    return respond_before_flop(response, values).by_way[:, -1]


@pytest.mark.parametrize("seed", [0, 1])
def test_leduc_equals_finite_differences(seed):
    """Moving a decision's policy a little towards an action changes what is lost as the gradient says."""
    tree, tables = leduc_strategy(seed)
    response = ExactResponse(tree, LeducTables(LEDUC, tables), LEDUC, np.float64)
    found, step = respond(response)[1], 1e-6
    base = losses(tree, tables)
    assert -np.array(found.won) == pytest.approx(base, abs=1e-9)
    rng = np.random.default_rng(seed)
    for _ in range(40):
        street = int(rng.integers(2))
        row, number = int(rng.integers(len(tables[street]))), int(rng.integers(tables[street].shape[2]))
        action = int(rng.choice(np.flatnonzero(tables[street][row, :, number] > 0)))
        moved = [table.copy() for table in tables]
        moved[street][row, :, number] *= 1 - step
        moved[street][row, action, number] += step
        change = (losses(tree, moved) - base) / step
        for seat in (0, 1):
            some = found.tables[seat][street][row, :, number]
            slope = some[action] - some @ tables[street][row, :, number]
            assert change[seat] == pytest.approx(-slope, abs=1e-4)


def test_a_tie_gives_a_slope_between_the_one_sided_ones():
    """Where several best responses tie, the gradient of one of them bounds the change from above."""
    tree, tables = leduc_strategy(3)
    for street in (0, 1):  # a player without cards in mind leaves the responder many ties
        tables[street][:] = np.where(tables[street] > 0, 1.0, 0.0)
        tables[street] /= tables[street].sum(axis=1, keepdims=True)
    response = ExactResponse(tree, LeducTables(LEDUC, tables), LEDUC, np.float64)
    found, base, step = respond(response)[1], losses(tree, tables), 1e-6
    for street, row, number in ((0, 0, 0), (0, 1, 2), (1, 0, 4), (1, 2, 8)):
        for action in np.flatnonzero(tables[street][row, :, number] > 0).tolist():
            moved = [table.copy() for table in tables]
            moved[street][row, :, number] *= 1 - step
            moved[street][row, action, number] += step
            change = (losses(tree, moved) - base) / step
            for seat in (0, 1):
                some = found.tables[seat][street][row, :, number]
                slope = some[action] - some @ tables[street][row, :, number]
                assert change[seat] >= -slope - 1e-6  # the responder may change its mind


def test_short_deck_wins_and_losses_sum_to_zero():
    """With four streets and exchange of suits, the strategy loses what the best response wins."""
    game, tree = PublicGame(4, 2, (0, 1, 1, 1)), short_tree((1, 1, 1, 2))
    strategy = RandomTables(tree, game, seed=5)
    response = ExactResponse(tree, strategy, game, np.float64)
    values, found = respond(response)
    best = respond_before_flop(response, values).by_way[:, -1]
    assert -np.array(found.won) == pytest.approx(best, abs=1e-9)
    assert best[0] == pytest.approx(best_response_value(tree, game, strategy.on, 0), abs=1e-9)


def test_short_deck_equals_finite_differences():
    """On every street of a deck with four."""
    game, tree = PublicGame(4, 2, (0, 1, 1, 1)), short_tree((1, 1, 1, 1))
    strategy = RandomTables(tree, game, seed=6)
    found = respond(ExactResponse(tree, strategy, game, np.float64))[1]
    rng, step = np.random.default_rng(1), 1e-6

    def lost():
        response = ExactResponse(tree, strategy, game, np.float64)
        total = sum_up([respond_to_flop(response, flop) for flop in game.deals(1)])
        return respond_before_flop(response, total).by_way[:, -1]

    base = lost()
    for street in (0, 1, 2, 3):
        table = strategy.tables[street]
        row, number = int(rng.integers(len(table))), int(rng.integers(table.shape[2]))
        action = int(np.flatnonzero(table[row, :, number] > 0)[-1])
        before = table[row, :, number].copy()
        table[row, :, number] *= 1 - step
        table[row, action, number] += step
        change = (lost() - base) / step
        table[row, :, number] = before
        for seat in (0, 1):
            some = found.tables[seat][street][row, :, number]
            assert change[seat] == pytest.approx(-(some[action] - some @ before), abs=1e-4)


@pytest.mark.long
def test_a_turn_of_the_full_deck_sums_to_zero():
    """What `eqm` wins from the best response on a turn is what the best response loses."""
    response = exact_response("eqm", find_game("limit"), False)
    flop = all_flops()[0]  # three of a kind, and the fourth on the turn: twelve rivers up to suits
    turn = next(HOLDEM.deals(2, flop.cards, flop.stabiliser))
    reach = np.zeros((1326, 64), np.float32)
    reach[:, :63] = 1
    best = street_values(response, 2, flop.cards, turn, [np.zeros_like(reach), reach])
    mine = GradientWalk(response, 1).visit(2, flop.cards, turn, reach, reach.copy(), 1.0)
    lost = float(best[1][-1].sum(dtype=np.float64))
    assert float(mine.sum(dtype=np.float64)) == pytest.approx(-lost, rel=1e-5)
    assert lost > 0
