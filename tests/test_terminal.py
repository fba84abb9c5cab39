"""The table in the terminal: what a person types, reads and gets back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdmem.agent import Actions, Views, play
from holdmem.arena.score import Score
from holdmem.cli import app
from holdmem.cli.terminal import pretty, read_action
from holdmem.core.errors import IllegalAction
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, PARTS, find_game


class Typist:
    """Answers every view by a text that a person might type, or calls where that is refused."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.asked = 0

    def act(self, views: Views) -> Actions:
        codes = []
        for view in views:
            try:
                codes.append(read_action(self.texts[self.asked % len(self.texts)], view))
            except IllegalAction:
                codes.append(CALL)
            self.asked += 1
        return Actions(codes)


TYPED = st.sampled_from(
    ["f", "c", "", "k", "r", "r pot", "r half", "r max", "r 300", "a", "r2500", "bet", "x", "r x"]
)


@given(st.lists(TYPED, min_size=1, max_size=12), st.sampled_from(["limit", "nolimit"]), st.integers(2, 6))
def test_whatever_is_typed_is_refused_or_legal(texts: list[str], name: str, seats: int) -> None:
    game = find_game(name, seats)
    where = hand_ids(3)
    decks = Streams.of(1, "cards").decks(where, game.deck_cards)
    hands = play(game, [Typist(texts) for _ in range(seats)], decks, where=where)
    assert (hands.parts.sum(axis=1) == 0).all()


def run(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, ["play", *arguments], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_agent_in_your_seat_plays_the_hands_asked_for() -> None:
    output = run("--auto", "random", "--hands", "4", "--seed", "1")
    assert len(re.findall(r"^hand \d", output, re.MULTILINE)) == 4
    assert "after 4 hands" in output


def test_a_seed_deals_the_same_again() -> None:
    twice = [run("always-raise", "--auto", "always-call", "--hands", "2", "--seed", "9") for _ in range(2)]
    assert twice[0] == twice[1]
    assert twice[0] != run("always-raise", "--auto", "always-call", "--hands", "2", "--seed", "10")


def test_typing_plays_and_mistakes_are_explained() -> None:
    output = run("always-call", "--hands", "1", "--seed", "4", typed="nonsense\nf\nr 7\n" + "c\n" * 12)
    assert "expected f, c, r" in output
    assert re.search(r"Result: [+-]?\d+ chips after 1 hand", output)


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_a_person_may_stand_up_at_any_time(typed: str) -> None:
    output = run("always-call", "--seed", "4", typed=typed)
    assert "You stand up." in output
    assert "Result: +0 chips after 0 hands" in output


def test_no_hidden_card_is_shown_before_the_showdown() -> None:
    output = run("always-raise", "--hands", "1", "--seed", "4", typed="q\n")
    own = re.findall(r"[2-9TJQKA][♣♦♥♠]", output)
    assert len(set(own)) == 2


def test_a_rate_needs_enough_hands_and_then_has_an_interval_and_a_unit() -> None:
    score = Score(find_game("limit"), [10 * PARTS, -10 * PARTS] * 14)
    assert "sb/h" not in str(score)
    score.results *= 2
    assert re.fullmatch(r"\+0 chips after 56 hands, \+0\.000 ± \d\.\d{3} sb/h \(95%\)", str(score))


def test_cards_that_nobody_showed_stay_unknown() -> None:
    assert "??" in pretty([-1])
    assert "A♠" in pretty([51])
