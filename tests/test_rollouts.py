"""Hidden cards and roll-outs against their naive twins: the same cards, actions and means."""

import numpy as np
import pytest

from holdmem.cards import HOLDINGS
from holdmem.core.random import Streams
from holdmem.opponents import expected_values, sized_actions
from holdmem.opponents.kernels.dealing import cumulate, deal_hidden
from holdmem.opponents.kernels.holdings import DEAD, PREFLOP_LEVELS, rank_holdings
from holdmem.opponents.kernels.rollouts import NO_ACTION
from naive import dealing, rollouts
from simulated_decisions import GAMES, KEY, STEPS, decisions, drawn_shares, with_weights

TRIALS = 10


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
def test_hidden_cards_are_those_of_the_twin(name, steps):
    rng = np.random.default_rng(steps)
    views, found = decisions(GAMES[name], steps)
    for i, decision, weights in with_weights(views, found, drawn_shares(views, steps)):
        likely = {seat: only_with(view_cards(decision), held, steps) for seat, held in weights.items()}
        for held in (weights, likely):
            numbers = rng.random((8, 20))
            for row in numbers:
                assert dealt(views, i, held, row) == dealing.deal(decision, held, row.tolist())


def view_cards(decision):
    return {*decision.view.hole, *decision.view.board}


def only_with(taken, weights, steps):
    """Mostly holdings of which a card is taken, so that they are drawn again or not at all."""
    rare = 1e-3 if steps % 2 else 0.3
    return [weight + 1e-6 if set(pair) & taken else rare * weight for pair, weight in pairs(weights)]


def pairs(weights):
    return zip(HOLDINGS.tolist(), weights, strict=True)


def dealt(views, i, weights, numbers):
    """What the kernel deals at a view, in the twin's words."""
    by_seat, sums = np.zeros((10, 1326)), np.zeros((10, 1326))
    for seat, held in weights.items():
        by_seat[seat] = held
    rules, row = views.game.rules_row[0], np.ascontiguousarray(views.rows)[i]
    drawn, hole, board = np.zeros(10, np.int64), np.zeros((10, 2), np.int8), np.zeros(5, np.int8)
    cumulate(rules, row, by_seat, sums)
    if not deal_hidden(rules, row, sums, numbers, drawn, hole, board):
        return None
    for seat in weights:
        assert HOLDINGS[drawn[seat]].tolist() == hole[seat].tolist()
    seats = [views[i].seat, *weights]
    return {seat: tuple(hole[seat].tolist()) for seat in seats}, board.tolist()


def levels_at(view):
    """Levels of all holdings at a view, which have a twin and a test of their own; None if they cannot be."""
    levels, places = PREFLOP_LEVELS.copy(), np.empty(1326, np.int16)
    if view.street:
        rank_holdings(np.array(view.board, np.uint8), levels, places)
    return [None if level == DEAD else level for level in levels.tolist()]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("to_showdown", [False, True])
def test_means_and_errors_are_those_of_the_twin(name, steps, to_showdown):
    views, found = decisions(GAMES[name], steps)
    shares = drawn_shares(views, steps)
    actions = sized_actions(views, (2 / 3, 2.0))
    kernel = expected_values(views, shares, Streams(KEY), actions, rollouts=TRIALS, to_showdown=to_showdown)
    for i, decision, weights in with_weights(views, found, shares):
        models = rollouts.Models(weights, shares[i].tolist(), levels_at(decision.view))
        tried = actions[i] != NO_ACTION
        asked = actions[i, tried].tolist()
        values, errors = rollouts.expected_values(decision, models, asked, TRIALS, to_showdown)
        assert kernel.values[i, tried].tolist() == pytest.approx(values, rel=1e-12, abs=1e-12)
        assert kernel.errors[i, tried].tolist() == pytest.approx(errors, rel=1e-6, abs=1e-6)
