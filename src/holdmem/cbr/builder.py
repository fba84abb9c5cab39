"""Build case bases from decisions, block by block.

If equal cases are merged, the memory needed is proportional to the number of distinct cases.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cbr.case_base import CaseBase, Cases, no_cases
from holdmem.cbr.maintain import from_frame, join_frames, to_frame
from holdmem.cbr.representation import Representation
from holdmem.cbr.solutions import OUTCOME, Solutions
from holdmem.core.types import Ints
from holdmem.engine import PARTS

PENDING = 400_000
"""Rows of new cases to collect before merging them."""


@dataclass(frozen=True, eq=False)
class Experience:
    """Decisions to learn from: views, actions, and what the hand earned (in parts of a chip).

    `rows` selects decisions: views are wide, and are copied only when features are computed.
    """

    views: Views
    actions: Ints
    net: Ints
    settled: NDArray[np.bool_]
    rows: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> "Experience":
        return replace(self, rows=self.rows[which])

    def on(self, street: int) -> "Experience":
        """Return the decisions on one street."""
        return self[self.views.street[self.rows] == street]


def cases_of(representation: Representation, experience: Experience, street: int) -> Cases:
    """Return one case per decision on a street."""
    rows = experience.on(street).rows
    features, actions = representation.streets[street], representation.actions
    if not len(rows):
        return no_cases(features, len(actions.names))
    views = experience.views[rows]
    won = np.rint(experience.net[rows] * (OUTCOME / (PARTS * views.game.unit[0]))).astype(np.int64)
    kinds = actions.kinds(views, experience.actions[rows])
    solutions = Solutions.of_decisions(kinds, won, experience.settled[rows], len(actions.names))
    return Cases(features, features.of(views), solutions)


@dataclass
class CaseBaseBuilder:
    """The cases gathered so far.

    If equal cases are merged, memory grows with the number of new cases, not with the number of hands.
    """

    representation: Representation
    decisions: int = 0
    _frames: list[list[pl.DataFrame]] = field(default_factory=lambda: [[], [], [], []])
    _rows: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def add(self, experience: Experience) -> None:
        """Learn these decisions."""
        for street in range(4):
            self.add_cases(cases_of(self.representation, experience, street), street)

    def add_cases(self, cases: Cases, street: int) -> None:
        """Keep these cases of one street."""
        if not len(cases):
            return
        self.decisions += int(cases.solutions.seen.sum())
        self._frames[street].append(to_frame(cases, self.representation.actions.names))
        self._rows[street] += len(cases)
        if self._rows[street] > max(PENDING, 2 * len(self._frames[street][0])):
            self._merge(street)

    def _merge(self, street: int) -> None:
        frame = join_frames(self._frames[street], self.representation, street)
        self._frames[street], self._rows[street] = [frame], len(frame)

    @property
    def cases(self) -> tuple[int, ...]:
        """Number of rows held per street, merged or still waiting to be merged."""
        return tuple(self._rows)

    def take(self) -> CaseBase:
        """Return the case base of everything gathered."""
        kinds = self.representation.actions.names
        streets = []
        for street, features in enumerate(self.representation.streets):
            if self._frames[street]:
                self._merge(street)
                streets.append(from_frame(self._frames[street][0], features, kinds))
            else:
                streets.append(no_cases(features, len(kinds)))
        return CaseBase(self.representation, tuple(streets))
