"""Counterfactual regret minimisation by recursion over one node at a time, with dictionaries' clarity."""

import numpy as np

from holdmem.cfr.tree_game import CHANCE, OVER


class NaiveRegrets:
    """Zinkevich et al. (2007), the players updated in turn; weighting as `minimise` words it."""

    def __init__(self, tree, weighting):
        self.tree, self.weighting, self.iteration = tree, weighting, 0
        self.regrets, self.sums = np.zeros(tree.size), np.zeros(tree.size)

    def strategy_at(self, info):
        positive = np.maximum(self.regrets[self.tree.slots[info] : self.tree.slots[info + 1]], 0)
        return positive / positive.sum() if positive.sum() > 0 else np.full(len(positive), 1 / len(positive))

    def run(self, iterations):
        for _ in range(iterations):
            self.iteration += 1
            for player in (0, 1):
                now = [self.strategy_at(info) for info in range(len(self.tree.player))]
                self.walk(0, player, now, own=1.0, others=1.0, chance=1.0)
                self.fade(player)

    def walk(self, node, player, now, own, others, chance):
        """The value of the node to the player; adds its regrets and its strategy on the way."""
        tree, turn = self.tree, self.tree.turn[node]
        if turn == OVER:
            return tree.payoff[node] * (1 if player == 0 else -1)
        children = range(tree.edges[node], tree.edges[node + 1])
        if turn == CHANCE:
            parts = [(tree.chance[edge], tree.child[edge]) for edge in children]
            return sum(p * self.walk(child, player, now, own, others, chance * p) for p, child in parts)
        shares = now[tree.info[node]]
        if turn != player:
            return sum(
                p * self.walk(tree.child[edge], player, now, own, others * p, chance)
                for p, edge in zip(shares, children, strict=True)
            )
        values = np.array(
            [
                self.walk(tree.child[edge], player, now, own * p, others, chance)
                for p, edge in zip(shares, children, strict=True)
            ]
        )
        start = tree.slots[tree.info[node]]
        self.regrets[start : start + len(values)] += others * chance * (values - shares @ values)
        self.sums[start : start + len(values)] += own * chance * shares
        return shares @ values

    def fade(self, player):
        t = self.iteration
        positive, negative, average = {
            "vanilla": (1, 1, 1),
            "linear": (t / (t + 1), t / (t + 1), t / (t + 1)),
            "plus": (1, 0, t / (t + 1)),
            "discounted": (t**1.5 / (t**1.5 + 1), 0.5, (t / (t + 1)) ** 2),
        }[self.weighting]
        own = np.repeat(self.tree.player == player, np.diff(self.tree.slots))
        self.regrets[own] *= np.where(self.regrets[own] > 0, positive, negative)
        self.sums[own] *= average

    def average(self):
        return self.tree.normalised(self.sums)
