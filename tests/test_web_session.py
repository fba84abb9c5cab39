"""The web table without a network: hands, secrets, duplicate deals, scores, reasons."""

import json
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem.agent.single_hand import SingleHand
from holdmem.agent.words import card_words
from holdmem.arena.score import FEWEST_HANDS, Score
from holdmem.cards import evaluate, names
from holdmem.core.errors import AgentError, IllegalAction
from holdmem.core.random import LEAST_SECRET, Streams
from holdmem.engine import CALL, FOLD, find_game
from holdmem.engine.state import PARTS
from holdmem.history import HandsBuilder, replay_results
from holdmem.web import session
from holdmem.web.bankroll import band, bankroll, points
from holdmem.web.dealing import PERSON, DuplicateDealer
from holdmem.web.reasons import Decision, difference, would_do
from holdmem.web.session import HumanTable, OpponentFailed, TableSettings
from holdmem.web.watch import WatchedTable

TABLES = [
    ("limit", ("always-call",)),
    ("nolimit", ("random",)),
    ("nolimit", ("random", "always-call")),
    ("limit", ("random", "always-raise", "always-call", "random", "random")),
]


def sitting(game="limit", opponents=("always-call",), seed=1, duplicate=False, adviser="always-call"):
    return HumanTable(
        TableSettings(find_game(game, len(opponents) + 1), tuple(opponents), adviser, duplicate, seed=seed)
    )


def some_action(turn, rng):
    """Anything legal."""
    choices = [CALL, CALL]
    choices += [FOLD] if turn["to_call"] else []
    choices += [rng.randint(turn["min_raise_to"], turn["max_raise_to"])] if turn["max_raise_to"] else []
    return rng.choice(choices)


def play_hand(table, rng):
    """One hand to its end; every message of it."""
    told = table.deal()
    while not told[-1]["over"]:
        told += table.act(told[-1]["hand"], some_action(told[-1]["turn"], rng))
    return told


@pytest.mark.parametrize(("game", "opponents"), TABLES)
def test_nothing_that_is_told_before_the_end_has_a_card_that_the_person_cannot_see(game, opponents):
    table, rng = sitting(game, opponents, seed=4), random.Random(1)
    for _ in range(15):
        told = play_hand(table, rng)
        final = told[-1]
        hidden = {card for seat in final["seats"] if not seat["you"] for card in seat["cards"]}
        for message in told[:-1]:
            text = json.dumps(message)
            later = set(final["board"][len(message["board"]) :])
            assert not [card for card in hidden | later if f'"{card}"' in text]
            assert all(seat["cards"] is None or seat["you"] for seat in message["seats"])
            assert not message["over"]


@pytest.mark.parametrize(("game", "opponents"), TABLES)
def test_chips_are_conserved_and_the_score_is_the_sum_of_the_hands(game, opponents):
    table, rng, total = sitting(game, opponents), random.Random(2), 0.0
    for number in range(20):
        final = play_hand(table, rng)[-1]
        nets = [Fraction(seat["net"]).limit_denominator(PARTS) for seat in final["seats"]]
        assert sum(nets) == 0
        total += next(seat["net"] for seat in final["seats"] if seat["you"])
        assert final["score"]["hands"] == number + 1
        assert final["score"]["total"] == pytest.approx(total)
        assert Counter(seat["button"] for seat in final["seats"])[True] == 1


def test_the_same_seed_and_decisions_give_the_same_messages():
    both = []
    for _ in range(2):
        table, rng = sitting("nolimit", ("random", "random"), seed=8), random.Random(3)
        both.append([play_hand(table, rng) for _ in range(5)])
    assert both[0] == both[1]
    assert both[0] != [play_hand(sitting("nolimit", ("random", "random"), seed=9), random.Random(3))] * 5


def test_cards_come_from_secret_bits_unless_a_seed_is_given():
    drawn = [sitting(seed=None).order.seed for _ in range(2)]
    assert drawn[0] != drawn[1]
    assert min(drawn) >= LEAST_SECRET  # from there on, streams have keys as wide
    assert sitting(seed=5).order.seed == 5


def test_what_is_not_legal_changes_nothing():
    table = sitting("nolimit", ("always-call",))
    with pytest.raises(IllegalAction, match="your turn"):
        table.ask()
    state = table.deal()[-1]
    for hand, code, words in (
        (state["hand"] + 1, CALL, "for hand 1"),
        (state["hand"], 7, "expected"),
        (0, 10**9, "up to"),
    ):
        with pytest.raises(IllegalAction, match=words):
            table.act(hand, code)
        assert table.state() == state
    with pytest.raises(IllegalAction, match="finish this hand"):
        table.deal()
    assert table.state() == state


