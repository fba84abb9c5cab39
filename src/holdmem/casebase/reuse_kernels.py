"""Kernels: choose the most frequent action of each row of a policy."""

from holdmem.compiled import kernel
from holdmem.rules.state import CALL, FOLD


@kernel
def goes_before(action, other):
    """Whether an action wins a tie: the call first, then raises from small to large, then the fold."""
    if other == FOLD or action == CALL:
        return True
    return other != CALL and action != FOLD and action < other


@kernel
def keep_most_frequent(chances, codes):
    """Give the most frequent action of each row probability 1, in place."""
    for i in range(len(chances)):
        best = 0
        for j in range(1, chances.shape[1]):
            more = chances[i, j] > chances[i, best]
            if more or (chances[i, j] == chances[i, best] and goes_before(codes[i, j], codes[i, best])):
                best = j
        chances[i, :] = 0.0
        chances[i, best] = 1.0
