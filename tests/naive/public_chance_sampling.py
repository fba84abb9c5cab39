"""A walk of regret minimisation over hold'em's betting by recursion, with whole matrices of holdings."""

import numpy as np

from holdmem.cards import evaluate
from holdmem.cfr.betting_tree import FOLDED


class NaiveWalk:
    """Regrets and sums as dictionaries of (node, bucket); payoffs by comparing every pair of holdings."""

    def __init__(self, tree, sizes):
        self.tree, self.sizes = tree, sizes
        shape = {node: (len(tree.actions(node)), sizes[tree.street[node]]) for node in range(len(tree))}
        decisions = [node for node in range(len(tree)) if tree.turn[node] < 2]
        self.regrets = {node: np.zeros(shape[node]) for node in decisions}
        self.sums = {node: np.zeros(shape[node]) for node in decisions}

    def flat(self, table):
        return np.concatenate([table[node].ravel() for node in sorted(table)])

    def strategy(self, node):
        positive = np.maximum(self.regrets[node], 0)
        total = positive.sum(axis=0)
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(positive))

    def walk(self, traverser, board, deal, fading, tilt):
        holdings = np.stack([deal.first, deal.second], axis=1)
        whole = evaluate(np.hstack([holdings, np.tile(board, (len(holdings), 1))])).astype(int)
        apart = np.array([~np.isin(holdings, pair).any(axis=1) for pair in holdings]).astype(float)
        self.wins = apart * (whole[:, None] > whole[None, :])
        self.losses = apart * (whole[:, None] < whole[None, :])
        self.apart, self.deal, self.traverser, self.fading, self.tilt = apart, deal, traverser, fading, tilt
        return self.value(0, np.ones(len(holdings)))

    def value(self, node, reach):
        tree, me = self.tree, self.traverser
        paid = tree.paid[node] / tree.game.big_blind
        if tree.turn[node] == FOLDED:
            won = tree.loser[node] != me
            return (self.apart @ reach) * (paid[1 - me] * self.tilt[0] if won else -paid[me])
        if tree.turn[node] >= 2:
            return paid[0] * (self.tilt[1] * self.wins @ reach - self.losses @ reach)
        strategy, bucket = self.strategy(node), self.deal.bucket[tree.street[node]]
        children = tree.child[tree.edges[node] : tree.edges[node + 1]]
        positive, negative, average = self.fading
        if tree.turn[node] != me:
            brought = np.bincount(bucket, reach, minlength=strategy.shape[1])
            self.sums[node] = (self.sums[node] + strategy * brought) * average
            return sum(self.value(child, reach * strategy[a][bucket]) for a, child in enumerate(children))
        values = [self.value(child, reach) for child in children]
        mean = sum(strategy[a][bucket] * value for a, value in enumerate(values))
        for a, value in enumerate(values):
            self.regrets[node][a] += np.bincount(bucket, value - mean, minlength=strategy.shape[1])
        self.regrets[node] *= np.where(self.regrets[node] > 0, positive, negative)
        return mean