def test_a_table_needs_as_many_opponents_as_seats():
    with pytest.raises(AgentError, match="expected 2 opponents"):
        HumanTable(TableSettings(find_game("limit", 3), ("random",), "random"))


def test_the_record_of_a_hand_plays_again_to_the_same_result():
    table, rng, builder = (
        sitting("nolimit", ("random", "random", "always-call"), seed=5),
        random.Random(4),
        HandsBuilder(),
    )
    for _ in range(30):
        play_hand(table, rng)
        builder.add(table.last.record)
    hands = builder.take()
    found = replay_results(hands)
    assert found.settled.all()
    assert (found.net == hands.rows["net"]).all()


# Duplicate


@given(st.integers(0, 2**32), st.integers(2, 6))
@settings(max_examples=20, deadline=None)
def test_a_hand_that_comes_back_is_the_same_from_the_other_side(seed, seats):
    game = find_game("nolimit", seats)
    dealer = DuplicateDealer(game, Streams.of(seed), duplicate=True)
    deals = [dealer.deal(number) for number in range(60)]
    again = [deal for deal in deals if deal.again is not None]
    assert again
    for deal in again:
        first = deals[deal.again]
        assert first.again is None
        opponent = first.lineup[deal.lineup.index(PERSON)]
        assert opponent != PERSON
        assert deal.lineup[first.lineup.index(PERSON)] == opponent
        strengths = [values(game, one.deck) for one in (first, deal)]
        assert strengths[0] == strengths[1]
    assert len({deal.again for deal in again}) == len(again)


def values(game, deck):
    """The strength of every seat's hand on the flop, the turn and the river."""
    board = deck[2 * game.seats :]
    return [
        int(evaluate([[*deck[2 * seat : 2 * seat + 2], *board[:length]]])[0])
        for seat in range(game.seats)
        for length in (3, 4, 5)
    ]


def test_with_a_deterministic_opponent_and_person_luck_cancels_out():
    table = sitting("limit", ("always-call",), seed=6, duplicate=True)
    for _ in range(80):
        state = table.deal()[-1]
        while not state["over"]:
            state = table.act(state["hand"], CALL)[-1]
    assert len(table.score.pairs) > 20
    assert set(table.score.pairs) == {0}
    assert len(set(table.score.results)) > 2


def test_no_rate_is_told_before_there_is_an_interval():
    score = Score(find_game("limit"))
    assert score.plain()["rate"] is None
    for number in range(FEWEST_HANDS):
        assert number == 0 or score.plain()["rate"]["ci95"] is None
        score.add(PARTS * 10 * (-1) ** number)
    low, high = score.plain()["rate"]["ci95"]
    assert low < 0 < high
    assert score.plain()["rate"]["unit"] == "sb/h"


# Reasons


def test_reasons_are_told_for_every_decision_of_an_agent_and_every_one_of_the_person():
    table, rng = sitting("limit", ("always-call", "random"), seed=2, adviser="always-raise"), random.Random(5)
    for _ in range(10):
        final = play_hand(table, rng)[-1]
        told = table.last.plain()
        mine = [entry for entry in final["log"] if entry["player"] == PERSON]
        assert len(told["advice"]) == len(mine)
        assert len(told["decisions"]) == len(final["log"]) - len(mine)
        for decision in told["decisions"] + told["advice"]:
            assert sum(one["probability"] for one in decision["actions"]) == pytest.approx(1, abs=1e-5)
        json.dumps(told, allow_nan=False)
    assert len(table.summary()["differences"]) == 5


def test_a_difference_is_the_probability_that_lies_elsewhere():
    probabilities = [
        {"action": FOLD, "probability": 0.25},
        {"action": 40, "probability": 0.5},
        {"action": 80, "probability": 0.25},
    ]
    advice = Decision(0, "flop", 10, 60, 40, "", "", [], probabilities, "", [], [])
    assert difference(advice, FOLD) == 0.75
    assert difference(advice, CALL) == 1.0
    assert difference(advice, 60) == 0.25


def test_the_largest_differences_are_those_in_the_largest_pots_the_latest_first():
    """With an adviser that always does one thing, every difference is of the whole probability."""
    table, rng = sitting("nolimit", ("always-call",), seed=4, adviser="always-raise"), random.Random(9)
    every = []
    for _ in range(20):
        play_hand(table, rng)
        told = table.last.plain()["advice"]
        every += [
            (one["pot"], table.hand.number, place) for place, one in enumerate(told) if one["difference"]
        ]
    summary = table.summary()
    assert summary["differing"] == len(every) > 5
    assert summary["decisions"] >= len(every)
    largest = [(one["pot"], one["hand"], one["place"]) for one in summary["differences"]]
    assert largest == sorted(every, reverse=True)[:5]


