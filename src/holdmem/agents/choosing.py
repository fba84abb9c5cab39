"""A seat with several memories, which plays at each table from the one that fits the opponents there.

Opponents are told apart by two numbers, as they have been at this table so far: how often they give up before
the flop, and how often they raise where they play on. A case base has the same numbers of the players among
whom it was recorded. The nearest memory is used; a table that is new counts as being like the first one's.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.casebase.remembering import RememberingSeat
from holdmem.errors import AgentError
from holdmem.models import Frequencies
from holdmem.models.situation_kernels import CALLED, FOLDED, PRICES, RAISED
from holdmem.rules import Game
from holdmem.table import Actions, Explanation, Finished, Policy, State, Streams, View, Views
from holdmem.table.memories import taken

Floats = NDArray[np.float64]

BELIEF = 100
"""Decisions that the first memory's numbers count for at a new table."""


def style_of(about: Mapping[str, Any], where: str) -> tuple[float, float]:
    """How the players of a recorded table gave up before the flop and raised, as a header has it."""
    said = about.get("table")
    if not isinstance(said, dict) or not {"gives_up", "raises"} <= set(said):
        raise AgentError(f"{where}: expected a header with the style of the recorded table; learn it again")
    return float(said["gives_up"]), float(said["raises"])


class ChoosingSeat:
    """Watches what everybody does, and retrieves from the memory of the table most like this one."""

    def __init__(
        self, seats: list[RememberingSeat], styles: list[tuple[float, float]], game: Game, tables: int,
        rng: Streams,
    ) -> None:  # fmt: skip
        self.seats, self.styles, self.rng = seats, np.array(styles), rng
        self.frequencies = Frequencies(game, tables)
        self.me: int | None = None

    def watch(self, hands: Finished) -> None:
        """Count what everybody did."""
        self.me = hands.player
        self.frequencies.watch(hands)

    def state(self) -> State:
        """What it has counted, and which of the players it is."""
        return {"me": np.array([-1 if self.me is None else self.me]), **self.frequencies.state()}

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.frequencies.restore(state)
        me = taken(state, "me", np.array([-1]), -1, self.frequencies.counts.shape[1] - 1)
        self.me = None if me[0] < 0 else int(me[0])

    def style_at(self, tables: NDArray[np.int64]) -> Floats:
        """(n, 2): how the opponents at these tables give up and raise."""
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
        """Which memory is used at each view."""
        tables, place = np.unique(views.table, return_inverse=True)
        apart = np.abs(self.style_at(tables)[:, None] - self.styles[None]).sum(axis=2)
        return np.asarray(apart.argmin(axis=1)[place])

    def policy(self, views: Views) -> Policy:
        """That of the chosen memory."""
        chosen = self.chosen(views)
        chances, codes = np.zeros((len(views), 3)), np.zeros((len(views), 3), np.int64)
        for number in np.unique(chosen).tolist():
            rows = np.flatnonzero(chosen == number)
            found = self.seats[number].policy(views[rows])
            chances[rows], codes[rows] = found.probabilities, found.codes
        return Policy(chances, codes)

    def act(self, views: Views) -> Actions:
        """Drawn from the policy."""
        return self.policy(views).draw(views.uniforms(self.rng))

    def explain(self, view: View) -> Explanation:
        """The reasons of the memory that is used, and why it is that one."""
        views = view.alone
        number = int(self.chosen(views)[0])
        gives_up, raises = self.style_at(views.table)[0]
        found = self.seats[number].explain(view)
        words = (
            f"opponents give up {gives_up:.0%} before the flop and raise {raises:.0%}: memory {number + 1}"
        )
        return Explanation(f"{words}\n{found.words}", found.chances, found.grounds)
