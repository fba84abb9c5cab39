"""Hands that our engine dealt and a shipped clone played, shown with the clone's explanations.

No hand of a data set is shipped. What a clone was learned from is told in counts; these hands show it at
play, in situations that its memory does not tell apart from the one explained, with holdings of the same
class. `python -m benchmarks.people hands` makes the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holdmem.agent import ExampleHand, View, Views
from holdmem.cbr.hand_file import from_bytes, unpack
from holdmem.cbr.hand_words import remembered_words
from holdmem.core.data import DATA
from holdmem.core.types import Ints
from holdmem.history import Decisions, Hands, replay
from holdmem.people.choose import classes_at
from holdmem.people.holdings import preflop_groups
from holdmem.people.memory import PersonMemory
from holdmem.people.situations import features_of

FILE = DATA / "people-hands.parquet"
MOST = 3
"""Number of hands that an explanation shows."""
SAID = "Hands it learned from are not shipped; those shown were dealt by our engine and played by this clone."


@dataclass(frozen=True, eq=False)
class PlayedHands:
    """Hands of one clone, with one row per decision of the clone in the arrays.

    Attributes
    ----------
    cells : street after the flop or not, leaf of the tree of actions, and group of the holding.
    hand, seat, decision : index of the hand, seat of the clone, and index among the actions of the hand.
    """

    hands: Hands
    cells: Ints
    hand: Ints
    seat: Ints
    decision: Ints

    def like(self, person: PersonMemory, view: View) -> tuple[ExampleHand, ...]:
        """Return up to three hands in which the clone was in such a situation, different actions first."""
        rows = np.flatnonzero((self.cells == cells_at(person, view.alone)[0]).all(axis=1)).tolist()
        kinds = [min(int(self.hands[self.hand[row]].betting[self.decision[row]]), 1) for row in rows]
        earlier = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
        chosen = sorted(range(len(rows)), key=earlier.__getitem__)[:MOST]
        return tuple(self._example(rows[place]) for place in chosen)

    def _example(self, row: int) -> ExampleHand:
        hand, seat, decision = self.hands[self.hand[row]], int(self.seat[row]), int(self.decision[row])
        return ExampleHand(remembered_words(hand, seat, decision), hand, seat, decision)


def cells_at(person: PersonMemory, views: Views) -> Ints:
    """Return what a person's memory tells apart at views, shape (n, 3); see `PlayedHands`."""
    features, held, after = features_of(views), classes_at(views), views.street > 0
    cells = np.column_stack([after, held, held]).astype(np.int64)
    cells[~after, 2] = preflop_groups()[held[~after]]
    for question, rows in (("what_pre", np.flatnonzero(~after)), ("what_post", np.flatnonzero(after))):
        if len(rows):
            cells[rows, 1] = person.trees[question].leaf_of(features[rows])
    return cells


def played_hands(hands: Hands, person: PersonMemory, name: str) -> PlayedHands:
    """Find the decisions of a clone, which is called `name`, in hands with all cards known."""
    mine = hands.with_player(name)
    parts = [_decisions(decisions, person, mine.players.index(name)) for decisions in replay(mine)]
    return PlayedHands(mine, *(np.concatenate(column) for column in zip(*parts, strict=True)))


def _decisions(decisions: Decisions, person: PersonMemory, who: int) -> Sequence[Ints]:
    order = np.argsort(decisions.hand, kind="stable")
    hand = decisions.hand[order]
    number = np.empty(len(hand), dtype=np.int64)
    number[order] = np.arange(len(hand)) - np.searchsorted(hand, hand)
    rows = np.flatnonzero(decisions.player == who)
    views = decisions.views[rows]
    return cells_at(person, views), decisions.hand[rows], views.seat, number[rows]


@lru_cache(maxsize=1)
def shipped_hands() -> Hands:
    """Return the hands of all shipped clones."""
    hands, _ = unpack(from_bytes(FILE.read_bytes(), FILE.name), FILE.name)
    return hands


@lru_cache(maxsize=16)
def _of_style(style: str, person: PersonMemory) -> PlayedHands:
    return played_hands(shipped_hands(), person, style)


def example_hands(style: str, person: PersonMemory, view: View) -> tuple[ExampleHand, ...]:
    """Return up to three shipped hands of this style in a similar situation with a similar holding."""
    return _of_style(style, person).like(person, view)
