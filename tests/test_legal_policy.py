"""The one function that makes any triple or vector legal, and the policies it gives."""

from copy import deepcopy
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdmem.agent import CALL, FOLD, Actions, Policy, legal_policy
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import Batch, find_game
from naive import legal_policy as naive
from situations import SEEDS, looks, moment, plain_games

WEIGHTS = st.floats(0, 1e300) | st.sampled_from([0.0, 5e-324, 1.0])
TOTALS = st.integers(-5, 400) | st.sampled_from([0, -1, -(2**62), 2**62])
GAMES = plain_games(seats=st.integers(2, 5))
JUST_BELOW_ONE = np.nextafter(1.0, 0.0)


@st.composite
def wishes(draw):
    """A batch with its waiting tables and views, weights for each view, and the totals of the raises."""
    batch, tables, views = moment(draw(GAMES), draw(SEEDS))
    raises = draw(st.integers(0, 4))
    weights = draw(arrays(float, (len(views), 2 + raises), elements=WEIGHTS))
    totals = draw(arrays(np.int64, (len(views), raises), elements=TOTALS))
    return batch, tables, views, weights, totals


def views_at(*actions, name="nolimit"):
    """One table after these actions."""
    batch = Batch(find_game(name), [np.arange(52)])
    for action in actions:
        batch.act(np.array([0]), np.array([action]))
    return looks(batch)


def probabilities(policy, row=0):
    """The actions that have any probability, with it."""
    pairs = zip(policy.codes[row].tolist(), policy.probabilities[row].tolist(), strict=True)
    return {code: chance for code, chance in pairs if chance}


# ------------------------------------------------------------------------------------- laws


@given(wishes())
def test_probabilities_sum_to_one(wish):
    _, _, views, weights, totals = wish
    policy = legal_policy(views, weights, totals)
    assert (policy.probabilities >= 0).all()
    assert np.allclose(policy.probabilities.sum(axis=1), 1, rtol=0, atol=1e-12)


@given(wishes())
def test_every_action_with_any_probability_is_legal(wish):
    batch, tables, views, weights, totals = wish
    policy = legal_policy(views, weights, totals)
    for codes, chance in zip(policy.codes.T, policy.probabilities.T, strict=True):
        deepcopy(batch).act(tables, np.where(chance > 0, codes, CALL))


@given(wishes())
def test_a_legal_policy_is_its_naive_twin(wish):
    _, _, views, weights, totals = wish
    policy = legal_policy(views, weights, totals)
    for row, view in enumerate(views):
        twin = naive.legal_chances(view, weights[row].tolist(), totals[row].tolist())
        twin = {action: float(chance) for action, chance in twin.items() if float(chance)}
        assert probabilities(policy, row) == pytest.approx(twin, rel=1e-12, abs=0)


@given(GAMES, SEEDS, st.lists(WEIGHTS, min_size=3, max_size=3))
def test_one_triple_for_all_views_raises_by_the_least(game, seed, triple):
    _, _, views = moment(game, seed)
    policy = legal_policy(views, triple)
    for row, view in enumerate(views):
        twin = naive.legal_chances(view, triple)
        assert probabilities(policy, row) == pytest.approx({a: float(c) for a, c in twin.items() if float(c)})


@given(st.lists(st.floats(1e-3, 1e3), min_size=5, max_size=5), st.floats(1e-9, 1e9))
def test_what_is_legal_stays_as_it_is_up_to_scale(weights, scale):
    views = views_at(300)
    policy = legal_policy(views, np.array(weights) * scale, [600, 20000, 555])
    assert policy.codes.tolist() == [[FOLD, CALL, 600, 20000, 555]]
    assert np.allclose(policy.probabilities, np.array(weights) / sum(weights), rtol=1e-12)


def test_what_comes_in_is_not_changed():
    weights, totals = np.array([[1.0, 1.0, 2.0]]), np.array([[7]])
    legal_policy(views_at(), weights, totals)
    assert (weights.tolist(), totals.tolist()) == ([[1.0, 1.0, 2.0]], [[7]])


# ------------------------------------------------------------------------------------- cases


@pytest.mark.parametrize(
    ("game", "actions", "weights", "totals", "expected"),
    [
        ("limit", [CALL], [3, 1, 4], None, {CALL: 0.5, 20: 0.5}),  # a free fold checks
        ("limit", [20, 30, 40], [1, 1, 2], None, {FOLD: 0.25, CALL: 0.75}),  # a raise at the cap calls
        ("nolimit", [20000], [1, 1, 2], [20000], {FOLD: 0.25, CALL: 0.75}),  # and one with nothing left
        ("nolimit", [], [1, 1, 1, 1], [1, 99999], {FOLD: 0.25, CALL: 0.25, 200: 0.25, 20000: 0.25}),
        ("nolimit", [], [0, 0, 1, 1, 2], [-7, 0, 150], {200: 1.0}),  # totals that become one add up
        ("nolimit", [], [0, 0, 0], None, {CALL: 1.0}),  # no weight at all calls
        ("nolimit", [], [0, 0], np.empty((1, 0), dtype=int), {CALL: 1.0}),
        ("nolimit", [CALL], [1, 0, 0], None, {CALL: 1.0}),
    ],
)
def test_a_wish_becomes_the_nearest_legal_thing(game, actions, weights, totals, expected):
    assert probabilities(legal_policy(views_at(*actions, name=game), weights, totals)) == expected


