"""Matches and sit-and-gos at the web table: chips are conserved, and a restart changes nothing."""

import random

import pytest

from holdmem.core.errors import GameError, IllegalAction, NotationError
from holdmem.engine import CALL
from holdmem.web.messages import Sit
from holdmem.web.offers import Lobby, table_game
from holdmem.web.saved_session import as_plain, hand_as_plain, restored
from holdmem.web.session import HumanTable, TableSettings

OFFER = Lobby(("always-call",), "always-raise")


def tournament(format="sit-and-go", opponents=("always-call", "always-all-in", "random"), seed=5, depth=10):
    game = table_game("nolimit", len(opponents) + 1, None, depth, format, OFFER)
    return HumanTable(TableSettings(game, opponents, "always-call", seed=seed, format=format, name="x"))


def play_hand(table, choose=lambda turn: CALL):
    told = table.deal()
    while not table.hand.over:
        told = table.act(table.hand.number, choose(told[-1]["turn"]))
    return told[-1]


@pytest.mark.parametrize("seed", range(6))
def test_chips_are_conserved_until_the_person_is_out_or_alone(seed):
    table, chips = tournament(seed=seed), 4 * 1000
    draw = random.Random(seed)
    for number in range(300):
        state = play_hand(table, lambda turn: CALL if draw.random() < 0.7 else turn["max_raise_to"] or CALL)
        said = state["table"]["tournament"]
        assert sum(said["stacks"]) == chips
        assert said["level"] == number // 10
        assert state["big_blind"] == 100 * 2 ** (number // 10)
        assert {seat["player"] for seat in state["seats"]} >= {0}
        assert [player for player, stack in enumerate(said["stacks"]) if not stack] == sorted(said["out"])
        if said["over"]:
            break
    assert said["over"]
    assert said["place"] == (1 if said["stacks"][0] else 4 - said["out"].index(0))
    with pytest.raises(IllegalAction, match="over"):
        table.deal()


def test_a_match_keeps_its_blinds_and_ends_with_all_chips_at_one_place():
    table = tournament("match", ("always-all-in",))
    while not table.carried.over:
        assert play_hand(table)["big_blind"] == 100
    assert sorted(table.carried.stacks) == [0, 2000]


@pytest.mark.parametrize("hands", [0, 1, 7, 12])
def test_a_restart_in_mid_hand_and_after_a_hand_changes_nothing(hands):
    first, second = tournament(depth=50, opponents=("always-call",) * 3), None
    for _ in range(hands):
        play_hand(first)
    for mid in (True, False):
        if mid:
            first.deal()
        else:
            while not first.hand.over:
                first.act(first.hand.number, CALL)
        second = restored(as_plain(first), hand_as_plain(first), OFFER)
        assert second.state() == first.state()
        assert second.summary() == first.summary()
    assert play_hand(second) == play_hand(first)


def test_damaged_stacks_are_refused():
    table = tournament()
    table.deal()
    state, hand = as_plain(table), hand_as_plain(table)
    for damage in ({"stacks": [1, 2, 3, 4]}, {"stacks": [4000, 0, 0, 0]}, {"button": 9}, {"out": [2]}):
        broken = {**hand, "carried": {**hand["carried"], **damage}}
        with pytest.raises(NotationError):
            restored(state, broken, OFFER)


def test_whoever_is_offered_can_play_the_whole_format():
    for name, seats in (("limit", 2), ("nolimit", 2), ("nolimit", 4)):
        for format in ("match", "sit-and-go") if seats == 2 else ("sit-and-go",):
            game = table_game(name, seats, None, None, format, OFFER)
            able = OFFER.able_at(game, None, format)
            assert "simplebot" in able
            assert "eqm-nl" not in able  # solved for 200 big blinds
            wish = Sit(type="sit", opponents=able[:9], format=format)
            OFFER.expect_carried(game, able, wish)
            with pytest.raises(GameError):
                OFFER.expect_carried(game, able, wish.model_copy(update={"duplicate": True}))


def test_statistics_count_what_opponents_did():
    table = HumanTable(
        TableSettings(
            table_game("limit", 3, None, None, "cash", OFFER), ("always-call", "always-raise"), "random"
        )
    )
    assert [one["hands"] for one in table.summary()["statistics"]] == [0, 0, 0]
    for _ in range(12):
        play_hand(table)
    _, caller, raiser = table.summary()["statistics"]
    assert caller["hands"] == raiser["hands"] == 12
    assert caller["pfr"] == 0
    assert raiser["pfr"] > 0.5
    assert caller["aggression"] == 0
