"""Cases prepared for retrieval: values by column, a hash index for equal keys, a box tree for the nearest."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from holdmem.cbr.box_tree import FEWEST, BoxTree
from holdmem.cbr.features.feature import Column, Features
from holdmem.cbr.kernels.retrieve import FIXED, PLAN, fill_index, find_nearest
from holdmem.cbr.similarity import KEYS
from holdmem.core.errors import NotationError
from holdmem.core.types import Floats, Ints

MOST_PATTERNS = 4096
"""With more patterns than this, an index would be larger than the cases."""


@dataclass(frozen=True, eq=False)
class Neighbors:
    """Cases for each target, most similar first: indices (-1 after the last), similarities in billionths."""

    places: Ints
    similar: Ints

    @property
    def similarities(self) -> NDArray[np.float64]:
        """Similarities from 0 to 1, of shape (targets, cases)."""
        return self.similar / FIXED

    @property
    def found(self) -> NDArray[np.bool_]:
        """Whether anything was retrieved, one value per target."""
        return self.places[:, 0] >= 0


class FeatureColumns:
    """Feature values in the form that kernels compare: arrays of keys and numbers, one row per case."""

    def __init__(self, features: Features, values: Mapping[str, Column]) -> None:
        kinds = [(similarity, values[name]) for name, similarity in features.similarities]
        count = len(next(iter(values.values())))
        keys = [similarity.columns(column) for similarity, column in kinds if similarity.kind == KEYS]
        numbers = [similarity.columns(column) for similarity, column in kinds if similarity.kind != KEYS]
        self.keys: Ints = np.ascontiguousarray(np.hstack([np.empty((count, 0), np.int64), *keys]))
        self.numbers: Floats = np.ascontiguousarray(np.hstack([np.empty((count, 0)), *numbers]))


def plan_of(features: Features) -> NDArray[np.record]:
    """Return how kernels compare these features, one row per feature."""
    rows = np.zeros(len(features.names), dtype=PLAN)
    keys = numbers = 0
    for row, (_, similarity), weight in zip(rows, features.similarities, features.weights, strict=True):
        row.kind, row.rate, row.weight = similarity.kind, similarity.rate, weight
        row.steps = len(similarity.steps)
        row.step[: row.steps] = similarity.steps
        if similarity.kind == KEYS:
            row.column, keys = keys, keys + len(similarity.steps)
        else:
            row.column, numbers = numbers, numbers + 1
    return rows


class CaseStore:
    """Cases of one street without weights, shared by all players that use them."""

    def __init__(self, features: Features, values: Mapping[str, Column], seen: Ints) -> None:
        self.columns: FeatureColumns = FeatureColumns(features, values)
        self.seen: Ints = np.ascontiguousarray(seen, dtype=np.int64)
        self._plan = plan_of(features)

    @cached_property
    def by_column(self) -> tuple[Ints, NDArray[np.float64]]:
        """Keys and numbers with one row per column, as a scan reads them."""
        return np.ascontiguousarray(self.columns.keys.T), np.ascontiguousarray(self.columns.numbers.T)

    @cached_property
    def tree(self) -> BoxTree | None:
        """Tree that finds the most similar among many cases; None where a full scan is as fast."""
        if len(self.seen) < FEWEST:
            return None
        tree = BoxTree(self._plan, self.columns, self.seen)
        return tree if tree.boxes else None


class CaseIndex:
    """The cases of one street as retrieval sees them: comparable columns, and how often each was seen."""

    def __init__(self, features: Features, values: Mapping[str, Column], seen: Ints) -> None:
        self.features = features
        self.stored: CaseStore = CaseStore(features, values, seen)

    def __len__(self) -> int:
        return len(self.seen)

    def reweighted(self, features: Features) -> "CaseIndex":
        """Return the same cases with different weights, without copying them."""
        if features.similarities != self.features.similarities:
            raise NotationError(f"expected the features {self.features.names}, got {features.names}")
        changed = CaseIndex.__new__(CaseIndex)
        changed.features, changed.stored = features, self.stored
        return changed

    @property
    def columns(self) -> FeatureColumns:
        """Keys and numbers of all cases."""
        return self.stored.columns

    @property
    def seen(self) -> Ints:
        """Number of decisions that each case represents."""
        return self.stored.seen

    @cached_property
    def plan(self) -> NDArray[np.record]:
        """How the features are compared."""
        return plan_of(self.features)

    @cached_property
    def index(self) -> "HashIndex":
        """Hash index that finds the most similar case directly, if all features are keys."""
        return HashIndex(self)

    @property
    def indexable(self) -> bool:
        """Whether all features are compared by keys, with few enough patterns for an index."""
        steps = [len(similarity.steps) + 1 for _, similarity in self.features.similarities]
        only_keys = all(similarity.kind == KEYS for _, similarity in self.features.similarities)
        return only_keys and int(np.prod(steps)) <= MOST_PATTERNS

    def targets(self, values: Mapping[str, Column]) -> FeatureColumns:
        """Convert the feature values of targets to the form that kernels compare."""
        return FeatureColumns(self.features, values)


class HashIndex:
    """One hash table of cases for every way in which a case can match a target, most similar first."""

    def __init__(self, memory: CaseIndex) -> None:
        self.memory = memory
        self.patterns: Ints
        self.scores: Ints
        self.patterns, self.scores = patterns_of(memory.plan)
        size = 1 << max(2 * len(memory), 2).bit_length()
        self.tables: NDArray[np.int32] = np.full((len(self.patterns), size), -1, dtype=np.int32)
        order = np.lexsort((np.arange(len(memory)), -memory.seen))
        fill_index(memory.columns.keys, order, self.patterns, self.tables)

    def nearest(self, targets: FeatureColumns, exact: bool) -> Neighbors:
        """Return the most similar case of each target; with `exact`, the one that matches in every feature.

        With `exact`, a target without such a case gets none.
        """
        places = np.empty(len(targets.keys), np.int64)
        similar = np.empty(len(places), np.int64)
        ways = 1 if exact else len(self.patterns)
        find_nearest(
            self.memory.columns.keys, self.memory.seen, self.patterns[:ways], self.scores[:ways],
            self.tables[:ways], targets.keys, places, similar,
        )  # fmt: skip
        return Neighbors(places[:, None], similar[:, None])


def patterns_of(plan: NDArray[np.record]) -> tuple[Ints, Ints]:
    """Return all ways to match, most similar first: the key columns that must be equal, and the similarity.

    A pattern holds one column per feature, -1 if that feature need not match.
    """
    choices = [range(int(row["steps"]) + 1) for row in plan]
    ways = []
    for way in product(*choices):
        total = weights = 0.0
        columns = []
        for row, step in zip(plan, way, strict=True):
            free = step == row["steps"]
            total += row["weight"] * (0.0 if free else row["step"][step])
            weights += row["weight"]
            columns.append(-1 if free else row["column"] + step)
        ways.append((-int(total / weights * FIXED + 0.5), way, columns))
    ways.sort()
    patterns = np.array([columns for _, _, columns in ways], dtype=np.int64)
    return patterns, np.array([-score for score, _, _ in ways], dtype=np.int64)
