"""What players have in common that draw their actions from a policy: the draw, and the words for it."""

from abc import ABC, abstractmethod

from holdmem.table import Actions, Explanation, Ground, Policy, Streams, View, Views


class DrawnSeat(ABC):
    """Draws every action from its policy, and explains it by the numbers that the policy rests on."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams

    @abstractmethod
    def policy(self, views: Views) -> Policy:
        """The probability of each action at each view."""

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """What the policy at the first of these views rests on."""
        return ()

    def act(self, views: Views) -> Actions:
        """One draw for each view."""
        return self.policy(views).draw(views.uniforms(self.streams))

    def explain(self, view: View) -> Explanation:
        """The situation, the chances, and what they rest on."""
        alone = view.alone
        policy = self.policy(alone)
        pairs = zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True)
        chances = tuple((code, chance) for code, chance in pairs if chance > 0)
        return Explanation(str(view), chances, self.grounds(alone))
