"""Features in poker words: what is compared, and in what remembered decisions differ from the present one.

A feature that is not listed here is called by its own name with spaces, and its values by their own words.
"""

from collections.abc import Callable
from typing import NamedTuple

from holdmem.agent.words.cards import RANK_LETTERS, RANK_NAMES, plural
from holdmem.agent.words.english import joined, percent, plain
from holdmem.cbr.features.bet_sizes import sized_letters_of
from holdmem.cbr.features.betting import letters_of
from holdmem.cbr.features.feature import Feature
from holdmem.cbr.features.hand_types import hand_type_name, texture_name

Words = Callable[[float, float], str]
"""Function of the present value and the remembered one that says how the remembered decisions differ."""


class FeatureWords(NamedTuple):
    """What a feature compares, and how a difference in it is put."""

    label: str
    differs: Words


def _than(more: str, less: str) -> Words:
    return lambda now, then: more if then > now else less


def _was(subject: str, words: Callable[[float], str]) -> Words:
    return lambda now, then: f"{subject} was {words(then)}"


def class_words(name: str) -> str:
    """Return a class of starting hands in words: "pocket queens" for QQ, "ace-king suited" for AKs."""
    high, low = RANK_LETTERS.index(name[0]), RANK_LETTERS.index(name[1])
    if high == low:
        return f"pocket {plural(high)}"
    return f"{RANK_NAMES[high]}-{RANK_NAMES[low]} {'suited' if name.endswith('s') else 'offsuit'}"


def hand_type_words(value: float) -> str:
    """Return a hand type in words: "top pair with a flush draw"."""
    name = hand_type_name(value).replace("over-pair", "overpair")
    made, draw, what = name.partition("-with-")
    made = made.replace("one-card-", "one-card ").replace("two-card-", "two-card ").replace("-", " ")
    return f"{made} with a {what.replace('-', ' ')}" if draw else made


def texture_words(value: float) -> str:
    """Return a board texture in words: "with a likely straight and a pair"."""
    name = texture_name(value)
    if name == "no-salient":
        return "without a possible flush or straight or a pair"
    flush, straight = ("flush-possible" in name, "straight-possible" in name)
    said = ["a flush possible with one card"] * ("flush-highly" in name) + ["a possible flush"] * flush
    said += ["a straight possible with one card"] * ("straight-highly" in name)
    said += ["a possible straight"] * straight + ["a pair"] * name.endswith("paired")
    return f"with {joined(said)}"


def _raises(letters: str) -> int:
    return sum(letter not in "fc-…" for letter in letters)


def _betting(decode: Callable[[float], str], same: str) -> Words:
    def differs(now: float, then: float) -> str:
        more = _raises(decode(then)) - _raises(decode(now))
        if not more or "…" in decode(then) + decode(now):
            return same
        often = {1: "once", 2: "twice"}.get(abs(more), f"{abs(more)} times")
        return f"the pot had been raised {often} {'more' if more > 0 else 'less'}"

    return differs


def _number(subject: str) -> Words:
    return lambda now, then: _instead(subject, plain(now), plain(then))


def _share(subject: str) -> Words:
    return lambda now, then: _instead(subject, percent(now), percent(then))


def _instead(subject: str, now: str, then: str) -> str:
    """Say both values, or nothing if they read the same."""
    return f"{subject} {then} instead of {now}" if now != then else ""


def _hand_rank(now: float, then: float) -> str:
    return f"the starting hand was {'weaker' if then > now else 'stronger'}"


WORDS = {
    "hand_class": FeatureWords("the starting hand", _was("the starting hand", lambda _: "another one")),
    "hand_type": FeatureWords("the kind of hand", _was("the hand", hand_type_words)),
    "board_texture": FeatureWords(
        "the kind of board", lambda _, then: f"the board was one {texture_words(then)}"
    ),
    "betting": FeatureWords(
        "the betting",
        _betting(letters_of, "the raises on earlier streets came in another order or on another street"),
    ),
    "sized_betting": FeatureWords(
        "the betting and its sizes", _betting(sized_letters_of, "the bets had other sizes")
    ),
    "stack_to_pot": FeatureWords("the stacks", _than("the stacks were deeper", "the stacks were shorter")),
    "hand_place": FeatureWords("the starting hand", _hand_rank),
    "seat_position": FeatureWords("the position", lambda *_: "the position was another one"),
    "round_now": FeatureWords(
        "the betting on this street", lambda *_: "the betting on this street had gone otherwise"
    ),
    "rounds_before": FeatureWords(
        "the betting on earlier streets", lambda *_: "the betting on earlier streets had gone otherwise"
    ),
    "players": FeatureWords("the number of players", _number("the number of players was")),
    "position": FeatureWords("the position", _than("the player acted later", "the player acted earlier")),
    "players_in": FeatureWords(
        "who is in", _than("more players had put chips in", "fewer players had put chips in")
    ),
    "yet_to_act": FeatureWords(
        "who is still to act", _than("more players were still to act", "fewer players were still to act")
    ),
    "bets_committed": FeatureWords("the chips already in", _number("the bets already paid were")),
    "bets_to_call": FeatureWords("the bets to call", _number("the bets to call were")),
    "pot_odds": FeatureWords("the price of a call", _share("the share of wins that a call needs was")),
    "hand_rank": FeatureWords("the starting hand", _hand_rank),
    "previous_bets": FeatureWords(
        "the betting on the street before", _number("the bets on the street before were")
    ),
    "bets_in_pot": FeatureWords("the pot", _number("the small bets in the pot were")),
    "ihs": FeatureWords("the strength of the hand", _share("the share of hands beaten was")),
    "ppot": FeatureWords("the chance to improve", _share("the chance to get ahead was")),
    "npot": FeatureWords("the chance to be outdrawn", _share("the chance to fall behind was")),
    "ehs": FeatureWords("the strength of the hand", _share("the strength of the hand was")),
}


def words_of(feature: Feature) -> FeatureWords:
    """Return how explanations name a feature, and a difference in it."""
    if feature.name == "hand_class":
        return FeatureWords(
            "the starting hand", _was("the starting hand", lambda value: class_words(feature.words(value)))
        )
    label = feature.name.replace("_", " ")
    return WORDS.get(feature.name) or FeatureWords(
        f"the {label}",
        lambda now, then: f"the {label} was {feature.words(then)} instead of {feature.words(now)}",
    )
