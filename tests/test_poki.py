"""Poki against its naive twin: what it expects of a hand, and what it does."""

import numpy as np
import pytest

from holdmem.core.random import Streams
from holdmem.opponents.preflop import preflop_tables
from holdmem.players.simulation.kernels.poki import OUTLOOK, look_ahead
from holdmem.players.simulation.poki import Poki
from naive import poki as naive
from naive.legal_policy import legal_chances
from simulated_decisions import GAMES, STEPS, decisions, drawn_shares, with_weights


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
def test_the_outlook_is_that_of_the_twin(name, steps):
    views, found = decisions(GAMES[name], steps)
    shares, draws = drawn_shares(views, steps), np.random.default_rng(steps).random((40, 48))
    out = np.zeros(len(views), OUTLOOK)
    rules, rows = views.game.rules_row, np.ascontiguousarray(views.rows)
    look_ahead(rules, rows, views.history, shares, tuple(preflop_tables()), draws, out)
    for i, decision, weights in with_weights(views, found, shares):
        twin = naive.outlook(decision, weights, shares[i].tolist(), preflop_tables(), draws.tolist())
        for quantity in OUTLOOK.names:
            assert out[i][quantity] == pytest.approx(twin.get(quantity, 0), rel=1e-12, abs=1e-12), quantity


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", STEPS)
def test_the_formula_is_that_of_the_twin(name, steps):
    views, found = decisions(GAMES[name], steps)
    seat = Poki().sit(views.game, len(views.table), Streams.of(1))
    seat.frequencies.probabilities = lambda views: drawn_shares(views, steps)
    outlooks, policy = seat.outlook(views), seat.policy(views)
    for i, decision in enumerate(found):
        outlook = {quantity: float(outlooks[i][quantity]) for quantity in OUTLOOK.names}
        wishes = naive.triple(decision, outlook)
        twin = legal_chances(decision.view, wishes, [naive.raise_to(decision)])
        actions: dict[int, float] = {}
        for code, chance in zip(policy.codes[i].tolist(), policy.probabilities[i].tolist(), strict=True):
            actions[code] = actions.get(code, 0) + chance
        for action in actions | twin:
            assert actions.get(action, 0) == pytest.approx(float(twin.get(action, 0)), abs=1e-9)
