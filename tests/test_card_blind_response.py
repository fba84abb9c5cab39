"""Best responses to strategies that ignore their cards: equal to the general path and to brute force."""

import numpy as np
import pytest

from holdmem.agent.tabular import BoardTable, ConstantTables
from holdmem.arena.exact_result import all_flops
from holdmem.cfr.betting_tree import betting_tree
from holdmem.cfr.card_blind_response import CardBlindResponse, respond_without_cards
from holdmem.cfr.exact_response import ExactResponse, respond_before_flop, respond_to_flop, street_values
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.core.errors import GameError
from holdmem.engine import find_game
from naive.exact_response import best_response_value
from test_exact_response import RandomTables, short_tree, sum_up

SHORT = PublicGame(4, 2, (0, 1, 1, 1))


class ShortDeckTables(ConstantTables):
    """One class on every board of the short deck."""

    def on(self, board):
        """Return the table of the street; each street deals one card."""
        return BoardTable(np.zeros(len(SHORT.holdings), np.int64), self.tables[len(board)])


def weighted(tree, weights):
    """Return tables of some weights [street][decision, action], legal actions only."""
    tables = []
    for street in range(4):
        nodes = decisions_of(tree, street)
        legal = np.array([[child >= 0 for child in action_columns(tree, node)] for node in nodes])
        chosen = weights(legal.shape) * legal
        tables.append((chosen / chosen.sum(axis=1, keepdims=True))[:, :, None])
    return tuple(tables)


@pytest.mark.parametrize("raises", [(1, 1, 1, 2), (2, 1, 1, 1)])
def test_equals_the_general_path_and_brute_force(raises):
    """Any strategy without cards, even one that plays each betting sequence in its own way."""
    tree, rng = short_tree(raises), np.random.default_rng(4)
    tables = ShortDeckTables(weighted(tree, lambda shape: rng.exponential(size=shape)))
    response = ExactResponse(tree, tables, SHORT, np.float64)
    blind, flops = CardBlindResponse(response), list(SHORT.deals(1))
    mine = [respond_without_cards(blind, flop) for flop in flops]
    for one, flop in zip(mine, flops, strict=True):
        other = respond_to_flop(response, flop)
        assert np.allclose(one.best, other.best, rtol=0, atol=1e-9)
        assert np.allclose(one.by_way, other.by_way, rtol=0, atol=1e-9)
    found = respond_before_flop(response, sum_up(mine)).by_way
    for seat in (0, 1):
        brute = best_response_value(tree, SHORT, tables.on, seat)
        assert found[seat, -1] == pytest.approx(brute, rel=1e-9, abs=1e-9)


def half_and_half():
    """Return the response to half call, half raise on the full deck."""
    tree = betting_tree(find_game("limit"))
    tables = ConstantTables(weighted(tree, lambda shape: np.broadcast_to([0.0, 1.0, 1.0], shape)))
    return ExactResponse(tree, tables, HOLDEM, np.float64)


def test_betting_with_the_same_future_is_merged():
    """What has been bet matters through the stakes alone: 4, 8 and 16 ways to begin a street are left."""
    streets = CardBlindResponse(half_and_half()).streets
    assert {street: one.probabilities.shape[2] for street, one in streets.items()} == {1: 4, 2: 8, 3: 16}
    assert [len(streets[street].root) for street in (1, 2, 3)] == [7, 63, 567]


def test_a_turn_of_the_full_deck_equals_the_general_path():
    """Values of all betting and all ways to respond from one turn on, in both seats."""
    response, flop = half_and_half(), all_flops()[1200]
    blind = CardBlindResponse(response)
    turn = next(deal for deal in HOLDEM.deals(2, flop.cards, flop.stabiliser) if deal.weight == 1)
    everywhere = [np.ones((1326, 64)) for _ in (0, 1)]
    general = street_values(response, 2, flop.cards, turn, everywhere)
    root = blind.streets[2].root
    for seat, found in enumerate(blind.values(2, flop.cards, turn)):
        assert np.allclose(found[:, root].transpose(0, 2, 1), general[seat][:, :, :63], rtol=0, atol=1e-8)
        assert np.abs(found).max() > 100


@pytest.mark.long
def test_a_flop_of_the_full_deck_equals_the_general_path():
    """One flop, whole."""
    response, flop = half_and_half(), all_flops()[800]
    mine = respond_without_cards(CardBlindResponse(response), flop)
    other = respond_to_flop(response, flop)
    assert np.allclose(mine.best, other.best, rtol=1e-9, atol=1e-9)
    assert np.allclose(mine.by_way, other.by_way, rtol=1e-9, atol=1e-9)


def test_strategies_with_cards_are_refused():
    """The short cut is for strategies of one class."""
    tree = short_tree((1, 1, 1, 1))
    with pytest.raises(GameError, match="without cards"):
        CardBlindResponse(ExactResponse(tree, RandomTables(tree, SHORT, 1), SHORT))
