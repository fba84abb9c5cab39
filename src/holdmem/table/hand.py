"""One hand, one decision at a time, for tables at which somebody has to be waited for."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import IllegalAction
from holdmem.rules.batch import Batch
from holdmem.rules.game import Game
from holdmem.rules.kernels import act_or_stop, deal_all
from holdmem.table.lockstep import Finished
from holdmem.table.streams import spots
from holdmem.table.views import Views

TABLE = np.zeros(1, dtype=np.int64)


class OneHand:
    """A hand in progress. `lineup` says which player has which seat, `stacks` what each player brings."""

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
        self.lineup = tuple(lineup)
        self.deck = deck
        by_seat = None if stacks is None else [[stacks[player] for player in lineup]]
        self.batch = Batch(game, deck[None], by_seat)
        """The hand as the engine has it, a batch of one."""
        self._spots = spots(1, first_hand=number)

    def next(self, deck: NDArray[np.int8], lineup: Sequence[int], number: int) -> "OneHand":
        """A hand from another deck that is known to be one, with the same stacks by seat: quicker to deal."""
        hand, batch = copy(self), copy(self.batch)
        hand.number, hand.lineup, hand.deck = number, tuple(lineup), deck
        batch.decks = deck[None, : self.game.deck_cards].copy()
        batch.hands = batch.hands.copy()  # all of it is dealt anew
        batch.history = np.zeros(batch.history.shape, dtype=batch.history.dtype)
        deal_all(self.game.rules, batch.stacks, batch.decks, batch.hands)
        hand.batch, hand._spots = batch, spots(1, first_hand=number)
        return hand

    @property
    def to_act(self) -> int | None:
        """The player whose turn it is; nobody once the hand is over."""
        seat = self.batch.hands["to_act"].item()
        return None if seat < 0 else self.lineup[seat]

    @property
    def over(self) -> bool:
        """Whether nobody acts any more."""
        return self.to_act is None

    @property
    def acted(self) -> int:
        """Actions so far."""
        return int(self.batch.hands["actions"].item())

    def views(self) -> Views:
        """What the player to act sees."""
        return Views.of(self.batch, TABLE, self._spots, TABLE)

    def act(self, code: int) -> None:
        """The player to act does this. An action that is not legal raises and changes nothing."""
        batch, codes = self.batch, np.array([code], dtype=np.int64)
        if self.over or act_or_stop(self.game.rules_row, batch.hands, batch.history, TABLE, codes) >= 0:
            raise IllegalAction(batch.complaint(0, code).removeprefix("table 0, "))

    def finished(self) -> Finished:
        """The hand as it stands, all cards open."""
        return Finished(self.batch, np.array([self.lineup], dtype=np.int64), self._spots, TABLE)

    @property
    def row(self) -> np.record:
        """The engine's state of the hand."""
        return self.batch.hands[0]  # type: ignore[no-any-return]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The actions so far as (street, seat, action)."""
        entries = self.batch.history[0][: int(self.row["actions"])].tolist()
        return [(street, seat, code) for code, seat, street in entries]

    def seat_of(self, player: int) -> int:
        """Where this player sits."""
        return self.lineup.index(player)
