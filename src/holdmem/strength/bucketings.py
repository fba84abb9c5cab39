"""The four bucketing strategies of Marques (n.d., §4.2, §5.1) for all streets: LU, LNU, NU and NNU.

    >>> Bucketing("LNU").sequence(HandCards.read("AhKd", "Kc7s2dQs"))
    (11, 14, 13)

The buckets of a hand from street to street are its sequence.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.core.errors import NotationError
from holdmem.core.types import Floats
from holdmem.engine.state import BOARD_CARDS, STREET_NAMES
from holdmem.strength.buckets import Buckets, LinearBuckets, NestedBuckets
from holdmem.strength.hands import CardColumns, CardRows, HandCards, opponents_of

BucketingStrategy = Literal["LU", "LNU", "NU", "NNU"]
BucketMetric = Literal["e_hs", "e_hs2"]
STRATEGIES: tuple[str, ...] = get_args(BucketingStrategy)
MEANS: tuple[BucketMetric, BucketMetric] = ("e_hs", "e_hs2")

PREFLOP_ENDS = {"e_hs": (0.35, 0.88), "e_hs2": (0.25, 0.8)}
LATER_ENDS = (0.25, 1.0)
"""a and b of equation 4.27 on the flop (§5.1), also used on the turn and the river.

The thesis does not give those of the turn and the river. `PREFLOP_ENDS` are its values before the flop.
"""


class StreetCuts(NamedTuple):
    """`BucketCuts` of all streets, as the kernels read them."""

    outer: Floats  # [street, cut]
    inner: Floats  # [street, cut]
    start: NDArray[np.int64]
    outer_by: int  # 0 for E[HS], 1 for E[HS²]
    inner_by: int


@dataclass(frozen=True)
class Bucketing:
    """A bucketing strategy and its parameters; `buckets` is the number of buckets per street.

    Nested strategies have `buckets / inner` outer buckets by E[HS²], each split into `inner` by E[HS].
    `metric` is the metric of linear strategies. `low` and `high` are a and b of equation 4.27 on every
    street; if None, the values of the thesis are used.
    """

    strategy: BucketingStrategy = "LNU"
    buckets: int = 24
    inner: int = 3
    metric: BucketMetric = "e_hs2"
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise NotationError(f"expected bucketing to be {' or '.join(STRATEGIES)}, got {self.strategy!r}")
        if self.metric not in MEANS:
            raise NotationError(f"expected metric to be {' or '.join(MEANS)}, got {self.metric!r}")
        whole = self.buckets >= 1 and self.inner >= 1
        if not whole or (self.nested and self.buckets % self.inner):
            raise NotationError(
                f"buckets must be a positive multiple of inner, got {self.buckets} and {self.inner}"
            )
        for street in STREET_NAMES:
            self.on(street)

    @property
    def nested(self) -> bool:
        """Whether the buckets use two metrics rather than one."""
        return self.strategy.startswith("N")

    @property
    def uniform(self) -> bool:
        """Whether the intervals have equal width rather than those of equation 4.27."""
        return not self.strategy.endswith("NU")

    def on(self, street: str) -> Buckets:
        """Return the buckets of a street."""
        if not self.nested:
            return self._split(self.metric, self.buckets, street)
        outer = self._split("e_hs2", self.buckets // self.inner, street)
        return NestedBuckets(outer, self._split("e_hs", self.inner, street))

    def _split(self, metric: str, buckets: int, street: str) -> LinearBuckets:
        if self.uniform:
            return LinearBuckets.uniform(metric, buckets)
        low, high = PREFLOP_ENDS[metric] if street == STREET_NAMES[0] else LATER_ENDS
        low, high = low if self.low is None else self.low, high if self.high is None else self.high
        return LinearBuckets.non_uniform(metric, buckets, low, high)

    @property
    def cuts(self) -> StreetCuts:
        """Cuts of all streets, for the kernels."""
        return _cuts_of(self)

    def __call__(self, hands: CardColumns, opponents: ArrayLike = 1) -> NDArray[np.int64]:
        """Return the bucket of each hand on its street; streets may be mixed."""
        counts, out = opponents_of(hands, opponents), np.empty(len(hands.hole), np.int64)
        sizes = np.count_nonzero(np.asarray(hands.board) >= 0, axis=1)
        for street, size in zip(STREET_NAMES, BOARD_CARDS, strict=True):
            rows = sizes == size
            some = CardRows(np.asarray(hands.hole)[rows], np.asarray(hands.board)[rows])
            out[rows] = self.on(street)(some, counts[rows], rounding="shipped")
        return out

    def sequence(self, hand: HandCards, opponents: int = 1) -> tuple[int, ...]:
        """Return the buckets of one hand on each street up to its board."""
        (board,) = hand.board
        seen = [cards for cards in BOARD_CARDS if cards <= np.count_nonzero(board >= 0)]
        return tuple(int(self(HandCards(hand.hole, board[None, :cards]), opponents)[0]) for cards in seen)


@cache
def _cuts_of(bucketing: Bucketing) -> StreetCuts:
    streets = [bucketing.on(street) for street in STREET_NAMES]
    cuts = [buckets.cuts for buckets in streets]
    outer, inner = (np.array([getattr(one, part) for one in cuts]) for part in ("outer", "inner"))
    by = [MEANS.index(name) for name in streets[0].metrics]
    return StreetCuts(outer, inner, cuts[0].start, by[0], by[-1])
