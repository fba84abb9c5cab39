"""Strength of the holdings that each opponent shows down, by how often it raised in the hand."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands, SeatState, Views
from holdmem.agent.seat_state import checked_array
from holdmem.engine import SEATS, Game
from holdmem.opponents.kernels.showdowns import BINS, RAISES, count_shown, shown_by_seat
from holdmem.opponents.seating import Seating

if TYPE_CHECKING:
    from holdmem.core.types import Ints

PRIOR_WEIGHT = 8.0


def prior() -> NDArray[np.float64]:
    """Return an ordinary player's distribution of shown strengths, of shape (raises, bins).

    The more it raised, the stronger its holdings.
    """
    strengths = (np.arange(BINS) + 0.5) / BINS
    weights = strengths ** (0.8 * (1 + np.arange(RAISES)))[:, None]
    found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return found


class Showdowns:
    """Distribution of strengths shown down (HS, in tenths), for each table and opponent.

    New observations take effect once a table has at least `relearn` of them.
    """

    def __init__(self, game: Game, tables: int, neighbours: Seating, relearn: int = 1) -> None:
        self.neighbours = neighbours
        self.relearn = relearn
        self.counts: Ints = np.zeros((tables, game.seats, RAISES, BINS), np.int64)
        self.learned: Ints = self.counts.copy()

    def watch(self, hands: FinishedHands) -> None:
        """Count the holdings shown in these hands."""
        missing = int(hands.lineup.max(initial=0)) + 1 - self.counts.shape[1]
        if missing > 0:
            room = ((0, 0), (0, missing), (0, 0), (0, 0))
            self.counts, self.learned = np.pad(self.counts, room), np.pad(self.learned, room)
        own = -1 if hands.player is None else hands.player
        tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
        recorded = hands.batch.hands, hands.history, hands.actions.copy(), hands.lineup
        count_shown(*recorded, own, tables, self.counts)
        new = (self.counts - self.learned)[tables].sum(axis=(1, 2, 3)) >= self.relearn
        self.learned[tables[new]] = self.counts[tables[new]]

    def state(self) -> SeatState:
        """Return the counts and the part of them in effect."""
        return {"counts": self.counts, "learned": self.learned}

    def restore(self, state: SeatState, players: int) -> None:
        """Restore a state returned by `state`; `players` is the number of players."""
        expected = np.zeros((len(self.counts), players, RAISES, BINS), np.int64)
        self.counts, self.learned = (
            checked_array(state, "counts", expected),
            checked_array(state, "learned", expected),
        )

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return the probability of showing a bin or a weaker one, of shape (n, 10 seats, raises, bins)."""
        out = np.zeros((len(views), SEATS, RAISES, BINS))
        tables = np.ascontiguousarray(views.table, dtype=np.int64)
        shown_by_seat(self.neighbours.players(views), tables, self.learned, prior(), PRIOR_WEIGHT, out)
        return out
