"""Order of play in the IRC database: merge the letters of each player into one sequence of actions.

A file says what each player did on each street, but not in which order. The engine knows whose turn it is, so
every turn takes that player's next letter.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.engine import CALL, FOLD, Game
from holdmem.engine.kernels.batch import deal_all
from holdmem.engine.state import ACTION, HAND, STREET_NAMES, UNLIMITED
from holdmem.history.formats.kernels import irc_order as kernels
from holdmem.history.kernels.replay import FINE
from holdmem.history.kernels.step import step

AWAY = "QK"
"""Letters for players who quit or were kicked; they fold when it is their turn."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One line of a `pdb` file: what one player did in one hand."""

    name: str
    place: int
    letters: tuple[str, ...]
    stack: int
    paid: int
    won: int
    cards: tuple[int, int]


class Disagreement(Exception):
    """The letters cannot be played, or do not lead to the recorded totals; the message says why."""


def merged(game: Game, players: list[PlayerLine]) -> list[int]:
    """Return what `merge_letters` does, by compiled code where the letters fit."""
    if not all(0 < one.stack <= UNLIMITED and 0 <= one.paid <= UNLIMITED for one in players):
        return merge_letters(game, players)
    text = " ".join([letters or "-" for one in players for letters in one.letters])
    stacks = np.array([one.stack for one in players], dtype=np.int64)
    paid = np.array([one.paid for one in players], dtype=np.int64)
    deck, hand, history, betting = _room(game)
    count = kernels.merge(game.rules_row, _bytes(text), stacks, paid, deck, hand, history, betting)
    return betting[:count].tolist() if count >= 0 else merge_letters(game, players)


def _bytes(text: str) -> NDArray[np.uint8]:
    # A copy, because numba would compile a second version for the read-only buffer of `bytes`.
    return np.frombuffer(text.encode("latin-1", errors="replace"), dtype=np.uint8).copy()


def _room(game: Game) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the arrays in which a hand is played."""
    deck, hand = np.arange(game.deck_cards, dtype=np.int8), np.zeros(1, dtype=HAND)
    return deck, hand, np.zeros(game.longest, dtype=ACTION), np.zeros(game.longest, dtype=np.int64)


def merge_letters(game: Game, players: list[PlayerLine]) -> list[int]:
    """Merge the players' letters into one sequence of actions, using the engine's turn order."""
    hands, history = np.zeros(1, dtype=HAND), np.zeros((1, game.longest), dtype=ACTION)
    chips = [one.stack for one in players]
    if not 1 <= min(chips) <= max(chips) <= UNLIMITED:
        raise Disagreement(f"impossible stack: expected 1 to {UNLIMITED} chips, got {chips}")
    stacks = np.array([chips], dtype=np.int64)
    left = [[_steps(text) for text in one.letters] for one in players]
    deal_all(game.rules, stacks, np.arange(game.deck_cards, dtype=np.int8)[None], hands)
    hand, betting, over = hands[0], [], [0] * len(players)
    while (seat := int(hand["to_act"])) >= 0:
        letter = _letter(hand, seat, left, players)
        action = _action(game, hand, seat, letter)
        if action > 0 and not _answered(hand, seat, len(players)):
            # A raise that no opponent could answer is a call with the rest returned.
            over[seat], action = action - int(hand["highest"]), CALL
        betting.append(action)
        if step(game.rules_row, hands, history, action) != FINE:
            raise Disagreement(
                f"illegal betting: {players[seat].name} does {letter!r},"
                f" {STREET_NAMES[hand['street']]}, action {len(betting)}"
            )
    _check_over(left, players)
    paid = [chips + more for chips, more in zip(hand["paid"].tolist(), over, strict=False)]
    if paid != [one.paid for one in players]:
        raise Disagreement(f"bets do not add up: expected {[one.paid for one in players]}, got {paid}")
    return betting


def _steps(letters: str) -> list[str]:
    """Return letters as actions, last first; an A after another letter only marks that action as all-in."""
    if not set(letters) <= set("BfkcbrAQK"):
        raise ValueError(f"expected letters among BfkcbrAQK, got {letters[:40]!r}")
    steps = [letter for place, letter in enumerate(letters) if letter != "A" or place == 0]
    return [letter for letter in steps if letter != "B"][::-1]


def _letter(hand: np.record, seat: int, left: list[list[list[str]]], players: list[PlayerLine]) -> str:
    """Return the next letter of the seat to act."""
    street = hand["street"]
    steps = left[seat][street]
    if steps:
        letter = steps.pop()
        if letter in "fQK":
            steps.clear()  # a player who left is often recorded as both folding and quitting
        return letter
    if hand["bet"][seat] == hand["highest"] and not _answered(hand, seat, len(players)):
        return "k"  # no check is recorded where no further action was possible
    name, when = players[seat].name, STREET_NAMES[street]
    if any(letter in AWAY for letters in (one.letters for one in players) for letter in "".join(letters)):
        raise Disagreement(f"all other players left before this one could act: {name}, {when}")
    raise Disagreement(f"a player has no action on their turn: {name}, {when}")


def _answered(hand: np.record, seat: int, seats: int) -> bool:
    """Return whether another live seat has chips left."""
    others = [other for other in range(seats) if other != seat and int(hand["live"]) >> other & 1]
    return any(hand["stack"][other] > 0 for other in others)


def _action(game: Game, hand: np.record, seat: int, letter: str) -> int:
    if letter in "fQK":
        return FOLD
    if letter in "kc":
        return CALL
    all_in = int(hand["bet"][seat] + hand["stack"][seat])
    size = game.raise_sizes[hand["street"]] if game.raise_sizes else 0
    total = min(int(hand["highest"]) + size, all_in)
    return total if total > hand["highest"] else CALL


def _check_over(left: list[list[list[str]]], players: list[PlayerLine]) -> None:
    """Raise Disagreement if letters are left over other than those for leaving."""
    for steps, one in zip(left, players, strict=True):
        more = [letter for street in steps for letter in street if letter not in AWAY]
        if more:
            raise Disagreement(f"a player acts out of turn: {one.name} does {''.join(more)!r}")
