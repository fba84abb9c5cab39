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

import numpy as np

from holdmem.cfr.kernels.tree import DISCOUNTED, LINEAR, PLUS, VANILLA, iterate
from holdmem.cfr.tree_game import GameTree
from holdmem.core.choices import Weighting
from holdmem.core.types import Floats

KINDS: dict[str, int] = {"vanilla": VANILLA, "linear": LINEAR, "plus": PLUS, "discounted": DISCOUNTED}


class CFRSolver:
    """Counterfactual regret minimisation on a tree, run in any number of steps."""

    def __init__(self, tree: GameTree, weighting: Weighting = "discounted") -> None:
        self.tree = tree
        self.weighting = weighting
        self.iterations = 0
        self.regrets = np.zeros(tree.size)
        self.sums = np.zeros(tree.size)
        self.current = tree.uniform()

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        tree = self.tree
        iterate(
            self.iterations + 1,
            iterations,
            KINDS[self.weighting],
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
