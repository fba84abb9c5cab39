"""Buckets: numbered groups of hands of similar strength (Marques n.d., §4.2).

    >>> buckets = LinearBuckets.non_uniform("e_hs2", 12, low=0.25, high=1)
    >>> buckets(HandCards.read("AhKd", "Kc7s2d")).item()
    7

Buckets are immutable values, equal by content, and are called with hands. They are numbered from 0, the
weakest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards import Isomorphism
from holdmem.cards.class_sizes import hands_in
from holdmem.core.errors import NotationError, TableError, nearest
from holdmem.core.types import Floats
from holdmem.engine.state import BOARD_CARDS, STREET_NAMES
from holdmem.strength.bucket_cuts import BucketCuts
from holdmem.strength.hand_strength import Rounding, e_hs, e_hs2, ehs, ihs, potential
from holdmem.strength.hands import CardColumns, HandCards
from holdmem.strength.table_files import STEP
from holdmem.strength.tables import ON_BOARD, columns_of

Metric = Callable[..., Floats]

METRICS: dict[str, Metric] = {
    "e_hs": e_hs,
    "e_hs2": e_hs2,
    "ihs": ihs,
    "ehs": ehs,
    "ppot": lambda hands, opponents=1, rounding="tables": potential(hands, rounding=rounding).ppot,
    "npot": lambda hands, opponents=1, rounding="tables": potential(hands, rounding=rounding).npot,
}
"""Metrics by which hands can be sorted into buckets; potentials are always against one opponent."""

SAME = 1e-12  # rounding tolerance: a value this close above a threshold counts as equal to it


class Buckets(Protocol):
    """A way to sort hands into `count` buckets by the values of `metrics`."""

    @property
    def count(self) -> int:
        """Number of buckets."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the arguments of `sort`."""

    @property
    def edges(self) -> tuple[tuple[float, ...], ...]:
        """For each metric, the values at which a bucket ends."""

    @property
    def cuts(self) -> BucketCuts:
        """The edges as cuts, raised by the rounding tolerance."""

    def sort(self, *values: ArrayLike) -> NDArray[np.int64]:
        """Return the bucket of each hand from its values, one array per metric."""

    def __call__(
        self, hands: CardColumns, opponents: ArrayLike = 1, *, rounding: Rounding = "tables"
    ) -> NDArray[np.int64]:
        """Return the bucket of each hand."""


class _Sorting:
    """Mixin of both kinds of buckets: sort hands, given as values or as cards."""

    def sort(self: Buckets, *values: ArrayLike) -> NDArray[np.int64]:
        """Return the bucket of each hand from its values, one array per metric."""
        return self.cuts.buckets_of(*(np.require(one, np.float64, ["C", "W"]) for one in values))

    def __call__(
        self: Buckets, hands: CardColumns, opponents: ArrayLike = 1, *, rounding: Rounding = "tables"
    ) -> NDArray[np.int64]:
        """Return the bucket of each hand against this number of opponents."""
        return self.sort(*(METRICS[name](hands, opponents, rounding=rounding) for name in self.metrics))


