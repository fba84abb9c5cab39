"""Exact best response and exploitability on a game tree with perfect recall."""

from dataclasses import dataclass

import numpy as np

from holdmem.cfr.tree_game import CHANCE, OVER, GameTree
from holdmem.core.types import Floats, Ints

NEITHER = 2


@dataclass(frozen=True, eq=False)
class BestResponse:
    """Best response of `player` to a strategy: its expected value and its action at each information set."""

    player: int
    value: float
    actions: Ints  # [information set] index of the action; -1 at the other player's

    def strategy(self, tree: GameTree) -> Floats:
        """Return the action probabilities, one per slot; zero at the other player's information sets."""
        found = np.zeros(tree.size)
        own = np.flatnonzero(self.actions >= 0)
        found[tree.slots[own] + self.actions[own]] = 1.0
        return found


def value(tree: GameTree, strategy: Floats) -> float:
    """Return the expected value to player 0 if both players follow the strategy."""
    return _Answer(tree, strategy, player=NEITHER).worth(0)


def best_response(tree: GameTree, strategy: Floats, player: int) -> BestResponse:
    """Return the player's best response to the other player's part of the strategy."""
    answer = _Answer(tree, strategy, player)
    return BestResponse(player, (1 if player == 0 else -1) * answer.worth(0), answer.actions)


def exploitability(tree: GameTree, strategy: Floats) -> float:
    """Return what a best response wins from the strategy per hand, as a mean of both seats: 0 in equilibrium.

    This is half of OpenSpiel's NashConv, since the game is zero-sum.
    """
    return sum(best_response(tree, strategy, player).value for player in (0, 1)) / 2


class _Answer:
    """Node values to player 0 while one player (or NEITHER) plays a best response to the strategy."""

    def __init__(self, tree: GameTree, strategy: Floats, player: int) -> None:
        self.tree, self.strategy, self.player = tree, strategy, player
        self.actions = np.full(len(tree.player), -1)
        self.reach = self._reach()
        self.nodes: list[list[int]] = [[] for _ in tree.player]
        for node in np.flatnonzero(tree.turn == player):
            self.nodes[tree.info[node]].append(int(node))

    def _shares(self, node: int) -> Floats:
        """Return the probability of each edge of a node at which the responding player does not act."""
        tree = self.tree
        if tree.turn[node] == CHANCE:
            return tree.chance[tree.edges[node] : tree.edges[node + 1]]
        start = tree.slots[tree.info[node]]
        return self.strategy[start : start + tree.edges[node + 1] - tree.edges[node]]

    def _reach(self) -> Floats:
        """Return each node's reach probability by chance and the other player, not the responder."""
        tree, reach = self.tree, np.ones(len(self.tree.turn))
        for node in range(len(tree.turn)):
            children = tree.child[tree.edges[node] : tree.edges[node + 1]]
            own = tree.turn[node] == self.player
            reach[children] = reach[node] * (1.0 if own else self._shares(node)) if len(children) else 1.0
        return reach

    def worth(self, node: int) -> float:
        """Return the value of a node to player 0."""
        tree = self.tree
        if tree.turn[node] == OVER:
            return float(tree.payoff[node])
        children = tree.child[tree.edges[node] : tree.edges[node + 1]].tolist()
        if tree.turn[node] == self.player:
            return self.worth(children[self._action(int(tree.info[node]))])
        shares = self._shares(node).tolist()
        total: float = sum(share * self.worth(child) for share, child in zip(shares, children, strict=True))
        return total

    def _action(self, info: int) -> int:
        """Return the best action at an information set, its nodes weighted by counterfactual reach."""
        if self.actions[info] < 0:
            sign = 1 if self.player == 0 else -1
            count = len(self.tree.moves[info])
            totals = [sign * self._weighed(info, move) for move in range(count)]
            self.actions[info] = int(np.argmax(totals))
        return int(self.actions[info])

    def _weighed(self, info: int, move: int) -> float:
        """Return a move's value to player 0, summed over the set's nodes weighted by counterfactual reach."""
        children = [int(self.tree.child[self.tree.edges[node] + move]) for node in self.nodes[info]]
        return sum(float(self.reach[child]) * self.worth(child) for child in children)
