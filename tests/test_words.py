"""Situations in poker words: made hands against the evaluator, draws against the next card, betting against
the engine's replay."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdmem import Situation
from holdmem.agent.single_hand import SingleHand
from holdmem.agent.words import action_words, board_words, describe_situation, hole_words, made_words
from holdmem.agent.words.actions import actions_taken
from holdmem.agent.words.draws import draws_of
from holdmem.agent.words.english import counted, in_unit, joined, money, percent, plain, result, sentence
from holdmem.agent.words.situation import position_names
from holdmem.cards import cards
from holdmem.cards.evaluator import category, evaluate
from holdmem.cbr.features.hand_types import hand_type_name, hand_types, texture_name, textures
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import CALL, FOLD, find_game
from holdmem.history import Hands
from holdmem.history.steps import replay_hand
from holdmem.players.rule_based.words import among_best

DEALS = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).permutation(52)[:8].tolist())
CATEGORIES = (
    (r"a royal flush|a straight flush", "straight flush"), (r"four ", "four of a kind"),
    (r"a full house", "full house"), (r"an? \w+-high flush", "flush"), (r"a straight", "straight"),
    (r"a set of|trip |three ", "three of a kind"), (r"two pair", "two pair"), (r"no pair", "high card"),
    (r"a pair|pocket|an overpair|(top|second|third|fourth|bottom) pair", "pair"),
)  # fmt: skip
CARDS_OF_STREET = st.sampled_from((3, 4, 5))


def category_said(words: str) -> str:
    """The category that the words begin with."""
    return next(name for sign, name in CATEGORIES if re.match(sign, words))


@settings(max_examples=300)
@given(DEALS, CARDS_OF_STREET)
def test_made_hands_are_of_the_evaluators_category(deal: list[int], size: int) -> None:
    hole, board = deal[:2], deal[2 : 2 + size]
    named = category(int(evaluate([hole + board])[0]))
    assert category_said(made_words(hole, board)) == named.replace("one pair", "pair")


def test_every_category_is_met() -> None:
    """The law above is worth something only if random deals reach rare hands; these are the rarest."""
    for hole, board, said in (
        ("AhKh", "QhJhTh2c", "a royal flush"),
        ("2c3d", "9h8h7h6h5h", "a straight flush to the nine on the board"),
        ("7c7d", "7h7s2c", "four sevens"),
        ("KcKd", "7h7sKh", "a full house, kings full of sevens"),
        ("2c3d", "KhKs7c7dKd", "a full house, kings full of sevens, on the board"),
        ("Ah2h", "9h7h4h", "an ace-high flush with both hole cards"),
        ("Ah2c", "9h7h4h3h", "an ace-high flush with the ace of hearts"),
        ("Ac2d", "3h4s5c", "a straight to the five with both hole cards"),
        ("6c2d", "3h4s5c7d", "a straight to the seven with one hole card"),
    ):
        assert made_words(cards(hole), cards(board)) == said


WAYS = {
    "set": "a set of", "trips": "trip ", "board-trips": "on the board", "top-pair": "top pair",
    "over-pair": "an overpair", "two-overcards": "two overcards", "board-pair": "on the board",
    "board-two-pair": "on the board", "two-pair": "using both hole cards",
    "high-pair-and-board-pair": "on the board", "low-pair-and-board-pair": "on the board",
    "two-card-straight": "with both hole cards", "one-card-straight": "with one hole card",
    "two-card-flush": "with both hole cards", "board-straight": "on the board",
}  # fmt: skip


@settings(max_examples=300)
@given(DEALS, CARDS_OF_STREET)
def test_how_a_hand_is_made_agrees_with_the_hand_types(deal: list[int], size: int) -> None:
    hole, board = deal[:2], deal[2 : 2 + size]
    kind = hand_type_name(int(hand_types([hole], [board + [-1] * (5 - size)])[0])).partition("-with-")[0]
    assert WAYS.get(kind, "") in made_words(hole, board)


def completed(hole: list[int], board: list[int], names: tuple[str, ...]) -> set[int]:
    """Cards that give one of these categories, and a better hand than the board has with them."""
    found = set()
    for card in set(range(52)) - {*hole, *board}:
        strength = int(evaluate([[*hole, *board, card]])[0])
        alone = int(evaluate([[*board, card]])[0]) if len(board) == 4 else 0
        if category(strength) in names and strength > alone:
            found.add(card)
    return found


@settings(max_examples=300)
@given(DEALS, st.sampled_from((3, 4)))
def test_draws_are_what_the_next_card_completes(deal: list[int], size: int) -> None:
    hole, board = deal[:2], deal[2 : 2 + size]
    words, named = joined(draws_of(hole, board)), category(int(evaluate([hole + board])[0]))
    if named in ("flush", "full house", "four of a kind", "straight flush"):
        assert words == ""
        return
    flushes = {card % 4 for card in completed(hole, board, ("flush", "straight flush"))}
    own = {card % 4 for card in hole}
    assert ("flush draw" in words) == bool(flushes & own)
    if named != "straight":
        ranks = {card // 4 for card in completed(hole, board, ("straight",))}
        said = 1 if "gutshot" in words and "double" not in words else 0
        said = 2 if "open-ended" in words or "double" in words else said
        assert said == min(len(ranks), 2)


@settings(max_examples=300)
@given(DEALS, CARDS_OF_STREET)
def test_boards_agree_with_their_textures(deal: list[int], size: int) -> None:
    board = deal[:size]
    name, words = texture_name(int(textures([board + [-1] * (5 - size)])[0])), board_words(board)
    assert ("flush-possible" in name) == any(f"three {suit}" in words for suit in SUITS)
    assert ("flush-highly" in name) == any(
        f"{many} {suit}" in words for suit in SUITS for many in ("four", "five")
    )
    assert ("straight-possible" in name) == ("a straight is possible" in words.lower())
    assert ("straight-highly" in name) == (
        "four cards to a straight" in words or re.search(r"a straight[.,]|a straight and", words) is not None
    )
    of_ranks = [many for many in re.findall(r"(?:three|four) (\w+)", words) if many not in (*SUITS, "cards")]
    assert name.endswith("paired") == ("pair" in words or bool(of_ranks))


SUITS = ("clubs", "diamonds", "hearts", "spades")


@pytest.mark.parametrize(("name", "seats"), [("limit", 2), ("nolimit", 2), ("limit", 6), ("nolimit", 9)])
def test_actions_are_those_of_the_engines_replay(name: str, seats: int) -> None:
    game, rng = find_game(name, seats), np.random.default_rng(seats)
    verbs = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises"}
    verbs |= {"limp": "calls", "complete": "calls", "re-raise": "raises", "cap": "raises"}
    for number in range(40):
        hand, views = played_at_random(game, number, rng)
        steps = replay_hand(Hands.of(hand.finished(), [f"p{i}" for i in range(seats)])[0]).steps
        told = list(actions_taken(views[0]))
        assert [(one.street, one.seat, verbs[one.name]) for one in told] == [
            (step.street, step.seat, step.verb) for step in steps[: len(told)]
        ]
        assert [one.all_in for one in told] == [step.all_in for step in steps[: len(told)]]


def played_at_random(game, number, rng):
    """A finished hand of random actions, and the view of its last decision."""
    deck = Streams.of(5).decks(hand_ids(1, first_hand=number), game.deck_cards)[0]
    hand, views = SingleHand(game, deck, range(game.seats), number), None
    while not hand.over:
        views = hand.views()
        view = views[0]
        choices = [CALL, CALL] + [FOLD] * (view.to_call > 0)
        if view.max_raise_to:
            choices += [view.min_raise_to, int(rng.integers(view.min_raise_to, view.max_raise_to + 1))]
        hand.act(int(rng.choice(choices)))
    return hand, views


def test_a_situation_is_told_from_the_players_side() -> None:
    spot = Situation(hole="Ks9s", board="Kd9h4cJsTd", betting="rc/crc/crc/c").view
    assert describe_situation(spot) == (
        "River, on the button with K♠ 9♠ on K♦ 9♥ 4♣ J♠ T♦: two pair, kings and nines, using both hole cards."
        " The board has four cards to a straight. Before the flop, you raised and the opponent called."
        " On the flop, the opponent checked, you bet and the opponent called."
        " On the turn, the opponent checked, you bet and the opponent called."
        " On the river, the opponent checked. The pot is 100 and checking is free."
    )
    named = describe_situation(spot, ["you", "sartre-2"])
    assert named.startswith("River, sartre-2 on the button with K♠ 9♠")
    assert "sartre-2 raised and you called" in named


def test_price_and_stacks_in_no_limit() -> None:
    words = describe_situation(
        Situation(hole="AhAd", board="7h6cKd", betting="r300r900c/r1000", game="nolimit").view
    )
    assert "On the flop, the opponent bet 1,000." in words
    assert "It costs 1,000 to call for a pot of 2,800, so a call has to win 26% of the time." in words
    assert words.endswith("There are 181 big blinds left to bet.")
    facing = Situation(hole="AhAd", betting="r20000", game="nolimit").view
    assert action_words(facing, CALL) == "call 19,900 all-in"
    assert "the opponent raised to 20,000 all-in" in describe_situation(facing).lower()
    assert describe_situation(facing).endswith("The opponent is all-in.")


@pytest.mark.parametrize(
    ("seats", "betting", "said"),
    [
        (2, "cc/cc/", "Both players checked on the flop."),
        (3, "ccc/cc", "Both opponents checked on the flop."),  # the player to act is the third
        (3, "ccc/ccc/", "Everyone checked on the flop."),
        (4, "cccc/ccc", "Everyone else checked on the flop."),
        (2, "cc/cc/cc/", "Both players checked on the flop and on the turn."),
        (3, "ccc/ccc/crfc/", "Everyone checked on the flop. On the turn, "),
    ],
)
def test_checks_all_round_are_said_of_those_who_checked(seats: int, betting: str, said: str) -> None:
    board = "2c3d4h9sJd"[: 4 + 2 * betting.count("/")]
    spot = Situation(hole="AhQd", board=board, betting=betting, game=find_game("limit", seats))
    assert said in describe_situation(spot.view)


def test_opponents_are_named_where_the_player_to_act_is_somebody_else() -> None:
    spot = Situation(hole="AhQd", board="2c3d4h", betting="ccc/cc", game=find_game("limit", 3))
    words = describe_situation(spot.view, ["simplebot", "you", "dpp"])
    assert "You and simplebot checked on the flop." in words


def test_draws_follow_a_kicker_in_one_list() -> None:
    board = cards("3d3s7s")
    assert made_words(cards("4s5s"), board) == (
        "a pair of threes on the board, with a five in the hand, a flush draw and a gutshot"
    )
    assert made_words(cards("AsTs"), board).endswith("with an ace in the hand and the nut flush draw")


def test_many_players_are_told_together() -> None:
    game = find_game("limit", 9)
    words = describe_situation(Situation(hole="AhQd", betting="rccffff", game=game).view)
    assert "Under the gun raised, under the gun plus one and under the gun plus two called" in words
    assert "four players folded" in words
    limped = Situation(hole="AhQd", board="2c3d4h", betting="cccccffcc/r", game=game).view
    assert "Before the flop, five players limped in, the cutoff and the button folded" in describe_situation(
        limped
    )
    own = Situation(hole="AhQd", board="2c3d4h", betting="cccccffcc/rcccc", game=game).view
    assert "Before the flop, you and four other players limped in" in describe_situation(own)
    one_of_two = Situation(hole="AhQd", board="2c3d4h", betting="ccfffffcc/cc", game=game).view
    names = [f"agent-{seat}" for seat in range(9)]
    assert "Agent-2" not in describe_situation(one_of_two, names)
    assert "agent-2 and agent-3 limped in" in describe_situation(one_of_two, names)
    names[3] = "you"
    assert "you and agent-2 limped in" in describe_situation(one_of_two, names)


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_seat_has_a_position_of_its_own(seats: int) -> None:
    names = position_names(find_game("limit", seats))
    assert len(names) == len(set(names)) == seats
    assert names[-1] == "the button"


def test_starting_hands() -> None:
    said = [hole_words(cards(two)) for two in ("QhQd", "KhAh", "7c2d")]
    assert said == ["pocket queens", "ace-king suited", "seven-deuce offsuit"]


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.004, "its cards are among the very best starting hands"),
        (0.24, "its cards are among the best 24% of starting hands"),
        (0.95, "its cards are only among the best 95% of starting hands"),
        (0.999, "its cards are among the very worst starting hands"),
    ],
)
def test_strength_before_the_flop(share: float, said: str) -> None:
    assert among_best(share) == said


def test_numbers_read_as_english() -> None:
    assert [percent(share) for share in (0.0, 0.004, 0.043, 0.05, 0.62, 0.999, 1.0)] == [
        "0%", "less than 1%", "4.3%", "5%", "62%", "more than 99%", "100%",
    ]  # fmt: skip
    assert [plain(value) for value in (1.0, -0.04, -1.25, 1234.5)] == ["1", "0", "−1.2", "1,234.5"]
    assert [counted(count, "hand") for count in (0, 1, 3, 1279)] == [
        "no hands", "one hand", "three hands", "1,279 hands",
    ]  # fmt: skip
    assert [money(value, "small bet") for value in (1, 6.32)] == ["1 small bet", "6.3 small bets"]
    assert [result(value, "big blind") for value in (2, -0.5, 0.01)] == [
        "won 2 big blinds", "lost 0.5 big blinds", "broke even",
    ]  # fmt: skip
    assert [joined(parts) for parts in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert sentence("it calls") == "It calls."


@given(st.floats(0, 1), st.floats(0, 1))
def test_percentages_keep_their_order(one: float, other: float) -> None:
    def number(share: float) -> float:
        return float(percent(share).removeprefix("less than ").removeprefix("more than ").rstrip("%"))

    assert all(number(low) <= number(high) for low, high in pairwise(sorted((one, other))))


def test_big_blinds_in_the_unit_of_results() -> None:
    limit = replace(find_game("limit"), raise_sizes=(20, 20, 40, 40))
    assert (in_unit(3, limit), in_unit(3, find_game("nolimit"))) == (1.5, 3)
