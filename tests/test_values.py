"""Values of actions: ranges, deals, roll-outs, estimates, and comparisons with exact values."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from scipy.stats import t as student

import holdmem as hm
from holdmem.agent import Views, hand_ids, play
from holdmem.api import explain_hand
from holdmem.cards import cards
from holdmem.cards.classes import HOLDING_OF, HOLDINGS
from holdmem.core.errors import AgentError, NotationError
from holdmem.core.random import HAND_ID, kernel_key
from holdmem.engine import Batch
from holdmem.engine.state import PARTS
from holdmem.ev import (
    Candidates,
    Moments,
    Precision,
    RolloutModels,
    Spots,
    candidates_at,
    cost_of,
    loss_of,
    model_of,
    named_player,
    ranges_at,
    roll_out,
    value_actions,
)
from holdmem.ev.estimate import stakes
from holdmem.ev.exact import enumerated
from holdmem.ev.kernels.deals import deal_unseen, run_out, sum_ranges
from holdmem.ev.models import SLIP
from holdmem.history import Hands, Terms, replay
from holdmem.strength.pot_equities import pot_equities
from naive.values import joint_distribution, range_weight, state_after

LIMIT = hm.find_game("limit")
SIX = replace(
    hm.find_game("nolimit"), name="six", blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6, first=()
)
RNG = hm.Streams.of(26, "test of values")
POPULATION = named_player("population").player


def decisions_of(game: hm.Game, agents: list[str], hands: int, seed: int = 1) -> tuple[Views, np.ndarray]:
    """Decisions of hands played by agents, with the actions taken."""
    rng = hm.Streams.of(seed)
    seats = [hm.make_agent(name).sit(game, hands, rng) for name in agents]
    played = play(game, seats, rng.decks(hand_ids(hands), game.deck_cards))
    found = next(iter(replay(Hands.of(played, [f"{name} {k}" for k, name in enumerate(agents)]))))
    return found.views, found.actions


@pytest.fixture(scope="module")
def six() -> tuple[Views, np.ndarray]:
    """Decisions at a table of six clones of the population."""
    return decisions_of(SIX, ["clone"] * 6, 60)


def test_spots_are_the_engines_states(six: tuple[Views, np.ndarray]) -> None:
    spots = Spots.of(six[0])
    states, _ = spots.states
    for i in range(0, len(spots), 17):
        want = state_after(SIX, spots.stacks[i], spots.codes[i, : spots.counts[i]].tolist())
        for field in (
            "stack",
            "bet",
            "paid",
            "highest",
            "raise_floor",
            "live",
            "pending",
            "to_act",
            "street",
        ):
            assert np.array_equal(states[i][field], want[field])


def test_the_past_is_what_was_seen_then(six: tuple[Views, np.ndarray]) -> None:
    views, actions = six
    hand = np.flatnonzero(views.hand_id["hand"] == views.hand_id["hand"][-1])
    past, did, _ = Spots.of(views[hand[-1:]]).past()
    assert did.tolist() == actions[hand[:-1]].tolist()
    for field in (
        "pot",
        "to_call",
        "min_raise_to",
        "max_raise_to",
        "seat",
        "street",
        "live",
        "stack",
        "board",
    ):
        assert np.array_equal(past.rows[field], views.rows[field][hand[:-1]])


def test_ranges_are_products_of_the_models_probabilities(six: tuple[Views, np.ndarray]) -> None:
    views = six[0]
    late = np.flatnonzero(views.street >= 2)[:2]
    spots = Spots.of(views[late])
    found = ranges_at(spots, model_of(POPULATION, SIX, RNG))
    picks = np.random.default_rng(1).choice(len(HOLDINGS), 12, replace=False).tolist()
    for spot in range(len(spots)):
        for seat in range(6):
            if seat == spots.hero[spot]:
                continue
            want = np.array([range_weight(spots, spot, seat, one, POPULATION) for one in picks])
            got = found[spot, seat, picks]
            assert np.allclose(got * want.max(), want * got.max(), rtol=1e-9, atol=1e-15)


def test_an_agents_range_follows_its_policy() -> None:
    spots = Spots.of(hm.Situation(hole="AhKd", board="Kc8s2d", betting="rc/r").views)
    eqm = hm.make_agent("eqm").sit(LIMIT, 1, RNG)
    found = ranges_at(spots, model_of(hm.make_agent("eqm"), LIMIT, RNG))[0, 0]
    past, actions, _ = spots.past()
    want = np.ones(len(HOLDINGS))
    for place in np.flatnonzero(past.seat == 0).tolist():
        free = np.array([not set(pair.tolist()) & set(past.board[place].tolist()) for pair in HOLDINGS])
        views = past[np.full(free.sum(), place)].with_hole(HOLDINGS[free].astype(np.int8))
        chance = eqm.policy(views).probability_of(np.full(free.sum(), actions[place]))
        want[free] *= (1 - SLIP) * chance + SLIP * chance.mean()
    known = np.isin(HOLDINGS, cards("AhKdKc8s2d")).any(axis=1)
    want[known] = 0
    assert np.allclose(found, want / want.max())


def test_deals_follow_the_joint_distribution_of_ranges() -> None:
    ranges = np.zeros((1, 3, len(HOLDINGS)))
    told: list[dict[int, float]] = []
    for seat, texts in ((0, ("AcAd", "AcKd", "QcQd", "2c3d")), (1, ("AcAs", "KdKs", "QcJs"))):
        one = {int(HOLDING_OF[tuple(cards(text))]): 1.0 / (k + 1) for k, text in enumerate(texts)}
        for holding, weight in one.items():
            ranges[0, seat, holding] = weight
        told.append(one)
    decks, weights = _dealt(ranges, 20_000)
    held = [HOLDING_OF[decks[:, 2 * seat], decks[:, 2 * seat + 1]] for seat in range(2)]
    for pair, want in joint_distribution(told).items():
        hit = (held[0] == pair[0]) & (held[1] == pair[1])
        got = weights[hit].sum() / weights.sum()
        assert abs(got - want) < 4 * np.sqrt(want * (1 - want) * (weights**2).sum()) / weights.sum() + 1e-9
    assert all(len(set(deck)) == len(deck) for deck in decks[:500].tolist())
    assert (decks[:, 4:6] == [8, 9]).all()
    assert (decks[:, 6:9] == [20, 24, 28]).all()


def _dealt(ranges: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Deals of three seats, of which the last is the hero with a flop on the table."""
    running, by_card = np.empty_like(ranges), np.empty((*ranges.shape[:2], 52))
    sum_ranges(ranges, running, by_card)
    ids = np.zeros(count, dtype=HAND_ID)
    ids["hand"] = np.arange(count)
    decks, weights = np.empty((count, 11), dtype=np.int8), np.empty(count)
    deal_unseen(
        kernel_key(RNG), ids, np.zeros(count, dtype=np.int64), 3, np.array([2]),
        np.array([[8, 9]], dtype=np.int8), np.array([[20, 24, 28, -1, -1]], dtype=np.int8), np.array([3]),
        np.array([[0, 1, 2]]), ranges, running, by_card, decks, weights,
    )  # fmt: skip
    return decks, weights


