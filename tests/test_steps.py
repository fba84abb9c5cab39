"""Actions in words: one narrator, which agrees with what the engine did."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import Actions, Streams, find_game, make_agent
from holdmem.agent.single_hand import SingleHand
from holdmem.core.errors import AgentError, BadDecision, IllegalAction
from holdmem.engine import CALL, FOLD, Game
from holdmem.engine.describe import describe_action, third_person
from holdmem.engine.steps import replay_steps
from random_games import games
from random_play import choose, decks


@given(games(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_words_before_an_action_are_those_after_it(game: Game, seed: int) -> None:
    """A view, the hand in play and a replay of its actions agree, and steps pay what the engine was paid."""
    rng = np.random.default_rng(seed)
    hand, said = SingleHand(game, decks(rng, game, 1)[0].astype(np.int8), range(game.seats), 0), []
    posted = hand.row["paid"].copy()
    while not hand.over:
        view = hand.views()[0]
        assert view.steps == hand.steps
        assert "check or call" not in str(view)
        code = choose(rng, view.to_call, view.min_raise_to, view.max_raise_to)
        said.append(view.describe(code))
        hand.act(code)
    steps = hand.steps
    assert [step.describe() for step in steps] == said
    assert [(step.street, step.seat, step.action) for step in steps] == hand.history
    for seat in range(game.seats):
        assert posted[seat] + sum(step.paid for step in steps if step.seat == seat) == hand.row["paid"][seat]


def test_actions_are_told_in_the_words_of_the_table() -> None:
    codes = [CALL, CALL, 10, 20, CALL, CALL, 20, FOLD]
    told = [third_person(step.describe()) for step in replay_steps(find_game("limit"), (10**9,) * 2, codes)]
    assert told == ["calls 5", "checks", "bets 10", "raises to 20", "calls 10", "checks", "bets 20", "folds"]


def test_an_all_in_is_said() -> None:
    steps = replay_steps(find_game("nolimit"), (300, 250), [250, CALL])
    assert [step.describe() for step in steps] == ["raise to 250 all-in", "call 150"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (describe_action(CALL), "check or call"),
        (describe_action(CALL, 0), "check"),
        (describe_action(CALL, 40), "call 40"),
        (describe_action(60), "raise to 60"),
        (describe_action(60, 0, 0), "bet 60"),
        (describe_action(60, 20, 20, amount="${}".format), "raise to $60"),
        (describe_action(FOLD, 20, 20), "fold"),
    ],
)
def test_only_an_unknown_situation_leaves_the_verb_open(words: str, told: str) -> None:
    assert words == told


class Fails:
    """A seat that answers with what it is given, or raises it, and cannot watch."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act(self, views: object) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def watch(self, hands: object) -> None:
        raise ValueError("cannot watch")


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (ValueError("no idea"), BadDecision, "odd: raised ValueError"),
        (Actions([CALL, CALL]), BadDecision, "odd: expected Actions, one for each of 1 views, got 2 actions"),
        (
            Actions([7]),
            IllegalAction,
            "odd: seat 1: expected fold or .*, got raise to 7; at preflop",
        ),
    ],
)
def test_whoever_plays_a_single_hand_badly_is_named(answer: object, error: type, words: str) -> None:
    game = find_game("limit")
    hand = SingleHand(game, np.arange(game.deck_cards, dtype=np.int8), (0, 1), 0)
    with pytest.raises(error, match=words):
        hand.let_act(Fails(answer), "odd")  # type: ignore[arg-type]
    assert hand.acted == 0


def test_finished_hands_are_shown_to_those_who_watch_and_failing_is_named() -> None:
    game = find_game("limit")
    hand = SingleHand(game, np.arange(game.deck_cards, dtype=np.int8), (0, 1), 0)
    while not hand.over:
        hand.let_act(make_agent("always-call").sit(game, 1, Streams.of(1)), "calls")
    seen = []
    watcher = type("Watcher", (Fails,), {"watch": lambda self, hands: seen.append(hands)})(None)
    blind = make_agent("always-call").sit(game, 1, Streams.of(1))
    hand.show_to_all([(0, watcher, "one"), (1, blind, "other")])
    assert [hands.player for hands in seen] == [0]
    with pytest.raises(AgentError, match=r"odd: raised ValueError.* when it watched hand 0 of match 0"):
        hand.show_to_all([(0, watcher, "one"), (1, Fails(None), "odd")])  # type: ignore[list-item]
