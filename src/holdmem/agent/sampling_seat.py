"""Base class for seats that sample their actions from a policy and explain them."""

from abc import ABC, abstractmethod

from holdmem.agent import Actions, Detail, Explanation, Policy, View, Views, explained
from holdmem.core.random import Streams


class SamplingSeat(ABC):
    """Seat that samples each action from its policy and explains it by the quantities behind the policy."""

    def __init__(self, rng: Streams) -> None:
        self.rng = rng

    @abstractmethod
    def policy(self, views: Views) -> Policy:
        """Return the probability of each action at each view."""

    def reasons(self, view: View) -> list[str]:
        """Return, in sentences, the reasons for the policy at this view."""
        return []

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the quantities that determine the policy at the first of these views, for developers."""
        return ()

    def act(self, views: Views) -> Actions:
        """Sample one action per view."""
        return self.policy(views).draw(views.uniforms(self.rng))

    def explain(self, view: View) -> Explanation:
        """Return the situation, the action probabilities, and what they rest on."""
        alone = view.alone
        return explained(view, self.policy(alone), self.reasons(view), details=self.details(alone))
