"""Hands of the reference for each leak: what it does where the player departs from it.

They are from three sources, in this order: the reviewed hands, where the reference is one of their players;
the hands of the most similar cases, where the reference remembers cases; and hands that our engine deals.
Dealt hands have the reference in the player's seat, with the stacks of the player's hands of this class, and
the model of the others in all other seats. Of reviewed and dealt hands the first are chosen in which the
reference does what the player does too rarely, or something else than what the player does too often.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from holdmem.agent import View, Views, describe_situation, play
from holdmem.agent.words import action_words
from holdmem.core.random import Streams, hand_ids
from holdmem.core.types import Flags, Ints
from holdmem.engine import CALL, FOLD, Game
from holdmem.ev.models import model_of
from holdmem.ev.players import NamedPlayer
from holdmem.ev.review.leaks import TYPICAL, Leak
from holdmem.ev.review.situations import classes_of_views
from holdmem.history import Decisions, Hands, RecordedHand, replay
from holdmem.history.describe import describe_hand
from holdmem.history.hands_builder import HandsBuilder
from holdmem.people.memory import PersonMemory

if TYPE_CHECKING:
    from holdmem.ev.review.report import LeakReport

SAME_HANDS = "of these files, played by the reference"
MEMORY = "that the reference remembers"
DEALT = "dealt by our engine, played by the reference"
LEAKS = 10
"""Leaks, dearest first, for which hands of the reference are shown."""
ROUND, ROUNDS = 500, 8
"""Hands dealt at once, and how often at most for one leak."""


@dataclass(frozen=True, eq=False)
class ReferenceHand:
    """A hand of the reference: where it is from, the decision in it, and what the reference did."""

    origin: str
    hand: RecordedHand
    view: View
    did: str

    @property
    def line(self) -> str:
        """The hand in one line."""
        return f"a hand {self.origin}: {describe_situation(self.view)} Did: {self.did}."

    def as_json(self) -> dict[str, Any]:
        """Return the hand as JSON values."""
        return {
            "origin": self.origin,
            "situation": describe_situation(self.view),
            "did": self.did,
            "decision": int(self.view.actions),
            "hand": describe_hand(self.hand),
        }


def find_reference_hands(
    found: "LeakReport",
    reference: NamedPlayer,
    others: NamedPlayer,
    hands: Hands,
    same_hands: str | None,
    rng: Streams,
) -> dict[tuple[str, str], tuple[ReferenceHand, ...]]:
    """Return up to three hands of the reference for each of the first leaks, by family and name.

    `same_hands` is the reference's name in `hands`, if it is one of their players.
    """
    shown = {}
    for leak in found.leaks[:LEAKS]:
        sources = (
            () if same_hands is None else _own(leak, hands.with_player(same_hands), same_hands),
            _remembered(found, leak, reference),
            _dealt(found, leak, reference, others, rng),
        )
        shown[leak.family, leak.name] = tuple(islice(chain(*sources), TYPICAL))
    return shown


def _own(leak: Leak, hands: Hands, name: str) -> Iterator[ReferenceHand]:
    """Yield hands that the reference played in these files."""
    who = hands.players.index(name)
    for decisions in replay(hands):
        mine = np.flatnonzero((decisions.player == who) & decisions.known)
        yield from _fitting(leak, hands, decisions, mine, SAME_HANDS)


def _fitting(
    leak: Leak, hands: Hands, decisions: Decisions, mine: Ints, origin: str
) -> Iterator[ReferenceHand]:
    """Yield hands of the leak's class in which the reference acts unlike the player, each once."""
    views, actions = decisions.views[mine], decisions.actions[mine]
    fits = _unlike(leak, views, actions) & (np.array(classes_of_views(views)[leak.family]) == leak.name)
    _, first = np.unique(decisions.hand[mine[fits]], return_index=True)
    for row in mine[fits][first].tolist():
        view = decisions.views[row]
        did = action_words(view, int(decisions.actions[row]))
        yield ReferenceHand(origin, hands[int(decisions.hand[row])], view, did)