def test_all_in_pots_are_shared_by_equity() -> None:
    game = replace(hm.find_game("nolimit"), stacks=(1000, 1000))
    decks = RNG.decks(hand_ids(40), game.deck_cards)
    batch = Batch(game, decks)
    tables = np.arange(40)
    batch.act(tables, np.zeros(40, dtype=np.int64))
    batch.act(tables, np.zeros(40, dtype=np.int64))
    batch.act(tables, np.full(40, 900))
    batch.act(tables, np.zeros(40, dtype=np.int64))
    turn = batch.hands.copy()
    turn["street"] = 2
    want = pot_equities(batch.hands["hole"][:, :2], batch.hands["board"], np.full(40, 3), 2)[:, 0]
    ids, net = hand_ids(40), np.empty(40)
    run_out(kernel_key(RNG), game.rules_row, turn, ids, np.zeros(40, dtype=np.int64), 24, net)
    assert np.allclose(net / PARTS, 2000 * want - 1000)
    flop = pot_equities(batch.hands["hole"][:, :2], batch.hands["board"], np.full(40, 3), 1)[:, 0]
    run_out(kernel_key(RNG), game.rules_row, batch.hands, ids, np.zeros(40, dtype=np.int64), 2000, net)
    assert np.abs(net / PARTS - (2000 * flop - 1000)).max() < 4 * 1000 / np.sqrt(2000)


