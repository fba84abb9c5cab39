"""Find the hands of each case and choose the most typical.

Up to three hands of a case are shown. They are shared out among the kinds of action in proportion to their
counts (by D'Hondt's method). Within a kind they spread over its results: one hand is the median, three are a
middle, a good and a bad result. The hands closest to the mean would be split pots, of which there are few.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.cases import Cases
from holdmem.cbr.features.feature import Column
from holdmem.cbr.remembered import MOST_HANDS, NO_HAND, HandPool
from holdmem.cbr.representation import Representation
from holdmem.cbr.solutions import Solutions, outcomes_of
from holdmem.core.errors import AgentError
from holdmem.core.types import Ints
from holdmem.history import Decisions, Hands, replay


@dataclass(frozen=True, eq=False)
class StoredLink:
    """Links that are known, as where every decision is a case of its own."""

    pool: HandPool
    hand: NDArray[np.int32]
    decision: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.hand)


def link_columns(link: StoredLink) -> dict[str, Ints]:
    """Return stored links as columns: steps from row to row, as most cases follow another of their hand."""
    columns = {}
    for place in range(link.hand.shape[1]):
        hand, decision = link.hand[:, place].astype(np.int64), link.decision[:, place].astype(np.int64)
        steps = np.diff(hand, prepend=0)
        columns[f"{HAND}{place}"] = steps
        columns[f"{DECISION}{place}"] = np.where(steps == 0, np.diff(decision, prepend=0) - 1, decision)
    return columns


def read_link(frame: pl.DataFrame, pool: HandPool) -> StoredLink | None:
    """Return the links stored in columns, None if there are none; ValueError if one is impossible."""
    hand, decision = list[Ints](), list[Ints]()
    while f"{HAND}{len(hand)}" in frame.columns:
        steps, moves = (frame[f"{name}{len(hand)}"].to_numpy() for name in (HAND, DECISION))
        fresh = steps != 0
        moves = np.where(fresh, moves, moves + 1)
        total = np.cumsum(moves)
        start = np.maximum.accumulate(np.where(fresh, np.arange(len(steps)), 0))
        before = np.where(fresh[start], (total - moves)[start], 0) if len(steps) else total
        hand.append(np.cumsum(steps))
        decision.append(total - before)
    if not hand:
        return None
    hands, decisions = np.column_stack(hand), np.column_stack(decision)
    wrong = (hands < NO_HAND) | (hands >= len(pool)) | (decisions < NO_HAND) | (decisions >= 2**15)
    wrong |= (hands == NO_HAND) != (decisions == NO_HAND)
    if hands.shape[1] > MOST_HANDS or wrong.any():
        raise ValueError(f"a hand of case {np.flatnonzero(wrong.any(axis=1))[:1]} does not exist")
    return StoredLink(pool, hands.astype(np.int32), decisions.astype(np.int16))


HAND, DECISION = "kept_hand_", "kept_action_"
"""Beginnings of the names of columns with stored links."""


@dataclass(frozen=True, eq=False)
class LinkByFeatures:
    """Links found by replaying the hands, when they are first needed."""

    pool: HandPool
    representation: Representation
    street: int
    values: Mapping[str, Column]
    solutions: Solutions

    @classmethod
    def of(
        cls, pool: HandPool, representation: Representation, street: int, cases: Cases
    ) -> "LinkByFeatures":
        """Return links from these cases to the hands of the pool they were learned from."""
        return cls(pool, representation, street, cases.values, cases.solutions)

    def __len__(self) -> int:
        return len(self.solutions)

    @property
    def hand(self) -> NDArray[np.int32]:
        """Places in the pool."""
        return self._found[0]

    @property
    def decision(self) -> NDArray[np.int16]:
        """Indices of actions."""
        return self._found[1]

    def known(self, hand: NDArray[np.int32], decision: NDArray[np.int16]) -> "LinkByFeatures":
        """Return these links with what was found before."""
        self.__dict__["_found"] = (hand, decision)
        return self

    @cached_property
    def _found(self) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        decisions = decisions_by_case(*self.pool.take(), self.representation, self.street, self.values)
        return choose_typical(decisions, self.solutions)


CaseLink = StoredLink | LinkByFeatures
"""The hands of the cases of one street: places in the pool and indices of actions, a row per case."""


@dataclass(frozen=True, eq=False)
class LinkedDecisions:
    """Decisions of experts with the case that each belongs to."""

    case: Ints
    hand: Ints
    decision: Ints
    kind: Ints
    won: Ints


def decisions_by_case(
    hands: Hands,
    experts: NDArray[np.bool_],
    representation: Representation,
    street: int,
    values: Mapping[str, Column],
) -> LinkedDecisions:
    """Return the experts' decisions of these hands that have a case with equal features."""
    parts = [
        part
        for decisions in replay(hands)
        if (part := _decisions(decisions, experts, representation, street)) is not None
    ]
    names = list(representation.streets[street].names)
    cases = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in values.items()})
    cases = cases.with_row_index("case").unique(names, keep="first", maintain_order=True)
    none = pl.DataFrame(schema=dict.fromkeys(_LINKED, pl.Int64))
    ordered = (pl.concat(parts).join(cases, on=names) if parts else none).sort("case", "hand", "decision")
    return LinkedDecisions(*(ordered[name].cast(pl.Int64).to_numpy() for name in _LINKED))


