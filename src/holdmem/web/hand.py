"""One hand, one decision at a time, for tables at which somebody has to be waited for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import IllegalAction
from holdmem.rules import Batch, Game
from holdmem.table import Finished, Views, spots

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
        self._batch = Batch(game, deck[None], by_seat)
        self._spots = spots(1, first_hand=number)

    @property
    def to_act(self) -> int | None:
        """The player whose turn it is; nobody once the hand is over."""
        seat = int(self._batch.hands["to_act"][0])
        return None if seat < 0 else self.lineup[seat]

    @property
    def over(self) -> bool:
        """Whether nobody acts any more."""
        return self.to_act is None

    def views(self) -> Views:
        """What the player to act sees."""
        return Views.of(self._batch, TABLE, self._spots, TABLE)

    def act(self, code: int) -> None:
        """The player to act does this. An action that is not legal raises and changes nothing."""
        try:
            self._batch.act(TABLE, np.array([code]))
        except IllegalAction as error:
            raise IllegalAction(str(error).removeprefix("table 0, ")) from None

    def finished(self) -> Finished:
        """The hand as it stands, all cards open."""
        return Finished(self._batch, np.array([self.lineup], dtype=np.int64), self._spots, TABLE)

    @property
    def row(self) -> np.record:
        """The engine's state of the hand."""
        return self._batch.hands[0]  # type: ignore[no-any-return]

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The actions so far as (street, seat, action)."""
        entries = self._batch.history[0][: int(self.row["actions"])].tolist()
        return [(street, seat, code) for code, seat, street in entries]

    def seat_of(self, player: int) -> int:
        """Where this player sits."""
        return self.lineup.index(player)
