"""Retain cases while playing: what a seat did, and what it earned, joins the memory of that table.

The case base itself is shared and never changes; each table has its own `RetainedCases` on top of it. If the
representation merges cases and all features are compared by keys, few enough for an index, a decision whose
case is already known is added to that case. Otherwise it becomes a separate case until the case base is
compacted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import FinishedHands, SeatState, Views
from holdmem.agent.seat_state import MOST, checked_array, prefixed, unprefixed
from holdmem.cbr.builder import Experience, cases_of
from holdmem.cbr.case_index import Neighbors
from holdmem.cbr.cases import Cases, no_cases
from holdmem.cbr.check import check_cases
from holdmem.cbr.features.feature import Column
from holdmem.cbr.remembered import NO_HAND, Examples, stack_examples
from holdmem.cbr.retrieve import Exact, Retrieval, scan_cases
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.solutions import Solutions
from holdmem.core.errors import NotationError
from holdmem.history import Hands, replay

RetainScope = Literal["own", "seen"]
"""Which decisions are retained: the seat's own, or those of every player whose cards it saw."""


def _stacked(one: Cases, other: Cases) -> Cases:
    """Concatenate two sets of cases."""
    if not len(one):
        return other
    values = {name: np.concatenate([column, other.values[name]]) for name, column in one.values.items()}
    hands = stack_examples([(cases.remembered, len(cases)) for cases in (one, other)])
    return Cases(one.features, values, Solutions.joined([one.solutions, other.solutions]), hands)


class RetainedCases:
    """Cases of one street added at one table, on top of the shared case base."""

    def __init__(self, known: Cases, merging: bool = True) -> None:
        self.known = known
        self.merging: bool = merging and known.memory.indexable
        self.cases: Cases = no_cases(known.features, known.solutions.counts.shape[1])
        self._place: dict[tuple[int, ...], int] = {}

    def add(self, new: Cases) -> None:
        """Retain these cases, one decision each."""
        if not self.merging:
            self.cases = _stacked(self.cases, new)
            return
        keys = [tuple(row) for row in self.known.memory.targets(new.values).keys.tolist()]
        strange = [place for place, key in enumerate(keys) if key not in self._place]
        firsts = list(dict.fromkeys(keys[place] for place in strange))
        if firsts:
            rows = np.array([keys.index(key) for key in firsts])
            self._place |= {key: len(self.cases) + place for place, key in enumerate(firsts)}
            self.cases = _stacked(self.cases, self._as_known(new[rows]))
        rows = np.array([self._place[key] for key in keys])
        for mine, theirs in zip(_parts(self.cases.solutions), _parts(new.solutions), strict=True):
            np.add.at(mine, rows, theirs)
        self.cases = replace(self.cases)  # drops its index

    def state(self) -> SeatState:
        """Return the added cases."""
        solutions = dict(zip(SOLUTIONS, _parts(self.cases.solutions), strict=True))
        return {**prefixed("values", dict(self.cases.values)), **solutions}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        values = unprefixed(state, "values")
        count = len(next(iter(values.values()), ()))
        kinds = self.known.solutions.counts.shape[1]
        expected = np.zeros((count, kinds), np.int64)
        try:
            least = {"counts": 0, "settled": 0, "won": -MOST}
            parts = [checked_array(state, name, expected, least[name]) for name in SOLUTIONS]
            self.cases = Cases(self.known.features, self._columns(values, count), Solutions(*parts))
            check_cases(self.cases)
            self.cases = replace(self.cases, remembered=self._known_hands(self.cases))
        except ValueError as error:
            raise NotationError(f"added cases: {error}") from None
        if self.merging:
            keys = self.known.memory.targets(self.cases.values).keys.tolist()
            self._place = {tuple(key): place for place, key in enumerate(keys)}

    def _columns(self, values: SeatState, count: int) -> dict[str, Column]:
        """Return the feature columns after checking that all are numbers and of one length."""
        names = self.known.features.names
        if set(values) != set(names):
            raise ValueError(f"expected the columns {', '.join(names)}, got {', '.join(values)}")
        for name, column in values.items():
            if column.shape != (count,) or column.dtype not in (np.int64, np.float64):
                raise ValueError(
                    f"expected {count:,} numbers as {name}, got {column.dtype} of shape {column.shape}"
                )
        return {name: values[name] for name in names}

    @property
    def all(self) -> Cases:
        """Known and added cases, without the known cases that additions have superseded."""
        if not len(self.cases) or not len(self.known):
            return self.known if len(self.known) else self.cases
        outgrown = np.zeros(len(self.known), dtype=np.bool_)
        if self.merging:
            found = Exact().retrieve(self.known.memory, self.cases.values)
            outgrown[found.places[found.found, 0]] = True
        return _stacked(self.known[~outgrown], self.cases)

    def _as_known(self, new: Cases) -> Cases:
        """Return these cases with the solutions already known for them, zeros where none is known."""
        if not len(self.known):
            return Cases(new.features, new.values, Solutions(*(part * 0 for part in _parts(new.solutions))))
        found = Exact().retrieve(self.known.memory, new.values)
        known = self.known.solutions.over(found.places)
        return Cases(new.features, new.values, known, self._known_hands(new))

    def _known_hands(self, cases: Cases) -> Examples | None:
        """Return the hands of the known cases that these cases supersede; new cases have none."""
        if self.known.remembered is None or not self.merging or not len(cases):
            return None
        found = Exact().retrieve(self.known.memory, cases.values)
        return self.known.remembered.at(np.where(found.found, found.places[:, 0], NO_HAND))