def test_advice_is_the_same_whatever_the_others_hold():
    game = find_game("limit")
    deck = np.arange(9, dtype=np.int8)
    other = np.array([0, 1, 30, 31, 4, 5, 6, 7, 8], dtype=np.int8)
    texts = []
    for cards in (deck, other):
        table = sitting("limit", ("always-call",), adviser="always-raise")
        table.hand = SingleHand(game, cards, (1, 0) if cards is None else (0, 1), 0)
        table.hand.act(CALL)
        texts.append(json.dumps(table.ask(), ensure_ascii=False))
    assert texts[0] == texts[1]
    assert card_words([0]) in texts[0]


@pytest.mark.parametrize(
    "name", ["casper", "dynamic", "ensemble", "eqm", "imitator", "plicas", "poki", "sartre-2", "simplebot"]
)
def test_advice_is_the_most_probable_action_of_the_policy(name):
    """It is taken from the explanation, whose probabilities are those of the policy."""
    table, rng = sitting("limit", ("always-call",), adviser=name), random.Random(8)
    for _ in range(6):
        state = table.deal()[-1]
        while not state["over"]:
            policy = table.adviser.policy(table.hand.views())
            told = dict.fromkeys(policy.codes[0].tolist(), 0.0)
            for code, share in zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True):
                told[code] += share
            advice = table.ask()
            said = {one["action"]: one["probability"] for one in advice["actions"] if one["probability"]}
            assert said == pytest.approx({code: share for code, share in told.items() if share}, abs=1e-6)
            assert told[advice["action"]] == max(told.values())
            state = table.act(state["hand"], some_action(state["turn"], rng))[-1]


def test_a_decision_of_the_adviser_is_computed_once(monkeypatch):
    table, asked = sitting("limit", ("always-call",), adviser="sartre-2"), []
    monkeypatch.setattr(
        session, "would_do", lambda seat, views, *who: asked.append(views) or would_do(seat, views, *who)
    )
    state = table.deal()[-1]
    assert table.ask() == table.ask()
    table.act(state["hand"], CALL)
    assert len(asked) == 1
    table.ask()
    assert len(asked) == 2


def test_an_opponent_that_fails_is_named_without_its_cards(caplog):
    table = sitting("limit", ("always-call", "always-raise"))
    table.seats[2] = None
    with pytest.raises(OpponentFailed, match="always-raise failed; the server's log says why") as failed:
        [table.act(state["hand"], CALL) for state in table.deal()[-1:]]
    cards = names(table.hand.row["hole"][table.hand.lineup.index(2)].tolist())
    assert cards not in str(failed.value)
    assert "raised AttributeError" in caplog.text
    assert f"with {cards}" in caplog.text


# Watching


def test_a_spectacle_moves_on_by_actions_and_by_hands():
    show = WatchedTable(find_game("nolimit", 3), ("random", "always-call", "random"), seed=3)
    first = show.state()
    assert all(len(seat["cards"]) == 2 for seat in first["seats"])
    while not show.step()["over"]:
        pass
    assert show.state()["scores"][0]["hands"] == 1
    later = show.step(hands=20)
    assert later["scores"][0]["hands"] == 21
    assert sum(score["total"] for score in later["scores"]) == pytest.approx(0)
    assert len(later["bankrolls"][0]) == 22
    with pytest.raises(AgentError, match="expected 3 agents"):
        WatchedTable(find_game("nolimit", 3), ("random",))


def test_hands_played_at_once_are_those_played_step_by_step():
    slow, quick = (WatchedTable(find_game("limit"), ("random", "random"), seed=7) for _ in range(2))
    while slow.state()["scores"][0]["hands"] < 6:
        slow.step()
    quick.step(hands=5)
    assert slow.state()["bankrolls"] == quick.state()["bankrolls"]


@given(st.lists(st.integers(-400, 400), min_size=0, max_size=900))
@settings(max_examples=30, deadline=None)
def test_the_band_of_a_bankroll_is_the_rates_interval_times_the_hands(chips):
    score = Score(find_game("limit"), [amount * PARTS for amount in chips])
    drawn, around = bankroll(score.results), band(score.results)
    assert len(drawn) == len(around) == len(points(len(chips)))
    assert drawn[-1] == pytest.approx(sum(chips))
    for hands, total, ends in zip(points(len(chips)).tolist(), drawn, around, strict=True):
        rate = Score(score.game, score.results[:hands]).rate
        if hands < 30:
            assert ends is None
        else:
            factor = hands * score.game.unit[0]
            assert ends == pytest.approx([rate.low * factor, rate.high * factor], abs=1e-6)
            assert ends[0] <= total <= ends[1]
