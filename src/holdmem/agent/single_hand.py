"""One hand, played one decision at a time, for tables that wait for each player's action."""

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.ask import ask_one, show_to_all, watches
from holdmem.agent.contract import Seat
from holdmem.agent.play import FinishedHands
from holdmem.agent.views import Views
from holdmem.core.errors import IllegalAction
from holdmem.core.random import hand_ids
from holdmem.engine.batch import Batch
from holdmem.engine.game import Game
from holdmem.engine.kernels.batch import act_or_stop, deal_all
from holdmem.engine.steps import HandStep

TABLE = np.zeros(1, dtype=np.int64)


class SingleHand:
    """A hand in progress. `lineup` gives the player in each seat, `stacks` each player's starting stack."""

    def __init__(
        self,
        game: Game,
        deck: NDArray[np.int8],
        lineup: Sequence[int],
        number: int,
        stacks: Sequence[int] | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.lineup: tuple[int, ...] = tuple(lineup)
        self.deck = deck
        by_seat = None if stacks is None else [[stacks[player] for player in lineup]]
        self.batch: Batch = Batch(game, deck[None], by_seat)
        """The engine's representation of the hand: a batch of one."""
        self._spots = hand_ids(1, first_hand=number)
        self._replay: tuple[SingleHand, list[HandStep]] | None = None

    def next(self, deck: NDArray[np.int8], lineup: Sequence[int], number: int) -> "SingleHand":
        """Deal the next hand with the same stacks by seat.

        The deck is not checked, which makes this faster than a new SingleHand.
        """
        hand, batch = copy(self), copy(self.batch)
        hand.number, hand.lineup, hand.deck = number, tuple(lineup), deck
        batch.decks = deck[None, : self.game.deck_cards].copy()
        batch.hands = batch.hands.copy()  # deal_all overwrites every field
        batch.history = np.zeros(batch.history.shape, dtype=batch.history.dtype)
        deal_all(self.game.rules, batch.stacks, batch.decks, batch.hands)
        hand.batch, hand._spots, hand._replay = batch, hand_ids(1, first_hand=number), None
        return hand

    @property
    def to_act(self) -> int | None:
        """The player to act, or None once the hand is over."""
        seat = self.batch.hands["to_act"].item()
        return None if seat < 0 else self.lineup[seat]

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.to_act is None

    @property
    def acted(self) -> int:
        """Number of actions so far."""
        return int(self.batch.hands["actions"].item())

    def views(self) -> Views:
        """Return what the player to act sees."""
        return Views.of(self.batch, TABLE, self._spots, TABLE)

    def act(self, code: int) -> None:
        """Apply the action of the player to act. An illegal one raises IllegalAction and changes nothing."""
        batch, codes = self.batch, np.array([code], dtype=np.int64)
        if self.over or act_or_stop(self.game.rules_row, batch.hands, batch.history, TABLE, codes) >= 0:
            raise IllegalAction(batch.complaint(0, code).removeprefix("table 0, "))

    def let_act(self, seat: Seat, name: str) -> int:
        """Ask a seat for the action of the player to act, apply it and return it; errors name the seat."""
        views = self.views()
        code = ask_one(seat, views, name)
        try:
            self.act(code)
        except IllegalAction as error:
            raise IllegalAction(f"{name}: {error}; at {views[0]}") from None
        return code

    def show_to_all(self, players: Iterable[tuple[int, Seat, str]]) -> None:
        """Show the finished hand to those of the players, given as (player, seat, name), that watch."""
        watching = [one for one in players if watches(one[1])]
        if watching:
            show_to_all(self.finished(), watching)

    def finished(self) -> FinishedHands:
        """Return the hand as it stands, with all cards visible."""
        return FinishedHands(self.batch, np.array([self.lineup], dtype=np.int64), self._spots, TABLE)

    @property
    def row(self) -> np.record:
        """The engine's state of the hand."""
        return self.batch.hands[0]  # type: ignore[no-any-return]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The actions so far as (street, seat, action)."""
        entries = self.batch.history[0][: int(self.row["actions"])].tolist()
        return [(street, seat, code) for code, seat, street in entries]

    @property
    def steps(self) -> list[HandStep]:
        """The actions so far with what each meant, which `HandStep.describe` puts into words."""
        if self._replay is None:
            self._replay = self.next(self.deck, self.lineup, self.number), []
        replay, steps = self._replay  # keeps up with this hand, so that only new actions take time
        for _, _, code in self.history[len(steps) :]:
            step = HandStep.before(replay.row, code)
            replay.act(code)
            steps.append(step.after(replay.row))
        return list(steps)

    def seat_of(self, player: int) -> int:
        """Return the seat of this player."""
        return self.lineup.index(player)
