"""Best response by brute force: every board, every holding against every other, no exchange of suits."""

from itertools import combinations
from math import comb

import numpy as np


def best_response_value(tree, game, table, seat, first_street=0):
    """Return what the responder in `seat` wins per hand, in chips, if it maximises from a street on.

    `table(board)` gives classes and probabilities as in `TabularStrategy.on`; before `first_street` the
    responder plays the table itself.
    """
    return Brute(tree, game, table, seat, first_street).value()


class Brute:
    def __init__(self, tree, game, table, seat, first_street):
        self.tree, self.game, self.table, self.seat, self.first_street = tree, game, table, seat, first_street
        sets = [set(holding) for holding in game.holdings.tolist()]
        self.apart = np.array([[not one & other for other in sets] for one in sets], float)
        self.rows = {}
        for street in range(game.streets):
            nodes = np.flatnonzero((tree.turn < 2) & (tree.street == street)).tolist()
            self.rows.update({node: row for row, node in enumerate(nodes)})
        self.known = {}

    def value(self):
        ways = self.apart.sum()
        return self.visit(0, (), np.ones(len(self.game.holdings))).sum() / ways

    def visit(self, node, board, reach):
        """Return the responder's value with each holding, times the opponent's reach."""
        tree = self.tree
        if len(board) < sum(self.game.dealt[: tree.street[node] + 1]):
            return self._deal(node, board, reach)
        if tree.loser[node] >= 0:
            lost = tree.loser[node] == self.seat
            stake = -tree.paid[node, self.seat] if lost else tree.paid[node, 1 - self.seat]
            return stake * (self.apart @ reach)
        if tree.turn[node] >= 2:
            if board not in self.known:
                self.known[board] = self._wins(board)
            return tree.paid[node, 0] * (self.known[board] @ reach)
        return self._decide(node, board, reach)

    def _deal(self, node, board, reach):
        count = self.game.dealt[self.tree.street[node]]
        left = [card for card in self.game.cards.tolist() if card not in board]
        total = np.zeros(len(reach))
        for cards in combinations(left, count):
            free = ~np.isin(self.game.holdings, cards).any(axis=1)
            total += free * self.visit(node, (*board, *cards), reach * free)
        return total / comb(len(left) - 2 * self.game.hole_cards, count)

    def _wins(self, board):
        free = np.flatnonzero(self.game.free(board))
        strength = np.zeros(len(self.game.holdings))
        strength[free] = self.game.strengths(board, free)
        both = np.outer(strength > 0, strength > 0)
        return self.apart * both * np.sign(strength[:, None] - strength[None, :])

    def _decide(self, node, board, reach):
        tree = self.tree
        classes, table = self.table(np.array(board, np.uint8))
        row = self.rows[node]
        own = tree.turn[node] == self.seat
        values = []
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            chance = table[row, int(tree.fraction[edge]) + 1][classes]
            value = self.visit(int(tree.child[edge]), board, reach if own else reach * chance)
            values.append(value * chance if own and tree.street[node] < self.first_street else value)
        if own and tree.street[node] >= self.first_street:
            return np.max(values, axis=0)
        return np.sum(values, axis=0)
