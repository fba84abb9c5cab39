"""The one function that makes any triple or vector legal; no agent does it by itself."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.compiled import kernel
from holdmem.errors import AgentError
from holdmem.rules.state import CALL, FOLD
from holdmem.table.contract import Policy
from holdmem.table.views import Views


@kernel
def legalise(rows, weights, codes):
    """Turn weights into chances of legal actions, in place; False if one is negative or no number."""
    for i in range(len(rows)):
        row = rows[i]
        total = 0.0
        for j in range(weights.shape[1]):
            if not 0 <= weights[i, j] < np.inf:
                return False
            total += weights[i, j]
            if codes[i, j] == FOLD:
                if row.to_call == 0:
                    codes[i, j] = CALL
            elif codes[i, j] != CALL:
                if row.max_raise_to == 0:
                    codes[i, j] = CALL
                else:
                    codes[i, j] = min(max(codes[i, j], row.min_raise_to), row.max_raise_to)
        gather(weights[i], codes[i], total)
    return True


@kernel
def gather(weights, codes, total):
    """Actions that have become the same are added up in the first place; then all are divided by the sum."""
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


def legal_policy(views: Views, weights: ArrayLike, raise_to: ArrayLike | None = None) -> Policy:
    """The policy nearest to these weights that is legal at these views.

    `weights` is one triple (fold, call, raise) a view, or a vector (fold, call, then one for each column of
    `raise_to`, totals of this street). They need not sum to one. A fold where a check is free checks; a raise
    where none is legal calls; a total out of bounds moves to the nearest legal one. Without `raise_to` a
    raise is the least legal one, in limit the only one. All zeros call.
    """
    chances = np.array(np.broadcast_to(weights, (len(views), np.shape(weights)[-1])), dtype=float)
    totals = views.min_raise_to[:, None] if raise_to is None else np.atleast_2d(raise_to)
    if chances.shape[1] != 2 + totals.shape[1]:
        raise AgentError(
            f"expected weights for fold, call and {totals.shape[1]} raises a view, got {chances.shape[1]}"
        )
    codes = np.empty(chances.shape, dtype=np.int64)
    codes[:, 0], codes[:, 1] = FOLD, CALL
    codes[:, 2:] = np.maximum(totals, 1)  # 0 would read as a call; a total too small moves up anyway
    if not legalise(views.rows, chances, codes):
        raise AgentError(f"expected weights of 0 or more, got {_first_bad(chances)}")
    return Policy(chances, codes)


def _first_bad(weights: NDArray[np.float64]) -> list[float]:
    bad = ~((weights >= 0) & (weights < np.inf)).all(axis=1)
    return weights[bad][0].tolist()  # type: ignore[no-any-return]
