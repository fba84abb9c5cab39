"""Sums from which means of weighted samples, their differences and standard errors follow.

For samples x (one value per action) with weights w the mean of action a is Σ w x_a / Σ w. The variance of a
combination c·x of means is, as for any ratio of means,

    (Σ w² (c·x − c·mean)² + u² Σ w² / n) / (Σ w)²  ·  n / (n − 1)

with u = |c·stake|. Results of a hand have few values, and few samples often miss the rare one: where a bet
has won in all of 64 samples, their variance is zero. So the variance counts one sample more, which differs
from the mean by what is at stake between the actions, as the intervals of Agresti and Coull (1998) for shares
count added successes and failures. Without it 64 samples cover the true difference in 93.6% instead of 95%
(docs/values.md). The means are left alone, so they stay unbiased.

Sums are kept for the even and the odd samples apart, so that the best action can be chosen by one half and
priced by the other.
"""

from dataclasses import dataclass

import numpy as np

from holdmem.core.types import Floats, Ints

HALVES = 2


@dataclass(eq=False)
class Moments:
    """Weighted sums over the samples of n decisions, even and odd samples apart; symbols as in the module."""

    count: Floats
    """(n, 2): samples of positive weight."""
    weight: Floats
    """(n, 2): Σ w"""
    square: Floats
    """(n, 2): Σ w²"""
    first: Floats
    """(n, 2, actions): Σ w x"""
    mixed: Floats
    """(n, 2, actions): Σ w² x"""
    second: Floats
    """(n, 2, actions, actions): Σ w² x xᵀ"""
    stake: Floats
    """(n, actions): chips in the pot if the action is called, 0 for a fold"""

    @classmethod
    def zeros(cls, spots: int, actions: int, stake: Floats | None = None) -> "Moments":
        """Return sums over no samples; without `stake` the variance is that of the samples alone."""
        one, many = (spots, HALVES), (spots, HALVES, actions)
        return cls(
            count=np.zeros(one),
            weight=np.zeros(one),
            square=np.zeros(one),
            first=np.zeros(many),
            mixed=np.zeros(many),
            second=np.zeros((*many, actions)),
            stake=np.zeros((spots, actions)) if stake is None else stake,
        )

    def add(self, which: Ints, chips: Floats, weights: Floats) -> None:
        """Add samples (n, samples, actions) with weights (n, samples) of the decisions `which`."""
        for half in range(HALVES):
            x, w = chips[:, half::HALVES], weights[:, half::HALVES]
            self.count[which, half] += (w > 0).sum(axis=1)
            self.weight[which, half] += w.sum(axis=1)
            self.square[which, half] += (w * w).sum(axis=1)
            self.first[which, half] += np.einsum("nsa,ns->na", x, w)
            self.mixed[which, half] += np.einsum("nsa,ns->na", x, w * w)
            weighted = x * w[:, :, None]
            self.second[which, half] += weighted.transpose(0, 2, 1) @ weighted

    @property
    def whole(self) -> "Moments":
        """The sums over both halves, as a single half."""
        fields = (self.count, self.weight, self.square, self.first, self.mixed, self.second)
        return Moments(*[field.sum(axis=1, keepdims=True) for field in fields] + [self.stake])

    @property
    def means(self) -> Floats:
        """Mean of each action by half, (n, halves, actions)."""
        return self.first / np.where(self.weight > 0, self.weight, 1.0)[..., None]

    @property
    def effective(self) -> Floats:
        """Effective sample size (Kish 1965), (Σ w)² / Σ w², over both halves, (n,)."""
        weight, square = self.weight.sum(axis=1), self.square.sum(axis=1)
        found: Floats = weight**2 / np.where(square > 0, square, 1.0)
        return found

    @property
    def errors(self) -> Floats:
        """Standard error of the mean of each action of the only half, (n, actions)."""
        shape = self.first.shape
        single = [np.broadcast_to(one, shape) for one in np.eye(shape[2])]
        found: Floats = np.stack([np.sqrt(self.combined(one)[1][:, 0]) for one in single], axis=1)
        return found

    def combined(self, factors: Floats) -> tuple[Floats, Floats]:
        """Return the mean and variance, (n, halves), of combinations `factors` (n, halves, actions)."""
        mean = (factors * self.means).sum(axis=2)
        square = np.einsum("nha,nhab,nhb->nh", factors, self.second, factors)
        mixed = (factors * self.mixed).sum(axis=2)
        spread = square - 2 * mean * mixed + mean**2 * self.square
        apart = np.einsum("nha,na->nh", factors, self.stake) ** 2 * self.square / np.maximum(self.count, 1)
        variance = (np.maximum(spread, 0.0) + apart) / np.where(self.weight > 0, self.weight, 1.0) ** 2
        correction = self.count / np.maximum(self.count - 1, 1)
        return mean, np.where(self.count > 1, variance * correction, np.inf)
