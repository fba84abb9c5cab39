"""Buckets by E[HS²] and, within each part, by E[HS]: counted one cut at a time."""

from collections.abc import Sequence


def bucket(first: int, second: int, outer: Sequence[int], inner: Sequence[Sequence[int]]) -> int:
    """The number of buckets below; a value equal to a cut is below it. `inner` has the cuts of each part."""
    part = sum(cut < second for cut in outer)
    parts_below = sum(len(cuts) + 1 for cuts in inner[:part])
    return parts_below + sum(cut < first for cut in inner[part])
