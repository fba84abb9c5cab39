"""The oracle over dynamic selection: replays choose as the rule says, and as `dynamic` itself does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem import find_game, match
from holdmem.engine import PARTS
from holdmem.papers.findings import shares
from holdmem.papers.imitators_oracle import (
    AT_STAKE,
    OPPONENTS,
    RULES,
    OracleMatch,
    OracleStudy,
    orders_of_hands,
    play_members,
    replay,
    replayed,
    utilities_of,
)


def test_ucb1_over_fixed_rewards_chooses_as_computed_by_hand():
    """Members that always earn 1, 0 and 1/2. Each once; then mean + sqrt(2 ln n / n_j), the highest starred:

    n = 3   *2.482   1.482   1.982
    n = 4   *2.177   1.665   2.165
    n = 5    2.036   1.794  *2.294
    n = 6   *2.093   1.893   1.839
    n = 7   *1.986   1.973   1.895
    n = 8    1.912  *2.039   1.942
    """
    utilities = np.tile([1.0, 0.0, 0.5], (1, 9, 1))
    chosen = replay(utilities, "ucb1", 0.0, np.full((1, 9, 3), 0.5))
    assert chosen.tolist() == [[0, 1, 2, 0, 0, 2, 0, 0, 1]]


@given(st.integers(0, 1000), st.sampled_from(list(RULES.values())))
def test_a_replay_learns_nothing_of_those_it_did_not_choose(seed, how):
    rule, scaled = how
    rng = np.random.default_rng(seed)
    utilities, uniforms = rng.normal(0, 3, (4, 30, 5)), rng.random((4, 30, 5))
    scale = 10.0 if scaled else 0.0
    chosen = replay(utilities, rule, scale, uniforms)
    others = rng.normal(0, 100, utilities.shape)
    np.put_along_axis(others, chosen[..., None], np.take_along_axis(utilities, chosen[..., None], -1), -1)
    assert (replay(others, rule, scale, uniforms) == chosen).all()


DYNAMIC = {
    "dynamic": ("UCB1", "showdown DIVAT"),
    "dynamic:utility=money": ("UCB1", "money"),
    "dynamic:scale={scale}": ("UCB1, scaled to [0, 1]", "showdown DIVAT"),
    "dynamic:rule=thompson": ("Thompson sampling", "showdown DIVAT"),
}


@pytest.fixture(scope="module", params=["limit", "nolimit"])
def two_matches(request):
    """A game and what was replayed of two matches, hands as they were dealt."""
    game, opponent = request.param, OPPONENTS[request.param]
    return find_game(game), [replayed(OracleMatch(game, opponent, number, 60, 1, 3)) for number in range(2)]


@pytest.mark.parametrize("text", DYNAMIC)
def test_by_what_a_player_sees_the_first_replay_is_the_dynamic_player_itself(two_matches, text):
    game, found = two_matches
    rule, name = DYNAMIC[text]
    utility = list(utilities_of(game)).index(name)
    text = text.format(scale=AT_STAKE[game.limit])
    opponent = OPPONENTS["limit" if game.limit else "nolimit"]
    played = match(game, text, opponent, hands=60, matches=2, seed=3)
    chosen = np.sum([one["rules"][rule]["chosen"][utility] for one in found], axis=0)
    assert chosen.tolist() == list(played.counts()[0].values())
    won = [one["rules"][rule]["won"][utility][0] for one in found]
    assert won == [played.totals[number]["net"]["money"][0] for number in range(2)]


def test_each_member_alone_earns_what_it_does_in_a_match_with_all_cards_known(two_matches):
    game, found = two_matches
    expert, opponent = ("eqm", "eqm") if game.limit else ("eqm-nl", "simplebot")
    columns = ("money", "divat-showdown", "divat", "adjusted")[: len(utilities_of(game))]
    played = match(game, f"imitator:expert={expert}", opponent, hands=60, matches=2, seed=3, luck=columns[1:])
    for number, one in enumerate(found):
        net = played.totals[number]["net"]
        assert [alone[0] for alone in one["alone"]] == [net[column][0] for column in columns]


def test_hands_come_as_dealt_and_then_in_other_orders_that_repeat():
    asked = OracleMatch("limit", "always-call", 1, 40, 4, 5)
    orders = orders_of_hands(asked)
    assert orders[0].tolist() == list(range(40))
    assert (np.sort(orders, axis=1) == np.arange(40)).all()
    assert len({tuple(order) for order in orders.tolist()}) == 4
    assert (orders_of_hands(asked) == orders).all()
    fewer = OracleMatch("limit", "always-call", 1, 40, 2, 5)
    assert (orders_of_hands(fewer) == orders[:2]).all()


def test_a_member_has_in_a_longer_match_what_it_had_in_a_shorter_one():
    short, long = (play_members(OracleMatch("limit", "eqm", 2, hands, 1, 5)) for hands in (5, 20))
    assert (long[:, :, :5] == short).all()


def test_rates_and_gains_as_computed_by_hand():
    """Five matches of two hands, replayed twice. Member 2 wins a small bet a hand, the others nothing."""
    game = find_game("limit")
    bet = PARTS * game.unit[0]
    alone = [[0, 0, 2 * bet, 0, 0, 0]] * 4
    rules = {
        "UCB1": {"chosen": [[1, 0, 3, 0, 0, 0]] * 4, "won": [[3 * bet] * 2, [bet] * 2, *[[3 * bet] * 2] * 2]}
    }
    study = OracleStudy(game, "eqm", 2, 2, [{"alone": alone, "rules": rules}] * 5)
    assert study.all_hands == 10
    assert study.members[study.best] == "eqm-passive-max"
    assert study.alone(0, study.best).mean == pytest.approx(1)
    assert study.mixture().mean == pytest.approx(1 / 6)
    assert study.won("UCB1", 2).mean == pytest.approx(3 / 4)
    assert study.gain("UCB1", 2).mean == pytest.approx(3 / 4 - 1 / 6)
    assert study.over_seen("UCB1", 2).mean == pytest.approx(3 / 4 - 1 / 4)
    assert study.most().mean == pytest.approx(1 - 1 / 6)
    assert shares(study.chosen("UCB1", 2)).startswith("eqm-passive-max 75%, eqm-max 25%")
