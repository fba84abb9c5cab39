"""Maintain case bases: merge, forget, compact, compare, and report how redundant they are."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.features.feature import Features
from holdmem.cbr.maintain_hands import joined_hands, merged_hands
from holdmem.cbr.representation import Representation
from holdmem.cbr.solutions import Solutions
from holdmem.core.errors import NotationError
from holdmem.engine import STREET_NAMES


def solution_columns(kinds: Sequence[str]) -> list[str]:
    """Return the names of the columns that hold solutions: counts, settled counts, sums won."""
    return [*kinds, *(f"{kind}_settled" for kind in kinds), *(f"{kind}_won" for kind in kinds)]


def to_frame(cases: Cases, kinds: Sequence[str]) -> pl.DataFrame:
    """Convert cases to a data frame: features first, then solutions."""
    solutions = cases.solutions
    table = np.hstack([solutions.counts, solutions.settled, solutions.won])
    columns: dict[str, Any] = {name: np.ascontiguousarray(column) for name, column in cases.values.items()}
    for place, name in enumerate(solution_columns(kinds)):
        columns[name] = np.ascontiguousarray(table[:, place])
    return pl.DataFrame(columns)


def from_frame(frame: pl.DataFrame, features: Features, kinds: Sequence[str]) -> Cases:
    """Convert such a data frame back to cases."""
    values = {name: frame[name].to_numpy(writable=True) for name in features.names}
    table = frame.select(pl.col(solution_columns(kinds)).cast(pl.Int64)).to_numpy()
    counts, settled, won = (np.ascontiguousarray(part) for part in np.split(table, 3, axis=1))
    if np.array_equal(counts, settled):
        settled = counts  # usually every result is known; one array in place of two
    return Cases(features, values, Solutions(counts, settled, won))


def join_frames(frames: Iterable[pl.DataFrame], representation: Representation, street: int) -> pl.DataFrame:
    """Combine all cases of a street, merged if the representation says so."""
    kinds = representation.actions.names
    return (
        merge_frames(frames, representation.streets[street], kinds)
        if representation.merged
        else pl.concat(list(frames))
    )


def merge_frames(frames: Iterable[pl.DataFrame], features: Features, kinds: Sequence[str]) -> pl.DataFrame:
    """Combine all cases, summing those with equal features, sorted by the features."""
    names = list(features.names)
    together = pl.concat(list(frames))
    return together.group_by(names).agg(pl.col(solution_columns(kinds)).sum()).sort(names)


def merge_cases(cases: Cases, kinds: Sequence[str]) -> Cases:
    """Merge cases with equal features into one each, with their summed counts and outcomes."""
    frame = merge_frames([to_frame(cases, kinds)], cases.features, kinds)
    merged = from_frame(frame, cases.features, kinds)
    return replace(merged, remembered=merged_hands(cases, merged, _same_case(cases, merged)))


def _each_street(base: CaseBase, change: Callable[[Cases], Cases]) -> CaseBase:
    return replace(base, streets=tuple(change(cases) for cases in base.streets))


def compact(base: CaseBase) -> CaseBase:
    """Merge cases with equal features on every street: the fewest cases that keep all counts and outcomes.

    The best similarity for a target is unchanged, whether by exact match or as the nearest case. The case
    found then stands for all decisions merged into it.
    """
    kinds = base.representation.actions.names
    return _each_street(base, lambda cases: merge_cases(cases, kinds))


def drop_rare_cases(base: CaseBase, seen_less_than: int = 1, most: int | None = None) -> CaseBase:
    """Drop cases with fewer than `seen_less_than` decisions; keep the `most` most seen per street at most."""

    def kept(cases: Cases) -> Cases:
        seen = cases.solutions.seen
        places = np.flatnonzero(seen >= seen_less_than)
        if most is not None:
            best = np.lexsort((places, -seen[places]))[:most]
            places = np.sort(places[best])
        return cases[places]

    return _each_street(base, kept)


def merge_case_bases(bases: Sequence[CaseBase]) -> CaseBase:
    """Combine several case bases of one representation into one."""
    first = bases[0]
    for base in bases[1:]:
        if base.representation != first.representation:
            names = f"{first.representation.name} and {base.representation.name}"
            raise NotationError(f"the case bases must have one representation, got {names}")
    kinds = first.representation.actions.names
    streets = []
    for street, features in enumerate(first.representation.streets):
        frames = [to_frame(base.streets[street], kinds) for base in bases]
        streets.append(from_frame(join_frames(frames, first.representation, street), features, kinds))
    return CaseBase(first.representation, joined_hands(bases, streets))


def merge_stored(bases: Sequence[CaseBase], folders: Sequence[Path], seen_less_than: int = 1) -> CaseBase:
    """Merge stored case bases, drop cases of fewer than `seen_less_than` decisions, and note the folders."""
    kept = ("expert", "game", "hands", "decisions", "unseen", "showdowns_only")
    about = {
        "merged": [
            {"folder": str(folder)} | {name: base.about[name] for name in kept if name in base.about}
            for folder, base in zip(folders, bases, strict=True)
        ],
        "representation": bases[0].about["representation"],
        "forgotten_below": seen_less_than,
    }
    return replace(drop_rare_cases(merge_case_bases(bases), seen_less_than), about=about)


@dataclass(frozen=True)
class StreetReport:
    """Statistics of one street of a case base."""

    street: str
    cases: int
    decisions: int
    redundancy: float
    """Share of decisions that added no new case: 1 - cases / decisions."""
    seen_once: float
    """Share of cases that rest on a single decision."""
    surprise: float
    """Share of decisions that are the only one of their case.

    It is the Good–Turing estimate of how often the expert's next decision will have no exactly matching case.
    """


def report(base: CaseBase) -> list[StreetReport]:
    """Count cases and decisions of each street, and estimate redundancy and coverage from them."""
    found = []
    for street, cases in zip(STREET_NAMES, base.streets, strict=True):
        seen = cases.solutions.seen
        decisions, once = int(seen.sum()), int((seen == 1).sum())
        found.append(
            StreetReport(
                street, len(cases), decisions, 1 - len(cases) / max(decisions, 1),
                once / max(len(cases), 1), once / max(decisions, 1),
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True)
class StreetDifference:
    """How two case bases of one kind differ on one street, weighted by the decisions of the first."""

    street: str
    shared: float
    """Share of the first's decisions whose case the second also has."""
    agreement: float
    """Share of these in which both have the same majority action."""
    distance: float
    """Mean total variation distance between their action triples: half the sum of absolute differences."""