@pytest.mark.parametrize("bad", [-1e-9, float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_weight_that_is_negative_or_no_number_is_refused(bad, place):
    _, _, views = moment(find_game("limit"), 1)
    weights = np.ones((len(views), 3))
    weights[-1, place] = bad
    with pytest.raises(AgentError, match=rf"0 or more with a finite sum, got \[.*{bad}"):
        legal_policy(views, weights)


def test_weights_without_a_finite_sum_are_refused():
    with pytest.raises(AgentError, match=r"finite sum, got \[1e\+308, 1e\+308, 0.0\]"):
        legal_policy(views_at(), [1e308, 1e308, 0])


@pytest.mark.parametrize(
    ("weights", "totals", "says"),
    [
        ([1, 1], None, "fold, call and 1 raises per view, got 2"),
        ([1, 1, 1, 1], None, "fold, call and 1 raises per view, got 4"),
        ([1, 1, 1], [200, 300], "fold, call and 2 raises per view, got 3"),
        (1.0, None, r"one row of weights for each of 1 views, got shape \(\)"),
        (np.ones((2, 3)), None, r"one row of weights for each of 1 views, got shape \(2, 3\)"),
        (np.ones((1, 1, 3)), None, r"got shape \(1, 1, 3\)"),
        ([1, 1, 1], [[200], [300]], r"for each of 1 views, got int64 of shape \(2, 1\)"),
        ([1, 1, 1], [250.5], "whole chips for each of 1 views, got float64"),
        ([1, 1, 1], [float("inf")], "whole chips for each of 1 views, got float64"),
    ],
)
def test_weights_and_totals_of_a_wrong_shape_are_refused(weights, totals, says):
    with pytest.raises(AgentError, match=says):
        legal_policy(views_at(), weights, totals)


# ------------------------------------------------------------------------------------- policies


def policy_of(*rows):
    """A policy over the actions fold, call, raise to 2, to 3, ... with these rows of probabilities."""
    codes = np.arange(len(rows[0])) + (np.arange(len(rows[0])) > 1) - 1
    return Policy(np.array(rows, dtype=float), np.tile(codes, (len(rows), 1)))


@pytest.mark.parametrize("row", [[0.2, 0.5, 0.3], [0, 1, 0], [0.1] * 10, [0.5, 0, 0.25, 0, 0.25, 0]])
def test_actions_are_drawn_as_often_as_their_probability_says(row):
    n = 40_000
    policy = policy_of(*[row] * n)
    numbers = Streams.of(5).uniforms(hand_ids(n), np.zeros(n, dtype=int))
    drawn = policy.draw(numbers).codes
    for code, chance in probabilities(policy).items():
        assert abs((drawn == code).mean() - chance) <= 4.5 * np.sqrt(chance * (1 - chance) / n)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(sum), st.floats(0, 1, exclude_max=True))
def test_what_has_no_probability_is_never_drawn(weights, number):
    row = np.array(weights) / sum(weights)
    policy = policy_of(*[row] * 4)
    drawn = policy.draw([0.0, JUST_BELOW_ONE, number, 0.5])
    assert (policy.probability_of(drawn.codes) > 0).all()
    assert drawn.codes[0] == min(probabilities(policy))


def test_rounding_leaves_no_gap_at_the_end():
    row = [0.1] * 10 + [0.0]  # these add up to less than one
    assert reduce(add, row) < 1  # sum() makes up for rounding since Python 3.12
    assert policy_of(row).draw([JUST_BELOW_ONE]).codes.tolist() == [9]


@given(st.lists(st.floats(1e-6, 1), min_size=3, max_size=3))
def test_drawing_at_a_number_is_passing_it_with_the_running_sum(weights):
    row = np.array(weights) / sum(weights)
    ends = np.cumsum(row)
    numbers = np.minimum(np.concatenate([ends * (1 - 1e-9), ends[:2] * (1 + 1e-9)]), JUST_BELOW_ONE)
    assert policy_of(*[row] * 5).draw(numbers).codes.tolist() == [FOLD, CALL, 2, CALL, 2]


def test_a_number_at_an_edge_belongs_to_the_action_above_it():
    quarters = policy_of(*[[0.25, 0.25, 0.5]] * 4)
    assert quarters.draw([0.0, 0.25, 0.5, JUST_BELOW_ONE]).codes.tolist() == [FOLD, CALL, 2, 2]


def test_probability_of_an_action_is_the_sum_over_its_places():
    policy = Policy(np.array([[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]]), np.array([[0, 4, 0], [-1, 0, 8]]))
    assert policy.probability_of(np.array([CALL, FOLD])).tolist() == [0.5, 1.0]
    assert policy.probability_of([4, 8]).tolist() == [0.5, 0.0]
    assert policy.probability_of([99, 99]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("probabilities", "codes"),
    [([[1.0]], [[0, 1]]), ([1.0], [0]), ([[1.0]], [[0.0]]), ([[1.0], [1.0]], [[0]]), ([[1.0]], [["call"]])],
)
def test_a_policy_has_one_probability_for_each_action(probabilities, codes):
    with pytest.raises(AgentError, match=r"\(views, actions\).*got probabilities of shape"):
        Policy(probabilities, codes)


@pytest.mark.parametrize("numbers", [[0.1], np.full((2, 2), 0.1), np.full(3, 0.1)])
def test_a_policy_draws_with_one_number_a_view(numbers):
    with pytest.raises(AgentError, match="one random number for each of 2 views, got"):
        policy_of([1, 0], [1, 0]).draw(numbers)


@pytest.mark.parametrize("codes", [[0.0], [[0]], 0, ["call"], [None], [True]])
def test_actions_are_one_row_of_ints(codes):
    with pytest.raises(AgentError, match="one row of ints"):
        Actions(codes)
