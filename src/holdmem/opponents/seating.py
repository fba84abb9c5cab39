"""Which player sits where. A view does not say, but players keep their order around the table."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands, SeatState, Views
from holdmem.agent.seat_state import checked_array
from holdmem.engine import SEATS
from holdmem.opponents.kernels.seating import note_neighbours, players_by_seat

NOBODY_KNOWN = -1


class Seating:
    """The player at each distance to the left in the last hand, separately for each table.

    Players keep their order even when the button moves or a player without chips drops out.
    """

    def __init__(self, tables: int) -> None:
        self._seats = np.zeros(tables, np.int64)
        self._around = np.full((tables, SEATS), NOBODY_KNOWN, np.int64)
        self._left = np.full((tables, SEATS), NOBODY_KNOWN, np.int64)

    def watch(self, hands: FinishedHands) -> None:
        """Record the seating of these hands."""
        own = NOBODY_KNOWN if hands.player is None else hands.player
        tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
        seated = np.ascontiguousarray(hands.parts), hands.batch.stacks, hands.lineup, own, tables
        note_neighbours(*seated, self._seats, self._around, self._left)

    def state(self) -> SeatState:
        """Return the seating."""
        return {"seats": self._seats, "around": self._around, "left": self._left}

    def restore(self, state: SeatState, players: int) -> None:
        """Restore a state returned by `state`; `players` is the number of players."""
        self._seats = checked_array(state, "seats", self._seats, most=SEATS)
        self._around = checked_array(state, "around", self._around, NOBODY_KNOWN, players - 1)
        self._left = checked_array(state, "left", self._left, NOBODY_KNOWN, players - 1)

    def players(self, views: Views) -> NDArray[np.int64]:
        """Return the player in each seat of each view, of shape (n, 10).

        The view's own seat, empty seats and unknown players are -1.
        """
        out = np.full((len(views), SEATS), NOBODY_KNOWN, np.int64)
        rows, tables = np.ascontiguousarray(views.rows), np.ascontiguousarray(views.table, dtype=np.int64)
        players_by_seat(rows, tables, views.game.seats, self._seats, self._around, self._left, out)
        return out
