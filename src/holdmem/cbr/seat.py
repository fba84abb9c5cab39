"""A seat that plays from memory: it retrieves cases, reuses them, and explains its decisions on request."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Explanation, Policy, View, Views, legal_policy
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.explain import explain_cases
from holdmem.cbr.reuse import POLICIES
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.tabulate import CaseTables
from holdmem.core.random import Streams


@dataclass(frozen=True)
class CaseBasedSeat(SamplingSeat):
    """Decides by the cases retrieved from its case base, and retains nothing."""

    base: CaseBase
    policy_name: str
    rng: Streams

    def policy(self, views: Views) -> Policy:
        """Return the reuse policy's result for the retrieved cases, or the default where there are none."""
        return self.reuse(views, self.recall(views))

    def recall(self, views: Views) -> Solutions:
        """Sum the solutions of the retrieved cases, one row per view."""
        return self.base.recall(views)[0]

    def reuse(self, views: Views, solutions: Solutions) -> Policy:
        """Turn these solutions into a legal policy."""
        return legal_policy(views, self.weights(solutions), self.base.representation.actions.totals(views))

    def weights(self, solutions: Solutions) -> NDArray[np.float64]:
        """Return the action weights before legality is enforced."""
        found = (solutions.seen > 0)[:, None]
        return np.where(found, POLICIES[self.policy_name](solutions), self._default)

    @cached_property
    def _default(self) -> NDArray[np.float64]:
        return np.array(self.base.representation.default)

    def explain(self, view: View) -> Explanation:
        """Explain a decision by what was done in the cases used, what it earned, and how they differ."""
        return explain_cases(self, view, self.cases_at(view.alone))

    def tabulate(self, tree: Any) -> CaseTables:
        """Return the policy by decision and class of cards; AgentError if the features do not allow it."""
        return CaseTables(self, tree)

    def cases_at(self, views: Views) -> Cases:
        """Return the cases among which a single view is looked up."""
        return self.base.streets[int(views.street[0])]