def _unlike(leak: Leak, views: Views, actions: Ints) -> Flags:
    """Return which actions are what the player does too rarely, or not what it does too often."""
    checks = (actions == CALL) | ((actions == FOLD) & (views.to_call == 0))
    kinds = np.where(checks, 1, np.where(actions == FOLD, 0, 2))
    found: Flags = (kinds == leak.kind) != leak.more
    return found


def _remembered(found: "LeakReport", leak: Leak, reference: NamedPlayer) -> Iterator[ReferenceHand]:
    """Yield hands of the cases that are most similar to the typical decisions of the player."""
    if isinstance(reference.player, PersonMemory):
        return
    for view in _typical_views(found, leak):
        seat = reference.player.sit(view.game, 1, Streams.of(0))
        explain = getattr(seat, "explain", None)
        hands = explain(view).hands if explain is not None else ()
        for one in hands[:1]:
            yield _remembered_hand(one.hand, one.decision)


def _typical_views(found: "LeakReport", leak: Leak) -> Iterator[View]:
    for place in leak.examples:
        decisions = next(iter(replay(found.hands[[int(found.columns["hand"][place])]])))
        at = decisions.views.actions == found.columns["action"][place]
        yield decisions.views[int(np.flatnonzero(at)[0])]


def _remembered_hand(hand: RecordedHand, decision: int) -> ReferenceHand:
    builder = HandsBuilder()
    builder.add(hand)
    decisions = next(iter(replay(builder.take())))
    view = decisions.views[decision]
    return ReferenceHand(MEMORY, hand, view, action_words(view, int(decisions.actions[decision])))


def _dealt(
    found: "LeakReport", leak: Leak, reference: NamedPlayer, others: NamedPlayer, rng: Streams
) -> Iterator[ReferenceHand]:
    """Deal hands like those of the class, with the reference in the player's seat."""
    game, stacks, seats = _met(found, leak)
    for part in range(ROUNDS):
        ids = hand_ids(ROUND, first_hand=part * ROUND)
        like = ids["hand"] % len(seats)
        hands = _deal(game, stacks[like], seats[like], (reference, others), part * ROUND, rng)
        decisions = next(iter(replay(hands)))
        mine = np.flatnonzero(decisions.player == 0)
        yield from _fitting(leak, hands, decisions, mine, DEALT)


def _met(found: "LeakReport", leak: Leak) -> tuple[Game, Ints, Ints]:
    """Return the commonest game in which the class was met, and the stacks and the player's seat there."""
    met = np.unique(found.columns["hand"][np.array(found.columns[leak.family]) == leak.name])
    rows = found.hands.rows[met]
    terms = int(np.bincount(rows["terms"]).argmax())
    rows, game = rows[rows["terms"] == terms], found.hands.terms[terms].game
    who = found.hands.players.index(found.player)
    return game, rows["stack"][:, : game.seats], (rows["player"] == who).argmax(axis=1)


def _deal(
    game: Game, stacks: Ints, seats: Ints, players: tuple[NamedPlayer, NamedPlayer], first: int, rng: Streams
) -> Hands:
    """Play hands with the first player in these seats and the second in all others."""
    count = len(seats)
    ids = hand_ids(count, first_hand=first)
    sitting = [
        model_of(one.player, game, rng.spawn("seat", number))
        if isinstance(one.player, PersonMemory)
        else one.player.sit(game, count, rng.spawn("seat", number))
        for number, one in enumerate(players)
    ]
    lineup = np.ones((count, game.seats), dtype=np.int64)
    lineup[np.arange(count), seats] = 0
    played = play(
        game, sitting, rng.decks(ids, game.deck_cards), lineup=lineup, where=ids, stacks=stacks
    )  # fmt: skip
    everyone = np.cumsum(lineup, axis=1) * lineup
    names = ["Reference", *(f"Opponent {number}" for number in range(1, game.seats))]
    return Hands.of(replace(played, lineup=everyone), names)
