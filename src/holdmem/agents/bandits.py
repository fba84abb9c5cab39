"""Multi-armed bandits at many tables at once: which of several arms to try next, from what each has earned.

ucb1          each once, then the arm with the highest mean + sqrt(2 ln n / n_j)
                                                                      (Rubin and Watson 2011, eq. 2)
ucb1-tuned    mean + sqrt(ln n / n_j · min(1/4, V_j)), V_j = variance + sqrt(2 ln n / n_j)
                                                                      (Auer, Cesa-Bianchi and Fischer, 2002)
thompson      the highest of one draw an arm from a normal around its mean, of the pooled variance / n_j

Regret that grows only with the logarithm of n is proved for rewards in [0, 1]. `scale` brings utilities
there: those from -scale to scale become 0 to 1, what lies beyond is cut. Without it (0) they are taken as
they are, as in the paper, and the 1/4 of ucb1-tuned, the largest variance in [0, 1], is left out.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from holdmem.table import State
from holdmem.table.memories import taken

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Rule = Literal["ucb1", "ucb1-tuned", "thompson"]


class Bandit:
    """What was earned at each table by each arm."""

    def __init__(self, tables: int, arms: int, rule: Rule = "ucb1", scale: float = 0.0) -> None:
        self.rule, self.scale = rule, scale
        self.tried = np.zeros((tables, arms), dtype=np.int64)
        self.earned = np.zeros((tables, arms))
        self.squares = np.zeros((tables, arms))

    def add(self, tables: Ints, arms: Ints, utilities: Floats) -> None:
        """Each of these arms was tried at its table and earned this."""
        rewards = self.reward(utilities)
        np.add.at(self.tried, (tables, arms), 1)
        np.add.at(self.earned, (tables, arms), rewards)
        np.add.at(self.squares, (tables, arms), rewards * rewards)

    def state(self) -> State:
        """What was tried and earned."""
        return {"tried": self.tried, "earned": self.earned, "squares": self.squares}

    def restore(self, state: State) -> None:
        """Take that up again."""
        for name in ("tried", "earned", "squares"):
            setattr(self, name, taken(state, name, getattr(self, name)))

    def reward(self, utilities: Floats) -> Floats:
        """Utilities as the rule counts them."""
        if not self.scale:
            return utilities
        return np.clip((utilities + self.scale) / (2 * self.scale), 0.0, 1.0)

    def choose(self, tables: Ints, uniforms: Floats) -> Ints:
        """The arm to try next at each of these tables: the first that was never tried, then by the rule.

        `uniforms` (tables, arms) are used by thompson alone. Of equal values the first arm has it.
        """
        tried = self.tried[tables]
        values = self.values(tables, uniforms)
        chosen: Ints = np.where(tried == 0, np.inf, values).argmax(axis=1)
        return chosen

    def values(self, tables: Ints, uniforms: Floats) -> Floats:
        """What the rule gives each arm; means something once all were tried."""
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
        """The variance of a reward around the mean of its arm, over all arms; one until there is a second
        trial of any."""
        degrees = (tried - 1).sum(axis=1, keepdims=True)
        around = (variances * tried).sum(axis=1, keepdims=True)
        return np.where(degrees > 0, around / np.maximum(degrees, 1), 1.0)
