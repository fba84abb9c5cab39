"""Players that model their opponents: what they make of what they have seen, and what they do with it."""

from dataclasses import dataclass

import numpy as np
import pytest

from holdmem import find_game, make_agent
from holdmem.agent import Actions, Views, legal_policy, play
from holdmem.cards import cards, hole
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, Batch
from holdmem.players.simulation.mctsbot import MCTSBot
from holdmem.players.simulation.poki import Poki, soft, to_pay_later
from holdmem.strength import e_hs, ihs
from situations import looks

LIMIT, NO_LIMIT = find_game("limit"), find_game("nolimit")
FLOP_BET = [CALL, CALL, 10]


@dataclass(frozen=True)
class Bluffer:
    """Bets and raises four times in five, whatever it has."""

    rng: Streams

    def act(self, views: Views) -> Actions:
        return legal_policy(views, (0.02, 0.18, 0.8)).draw(views.uniforms(self.rng))


class Rock:
    """Plays few hands, raises only the best, and gives up otherwise."""

    def act(self, views: Views) -> Actions:
        strength = np.empty(len(views))
        before = views.street == 0
        strength[before], strength[~before] = e_hs(views[before]), ihs(views[~before])
        strong = strength > np.where(before, 0.62, 0.9)
        playable = strength > np.where(before, 0.5, 0.75)
        return legal_policy(views, np.column_stack([~playable, playable & ~strong, strong])).draw(
            np.zeros(len(views))
        )


class Caller:
    """Calls, so that the other one is seen on every street."""

    def act(self, views: Views) -> Actions:
        return Actions(np.full(len(views), CALL))


def after_watching(agent, opponent, hands, partner=Caller()):  # noqa: B008
    """A seat of the agent that has seen so many hands of this opponent against a partner."""
    seat = agent.sit(LIMIT, 1, Streams.of(1))
    decks = Streams.of(2, "cards").decks(hand_ids(hands), LIMIT.deck_cards)
    seen = play(LIMIT, [partner, opponent], decks, where=hand_ids(hands), tables=np.zeros(hands, np.int64))
    seat.watch(seen.seen_by(0))
    return seat


def view_of(own, board, actions, game=LIMIT):
    """The decision of seat 0 after these actions."""
    rest = [card for card in range(52) if card not in [*hole(own), *cards(board)]]
    full = [*cards(board), *rest[2:]][:5]
    batch = Batch(game, [[*hole(own), *rest[:2], *full]])
    for action in actions:
        batch.act(np.array([0]), np.array([action]))
    return looks(batch)


def test_poki_calls_a_bluffer_and_believes_a_rock():
    bet = view_of("9h8h", "Kh9d2s", [CALL, CALL, CALL, 10])
    stranger = Poki().sit(LIMIT, 1, Streams.of(1)).outlook(bet)["ahead"][0]
    bluffed = after_watching(Poki(), Bluffer(Streams.of(3)), 200).outlook(bet)["ahead"][0]
    told = after_watching(Poki(), Rock(), 200).outlook(bet)["ahead"][0]
    assert told < stranger - 0.05 < stranger + 0.05 < bluffed


def test_poki_learns_whom_a_bluff_drives_out():
    check = view_of("7h6c", "KhQdTs", [CALL, CALL])
    bluffer = Bluffer(Streams.of(3))
    stranger = Poki().sit(LIMIT, 1, Streams.of(1))
    after_rock = after_watching(Poki(), Rock(), 400, bluffer)
    after_caller = after_watching(Poki(), Caller(), 100, bluffer)
    seats = after_caller, stranger, after_rock
    called, unknown, folded = (seat.outlook(check)["giving_up"][0] for seat in seats)
    assert called < unknown - 0.1 < unknown + 0.1 < folded
    assert after_caller.policy(check).probabilities[0, 2] < 0.1
    assert after_rock.policy(check).probabilities[0, 2] > 0.9


def test_poki_steals_from_those_who_give_up_their_blinds():
    seven_two = view_of("7h2c", "KhQdTs", [])
    stranger = Poki().sit(LIMIT, 1, Streams.of(1))
    robbed = after_watching(Poki(), Rock(), 200, Bluffer(Streams.of(3)))
    defended = after_watching(Poki(), Caller(), 200, Bluffer(Streams.of(3)))
    raises = [seat.policy(seven_two).probabilities[0, 2] for seat in (stranger, robbed, defended)]
    assert raises == [0, 1, 0]
    raised = view_of("7h2c", "KhQdTs", [20])
    assert robbed.policy(raised).probabilities[0, 2] == 0


