"""A seat that plays from memory: it retrieves cases, reuses them, and explains its decisions on request."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Actions, Evidence, Explanation, Policy, View, Views, legal_policy
from holdmem.cbr.case_base import CaseBase, Cases
from holdmem.cbr.reuse import POLICIES
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.tabulate import CaseTables
from holdmem.core.random import Streams
from holdmem.engine import STREET_NAMES
from holdmem.engine.batch import describe_action

SHOWN = 10
"""Number of cases that an explanation lists individually."""


@dataclass(frozen=True)
class CaseBasedSeat:
    """Decides by the cases retrieved from its case base, and retains nothing."""

    base: CaseBase
    policy_name: str
    rng: Streams

    def act(self, views: Views) -> Actions:
        """Draw actions from the policy."""
        return self.policy(views).draw(views.uniforms(self.rng))

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
        """Explain a decision.

        The explanation lists the target case, the cases used with their actions and outcomes, the action
        triple, and the action drawn.
        """
        views = view.alone
        return explain(self, views, self.cases_at(views))

    def tabulate(self, tree: Any) -> CaseTables:
        """Return the policy by decision and class of cards; AgentError if the features do not allow it."""
        return CaseTables(self, tree)

    def cases_at(self, views: Views) -> Cases:
        """Return the cases among which a single view is looked up."""
        return self.base.streets[int(views.street[0])]


def explain(seat: CaseBasedSeat, views: Views, cases: Cases) -> Explanation:
    """Explain why a seat decides as it does at one view, given these cases."""
    representation = seat.base.representation
    target = cases.features.of(views)
    places = representation.retrieval.retrieve(cases.memory, target) if len(cases) else None
    used = [place for place in places.places[0].tolist() if place >= 0] if places else []
    policy = seat.policy(views)
    probabilities = [
        (int(code), float(probability))
        for code, probability in zip(policy.codes[0], policy.probabilities[0], strict=True)
        if probability > 0
    ]
    drawn = int(policy.draw(views.uniforms(seat.rng)).codes[0])
    solution = cases.solutions.over(np.array([used or [-1]]))
    words = [
        f"{STREET_NAMES[int(views.street[0])]}: "
        + ", ".join(f"{name} {said}" for name, said in cases.features.words(_row(target, 0)).items()),
        f"{len(used)} of {len(cases):,} remembered cases used, {int(solution.seen[0]):,} decisions"
        if used
        else f"no case of {len(cases):,} is similar enough, so the default is played",
        f"{seat.policy_name}: {describe_triples(seat, solution)}; plays {describe_action(drawn)}",
    ]
    similar = places.similarities[0] if places else ()
    evidence = [
        _ground(cases, target, place, float(similar[rank]), representation.actions.names)
        for rank, place in enumerate(used[:SHOWN])
    ]
    return Explanation("\n".join(words), tuple(probabilities), tuple(evidence))


def describe_triples(seat: CaseBasedSeat, solution: Solutions) -> str:
    """Describe the action triple and the outcome triple of a solution."""
    actions = ", ".join(f"{probability:.3f}" for probability in solution.probabilities[0])
    outcomes = ", ".join(outcome_words(value) for value in solution.outcomes[0])
    return f"actions ({actions}), outcomes ({outcomes})"


def outcome_words(value: float) -> str:
    """Format an outcome in small bets; −∞ if unknown."""
    return f"{value:+.2f}" if np.isfinite(value) else "−∞"


def _row(values: Mapping[str, Any], place: int) -> dict[str, Any]:
    return {name: column[place] for name, column in values.items()}


def _ground(
    cases: Cases, target: dict[str, Any], place: int, similarity: float, actions: tuple[str, ...]
) -> Evidence:
    """Describe one case: features with local similarities, action frequencies and outcomes."""
    facts: dict[str, float | str] = {}
    said = cases.features.words(_row(cases.values, place))
    for name, local in cases.features.similarities:
        alike = float(local(target[name], cases.values[name][[place]])[0])
        facts[name] = f"{said[name]} (similarity {alike:g})"
    one = cases.solutions[np.array([place])]
    for kind, action in enumerate(actions):
        if one.counts[0, kind]:
            earned = outcome_words(one.outcomes[0, kind])
            facts[action] = f"{one.probabilities[0, kind]:.1%} (earned {earned})"
    return Evidence(f"case {place}, seen {int(one.seen[0]):,} times", similarity, facts)