def test_samples_depend_on_their_number_alone(six: tuple[Views, np.ndarray]) -> None:
    spots = Spots.of(six[0][::40])
    model = model_of(POPULATION, SIX, RNG)
    ranges, models = ranges_at(spots, model), RolloutModels(model, model)
    codes = np.zeros((len(spots), 1), dtype=np.int64)
    whole, weights = roll_out(spots, ranges, codes, 0, 6, models, RNG)
    late, _ = roll_out(spots, ranges, codes, 4, 2, models, RNG)
    alone, of_alone = roll_out(spots[np.array([2])], ranges[[2]], codes[:1], 0, 6, models, RNG)
    assert np.array_equal(whole[:, 4:], late)
    assert np.array_equal(whole[2], alone[0])
    assert np.array_equal(weights[2], of_alone[0])


def test_actions_share_their_cards(six: tuple[Views, np.ndarray]) -> None:
    """The same action twice has the same result in every sample."""
    spots = Spots.of(six[0][::60])
    model = model_of(POPULATION, SIX, RNG)
    codes = np.zeros((len(spots), 2), dtype=np.int64)
    chips, _ = roll_out(spots, ranges_at(spots, model), codes, 0, 8, RolloutModels(model, model), RNG)
    assert np.array_equal(chips[:, :, 0], chips[:, :, 1])


@pytest.mark.parametrize(
    ("hole", "board", "betting"), [("AhKd", "", ""), ("7c2d", "Kc8s2h", "rc/"), ("5s5d", "", "r")]
)
def test_values_against_always_call_are_exact_equities(hole: str, board: str, betting: str) -> None:
    """Both check and call to the end, so that the pot is known and its share is the equity."""
    spot = hm.Situation(hole=hole, board=board, betting=betting)
    found = hm.value(spot, "call", reference="always-call", others="always-call", also=(), samples=4000)
    view = spot.view
    equity = float(hm.equity(hole, "random", board=board).equity[0])
    for one in found.actions:
        if one.code < 0:
            assert (one.value, one.error) == (0.0, 0.0)
            continue
        paid = view.to_call + (max(one.code - view.highest, 0) if one.code else 0)
        pot = view.pot + paid + (max(one.code - view.highest, 0) if one.code else 0)
        assert abs(one.value - (equity * pot - paid)) < 4 * one.error


def test_the_river_is_enumerated_and_samples_agree() -> None:
    views, _ = decisions_of(LIMIT, ["clone", "clone"], 150, seed=3)
    river = np.flatnonzero(views.street == 3)[:24]
    spots = Spots.of(views[river])
    model = model_of(POPULATION, LIMIT, RNG)
    candidates = candidates_at(spots.views, model.policy(spots.views), np.zeros(len(river), dtype=np.int64))
    models = RolloutModels(model, model)
    sums = value_actions(spots, candidates, models, model, Precision(first=256, most=256), RNG)
    inside = total = 0
    for i in range(len(spots)):
        columns = np.flatnonzero(candidates.present[i] & (np.arange(5) > 1))
        if not len(columns):
            continue
        codes = candidates.codes[i, [1, columns[0]]]
        exact = enumerated(spots[np.array([i])], ranges_at(spots[np.array([i])], model), codes, models)
        assert exact is not None
        factors = np.zeros((len(spots), 1, 5))
        factors[i, 0, [1, columns[0]]] = -1, 1
        mean, variance = sums.whole.combined(factors)
        inside += abs(mean[i, 0] - (exact[1] - exact[0])) <= 1.96 * np.sqrt(variance[i, 0])
        total += 1
    assert total >= 15
    assert inside >= 0.8 * total


