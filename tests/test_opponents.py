"""Models of opponents against slow twins, against sums done by hand, and against what must be so."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import find_game
from holdmem.agent import FinishedHands
from holdmem.cards import HOLDINGS, cards, hole
from holdmem.cards.classes import HOLDING_OF
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Batch
from holdmem.opponents import (
    PRIOR_WEIGHT,
    Frequencies,
    Seating,
    Showdowns,
    expected_values,
    prior,
    situation_name,
    weight_tables,
)
from holdmem.opponents.kernels.holdings import DEAD, level_of, rank_holdings, strength_of_one
from holdmem.opponents.kernels.weight_tables import border, chance_to
from holdmem.strength import HandCards, ihs
from holdmem.strength.kernels.card_kinds import KINDS, LEFT
from naive import opponents as naive
from situations import SEEDS, looks, moment, plain_games, random_play, shuffled

LIMIT = find_game("limit")
BLUFF = (0.5, 0.3, 0.2)


def usual(views, shares=None):
    """The chances of strangers, or the same shares in every situation."""
    found = Frequencies(views.game, len(views.table)).probabilities(views)
    if shares is not None:
        found[:] = shares
    return found


def at(game, deck, actions):
    """The view after these actions at one table."""
    batch = Batch(game, [deck])
    for action in actions:
        batch.act(np.array([0]), np.array([action]))
    return looks(batch)


def number(text):
    """The number of a holding."""
    return HOLDING_OF[tuple(hole(text))]


@given(st.floats(0, 1))
def test_a_soft_border_keeps_the_share(share):
    quantiles = (np.arange(4000) + 0.5) / 4000
    assert np.mean([border(x, share) for x in quantiles]) == pytest.approx(share, abs=1e-3)


@given(st.floats(0, 1), st.floats(0.01, 0.98), st.floats(0.01, 0.98), st.booleans())
def test_the_chances_of_a_holding_sum_to_one(quantile, fold, rest, raising):
    shares = np.array([fold, (1 - fold) * rest, (1 - fold) * (1 - rest)])
    kinds = (0, 1, 2) if raising else (0, 1)
    found = [chance_to(kind, quantile, shares, raising) for kind in kinds]
    assert sum(found) == pytest.approx(1)
    assert found == pytest.approx([naive.chance(kind, quantile, shares, raising) for kind in kinds])


def test_a_raise_before_the_flop_by_hand():
    """The small blind folds half, calls 30%, raises 20%. Of a raise its weights are, before they are scaled:

    aces, at the quantile 1323/1326 and so above the border of 0.25 around 0.8: 0.9 · 1 + 0.1 · 0.2 = 0.92;
    32o and J7o, at 6/1326 and 650/1326, below it: 0.9 · 0 + 0.1 · 0.2 = 0.02; queen-ten suited, alone on its
    level at 1100/1326 = 0.829563: 0.9 · (0.829563 - 0.675) / 0.25 + 0.02 = 0.576427.
    """
    views = at(LIMIT, range(9), [20])
    weights = weight_tables(views, usual(views, BLUFF))[0]
    assert weights.sum() == pytest.approx(1)
    assert not weights[[0, *range(2, 10)]].any()
    own = weights[1]
    assert own[number("AsAh")] / own[number("3c2d")] == pytest.approx(0.92 / 0.02)
    assert own[number("Jc7d")] / own[number("3c2d")] == pytest.approx(1)
    assert own[number("QcTc")] / own[number("3c2d")] == pytest.approx(0.576427 / 0.02, rel=1e-5)


def test_a_call_says_neither_weak_nor_strong():
    views = at(LIMIT, range(9), [CALL])
    own = weight_tables(views, usual(views, BLUFF))[0, 1]
    middle = own[number("Kc7d")]
    assert middle > 5 * own[number("AsAh")]
    assert middle > 5 * own[number("3c2d")]


def test_on_the_flop_a_set_gains_by_a_raise_and_what_lies_on_the_board_is_gone():
    deck = [*hole("2c3d"), *hole("4h5s"), *cards("Kh7d2s9c4d")]
    views = at(LIMIT, deck, [CALL, CALL, CALL, 10])
    before, after = (weight_tables(view, usual(view))[0, 1] for view in (at(LIMIT, deck, [CALL]), views))
    three, nothing = number("7c7s"), number("Tc6h")
    assert after[three] / after[nothing] > 3 * before[three] / before[nothing]
    assert after[number("KhKc")] == 0
    assert after.sum() == pytest.approx(1)


def test_who_bets_all_the_time_tells_little_by_betting():
    deck = [*hole("2c3d"), *hole("4h5s"), *cards("Kh7d2s9c4d")]
    views = at(LIMIT, deck, [CALL, CALL, CALL, 10])
    by_maniac = weight_tables(views, usual(views, (0.02, 0.08, 0.9)))[0, 1]
    by_rock = weight_tables(views, usual(views, (0.6, 0.35, 0.05)))[0, 1]
    three, nothing = number("7c7s"), number("Tc6h")
    assert by_maniac[three] < 3 * by_maniac[nothing]
    assert by_rock[three] > 10 * by_rock[nothing]


@settings(max_examples=6, deadline=None)
@given(plain_games(seats=st.integers(2, 4)), SEEDS)
def test_weights_agree_with_the_slow_twin(game, seed):
    batch, hands, views = moment(game, seed, tables=2)
    probabilities = np.random.default_rng(seed).dirichlet((1, 1, 1), (len(views), 10, 12))
    found = weight_tables(views, probabilities)
    for i, table in enumerate(hands[:1].tolist()):
        actions = [to for _, _, to in views[i].history]
        stacks = batch.stacks[table].tolist()
        seats = [s for s in range(game.seats) if views[i].live[s] and s != views[i].seat]
        for seat in seats[:1]:
            twin = naive.weights_of(game, stacks, actions, views[i].board, probabilities[i, seat], seat)
            assert found[i, seat] == pytest.approx(twin, abs=1e-12)


@settings(max_examples=3, deadline=None)
@given(st.sampled_from([3, 4, 5]), SEEDS)
def test_strengths_of_holdings_agree_with_the_slow_twin(size, seed):
    board = np.random.default_rng(seed).permutation(52)[:size].astype(np.uint8)
    levels, places = np.empty(1326, np.uint16), np.empty(1326, np.int16)
    rank_holdings(board, levels, places)
    twin = naive.strengths(board.tolist())
    assert levels.tolist() == [DEAD if s is None else level_of(s) for s in twin]
    left, kinds, suits = np.empty(1, LEFT), np.empty(1, KINDS), np.empty(4, np.int64)
    for h in np.random.default_rng(seed).permutation(1326)[:50]:
        if twin[h] is not None:
            one = strength_of_one(HOLDINGS[h].astype(np.int8), board, left[0], kinds[0], suits)
            assert one == pytest.approx(twin[h])


def finished(game, seed, tables=5, player=0):
    """Hands of random play as a player saw them."""
    rng = np.random.default_rng(seed)
    batch = Batch(game, shuffled(game, rng, tables))
    for _ in random_play(batch, rng):
        pass
    lineup = np.array([np.roll(np.arange(game.seats), table) for table in range(tables)])
    return FinishedHands(batch, lineup, hand_ids(tables), np.arange(tables)).seen_by(player)


@settings(max_examples=30, deadline=None)
@given(plain_games(), SEEDS, st.booleans())
def test_counts_agree_with_the_slow_twin(game, seed, apart):
    hands = finished(game, seed)
    model = Frequencies(game, len(hands), entered=apart)
    model.watch(hands)
    twin = np.zeros_like(model.counts)
    for table in range(len(hands)):
        actions = hands.history["to"][table, : hands.actions[table]].tolist()
        hand = game, hands.batch.stacks[table].tolist(), actions
        for told, entered in zip(naive.told(*hand), naive.entries(*hand), strict=True):
            seat, _, where, kind, may_raise = told
            twin[table, hands.lineup[table, seat], where + 12 * (apart and entered), kind] += may_raise
    assert model.counts.tolist() == twin.tolist()


def test_strangers_are_ordinary_and_habits_show():
    hands = finished(LIMIT, 3, tables=2)
    model = Frequencies(LIMIT, 2)
    views = at(LIMIT, range(9), [])
    assert model.probabilities(views)[0, :2] == pytest.approx(np.stack([prior(2)] * 2))
    model.watch(hands)
    counts = model.counts[0, 1]
    seen = counts.sum(axis=1, keepdims=True)
    expected = (counts + PRIOR_WEIGHT * prior(2)) / (seen + PRIOR_WEIGHT)
    other = 1 - views.seat[0]
    assert model.probabilities(views)[0, other] == pytest.approx(expected)
    assert model.probabilities(views)[0].sum(axis=2)[:2] == pytest.approx(1)


def test_relearning_waits_for_enough_observations():
    hands = finished(LIMIT, 3, tables=1)
    seen = Frequencies(LIMIT, 1)
    seen.watch(hands)
    total = int(seen.counts.sum())
    patient, hasty = Frequencies(LIMIT, 1, relearn=total + 1), Frequencies(LIMIT, 1, relearn=total)
    for model in (patient, hasty):
        model.watch(hands)
    assert patient.learned.sum() == 0
    assert hasty.learned.sum() == total


def test_more_players_than_seats_may_take_turns():
    hands = finished(LIMIT, 3, tables=1)
    hands = replace(hands, lineup=np.array([[0, 6]]))
    model, shown = Frequencies(LIMIT, 1), Showdowns(LIMIT, 1, Seating(1))
    model.watch(hands)
    shown.watch(hands)
    assert model.counts[0, 6].sum() > 0
    assert model.neighbours.players(at(LIMIT, range(9), [])).max() == 6


def test_neighbours_are_found_when_the_button_has_moved_and_when_one_is_out():
    game = replace(find_game("nolimit", 4), stacks=(1000,) * 4)
    deck = [*hole("AsAh"), *hole("KsKh"), *hole("7c2d"), *hole("7d2c"), *cards("9c9d5h5s3c")]
    batch = Batch(game, [deck])
    for action in (FOLD, FOLD, 1000, CALL):
        batch.act(np.array([0]), np.array([action]))
    near = Seating(1)
    hands = FinishedHands(batch, np.array([[2, 0, 3, 1]]), hand_ids(1), np.array([0]))
    near.watch(hands.seen_by(3))
    view = at(game, range(13), [])  # seat 2 acts first
    assert near.players(view)[0, :4].tolist() == [2, 0, -1, 1]  # moved on: from the left, 1, 2 and 0
    three = at(game.with_seats(3), range(11), [])  # 0 has lost all and is out
    assert near.players(three)[0, :3].tolist() == [1, 2, -1]


def test_situations_have_names():
    assert situation_name(0) == "preflop, nothing to call"
    assert situation_name(11) == "river, high price"


def test_showdowns_count_what_was_shown():
    deck = [*hole("AsAh"), *hole("KsKh"), *cards("Ac9d5h4s3c")]
    batch = Batch(LIMIT, [deck])
    for action in [20, CALL, *[CALL] * 6]:
        batch.act(np.array([0]), np.array([action]))
    shown = Showdowns(LIMIT, 1, Seating(1))
    shown.watch(FinishedHands(batch, np.array([[0, 1]]), hand_ids(1), np.array([0])).seen_by(0))
    strength = ihs(HandCards.read("KsKh", "Ac9d5h4s3c"))[0]
    assert shown.counts.sum() == 1
    assert shown.counts[0, 1, 1, int(strength * 10)] == 1


@settings(max_examples=10, deadline=None)
@given(plain_games(), SEEDS)
def test_showdowns_agree_with_the_slow_twin(game, seed):
    hands = finished(game, seed)
    found = Showdowns(game, len(hands), Seating(len(hands)))
    found.watch(hands)
    twin = np.zeros_like(found.counts)
    for table, hand in enumerate(hands.batch.hands):
        if hand.shown:
            done = hands.history[table, : hands.actions[table]]
            history = list(zip(done["seat"].tolist(), done["to"].tolist(), strict=True))
            live = [seat for seat in range(game.seats) if hand.live >> seat & 1]
            told = naive.shown(history, live, hand.hole.tolist(), hand.board.tolist(), hands.lineup[table], 0)
            for player, raises, tenth in told:
                twin[table, player, raises, tenth] += 1
    assert found.counts.tolist() == twin.tolist()


def river_bet(own):
    """A river on which the other has bet and a call ends the hand, at this many tables."""
    deck = [*hole(own), *hole("4h5s"), *cards("Kh7d2s9cJd")]
    line = [CALL, CALL, CALL, CALL, CALL, CALL, CALL, 20]
    return at(LIMIT, deck, line)


@pytest.mark.parametrize("own", ["KcQd", "9h8h", "6c3d"])
def test_a_call_that_ends_the_hand_is_worth_what_the_weights_say(own):
    views = river_bet(own)
    probabilities = usual(views)
    weights = weight_tables(views, probabilities)[0, 1]
    ahead = total = 0.0
    for rival, outcome in naive_outcomes(own):
        weight = weights[HOLDING_OF[rival]]
        total += weight
        ahead += weight * outcome
    worth = ahead / total * (views.pot[0] + 20) - 20
    actions = np.array([[CALL]])
    found = expected_values(views, probabilities, Streams.of(1), actions, rollouts=4000)
    assert found.errors[0, 0] < 1
    assert found.values[0, 0] == pytest.approx(worth, abs=5 * found.errors[0, 0] + 1e-9)
    down = expected_values(views, probabilities, Streams.of(1), actions, rollouts=4000, to_showdown=True)
    assert down.values.tolist() == found.values.tolist()


def naive_outcomes(own):
    """Every holding of a rival with what the own cards score against it."""
    from naive.strength import outcomes  # noqa: PLC0415

    found = outcomes(hole(own), cards("Kh7d2s9cJd"))
    return [(rival, 1 - standing / 2) for rival, standing in found.items()]


def test_who_must_fold_folds_and_who_cannot_lose_raises():
    weak, strong = river_bet("6c3d"), river_bet("QcTc")
    for views, best in ((weak, FOLD), (strong, 40)):
        actions = np.array([[CALL, 40]])
        found = expected_values(views, usual(views), Streams.of(1), actions, rollouts=500)
        assert found.best(views, 1.0).codes.tolist() == [best]