def test_poki_may_be_told_not_to_learn():
    agent = make_agent("poki:learns=off")
    bet = view_of("9h8h", "Kh9d2s", [CALL, CALL, CALL, 10])
    seat = after_watching(agent, Rock(), 50)
    fresh = agent.sit(LIMIT, 1, Streams.of(1))
    assert seat.outlook(bet).tolist() == fresh.outlook(bet).tolist()


def test_poki_raises_the_nuts_and_gives_up_nothing_against_a_raise():
    seat = Poki().sit(LIMIT, 1, Streams.of(1))
    line = [CALL, CALL, CALL, CALL, CALL, CALL, 20, 40]
    nuts, nothing = view_of("AhQh", "KhJhTh2c3d", line), view_of("7c4d", "KhJhTh2c3s", line)
    assert seat.policy(nuts).probabilities[0, 2] == 1
    assert seat.policy(nothing).probabilities[0, 0] == 1


def test_what_is_to_pay_later_is_one_bet_a_street():
    streets = [view_of("AhQh", "KhJhTh2c3d", [CALL] * 2 * street) for street in range(4)]
    assert [to_pay_later(view)[0] for view in streets] == [50, 40, 20, 0]
    assert to_pay_later(view_of("AhQh", "KhJhTh2c3d", [CALL] * 6, NO_LIMIT))[0] == 0


def test_soft_borders():
    assert soft(np.array([0.1, 0.5, 0.9]), 0.5).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("name", ["simbot", "alistairbot", "mctsbot"])
def test_simulations_give_up_nothing_and_keep_the_best(name):
    seat = make_agent(name).sit(LIMIT, 1, Streams.of(1))
    line = [CALL, CALL, CALL, CALL, CALL, CALL, 20, 40]
    nuts, nothing = view_of("AhQh", "KhJhTh2c3d", line), view_of("7c4d", "KhJhTh2c3s", line)
    assert seat.act(nuts).codes[0] == 60
    # MCTSBot's opponents fold whatever they hold, so that a bluff may pay; a call with nothing never does.
    assert seat.act(nothing).codes[0] in ((FOLD, 60) if name == "mctsbot" else (FOLD,))


@pytest.mark.parametrize(
    "name", ["poki", "simbot:rollouts=9", "alistairbot:samples=9", "mctsbot:iterations=40"]
)
@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT], ids=["limit", "no-limit"])
def test_explanations_rest_on_grounds(name, game):
    seat = make_agent(name).sit(game, 1, Streams.of(1))
    views = view_of("9h8h", "Kh9d2s", [CALL, CALL, CALL, game.big_blind], game)
    found = seat.explain(views[0])
    assert found.reasons
    assert sum(chance for _, chance in found.probabilities) == pytest.approx(1)
    if name != "poki":
        assert found.probabilities[0][0] == seat.act(views).codes[0]
        assert {action.code for action in found.actions} >= {FOLD, CALL}
        assert {detail.what for detail in found.details} >= {"fold", "check or call"}


def test_a_search_makes_as_many_visits_as_it_was_told():
    views = view_of("9h8h", "Kh9d2s", [CALL, CALL, CALL, 100], NO_LIMIT)
    found = MCTSBot(iterations=300).sit(NO_LIMIT, 1, Streams.of(1)).search(views)
    assert found.visits.sum() == 300
    assert found.means[0, 0] == 0  # a fold
    assert sorted(found.actions[0, 2:]) == found.actions[0, 2:].tolist()
    assert views.min_raise_to[0] <= found.actions[0, 2] < found.actions[0, 4] <= views.max_raise_to[0]
    tried_evenly = MCTSBot(iterations=20).sit(NO_LIMIT, 1, Streams.of(1)).search(views)
    assert tried_evenly.visits.tolist() == [[4] * 5]


def test_a_search_may_be_given_time_instead():
    views = view_of("9h8h", "Kh9d2s", [CALL, CALL, CALL, 100], NO_LIMIT)
    found = MCTSBot(ms=1).sit(NO_LIMIT, 1, Streams.of(1)).search(views)
    assert found.visits.sum() % 50 == 0
    assert found.visits.sum() > 0


@pytest.mark.parametrize(
    "text", ["mctsbot:iterations=0", "mctsbot:ms=-1", "simbot:rollouts=0", "alistairbot:samples=-2"]
)
def test_a_budget_of_nothing_is_refused(text):
    with pytest.raises(AgentError, match="expected"):
        make_agent(text).sit(LIMIT, 1, Streams.of(1))
