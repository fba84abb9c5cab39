"""Base class for seats that sample their actions from a policy and explain them."""

from abc import ABC, abstractmethod

from holdmem.agent import Actions, Evidence, Explanation, Policy, View, Views
from holdmem.core.random import Streams


class SamplingSeat(ABC):
    """Seat that samples each action from its policy and explains it by the quantities behind the policy."""

    def __init__(self, rng: Streams) -> None:
        self.rng = rng

    @abstractmethod
    def policy(self, views: Views) -> Policy:
        """Return the probability of each action at each view."""

    def evidence(self, views: Views) -> tuple[Evidence, ...]:
        """Return the quantities that determine the policy at the first of these views."""
        return ()

    def act(self, views: Views) -> Actions:
        """Sample one action per view."""
        return self.policy(views).draw(views.uniforms(self.rng))

    def explain(self, view: View) -> Explanation:
        """Return the situation, the action probabilities above 0, and the quantities behind them."""
        alone = view.alone
        policy = self.policy(alone)
        pairs = zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True)
        probabilities = tuple((code, probability) for code, probability in pairs if probability > 0)
        return Explanation(str(view), probabilities, self.evidence(alone))
