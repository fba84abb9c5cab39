"""Exact best responses: brute force on short decks, Leduc, laws."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from holdmem.agent.tabular import BoardTable, decisions
from holdmem.cfr import Leduc, best_response, build_game_tree, value
from holdmem.cfr.betting_tree import FOLDED, SHOWDOWN, BettingTree, betting_tree
from holdmem.cfr.exact_response import ExactResponse, FlopValues, respond_before_flop, respond_to_flop
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.engine import find_game
from naive.exact_response import best_response_value

CLASSES = 5


class RandomTables:
    """A random strategy over a few classes that no exchange of suits changes."""

    def __init__(self, tree, game, seed):
        rng = np.random.default_rng(seed)
        self.game = game
        self.tables = []
        for street in range(game.streets):
            nodes = decisions_of(tree, street)
            legal = np.array([[child >= 0 for child in action_columns(tree, node)] for node in nodes])
            weights = rng.exponential(size=(len(nodes), 3, CLASSES)) * legal[:, :, None]
            weights[rng.random(weights.shape) < 0.2] = 0  # some actions never happen
            weights[:, 1] += 1e-3
            self.tables.append(weights / weights.sum(axis=1, keepdims=True))
        self.on = cache_by_board(self._on)

    def _on(self, board):
        street = np.cumsum(self.game.dealt).tolist().index(len(board))
        parts = np.split(np.array(board, int), np.cumsum(self.game.dealt)[1:street])
        classes = [self._class(holding, parts) for holding in self.game.holdings]
        return BoardTable(np.array(classes), self.tables[street])

    def _class(self, holding, parts):
        """Number the hand by its least image under exchanges of suits."""
        images = [
            (tuple(sorted(one[holding].tolist())), *(tuple(sorted(one[part].tolist())) for part in parts))
            for one in self.game.permutations
        ]
        return hash(min(images)) % CLASSES


def cache_by_board(function):
    """Remember the answers by board."""
    remembered = cache(lambda board: function(board))
    return lambda board: remembered(tuple(int(card) for card in board))


def short_tree(raises):
    """Return the betting of limit hold'em with fewer raises."""
    return betting_tree(replace(find_game("limit"), max_raises=raises))


def respond(response):
    """Respond on every flop."""
    flops = [respond_to_flop(response, flop) for flop in response.game.deals(1)]
    return respond_before_flop(response, sum_up(flops))


def sum_up(flops):
    """Add the values of flops."""
    total = flops[0]
    for one in flops[1:]:
        total = total.plus(one)
    return total


@pytest.mark.parametrize(
    ("game", "raises"),
    [
        (PublicGame(4, 2, (0, 1, 1, 1)), (1, 0, 1, 2)),
        (PublicGame(3, 3, (0, 1, 1, 1)), (1, 1, 0, 1)),
        pytest.param(PublicGame(5, 3, (0, 2, 1, 1)), (1, 1, 1, 1), marks=pytest.mark.long),
    ],
)
def test_equals_brute_force_on_short_decks(game, raises):
    """Values of all ways to respond, in both seats, equal those of a brute force over all deals."""
    tree = short_tree(raises)
    strategy = RandomTables(tree, game, seed=1)
    found = respond(ExactResponse(tree, strategy, game, np.float64)).by_way
    for seat in (0, 1):
        for way, first in enumerate((4, 3, 2, 1, 0)):
            brute = best_response_value(tree, game, strategy.on, seat, first)
            assert found[seat, way] == pytest.approx(brute, rel=1e-9, abs=1e-9), (seat, way)
