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
    """Turn weights into chances of legal actions, in place.

    Gives the first row with a weight below zero or not a number, or without a finite sum; -1 if none is so.
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
    `raise_to`, totals of this street in whole chips). They need not sum to one. A fold where a check is free
    checks; a raise where none is legal calls; a total out of bounds moves to the nearest legal one. Without
    `raise_to` a raise is the least legal one, in limit the only one. All zeros call.
    """
    totals = views.min_raise_to[:, None] if raise_to is None else np.atleast_2d(raise_to)
    chances = _rows(np.array(weights, dtype=float), len(views))
    if totals.ndim != 2 or len(totals) not in (1, len(views)) or totals.dtype.kind not in "iu":
        raise AgentError(
            f"expected totals of raises as whole chips for each of {len(views)} views,"
            f" got {totals.dtype} of shape {totals.shape}"
        )
    if chances.shape[1] != 2 + totals.shape[1]:
        raise AgentError(
            f"expected weights for fold, call and {totals.shape[1]} raises a view, got {chances.shape[1]}"
        )
    codes = np.empty(chances.shape, dtype=np.int64)
    codes[:, 0], codes[:, 1] = FOLD, CALL
    codes[:, 2:] = np.maximum(totals, 1)  # 0 would read as a call; a total too small moves up anyway
    bad = legalise(views.rows, chances, codes)
    if bad >= 0:
        raise AgentError(f"expected weights of 0 or more with a finite sum, got {chances[bad].tolist()}")
    return Policy(chances, codes)


def _rows(weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The weights with one row for each view; a single row is meant for all of them."""
    if weights.ndim == 2 and len(weights) == count:
        return np.ascontiguousarray(weights)
    if weights.ndim not in (1, 2) or (weights.ndim == 2 and len(weights) not in (1, count)):
        raise AgentError(f"expected one row of weights for each of {count} views, got shape {weights.shape}")
    return np.array(np.broadcast_to(weights, (count, weights.shape[-1])))