@dataclass(frozen=True)
class LinearBuckets(_Sorting):
    """Buckets by one metric: bucket i holds the values above thresholds[i - 1] up to thresholds[i].

    Values above the last threshold are in the last bucket; the thesis does not say where they go.
    """

    metric: str
    thresholds: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise NotationError(f"unknown metric {self.metric!r}; {nearest(self.metric, list(METRICS))}")
        if not self.thresholds or any(low > high for low, high in pairwise(self.thresholds)):
            raise NotationError(f"thresholds must be one or more ascending numbers, got {self.thresholds}")

    @classmethod
    def uniform(cls, metric: str, buckets: int) -> "LinearBuckets":
        """Intervals of [0, 1] of equal width: f(i, n) = (i + 1) / n (LU in the thesis)."""
        return cls(metric, tuple((i + 1) / buckets for i in range(_positive(buckets))))

    @classmethod
    def non_uniform(cls, metric: str, buckets: int, low: float, high: float) -> "LinearBuckets":
        """Intervals of falling width: f(i, n) = low + (high - low) · sqrt(i / (n - 1)) (equation 4.27, LNU).

        `low` and `high` are a and b: f(0) = a and f(n - 1) = b. (The text calls a the maximum and b the
        minimum; its figures and tables use them as here.) With one bucket, where the equation divides by
        zero, the only threshold is b.
        """
        if not 0 <= low <= high <= 1:
            raise NotationError(f"expected 0 <= low <= high <= 1, got {low} and {high}")
        last = max(_positive(buckets) - 1, 1)
        ends = [low + (high - low) * (i / last) ** 0.5 for i in range(buckets)]
        return cls(metric, tuple(ends) if buckets > 1 else (high,))

    @classmethod
    def percentile(cls, metric: str, buckets: int, street: str) -> "LinearBuckets":
        """Buckets with as nearly equal numbers of hands of a street as possible; not in the thesis.

        Thresholds lie halfway between two neighbouring values. A value shared by more hands than a bucket's
        share leaves buckets empty.
        """
        hands, counts = hands_on(street)
        values, place = np.unique(METRICS[metric](hands), return_inverse=True)
        reached = np.cumsum(np.bincount(place, counts))
        wanted = reached[-1] * np.arange(1, _positive(buckets)) / buckets
        last = np.searchsorted(reached, wanted - 0.5)
        ends = (values[last] + values[np.minimum(last + 1, len(values) - 1)]) / 2
        return cls(metric, (*ends.tolist(), 1.0))

    @property
    def count(self) -> int:
        """Number of buckets."""
        return len(self.thresholds)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Name of the metric."""
        return (self.metric,)

    @property
    def edges(self) -> tuple[tuple[float, ...], ...]:
        """Values at which a bucket ends, without the last threshold."""
        return (self.thresholds[:-1],)

    @property
    def cuts(self) -> BucketCuts:
        """The edges as cuts, raised by the rounding tolerance."""
        return BucketCuts.single(_raised(self.edges[0]))


@dataclass(frozen=True)
class NestedBuckets(_Sorting):
    """Buckets by two metrics, one within the other: bucket = outer · inner.count + inner.

    The thesis splits first by E[HS²] and then by E[HS], as `by_hs2_and_hs` does. It does not say whether the
    second split is the same within every bucket of the first; it finds some buckets of the product empty, so
    the split must be the same. Nor does it give the interval ends for each of the two metrics: they are
    parameters here.
    """

    outer: LinearBuckets
    inner: LinearBuckets

    @classmethod
    def by_hs2_and_hs(
        cls,
        outer: int,
        inner: int,
        e_hs2: tuple[float, float] | None = None,
        e_hs: tuple[float, float] | None = None,
    ) -> "NestedBuckets":
        """Return `outer` buckets by E[HS²], each split into `inner` by E[HS].

        Each split is uniform (NU), or non-uniform between (low, high) if these are given (NNU).
        """
        return cls(_split("e_hs2", outer, e_hs2), _split("e_hs", inner, e_hs))

    @property
    def count(self) -> int:
        """Number of buckets."""
        return self.outer.count * self.inner.count

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the two metrics."""
        return (self.outer.metric, self.inner.metric)

    @property
    def edges(self) -> tuple[tuple[float, ...], ...]:
        """Values of both metrics at which a bucket ends."""
        return self.outer.edges + self.inner.edges

    @property
    def cuts(self) -> BucketCuts:
        """The edges of both metrics as cuts, raised by the rounding tolerance."""
        return BucketCuts.product(*map(_raised, self.edges))


def _raised(edges: tuple[float, ...]) -> Floats:
    return np.array(edges, np.float64) + SAME


def _split(metric: str, buckets: int, ends: tuple[float, float] | None) -> LinearBuckets:
    return (
        LinearBuckets.uniform(metric, buckets)
        if ends is None
        else LinearBuckets.non_uniform(metric, buckets, *ends)
    )


def _positive(buckets: int) -> int:
    if buckets < 1:
        raise NotationError(f"expected at least one bucket, got {buckets}")
    return buckets


def hands_on(street: str) -> tuple[HandCards, NDArray[np.int64]]:
    """Return one hand per class of hole cards and board on a street, and the number of hands in each class.

    These numbers sum to 1,326 before the flop, 25,989,600 on the flop and 305,377,800 on the turn.
    """
    board = dict(zip(STREET_NAMES, BOARD_CARDS, strict=True)).get(street)
    if board not in ON_BOARD:
        raise NotationError(f"expected the street {' or '.join(STREET_NAMES[:-1])}, got {street!r}")
    table = ON_BOARD[board]
    if columns_of(table) is None:
        raise TableError(f"the table {table.name} is not built; run `holdmem tables build {table.name}`")
    form = Isomorphism(table.rounds)
    classes = np.arange(form.size)
    cards = form.cards(classes)
    return HandCards(cards[:, :2], cards[:, 2:]), hands_in(form, classes)


def hands_per_bucket(buckets: Buckets, street: str) -> NDArray[np.int64]:
    """Count exactly the hands of a street in each bucket (Marques n.d., tables 5.1 to 5.4).

    If a tabulated value is so close to a threshold that rounding may have moved it across, the hand is
    recomputed.
    """
    hands, counts = hands_on(street)
    values = np.stack([METRICS[name](hands) for name in buckets.metrics])
    close = np.zeros(len(counts), np.bool_)
    for column, edges in zip(values, buckets.edges, strict=True):
        for edge in edges:
            close |= np.abs(column - edge) <= STEP
    exact: Rounding = "tables" if street == "preflop" else "exact"  # the preflop table is not rounded
    doubtful = HandCards(hands.hole[close], _dealt(hands.board[close]))
    values[:, close] = [METRICS[name](doubtful, rounding=exact) for name in buckets.metrics]
    return np.bincount(buckets.sort(*values), counts, buckets.count).astype(np.int64)


def _dealt(board: NDArray[np.int8]) -> NDArray[np.int8]:
    """Drop the columns of cards not yet dealt; all boards are of one street."""
    return board[:, : np.count_nonzero(board[:1] >= 0)]
