"""Kernels that map hand strengths to bucket indices."""

from holdmem.core.jit import kernel


@kernel
def below(cuts, start, end, number):
    """Return how many of the ascending `cuts[start:end]` are below the number."""
    low, high = start, end
    while low < high:
        middle = (low + high) // 2
        if cuts[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low - start


@kernel
def bucket_of(first, second, outer, inner, start):
    """Return the bucket of a hand by E[HS] and E[HS²]; a value equal to a cut is in the bucket below it."""
    part = below(outer, 0, len(outer), second)
    return start[part] + below(inner, start[part] - part, start[part + 1] - part - 1, first)


@kernel
def bucket_values(first, second, outer, inner, start, out):
    """Apply `bucket_of` to arrays of E[HS] and E[HS²]."""
    for i in range(len(out)):
        out[i] = bucket_of(first[i], second[i], outer, inner, start)
