"""Cuts that sort hands into buckets by one value, or by a second value within the first.

All bucketings come down to such cuts; they differ in what they cut and in how they treat a value on a cut:

    LinearBuckets, NestedBuckets   values from 0 to 1; a value up to 1e-12 above a cut counts as equal to it
    Bucketing (the learners)       the same cuts, within compiled code
    CardBuckets (CFR)              values in units of 1/65,535, so that values and cuts are whole numbers
    PLICAS, MCTSBot, opponents     `equal_width_bucket`: a value equal to a cut is in the bucket above it

Everywhere else a value equal to a cut is in the bucket below it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.strength.kernels.bucket_cuts import nested_buckets


@dataclass(frozen=True, eq=False)
class BucketCuts:
    """Cuts by a first value and, within each part that these make, by a second one.

    `outer` holds the upper end of every part but the last. The buckets of part p begin at `start[p]`, and
    `inner[start[p] - p : start[p + 1] - p - 1]` are the cuts within it. Bucket numbers increase with the
    first value, then with the second.
    """

    outer: NDArray[Any]
    inner: NDArray[Any]
    start: NDArray[np.int64]

    @classmethod
    def single(cls, cuts: NDArray[Any]) -> "BucketCuts":
        """Return cuts by one value alone."""
        return cls(cuts, np.zeros(0, cuts.dtype), np.arange(len(cuts) + 2))

    @classmethod
    def product(cls, outer: NDArray[Any], inner: NDArray[Any]) -> "BucketCuts":
        """Return cuts that are the same within every part."""
        parts, size = len(outer) + 1, len(inner) + 1
        return cls(outer, np.tile(inner, parts), np.arange(parts + 1) * size)

    @property
    def size(self) -> int:
        """Number of buckets."""
        return int(self.start[-1])

    def buckets_of(self, first: NDArray[Any], second: NDArray[Any] | None = None) -> NDArray[np.int64]:
        """Return the bucket of each hand from its values; single cuts need no second value."""
        out = np.empty(len(first), np.int64)
        nested_buckets(first, first if second is None else second, self.outer, self.inner, self.start, out)
        return out