_LINKED = ("case", "hand", "decision", "kind", "won")


def _decisions(
    decisions: Decisions, experts: NDArray[np.bool_], representation: Representation, street: int
) -> pl.DataFrame | None:
    """Return the experts' decisions on a street as rows, features first; None if the game does not fit."""
    views = decisions.views
    try:
        representation.check(views.game)
    except AgentError:
        return None
    rows = np.flatnonzero((views.street == street) & experts[decisions.hand, views.seat] & decisions.known)
    if not len(rows):
        return None
    here = views[rows]
    values = representation.streets[street].of(here)
    columns = {name: np.ascontiguousarray(column) for name, column in values.items()}
    return pl.DataFrame(columns).with_columns(
        hand=pl.Series(decisions.hand[rows]),
        decision=pl.Series(here.actions.astype(np.int64)),
        kind=pl.Series(representation.actions.kinds(here, decisions.actions[rows]).astype(np.int64)),
        won=pl.Series(outcomes_of(decisions.net[rows], here)),
    )


def choose_typical(
    decisions: LinkedDecisions, solutions: Solutions
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """Return the places in the pool and the indices of actions of each case's most typical hands."""
    table = pl.DataFrame(
        {
            "case": decisions.case, "kind": decisions.kind, "won": decisions.won, "hand": decisions.hand,
            "decision": decisions.decision, "count": solutions.counts[decisions.case, decisions.kind],
        }
    )  # fmt: skip
    known = table.filter(pl.col("count") > 0).unique(["case", "hand"], keep="first", maintain_order=True)
    known = known.sort(*_BY_RESULT).with_columns(
        at=pl.int_range(pl.len()).over("case", "kind"), of=pl.len().over("case", "kind")
    )
    chosen = _places(known).join(known.drop("of", "count"), on=["case", "kind", "at"])
    hand = np.full((len(solutions), MOST_HANDS), NO_HAND, dtype=np.int32)
    decision = np.full((len(solutions), MOST_HANDS), NO_HAND, dtype=np.int16)
    where = chosen["case"].to_numpy(), chosen["rank"].to_numpy()
    hand[where], decision[where] = chosen["hand"].to_numpy(), chosen["decision"].to_numpy()
    return hand, decision


_BY_RESULT = ("case", "kind", "won", "hand", "decision")


def _places(known: pl.DataFrame) -> pl.DataFrame:
    """Return which hands each case shows, by kind and place (`at`) in the order of results.

    Of the n hands of a kind, k are shown: those in the middle of k equal parts, the middle part first.
    """
    share, place, kinds = pl.col("count") / (1 + pl.col("at")), pl.col("at"), pl.len().over("case", "kind")
    shown = (
        known.with_columns(share=share)
        .sort("case", "share", "kind", descending=[False, True, False])
        .with_columns(rank=pl.int_range(pl.len()).over("case"))
        .filter(pl.col("rank") < MOST_HANDS)
    )
    part = (place + kinds // 2) % kinds
    return shown.select("case", "kind", "rank", at=(2 * part + 1) * pl.col("of") // (2 * kinds))
