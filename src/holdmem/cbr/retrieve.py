"""Retrieve the cases to use for a target: exact matches, the nearest, or all above a threshold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from holdmem.cbr.case_index import CaseIndex, FeatureColumns, Neighbors
from holdmem.cbr.features.feature import Column
from holdmem.cbr.kernels.retrieve import FIXED, scan
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints


class Retrieval(Protocol):
    """A rule for which cases are used."""

    @property
    def width(self) -> int:
        """Maximum number of cases used."""
        ...

    def kept(self, similar: Ints) -> Ints:
        """Return how many candidates are used per target.

        `similar` holds their similarities in descending order, of shape (targets, cases), with -1 for none.
        """
        ...

    def retrieve(self, memory: CaseIndex, values: Mapping[str, Column]) -> Neighbors:
        """Retrieve the cases for each target."""
        ...


@dataclass(frozen=True)
class Exact:
    """Use the case that matches the target in every feature, or none (SARTRE-1).

    Cases with equal features must have been merged, so that at most one matches.
    """

    width = 1

    def kept(self, similar: Ints) -> Ints:
        """Return 1 for an exact match, 0 otherwise."""
        return (similar[:, 0] == FIXED).astype(np.int64)  # type: ignore[no-any-return]

    def retrieve(self, memory: CaseIndex, values: Mapping[str, Column]) -> Neighbors:
        """Retrieve the cases for each target."""
        if not memory.indexable:
            raise NotationError("exact retrieval needs features that are compared by equality")
        return memory.index.nearest(memory.targets(values), exact=True)


@dataclass(frozen=True)
class Nearest:
    """Use the `k` most similar cases, whatever their similarity (SARTRE-2: one)."""

    k: int = 1

    def __post_init__(self) -> None:
        if self.k < 1:
            raise NotationError(f"expected at least one case to retrieve, got {self.k}")

    @property
    def width(self) -> int:
        """Maximum number of cases used."""
        return self.k

    def kept(self, similar: Ints) -> Ints:
        """Return how many cases are kept for each target: always k."""
        return np.full(len(similar), self.k)

    def retrieve(self, memory: CaseIndex, values: Mapping[str, Column]) -> Neighbors:
        """Retrieve the cases for each target."""
        if self.k == 1 and memory.indexable:
            return memory.index.nearest(memory.targets(values), exact=False)
        return most_similar(memory, values, threshold=0.0, most=self.k, otherwise=self.k)


@dataclass(frozen=True)
class Threshold:
    """Use the cases with at least this similarity, at most `most`; if there is none, the nearest `otherwise`.

    Rubin (2007) uses 0.97, 100 and 20.
    """

    least: float = 0.97
    most: int = 100
    otherwise: int = 20

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1 or self.most < 1 or self.otherwise < 0:
            raise NotationError(f"expected a similarity from 0 to 1 and valid numbers of cases, got {self}")

    @property
    def width(self) -> int:
        """Maximum number of cases used."""
        return max(self.most, self.otherwise)

    def kept(self, similar: Ints) -> Ints:
        """Return the number at or above the threshold, at most `most`, or `otherwise` if there is none."""
        above = (similar >= int(self.least * FIXED + 0.5)).sum(axis=1)
        return np.where(above > 0, np.minimum(above, self.most), self.otherwise)

    def retrieve(self, memory: CaseIndex, values: Mapping[str, Column]) -> Neighbors:
        """Retrieve the cases for each target."""
        return most_similar(memory, values, self.least, self.most, self.otherwise)


def most_similar(
    memory: CaseIndex, values: Mapping[str, Column], threshold: float, most: int, otherwise: int
) -> Neighbors:
    """Retrieve the same cases as a full scan, by the tree if there are many."""
    tree = memory.stored.tree
    if tree is None:
        return scan_cases(memory, values, threshold, most, otherwise)
    targets = memory.targets(values)
    places, similar = _room(memory, targets, max(most, otherwise))
    tree.find(memory.plan, targets, int(threshold * FIXED + 0.5), most, otherwise, places, similar)
    return Neighbors(places, similar)


def _room(memory: CaseIndex, targets: FeatureColumns, most: int) -> tuple[Ints, Ints]:
    shape = (len(targets.keys), max(min(most, len(memory)), 1))
    return np.empty(shape, np.int64), np.zeros(shape, np.int64)


def scan_cases(
    memory: CaseIndex, values: Mapping[str, Column], threshold: float, most: int, otherwise: int
) -> Neighbors:
    """Retrieve by comparing every case with every target."""
    targets = memory.targets(values)
    places, similar = _room(memory, targets, max(most, otherwise))
    scan(
        memory.plan, *memory.stored.by_column, memory.seen, targets.keys, targets.numbers,
        int(threshold * FIXED + 0.5), most, otherwise, places, similar,
    )  # fmt: skip
    return Neighbors(places, similar)