SOLUTIONS = ("counts", "settled", "won")


def _parts(solutions: Solutions) -> tuple[NDArray[np.int64], ...]:
    return solutions.counts, solutions.settled, solutions.won


def combined_solutions(
    retrieval: Retrieval, known: Cases, found: Neighbors, added: Cases, values: Mapping[str, Column]
) -> Solutions:
    """Sum the solutions of the cases to use: those `found` among the known, and those added at the table.

    Both sources are ranked together by similarity, then by how often a case was seen; remaining ties go to
    known cases first. `retrieval` decides how many are used.
    """
    memories = (known, added)
    parts = (found, scan_cases(added.memory, values, 0.0, retrieval.width, retrieval.width))
    source = np.repeat([0, 1], [part.places.shape[1] for part in parts])
    places = np.hstack([part.places for part in parts])
    similar = np.hstack([np.where(part.places >= 0, part.similar, -1) for part in parts])
    seen = np.hstack([_seen(cases, part.places) for cases, part in zip(memories, parts, strict=True)])
    order = np.lexsort((places, np.broadcast_to(source, places.shape), -seen, -similar), axis=1)
    unused = np.arange(places.shape[1]) >= retrieval.kept(np.take_along_axis(similar, order, axis=1))[:, None]
    np.put_along_axis(places, order, np.where(unused, -1, np.take_along_axis(places, order, axis=1)), axis=1)
    sums = [cases.solutions.over(places[:, source == k]) for k, cases in enumerate(memories)]
    return Solutions(*(one + other for one, other in zip(*map(_parts, sums), strict=True)))


def _seen(cases: Cases, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how often each retrieved case was seen, 0 where none was retrieved."""
    if not len(cases):
        return np.zeros_like(places)
    return np.where(places >= 0, cases.memory.seen[places], 0)


@dataclass(frozen=True)
class RetainingSeat(CaseBasedSeat):
    """A remembering seat that retains its own decisions, or all whose cards it saw, for each table."""

    whose: RetainScope = "own"
    memories: dict[int, list[RetainedCases]] = field(default_factory=dict)

    def at(self, table: int) -> list[RetainedCases]:
        """Return the additions of a table, by street."""
        if table not in self.memories:
            self.memories[table] = [
                RetainedCases(cases, self.base.representation.merged) for cases in self.base.streets
            ]
        return self.memories[table]

    def recall(self, views: Views) -> Solutions:
        """Sum the solutions from the case base and from the additions of each view's table."""
        total = Solutions(*map(np.array, _parts(self.base.recall(views)[0])))
        learned = [table for table in np.unique(views.table).tolist() if table in self.memories]
        for table in learned:
            for street, additions in enumerate(self.memories[table]):
                rows = np.flatnonzero((views.table == table) & (views.street == street))
                if len(rows) and len(additions.cases):
                    part = self._recall_here(additions, views[rows])
                    for mine, theirs in zip(_parts(total), _parts(part), strict=True):
                        mine[rows] = theirs
        return total

    def _recall_here(self, additions: RetainedCases, views: Views) -> Solutions:
        values = additions.known.features.of(views)
        retrieval = self.base.representation.retrieval
        found = additions.known.where(values, retrieval)
        return combined_solutions(retrieval, additions.known, found, additions.cases, values)

    def cases_at(self, views: Views) -> Cases:
        """Return the cases of the case base and those retained since then, for an explanation."""
        return self.at(int(views.table[0]))[int(views.street[0])].all

    def watch(self, hands: FinishedHands) -> None:
        """Retain the decisions of these hands."""
        names = [str(player) for player in range(int(hands.lineup.max()) + 1)]
        for decisions in replay(Hands.of(hands, names)):
            mine = decisions.known if self.whose == "seen" else decisions.player == hands.player
            table = hands.tables[decisions.hand]
            for place in np.unique(table[mine]).tolist():
                rows = np.flatnonzero(mine & (table == place))
                experience = Experience(
                    decisions.views, decisions.actions, decisions.net, decisions.settled, rows
                )
                self._keep(place, experience)

    def state(self) -> SeatState:
        """Return the added cases by table and street."""
        found: SeatState = {}
        for table, streets in self.memories.items():
            for street, additions in enumerate(streets):
                found |= prefixed(f"{table}/{street}", additions.state())
        return found

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.memories.clear()
        tables = {name.partition("/")[0] for name in state}
        if not all(table.isdecimal() for table in tables):
            raise NotationError(f"expected cases by table number, got {', '.join(tables)}")
        for table in sorted(map(int, tables)):
            for street, additions in enumerate(self.at(table)):
                additions.restore(unprefixed(state, f"{table}/{street}"))

    def _keep(self, table: int, experience: Experience) -> None:
        for street, additions in enumerate(self.at(table)):
            new = cases_of(self.base.representation, experience, street)
            if len(new):
                additions.add(new)


__all__: list[Any] = ["RetainScope", "RetainedCases", "RetainingSeat"]
