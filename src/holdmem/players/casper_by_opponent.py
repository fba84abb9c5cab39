"""A seat with several case bases that plays each table from the one that best fits the opponents there.

Opponents are described by two frequencies observed at the table: how often they fold before the flop, and
how often they raise when they do not fold. Each case base stores the same two frequencies for the players it
was recorded from, and the case base at the smallest absolute distance is used. The first case base's
frequencies serve as the prior at a new table.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Explanation, FinishedHands, Policy, SeatState, View, Views
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.seat_state import checked_array
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.opponents import Frequencies
from holdmem.opponents.kernels.situations import CALLED, FOLDED, PRICES, RAISED

BELIEF = 100
"""Weight of the first case base's frequencies as a prior at each table, in decisions."""


def style_of(about: Mapping[str, Any], where: str) -> tuple[float, float]:
    """Return (preflop fold frequency, raise frequency) of the recorded players from a case base's header.

    `where` names the case base in the error raised if the header lacks them.
    """
    said = about.get("table")
    if not isinstance(said, dict) or not {"gives_up", "raises"} <= set(said):
        raise AgentError(f"{where}: the header lacks the style of the recorded table; learn it again")
    return float(said["gives_up"]), float(said["raises"])


class StyleMatchingSeat(SamplingSeat):
    """Seat that counts everyone's actions and retrieves from the case base most like the current table."""

    def __init__(
        self, seats: list[CaseBasedSeat], styles: list[tuple[float, float]], game: Game, tables: int,
        rng: Streams,
    ) -> None:  # fmt: skip
        super().__init__(rng)
        self.seats = seats
        self.styles: Ints = np.array(styles)
        self.frequencies: Frequencies = Frequencies(game, tables)
        self.me: int | None = None

    def watch(self, hands: FinishedHands) -> None:
        """Update the action counts of all players."""
        self.me = hands.player
        self.frequencies.watch(hands)

    def state(self) -> SeatState:
        """Return the action counts and this seat's player number (-1 if unknown)."""
        return {"me": np.array([-1 if self.me is None else self.me]), **self.frequencies.state()}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.frequencies.restore(state)
        me = checked_array(state, "me", np.array([-1]), -1, self.frequencies.counts.shape[1] - 1)
        self.me = None if me[0] < 0 else int(me[0])

    def style_at(self, tables: NDArray[np.int64]) -> Floats:
        """Return the preflop fold and the raise frequency of the opponents at these tables, shape (n, 2)."""
        counts = self.frequencies.counts[tables].copy()
        if self.me is not None:
            counts[:, self.me] = 0
        before, every = counts[:, :, :PRICES].sum(axis=(1, 2)), counts.sum(axis=(1, 2))
        first = self.styles[0]
        gives_up = (before[:, FOLDED] + BELIEF * first[0]) / (before.sum(axis=1) + BELIEF)
        plays = every[:, CALLED] + every[:, RAISED]
        raises = (every[:, RAISED] + BELIEF * first[1]) / (plays + BELIEF)
        return np.column_stack([gives_up, raises])

    def chosen(self, views: Views) -> NDArray[np.int64]:
        """Return the index of the case base used at each view; ties go to the first."""
        tables, place = np.unique(views.table, return_inverse=True)
        apart = np.abs(self.style_at(tables)[:, None] - self.styles[None]).sum(axis=2)
        return np.asarray(apart.argmin(axis=1)[place])

    def policy(self, views: Views) -> Policy:
        """Return the policy of the chosen case base at each view."""
        chosen = self.chosen(views)
        probabilities, codes = np.zeros((len(views), 3)), np.zeros((len(views), 3), np.int64)
        for number in np.unique(chosen).tolist():
            rows = np.flatnonzero(chosen == number)
            found = self.seats[number].policy(views[rows])
            probabilities[rows], codes[rows] = found.probabilities, found.codes
        return Policy(probabilities, codes)

    def explain(self, view: View) -> Explanation:
        """Return the explanation of the case base in use, and why it was chosen."""
        views = view.alone
        number = int(self.chosen(views)[0])
        gives_up, raises = self.style_at(views.table)[0]
        found = self.seats[number].explain(view)
        memory = f"memory {number + 1} of {len(self.seats)}, recorded at the table most like this one"
        style = (
            f"The opponents here fold {gives_up:.0%} of their hands before the flop and raise {raises:.0%} of"
        )
        reason = f"{style} those that they play, so it uses {memory}."
        return replace(found, reasons=(reason, *found.reasons))
