"""Base class for seats that sample their actions from a policy and explain them."""

from abc import ABC, abstractmethod

from holdmem.table import Actions, Explanation, Ground, Policy, Streams, View, Views


class DrawnSeat(ABC):
    """Seat that samples each action from its policy and explains it by the quantities behind the policy."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams

    @abstractmethod
    def policy(self, views: Views) -> Policy:
        """Return the probability of each action at each view."""

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """Return the quantities that determine the policy at the first of these views."""
        return ()

    def act(self, views: Views) -> Actions:
        """Sample one action per view."""
        return self.policy(views).draw(views.uniforms(self.streams))

    def explain(self, view: View) -> Explanation:
        """Return the situation, the action probabilities above 0, and the quantities behind them."""
        alone = view.alone
        policy = self.policy(alone)
        pairs = zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True)
        chances = tuple((code, chance) for code, chance in pairs if chance > 0)
        return Explanation(str(view), chances, self.grounds(alone))
