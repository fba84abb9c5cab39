"""Re-use policies: from solutions of retrieved cases to weights of actions (Rubin and Watson 2010, §4.5)."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.casebase.reuse_kernels import keep_most_frequent
from holdmem.casebase.solutions import Solutions
from holdmem.table import Policy

Floats = NDArray[np.float64]
PolicyName = Literal["probabilistic", "majority", "best-outcome"]


def probabilistic(solutions: Solutions) -> Floats:
    """Each action as often as it was done."""
    return solutions.counts.astype(np.float64)


def majority(solutions: Solutions) -> Floats:
    """What was done most often. Where two were done equally often: the call, else the raise (our rule)."""
    return _only(solutions.counts.astype(np.float64), solutions)


def best_outcome(solutions: Solutions) -> Floats:
    """What earned most on average; what was never done, or with unknown result, is not considered.

    Of equal outcomes the one seen more often; if no outcome is known, the majority.
    """
    outcomes = solutions.outcomes
    best = outcomes.max(axis=1, keepdims=True)
    known = np.isfinite(best)
    candidates = np.where(known, (outcomes == best) * (1.0 + solutions.counts), solutions.counts)
    return _only(candidates.astype(np.float64), solutions)


def _only(values: Floats, solutions: Solutions) -> Floats:
    """All weight on the highest value of each row: of equal ones the call, then the raises, then the fold."""
    size = values.shape[1]
    order = [1, *range(2, size), 0]
    chosen = np.array(order)[values[:, order].argmax(axis=1)]
    weights: Floats = np.eye(size)[chosen] * (solutions.seen > 0)[:, None]
    return weights


POLICIES: dict[str, Callable[[Solutions], Floats]] = {
    "probabilistic": probabilistic,
    "majority": majority,
    "best-outcome": best_outcome,
}


def most_frequent(policy: Policy) -> Policy:
    """Only the likeliest action of each row (Rubin and Watson 2011, "max frequency"); ties as in `majority`.

    Of a legal policy: what has become one action by the rules, such as two sizes below the least raise,
    counts together, which `majority` of the remembered counts cannot know.
    """
    chances = policy.probabilities.copy()
    keep_most_frequent(chances, policy.codes)
    return Policy(chances, policy.codes)
