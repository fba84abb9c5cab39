"""`Spots`: decisions whose actions are to be valued, brought back to the engine's state before them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.agent.views import VIEW
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints
from holdmem.engine import Game
from holdmem.engine.state import ACTION, BOARD_CARDS, HAND
from holdmem.ev.kernels.spots import look_back, replay_to


@dataclass(frozen=True, eq=False)
class Spots:
    """Decisions of one game: who holds what where, after which actions.

    Attributes
    ----------
    game : the game.
    views : what the player to act sees, with its hole cards known.
    stacks : chips of every seat when the hand began, (n, seats).
    codes : the actions so far, (n, longest); the first `counts[i]` are valid.
    number : number of each decision, which determines its random numbers.
    """

    game: Game
    views: Views
    stacks: Ints
    codes: Ints
    counts: Ints
    number: Ints

    @classmethod
    def of(cls, views: Views, number: Ints | None = None) -> "Spots":
        """Return the decisions of these views; NotationError where hole cards are unknown."""
        if (views.hole < 0).any():
            raise NotationError("expected the hole cards of the player to act, got a view without them")
        seats = views.game.seats
        dead = np.array(views.game.dead or (0,) * seats, dtype=np.int64)
        history, hands = views.played
        counts = views.actions.astype(np.int64)
        longest = max(int(counts.max(initial=0)), 1)
        return cls(
            game=views.game,
            views=views,
            stacks=np.ascontiguousarray((views.stack + views.paid)[:, :seats] + dead),
            codes=np.ascontiguousarray(history["to"][hands][:, :longest].astype(np.int64)),
            counts=counts,
            number=np.arange(len(views)) if number is None else number.astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, which: Ints) -> "Spots":
        return Spots(
            self.game, self.views[which], self.stacks[which], self.codes[which], self.counts[which],
            self.number[which],
        )  # fmt: skip

    @property
    def hero(self) -> Ints:
        """The seat to act."""
        return self.views.seat.astype(np.int64)  # type: ignore[no-any-return]

    @property
    def seen(self) -> Ints:
        """Number of board cards dealt so far."""
        found: Ints = np.array(BOARD_CARDS, dtype=np.int64)[self.views.street]
        return found

    @cached_property
    def states(self) -> tuple[NDArray[np.record], NDArray[np.record]]:
        """The engine's hands before the decisions, with arbitrary cards, and their actions."""
        hands = np.zeros(len(self), dtype=HAND)
        history = np.zeros((len(self), self.codes.shape[1]), dtype=ACTION)
        replay_to(self.game.rules_row, self.stacks, self.codes, self.counts, self._deck, hands, history)
        return hands, history

    def past(self) -> tuple[Views, Ints, Ints]:
        """Return every earlier action as a view without hole cards, the action, and the spot it led to."""
        total = int(self.counts.sum())
        rows = np.zeros(total, dtype=VIEW)
        actions, spots = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
        room, spare = np.zeros(1, dtype=HAND), np.zeros(max(self.game.longest, 1), dtype=ACTION)
        look_back(
            self.game.rules_row, self.stacks, self.codes, self.counts, np.ascontiguousarray(self.views.board),
            self._deck, room, spare, rows, actions, spots,
        )  # fmt: skip
        history = self.states[1]
        return Views(self.game, rows, history, spots, np.zeros(total, np.int64)), actions, spots

    @property
    def _deck(self) -> NDArray[np.int8]:
        return np.arange(self.game.deck_cards, dtype=np.int8)
