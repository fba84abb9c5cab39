"""Features in poker words: what is compared, and in what remembered decisions differ from the present one.

A feature that is not listed here is called by its own name with spaces, and its values by their own words.
"""

from collections.abc import Callable
from typing import NamedTuple

from holdmem.agent.words.cards import RANK_LETTERS, RANK_NAMES, plural
from holdmem.agent.words.english import joined, number, percent, plain
from holdmem.cbr.features.bet_sizes import sized_letters_of
from holdmem.cbr.features.betting import letters_of
from holdmem.cbr.features.feature import Feature
from holdmem.cbr.features.hand_types import hand_type_name, texture_name

Words = Callable[[float, float], str]
"""Function of the present value and the remembered one that says how the remembered decisions differ."""


class FeatureWords(NamedTuple):
    """What a feature compares, how a difference in it is put, and where it helps, what a value means."""

    label: str
    differs: Words
    value: Callable[[float], str] | None = None

    def labelled(self, value: float) -> str:
        """Return what is compared with the value here: "the kind of hand (top pair)"."""
        return self.label if self.value is None else f"{self.label} ({self.value(value)})"


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


MADE_WORDS = {
    "high-card": "no pair and no overcard", "one-overcard": "no pair, one overcard",
    "two-overcards": "no pair, two overcards", "board-pair": "a pair on the board",
    "board-pair-and-overcard": "a pair on the board and an overcard", "low-pair": "a low pair",
    "middle-pair": "a middle pair", "over-pair": "an overpair", "board-two-pair": "two pair on the board",
    "low-pair-and-board-pair": "a low pair and a pair on the board",
    "high-pair-and-board-pair": "a high pair and a pair on the board",
    "board-trips": "three of a kind on the board", "set": "a set",
    "board-straight": "a straight on the board", "one-card-straight": "a straight with one hole card",
    "two-card-straight": "a straight with both hole cards", "board-flush": "a flush on the board",
    "one-card-flush": "a flush with one hole card", "two-card-flush": "a flush with both hole cards",
    "board-full-house": "a full house on the board", "full-house": "a full house",
    "board-quads": "four of a kind on the board", "quads": "four of a kind",
    "straight-flush": "a straight flush",
}  # fmt: skip
"""Made hands in words, where these are not the name."""


def hand_type_words(value: float) -> str:
    """Return a hand type in words: "top pair with a flush draw"."""
    made, draw, what = hand_type_name(value).partition("-with-")
    said = MADE_WORDS.get(made) or made.replace("-", " ")
    return f"{said} with a {what.replace('-', ' ')}" if draw else said


def texture_words(value: float) -> str:
    """Return a board texture in words: "a straight possible with one card and a pair"."""
    name = texture_name(value)
    said = ["a flush possible with one card"] * ("flush-highly" in name)
    said += ["a possible flush"] * ("flush-possible" in name)
    said += ["a straight possible with one card"] * ("straight-highly" in name)
    said += ["a possible straight"] * ("straight-possible" in name) + ["a pair"] * name.endswith("paired")
    return joined(said) or "no pair and no possible flush or straight"


BETTING: dict[str, Callable[[float], str]] = {"betting": letters_of, "sized_betting": sized_letters_of}
"""Features that are betting sequences, with what decodes them."""


def more_raises(name: str, now: float, then: float) -> int:
    """Return how many more raises the remembered betting has; 0 if either sequence was cut for length."""
    before, after = BETTING[name](now), BETTING[name](then)
    return 0 if "…" in before + after else _raises(after) - _raises(before)


def _raises(letters: str) -> int:
    return sum(letter not in "fc-" for letter in letters)


def raises_words(more: int) -> str:
    """Return a difference in raises: "one fewer raise", "two more raises"."""
    return f"{number(abs(more))} {'more' if more > 0 else 'fewer'} {'raise' if abs(more) == 1 else 'raises'}"


def _betting(name: str, same: str) -> Words:
    def differs(now: float, then: float) -> str:
        more = more_raises(name, now, then)
        return f"there had been {raises_words(more)}" if more else same

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
    "hand_type": FeatureWords("the kind of hand", _was("the hand", hand_type_words), hand_type_words),
    "board_texture": FeatureWords(
        "the kind of board", lambda _, then: f"the board had {texture_words(then)}", texture_words
    ),
    "betting": FeatureWords(
        "the betting",
        _betting("betting", "the raises on earlier streets came in another order or on another street"),
    ),
    "sized_betting": FeatureWords(
        "the betting and its sizes", _betting("sized_betting", "the bets had other sizes")
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
