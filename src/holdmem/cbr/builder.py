"""Build case bases from decisions, block by block, with some of the hands that they were made of.

If equal cases are merged, the memory needed is proportional to the number of distinct cases and the hands
that they may keep.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.agent import Views
from holdmem.cbr.candidates import HandKeeper, candidates_of, choose_hands, lowest_tickets
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases, no_cases
from holdmem.cbr.link import LinkByFeatures, StoredLink
from holdmem.cbr.maintain import from_frame, join_frames, to_frame
from holdmem.cbr.remembered import Examples, HandPool
from holdmem.cbr.representation import Representation
from holdmem.cbr.solutions import Solutions, outcomes_of
from holdmem.core.types import Flags, Ints
from holdmem.history import Hands

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
    hand: Ints | None = None
    """Number of each decision's hand, counted over everything learned; None if no hands are kept."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> "Experience":
        return replace(self, rows=self.rows[which])

    def on(self, street: int) -> "Experience":
        """Return the decisions on one street."""
        return self[self.views.street[self.rows] == street]

    @property
    def origin(self) -> "Origin | None":
        """Hand and action of each selected decision; None if no hands are kept."""
        if self.hand is None:
            return None
        return Origin(self.hand[self.rows], self.views.actions[self.rows].astype(np.int64))


@dataclass(frozen=True, eq=False)
class Origin:
    """The hands that decisions come from, by number, and the indices of their actions."""

    hand: Ints
    decision: Ints

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> "Origin":
        return Origin(self.hand[which], self.decision[which])


def cases_of(representation: Representation, experience: Experience, street: int) -> Cases:
    """Return one case per decision on a street."""
    rows = experience.on(street).rows
    features, actions = representation.streets[street], representation.actions
    if not len(rows):
        return no_cases(features, len(actions.names))
    views = experience.views[rows]
    won = outcomes_of(experience.net[rows], views)
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
    held: Callable[[], Ints] = lambda: np.zeros(0, dtype=np.int64)
    """Numbers of hands that must be kept because decisions of theirs may still be added."""
    _frames: list[list[pl.DataFrame]] = field(default_factory=lambda: [[], [], [], []])
    _rows: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    _candidates: list[list[pl.DataFrame]] = field(default_factory=lambda: [[], [], [], []])
    _hands: HandKeeper = field(default_factory=HandKeeper)

    def keep_hands(self, hands: Hands, experts: Flags, first: int) -> None:
        """Keep these hands, numbered from `first`, while cases may need them; `experts` marks their seats."""
        if self._hands.full:
            self._hands.keep(self._wanted())
        self._hands.add(hands, experts, first)

    def _wanted(self) -> Ints:
        """Return the numbers of all hands that a case may still keep."""
        frames = self._candidates if self.representation.merged else self._frames
        found = [frame["hand"].to_numpy() for parts in frames for frame in parts if "hand" in frame.columns]
        return np.unique(np.concatenate([*found, self.held()]))

    def add(self, experience: Experience) -> None:
        """Learn these decisions."""
        for street in range(4):
            here = experience.on(street)
            self.add_cases(cases_of(self.representation, experience, street), street, here.origin)

    def add_cases(self, cases: Cases, street: int, origin: Origin | None = None) -> None:
        """Keep these cases of one street, each a single decision if `origin` says where they come from."""
        if not len(cases):
            return
        self.decisions += int(cases.solutions.seen.sum())
        frame, kinds = to_frame(cases, self.representation.actions.names), self.representation.actions.names
        if origin is not None:
            named = frame.with_columns(hand=pl.Series(origin.hand), decision=pl.Series(origin.decision))
            if self.representation.merged:
                self._candidates[street].append(candidates_of(named, cases.features.names, kinds))
            else:
                frame = named
        self._frames[street].append(frame)
        self._rows[street] += len(cases)
        if self._rows[street] > max(PENDING, 2 * len(self._frames[street][0])):
            self._merge(street)

    def _merge(self, street: int) -> None:
        frame = join_frames(self._frames[street], self.representation, street)
        self._frames[street], self._rows[street] = [frame], len(frame)
        if self._candidates[street]:
            names = self.representation.streets[street].names
            self._candidates[street] = [lowest_tickets(self._candidates[street], names)]

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
        linked = self._link_by_features if self.representation.merged else self._link_by_number
        return CaseBase(self.representation, linked(streets))

    def _link_by_features(self, streets: list[Cases]) -> tuple[Cases, ...]:
        """Give the cases a pool of hands, which are chosen when they are first needed."""
        if not any(self._candidates):
            return tuple(streets)
        candidates = [parts[0] if parts else None for parts in self._candidates]
        pool = HandPool(partial(choose_hands, candidates, tuple(streets), self._hands.snapshot()))
        return tuple(
            replace(cases, remembered=Examples(LinkByFeatures.of(pool, self.representation, street, cases)))
            for street, cases in enumerate(streets)
        )

    def _link_by_number(self, streets: list[Cases]) -> tuple[Cases, ...]:
        """Give every case the hand of its only decision."""
        frames = [parts[0] for parts in self._frames if parts]
        if not all("hand" in frame.columns for frame in frames) or not frames:
            return tuple(streets)
        numbers, hands, experts = self._hands.take(np.unique(np.concatenate([f["hand"] for f in frames])))
        pool, linked = HandPool.of(hands, experts), list[Cases]()
        for parts, cases in zip(self._frames, streets, strict=True):
            frame = parts[0] if parts else pl.DataFrame(schema={"hand": pl.Int64, "decision": pl.Int64})
            hand = np.searchsorted(numbers, frame["hand"].to_numpy()).astype(np.int32)
            link = StoredLink(pool, hand[:, None], frame["decision"].to_numpy().astype(np.int16)[:, None])
            linked.append(replace(cases, remembered=Examples(link)))
        return tuple(linked)
