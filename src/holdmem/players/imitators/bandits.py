"""Multi-armed bandits at many tables at once: choose the next arm from the rewards of each so far.

ucb1          every arm once, then the highest mean + sqrt(2 ln n / n_j)
                                                                      (Rubin and Watson 2011, eq. 2)
ucb1-tuned    mean + sqrt(ln n / n_j · min(1/4, V_j)), V_j = variance + sqrt(2 ln n / n_j)
                                                                      (Auer, Cesa-Bianchi and Fischer, 2002)
thompson      the highest of one draw per arm from a normal distribution with the arm's mean and variance
              pooled variance / n_j

Logarithmic regret is proved for rewards in [0, 1]. `scale` maps utilities there: -scale to scale becomes
0 to 1, and values beyond are clipped. With scale 0 utilities are used unchanged, as in the paper, and
ucb1-tuned omits the bound 1/4, the largest variance in [0, 1].
"""

from typing import Literal

import numpy as np
from scipy.special import ndtri

from holdmem.agent import SeatState
from holdmem.agent.seat_state import checked_array
from holdmem.core.types import Floats, Ints

Rule = Literal["ucb1", "ucb1-tuned", "thompson"]


class Bandit:
    """Trials and rewards of each arm at each table."""

    def __init__(self, tables: int, arms: int, rule: Rule = "ucb1", scale: float = 0.0) -> None:
        self.rule = rule
        self.scale = scale
        self.tried: Ints = np.zeros((tables, arms), dtype=np.int64)
        self.earned: Floats = np.zeros((tables, arms))
        self.squares: Floats = np.zeros((tables, arms))

    def add(self, tables: Ints, arms: Ints, utilities: Floats) -> None:
        """Record one trial of each of these arms at its table with this utility."""
        rewards = self.reward(utilities)
        np.add.at(self.tried, (tables, arms), 1)
        np.add.at(self.earned, (tables, arms), rewards)
        np.add.at(self.squares, (tables, arms), rewards * rewards)

    def state(self) -> SeatState:
        """Return trials, sums of rewards and sums of squared rewards, each of shape (tables, arms)."""
        return {"tried": self.tried, "earned": self.earned, "squares": self.squares}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        for name in ("tried", "earned", "squares"):
            setattr(self, name, checked_array(state, name, getattr(self, name)))

    def reward(self, utilities: Floats) -> Floats:
        """Convert utilities to rewards: unchanged with scale 0, else mapped to [0, 1] and clipped."""
        if not self.scale:
            return utilities
        return np.clip((utilities + self.scale) / (2 * self.scale), 0.0, 1.0)

    def choose(self, tables: Ints, uniforms: Floats) -> Ints:
        """Return the arm to try next at each of these tables.

        Untried arms come first, in order; after that the rule decides, and ties go to the first arm.
        `uniforms` of shape (tables, arms) are used only by thompson.
        """
        tried = self.tried[tables]
        values = self.values(tables, uniforms)
        chosen: Ints = np.where(tried == 0, np.inf, values).argmax(axis=1)
        return chosen

    def values(self, tables: Ints, uniforms: Floats) -> Floats:
        """Return the rule's index of each arm at these tables; meaningful once every arm has been tried."""
        tried = np.maximum(self.tried[tables], 1)
        total = tried.sum(axis=1, keepdims=True)
        means = self.earned[tables] / tried
        variances = np.maximum(self.squares[tables] / tried - means * means, 0.0)
        if self.rule == "thompson":
            drawn: Floats = means + ndtri(uniforms) * np.sqrt(self._pooled(variances, tried) / tried)
            return drawn
        width = 2 * np.log(total) / tried
        if self.rule == "ucb1-tuned":
            bound = variances + np.sqrt(width)
            width = np.log(total) / tried * (np.minimum(bound, 0.25) if self.scale else bound)
        bounds: Floats = means + np.sqrt(width)
        return bounds

    def _pooled(self, variances: Floats, tried: Ints) -> Floats:
        """Return the pooled within-arm variance of rewards; 1 until some arm has a second trial."""
        degrees = (tried - 1).sum(axis=1, keepdims=True)
        around = (variances * tried).sum(axis=1, keepdims=True)
        return np.where(degrees > 0, around / np.maximum(degrees, 1), 1.0)