def compare(one: CaseBase, other: CaseBase) -> list[StreetDifference]:
    """Compare two case bases street by street."""
    if one.representation.streets != other.representation.streets:
        raise NotationError("the two case bases have different features")
    return [
        _difference(street, *pair)
        for street, pair in zip(STREET_NAMES, zip(one.streets, other.streets, strict=True), strict=True)
    ]


def _difference(street: str, one: Cases, other: Cases) -> StreetDifference:
    places = _same_case(one, other)
    both = places >= 0
    weight = one.solutions.seen * both
    mine, theirs = one.solutions, other.solutions[places[both]]
    total = max(int(weight.sum()), 1)
    same = mine.counts[both].argmax(axis=1) == theirs.counts.argmax(axis=1)
    distance = np.abs(mine.probabilities[both] - theirs.probabilities).sum(axis=1) / 2
    return StreetDifference(
        street,
        weight.sum() / max(int(one.solutions.seen.sum()), 1),
        float((same * weight[both]).sum() / total),
        float((distance * weight[both]).sum() / total),
    )


def _same_case(one: Cases, other: Cases) -> NDArray[np.int64]:
    """Return the index of the case in `other` with equal features, or -1 if it has none."""
    names = list(one.features.names)
    left = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in one.values.items()})
    right = pl.DataFrame({name: np.ascontiguousarray(column) for name, column in other.values.items()})
    right = right.with_row_index("place").unique(names, keep="first", maintain_order=True)
    found = left.join(right, on=names, how="left", maintain_order="left")["place"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()