def test_enumeration_against_always_call_counts_showdowns() -> None:
    spot = hm.Situation(hole="AhKd", board="Kc8s2d7h3c", betting="cc/cc/cc/")
    always = model_of(hm.make_agent("always-call"), LIMIT, RNG)
    spots = Spots.of(spot.views)
    check, bet = enumerated(spots, ranges_at(spots, always), np.array([0, 20]), RolloutModels(always, always))
    equity = float(hm.equity("AhKd", "random", board="Kc8s2d7h3c").equity[0])
    assert check == pytest.approx(20 * equity)
    assert bet == pytest.approx(60 * equity - 20)


def _pure_noise(seed: int, spots: int = 400) -> tuple[Moments, Candidates]:
    """Samples of three actions that are all worth nothing."""
    rng = np.random.default_rng(seed)
    sums = Moments.zeros(spots, 3)
    sums.add(np.arange(spots), rng.normal(size=(spots, 40, 3)), np.ones((spots, 40)))
    codes = np.tile([-1, 0, 20], (spots, 1))
    return sums, Candidates(codes, np.full((spots, 3), 1 / 3), np.zeros(spots, dtype=np.int64))


@given(st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_chance_makes_no_loss(seed: int) -> None:
    loss, error, _ = loss_of(*_pure_noise(seed))
    assert loss.mean() < 3 * loss.std() / np.sqrt(len(loss))
    cost, cost_error = cost_of(*_pure_noise(seed))
    assert abs(cost.mean()) < 4 * cost.std() / np.sqrt(len(cost))
    assert np.isfinite(error).all()
    assert 0.8 < cost_error.mean() / cost.std() < 1.2


def test_weights_count_in_means_errors_and_the_effective_number() -> None:
    sums = Moments.zeros(1, 1)
    sums.add(np.array([0]), np.array([[[1.0], [1.0], [4.0], [4.0]]]), np.array([[1.0, 1.0, 2.0, 2.0]]))
    assert sums.whole.means[0, 0, 0] == pytest.approx(3.0)
    assert sums.effective[0] == pytest.approx(36 / 10)


def _coverage(samples: int, share: float, stake: float) -> float:
    """Probability that the interval of a bet that wins with this probability has its mean, exactly."""
    won = np.arange(samples + 1)
    chips = np.where(np.arange(samples) < won[:, None], 1.0, -1.0)[:, :, None]
    sums = Moments.zeros(len(won), 1, np.full((len(won), 1), stake))
    sums.add(won, chips, np.ones((len(won), samples)))
    mean, variance = sums.whole.combined(np.ones((len(won), 1, 1)))
    reach = student.ppf(0.975, samples - 1) * np.sqrt(variance[:, 0])
    inside = np.abs(mean[:, 0] - (2 * share - 1)) <= reach
    return float(binom.pmf(won, samples, share)[inside].sum())


@pytest.mark.parametrize("samples", [64, 400])
def test_intervals_cover_rare_results(samples: int) -> None:
    """One more sample of the size of the stake makes up for results that few samples miss."""
    shares = np.linspace(0.005, 0.995, 199).tolist()
    covered = [_coverage(samples, share, 2.0) for share in shares]
    assert 0.945 < np.mean(covered) < 0.97
    assert min(covered) > 0.85
    assert min(_coverage(samples, share, 0.0) for share in shares) < (0.3 if samples == 64 else 0.87)


def test_stakes_are_the_pots_that_a_call_would_make() -> None:
    limit = hm.Situation(hole="AhKd", board="Kc8s2d", betting="rc/r").views
    spots = Spots.of(limit)
    codes = np.array([[-1, 0, 20, -2, -2]])
    found = stakes(spots, Candidates(codes, np.array([[0, 1.0, 0, 0, 0]]), np.array([1])))
    assert found.tolist() == [[0, 60, 80, 0, 0]]
    short = replace(hm.find_game("nolimit"), stacks=(300, 20_000))
    spots = Spots.of(hm.Situation(hole="AhKd", betting="r300", game=short).views)
    codes = np.array([[-1, 0, -2, -2, -2]])
    found = stakes(spots, Candidates(codes, np.array([[0, 1.0, 0, 0, 0]]), np.array([1])))
    assert found.tolist() == [[0, 600, 0, 0, 0]]


def test_a_certain_fold_has_no_error_and_one_lucky_run_of_samples_has_one() -> None:
    spot = hm.Situation(hole="AhAd", board="AcAs2d", betting="cc/r")
    found = hm.value(spot, "call", reference="always-call", others="always-call", also=(), samples=64)
    errors = {one.code: one.error for one in found.actions}
    assert errors[-1] == 0
    assert all(error > 0 for code, error in errors.items() if code >= 0)


def test_the_references_raises_stand_for_all_of_its_policy(six: tuple[Views, np.ndarray]) -> None:
    views, actions = six
    model = model_of(POPULATION, SIX, RNG)
    draw = np.random.default_rng(2).random(len(views))
    found = candidates_at(views, model.policy(views), actions, draw)
    assert np.allclose(found.reference.sum(axis=1), 1)
    assert (found.reference[~found.present] == 0).all()
    taken = found.codes[np.arange(len(views)), found.chosen]
    assert (taken == actions).all()


def test_a_value_prints_its_actions_and_assumptions() -> None:
    spot = hm.Situation(hole="AhKd", board="Kc8s2d7h3c", betting="cc/cc/cc/")
    found = hm.value(spot, "check", reference="always-call", others="always-call", also=("always-raise",))
    assert "bet 20" in str(found)
    assert "the others play like always-call" in found.lines()[-1]
    assert found.frame()["taken"].to_list() == [True, False]
    assert found.as_json()["state"] == "apart"
    assert repr(found).startswith("DecisionValue(best bet 20")


def test_values_of_a_hand_for_money_are_in_money_too() -> None:
    rng = hm.Streams.of(4)
    seats = [hm.make_agent("always-call").sit(LIMIT, 1, rng) for _ in range(2)]
    played = play(LIMIT, seats, rng.decks(hand_ids(1), LIMIT.deck_cards))
    hands = Hands.of(played, ["ann", "bob"])
    hands.rows["number"] = 7
    hands = replace(hands, terms=(Terms(LIMIT, Fraction(1, 4), "$"),))
    told = explain_hand(hands, 7, "ann", others="always-call", also=(), samples=64)[0]
    said = told.as_json()
    assert said["currency"] == "$"
    for one in said["actions"]:
        assert one["money"] == pytest.approx(one["chips"] / 4)
    assert said["loss_money"] == pytest.approx(told.loss / 4)
    loss = f"{told.loss / 10:.2f} ± {told.wide * told.loss_error / 10:.2f} bb (${told.loss / 4:,.2f})"
    assert f"The action taken loses {loss} against the best one." in told.lines()
    assert f"(effective number {told.effective:,.0f})" in told.assumptions
    assert replace(told, effective=3.0).wide == pytest.approx(student.ppf(0.975, 2))
    assert replace(told, effective=1.0).wide == np.inf  # one sample says nothing of its error
    tournament = replace(told, terms=Terms(LIMIT))  # its chips are not money
    assert tournament.money(told.loss) is None
    assert not any("(" in line for line in tournament.lines() if "taken loses" in line)
    plain = hm.value(hm.Situation(hole="AhKd"), "call", others="always-call", also=(), samples=8)
    assert plain.as_json()["currency"] is plain.as_json()["loss_money"] is None


def test_mistakes_are_named() -> None:
    spot = hm.Situation(hole="AhKd")
    with pytest.raises(NotationError, match="expected fold, check, call"):
        hm.value(spot, "rise")
    deaf = hm.bot(lambda view: hm.CALL)
    with pytest.raises(AgentError, match="action probabilities"):
        hm.value(spot, others=deaf, also=())
