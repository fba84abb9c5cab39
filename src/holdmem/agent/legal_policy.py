"""Conversion of weights over fold, call and raises into legal policies, for all agents in one place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.agent.contract import Policy
from holdmem.agent.kernels.legal_policy import legalise
from holdmem.agent.views import Views
from holdmem.core.errors import AgentError
from holdmem.engine.state import CALL, FOLD


def legal_policy(views: Views, weights: ArrayLike, raise_to: ArrayLike | None = None) -> Policy:
    """Return the legal policy closest to these weights.

    A fold becomes a check where checking is free; a raise becomes a call where no raise is legal; a total out
    of bounds moves to the nearest legal one. All-zero weights become a call.

    Parameters
    ----------
    views : the decisions.
    weights : one row per view, or one row for all: weights of fold, call and each column of `raise_to`. They
        need not sum to one.
    raise_to : totals on this street in whole chips, one column per raise; by default the minimum legal raise,
        which in limit games is the only one.

    Returns
    -------
    Policy : probabilities of legal actions.

    Raises
    ------
    AgentError : the shapes do not fit, or a weight is negative or not finite.

    Examples
    --------
    >>> from holdmem import CALL, Situation, legal_policy
    >>> free = Situation(hole="AhKd", board="Kc8s2d", betting="rc/").views
    >>> legal_policy(free, [0.5, 0.25, 0.25]).probability_of([CALL]).tolist()  # a check is free
    [0.75]
    """
    totals = views.min_raise_to[:, None] if raise_to is None else np.atleast_2d(raise_to)
    probabilities = _rows(np.array(weights, dtype=float), len(views))
    if totals.ndim != 2 or len(totals) not in (1, len(views)) or totals.dtype.kind not in "iu":
        raise AgentError(
            f"expected raise totals in whole chips for each of {len(views)} views,"
            f" got {totals.dtype} of shape {totals.shape}"
        )
    if probabilities.shape[1] != 2 + totals.shape[1]:
        raise AgentError(
            f"expected weights for fold, call and {totals.shape[1]} raises per view,"
            f" got {probabilities.shape[1]}"
        )
    codes = np.empty(probabilities.shape, dtype=np.int64)
    codes[:, 0], codes[:, 1] = FOLD, CALL
    codes[:, 2:] = np.maximum(totals, 1)  # 0 would mean a call; small totals move up to the minimum anyway
    bad = legalise(views.rows, probabilities, codes)
    if bad >= 0:
        raise AgentError(
            f"expected weights of 0 or more with a finite sum, got {probabilities[bad].tolist()}"
        )
    return Policy(probabilities, codes)


def _rows(weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the weights with one row per view; a single row applies to all views."""
    if weights.ndim == 2 and len(weights) == count:
        return np.ascontiguousarray(weights)
    if weights.ndim not in (1, 2) or (weights.ndim == 2 and len(weights) not in (1, count)):
        raise AgentError(f"expected one row of weights for each of {count} views, got shape {weights.shape}")
    return np.array(np.broadcast_to(weights, (count, weights.shape[-1])))
