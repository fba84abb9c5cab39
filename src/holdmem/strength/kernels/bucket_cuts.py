"""Kernels that map strengths to bucket numbers, for every player that sorts hands into buckets."""

from holdmem.core.jit import kernel


@kernel
def below(cuts, start, end, value):
    """Return how many of the ascending `cuts[start:end]` are below the value."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if cuts[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low - start


@kernel
def nested_bucket(first, second, outer, inner, start):
    """Return the bucket of a hand: its part by `first`, then its bucket within that part by `second`.

    The arrays are those of `BucketCuts`. A value equal to a cut is in the bucket below it.
    """
    part = below(outer, 0, len(outer), first)
    return start[part] + below(inner, start[part] - part, start[part + 1] - part - 1, second)


@kernel
def nested_buckets(first, second, outer, inner, start, out):
    """Apply `nested_bucket` to arrays of values."""
    for i in range(len(out)):
        out[i] = nested_bucket(first[i], second[i], outer, inner, start)


@kernel
def equal_width_bucket(value, count):
    """Return which of `count` intervals of [0, 1] of equal width holds the value.

    A value equal to a cut is in the bucket above it, unlike in `nested_bucket`.
    """
    return min(int(value * count), count - 1)
