"""Kernels: choose the most frequent action of each row of a policy."""

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD


@kernel
def goes_before(action, other):
    """Whether an action wins a tie: the call first, then raises from small to large, then the fold."""
    if other == FOLD or action == CALL:
        return True
    return other != CALL and action != FOLD and action < other


@kernel
def keep_most_frequent(probabilities, codes):
    """Give the most frequent action of each row probability 1, in place."""
    for i in range(len(probabilities)):
        best = 0
        for j in range(1, probabilities.shape[1]):
            more = probabilities[i, j] > probabilities[i, best]
            if more or (
                probabilities[i, j] == probabilities[i, best] and goes_before(codes[i, j], codes[i, best])
            ):
                best = j
        probabilities[i, :] = 0.0
        probabilities[i, best] = 1.0
