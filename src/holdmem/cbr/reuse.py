"""Reuse policies: turn the solutions of retrieved cases into action weights (Rubin and Watson 2010, §4.5)."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from holdmem.agent import Policy
from holdmem.cbr.kernels.reuse import keep_most_frequent
from holdmem.cbr.solutions import Solutions
from holdmem.core.types import Floats

PolicyName = Literal["probabilistic", "majority", "best-outcome"]


def probabilistic(solutions: Solutions) -> Floats:
    """Weight each action by how often it was taken."""
    return solutions.counts.astype(np.float64)


def majority(solutions: Solutions) -> Floats:
    """Choose the action taken most often; ties go to the call, then raises, then the fold (our rule)."""
    return _only(solutions.counts.astype(np.float64), solutions)


def best_outcome(solutions: Solutions) -> Floats:
    """Choose the action with the best mean outcome, ignoring actions never taken or with unknown outcome.

    Ties go to the more frequent action; if no outcome is known, the majority decides.
    """
    outcomes = solutions.outcomes
    best = outcomes.max(axis=1, keepdims=True)
    known = np.isfinite(best)
    candidates = np.where(known, (outcomes == best) * (1.0 + solutions.counts), solutions.counts)
    return _only(candidates.astype(np.float64), solutions)


def _only(values: Floats, solutions: Solutions) -> Floats:
    """Put all weight on the highest value of each row; ties go to the call, then raises, then the fold."""
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
    """Keep only the most probable action of each row ("max frequency" in Rubin and Watson 2011).

    Ties are resolved as in `majority`. It takes a legal policy, in which kinds of action that the rules make
    equal, such as two sizes below the minimum raise, count together. `majority` cannot do that with counts.
    """
    probabilities = policy.probabilities.copy()
    keep_most_frequent(probabilities, policy.codes)
    return Policy(probabilities, policy.codes)
