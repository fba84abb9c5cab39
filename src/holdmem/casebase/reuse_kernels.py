"""Choosing the most frequent action of each row of a policy."""

from holdmem.compiled import kernel
from holdmem.rules.state import CALL, FOLD


@kernel
def goes_before(action, other):
    """The order of actions that are equally frequent: the call, then raises from small to large, the fold."""
    if other == FOLD or action == CALL:
        return True
    return other != CALL and action != FOLD and action < other


@kernel
def keep_most_frequent(chances, codes):
    """All chance to the most frequent action of each row, in place."""
    for i in range(len(chances)):
        best = 0
        for j in range(1, chances.shape[1]):
            more = chances[i, j] > chances[i, best]
            if more or (chances[i, j] == chances[i, best] and goes_before(codes[i, j], codes[i, best])):
                best = j
        chances[i, :] = 0.0
        chances[i, best] = 1.0
