"""Action frequencies of each opponent by situation, learned from finished hands separately for each table."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands, SeatState, Views
from holdmem.agent.seat_state import checked_array, prefixed, unprefixed
from holdmem.engine import SEATS, STREET_NAMES, Game
from holdmem.opponents.kernels.situations import (
    KINDS_OF_ACTION,
    PRICES,
    SITUATIONS,
    count_actions,
    probabilities_by_seat,
)
from holdmem.opponents.seating import Seating

if TYPE_CHECKING:
    from holdmem.core.types import Ints

PRIOR_WEIGHT = 8.0
"""Weight of the prior, in observations: an unknown player is assumed to be an ordinary one."""

AFTER_THE_FLOP = ((0.0, 0.62, 0.38), (0.35, 0.45, 0.2), (0.35, 0.45, 0.2))
"""Frequencies of fold, call and raise of an ordinary player after the flop, one row per price."""


def prior(seats: int) -> NDArray[np.float64]:
    """Return an ordinary player's action frequencies at a table of `seats`, of shape (situations, kinds).

    Before the flop it plays tighter the more seats there are: facing a usual price it folds 30% of its hands
    heads-up and 65 to 70% at a full table.
    """
    fold = 0.3 + 0.05 * (seats - 2)
    dear = min(fold + 0.15, 0.85)
    before = (
        (0.0, 0.75, 0.25),
        (fold, 0.6 * (1 - fold), 0.4 * (1 - fold)),
        (dear, 0.7 * (1 - dear), 0.3 * (1 - dear)),
    )
    return np.array(before + 3 * AFTER_THE_FLOP)


def situation_name(situation: int) -> str:
    """Describe a situation: `situation_name(4)` is "flop, usual price"."""
    price = ("nothing to call", "usual price", "high price")[situation % PRICES]
    return f"{STREET_NAMES[situation // PRICES]}, {price}"


class Frequencies:
    """How often each opponent folds, calls and raises in each situation, separately for each table.

    New observations take effect once a table has at least `relearn` of them. With `entered`, situations of
    players who have entered the pot are kept apart, as a second set of `SITUATIONS`.
    """

    def __init__(self, game: Game, tables: int, relearn: int = 1, entered: bool = False) -> None:
        self.relearn = relearn
        self.sets = 2 if entered else 1
        self.counts: Ints = np.zeros((tables, game.seats, self.sets * SITUATIONS, KINDS_OF_ACTION), np.int64)
        self.learned: Ints = self.counts.copy() if relearn > 1 else self.counts
        self.neighbours: Seating = Seating(tables)

    def watch(self, hands: FinishedHands) -> None:
        """Count what each opponent did in these finished hands."""
        self._make_room(int(hands.lineup.max(initial=0)) + 1)
        stacks, tables = hands.batch.stacks, np.ascontiguousarray(hands.tables, dtype=np.int64)
        rules = hands.game.rules_row
        count_actions(rules, hands.history, hands.actions.copy(), stacks, hands.lineup, tables, self.counts)
        if self.relearn > 1:
            new = (self.counts - self.learned)[tables].sum(axis=(1, 2, 3)) >= self.relearn
            self.learned[tables[new]] = self.counts[tables[new]]
        self.neighbours.watch(hands)

    def _make_room(self, players: int) -> None:
        """Grow the arrays: more players than seats may take turns at a table."""
        missing = players - self.counts.shape[1]
        if missing > 0:
            same, room = self.learned is self.counts, ((0, 0), (0, missing), (0, 0), (0, 0))
            self.counts = np.pad(self.counts, room)
            self.learned = self.counts if same else np.pad(self.learned, room)

    def state(self) -> SeatState:
        """Return the counts, the part of them in effect, and the seating."""
        learned = {"learned": self.learned} if self.relearn > 1 else {}
        return {"counts": self.counts, **learned, **prefixed("neighbours", self.neighbours.state())}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        counts = checked_array(state, "counts", self.counts, wider=True)
        self.learned = checked_array(state, "learned", counts) if self.relearn > 1 else counts
        self.counts = counts
        self.neighbours.restore(unprefixed(state, "neighbours"), counts.shape[1])

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return the action probabilities of the player in each seat, of shape (n, 10, situations, kinds).

        They are relative frequencies, with the `prior` counted as `PRIOR_WEIGHT` additional observations.
        """
        out = np.zeros((len(views), SEATS, self.sets * SITUATIONS, KINDS_OF_ACTION))
        usual = np.tile(prior(views.game.seats), (self.sets, 1))
        tables = np.ascontiguousarray(views.table, dtype=np.int64)
        players = self.neighbours.players(views)
        probabilities_by_seat(players, tables, self.learned, usual, PRIOR_WEIGHT, out)
        return out
