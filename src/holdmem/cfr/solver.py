"""Counterfactual regret minimisation on any `ExtensiveGame`: `CFRSolver` keeps regrets and the average
strategy.

All variants update the players alternately. They differ in how they discount the past at the end of iteration
t:

    vanilla      no discount (Zinkevich et al., 2007)
    linear       regrets and average times t / (t + 1) (Brown and Sandholm, 2019)
    plus         negative regrets become zero, average times t / (t + 1) (Tammelin, 2014)
    discounted   positive regrets times t^1.5 / (t^1.5 + 1), negative ones halved, average times
                 (t / (t + 1))² (Brown and Sandholm, 2019)
"""

from typing import get_args

import numpy as np

from holdmem.cfr.kernels.tree import iterate
from holdmem.cfr.tree_game import GameTree
from holdmem.core.choices import Weighting
from holdmem.core.types import Floats

WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


def discount_factors(weighting: Weighting, first: int, count: int = 1) -> Floats:
    """Return the factors of positive regrets, negative regrets and average after each iteration.

    One row each for iterations `first` to `first + count - 1`.
    """
    t = np.arange(first, first + count, dtype=np.float64)
    # numpy's power may round differently from the C library's, and differently on other processors
    grown = np.array([number**1.5 for number in t.tolist()])
    linear, one = t / (t + 1), np.ones(count)
    factors: dict[Weighting, tuple[Floats, ...]] = {
        "vanilla": (one, one, one),
        "linear": (linear, linear, linear),
        "plus": (one, 0 * one, linear),
        "discounted": (grown / (grown + 1), one / 2, linear * linear),
    }
    return np.stack(factors[weighting], axis=1)


def total_weight(weighting: Weighting, iterations: int) -> float:
    """Return the total weight of the iterations in positive regrets; each is added, then discounted."""
    total = 0.0
    for factor in discount_factors(weighting, 1, iterations)[:, 0].tolist():
        total = (total + 1) * factor
    return total


class CFRSolver:
    """Counterfactual regret minimisation on a tree, run in any number of steps."""

    def __init__(self, tree: GameTree, weighting: Weighting = "discounted") -> None:
        self.tree = tree
        self.weighting = weighting
        self.iterations: int = 0
        self.regrets: Floats = np.zeros(tree.size)
        self.sums: Floats = np.zeros(tree.size)
        self.current: Floats = tree.uniform()

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        tree = self.tree
        iterate(
            discount_factors(self.weighting, self.iterations + 1, iterations),
            tree.turn,
            tree.payoff,
            tree.edges,
            tree.child,
            tree.chance,
            tree.info,
            tree.slots,
            tree.player,
            self.regrets,
            self.sums,
            self.current,
        )
        self.iterations += iterations

    def average(self) -> Floats:
        """Return the average strategy, which is the one that converges."""
        return self.tree.normalised(self.sums)
