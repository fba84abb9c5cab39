"""Compiled kernels of `legal_policy`."""

import numpy as np

from holdmem.core.jit import kernel
from holdmem.engine.state import CALL, FOLD


@kernel
def legalise(rows, weights, codes):
    """Turn weights into probabilities of legal actions, in place.

    Return the first row with a negative or NaN weight or without a finite sum, or -1 if all rows are valid.
    """
    for i in range(len(rows)):
        row = rows[i]
        total = 0.0
        for j in range(weights.shape[1]):
            total += weights[i, j]
            if not (weights[i, j] >= 0 and total < np.inf):
                return i
            if codes[i, j] == FOLD:
                if row.to_call == 0:
                    codes[i, j] = CALL
            elif codes[i, j] != CALL:
                if row.max_raise_to == 0:
                    codes[i, j] = CALL
                else:
                    codes[i, j] = min(max(codes[i, j], row.min_raise_to), row.max_raise_to)
        gather(weights[i], codes[i], total)
    return -1


@kernel
def gather(weights, codes, total):
    """Merge equal actions into their first occurrence and divide by the sum; call if the sum is zero."""
    for j in range(len(codes)):
        for k in range(j):
            if codes[k] == codes[j]:
                weights[k] += weights[j]
                weights[j] = 0.0
                break
    if total > 0:
        for j in range(len(codes)):
            weights[j] /= total
    else:
        for j in range(len(codes)):
            weights[j] = 0.0
        codes[0], weights[0] = CALL, 1.0
