"""Local best response on a tree: the rule of `holdmem.training.exploiter`, where the best answer is known.

It shows how tight a bound the rule gives: `best_response` on the same tree is what cannot be exceeded.
"""

from collections.abc import Callable

import numpy as np

from holdmem.equilibrium.best_response import BestResponse, value
from holdmem.equilibrium.tree_game import CHANCE, OVER, Floats, Tree

Roles = Callable[[str, tuple[str, ...]], tuple[int | None, int]]
"""From what is known and the names of the moves to the numbers of fold (None if a check is free) and call."""


def fold_and_call(known: str, moves: tuple[str, ...]) -> tuple[int | None, int]:
    """Where moves are named f, c and r, as in Leduc."""
    return (moves.index("f") if "f" in moves else None), moves.index("c")


def pass_and_bet(known: str, moves: tuple[str, ...]) -> tuple[int | None, int]:
    """In Kuhn's game: after a bet a pass folds and a bet calls, otherwise a pass checks."""
    bet = "b" in known.partition(":")[2]
    return (moves.index("p"), moves.index("b")) if bet else (None, moves.index("p"))


def local_response(tree: Tree, strategy: Floats, player: int, roles: Roles = fold_and_call) -> BestResponse:
    """What a local best response of a player wins from the other's part of a strategy, exactly.

    At each of its sets the player weighs the nodes by how likely the other (and chance) makes them. A fold
    and a call count as if both then checked and called to the end; a raise as if the other one folded as its
    strategy says and otherwise called, then the same. The best is taken; of equals a call.
    """
    return _Local(tree, strategy, player, roles).response()


class _Local:
    """One player's local best response to a strategy."""

    def __init__(self, tree: Tree, strategy: Floats, player: int, roles: Roles) -> None:
        self.tree, self.strategy, self.player = tree, strategy, player
        self.roles = [roles(known, moves) for known, moves in zip(tree.information, tree.moves, strict=True)]
        self.reach = self._reach()
        self.checked = self._checked()

    def _edges(self, node: int) -> slice:
        return slice(int(self.tree.edges[node]), int(self.tree.edges[node + 1]))

    def _children(self, node: int) -> list[int]:
        children: list[int] = self.tree.child[self._edges(node)].tolist()
        return children

    def _shares(self, node: int) -> Floats:
        """How likely each move of a node is, by chance or by the strategy."""
        tree = self.tree
        if tree.turn[node] == CHANCE:
            return tree.chance[self._edges(node)]
        info = tree.info[node]
        return self.strategy[tree.slots[info] : tree.slots[info + 1]]

    def _reach(self) -> Floats:
        """How likely each node is as far as the player does not decide it."""
        reach = np.ones(len(self.tree.turn))
        for node in range(len(reach)):
            if self.tree.turn[node] != OVER:
                own = self.tree.turn[node] == self.player
                reach[self._children(node)] = reach[node] * (1.0 if own else self._shares(node))
        return reach

    def _checked(self) -> Floats:
        """What each node is worth to the player if both check and call to the end."""
        sign = 1 if self.player == 0 else -1
        worth = sign * self.tree.payoff
        for node in range(len(worth) - 1, -1, -1):  # children come after their parents
            children = self._children(node)
            if self.tree.turn[node] == CHANCE:
                worth[node] = self._shares(node) @ worth[children]
            elif children:
                worth[node] = worth[children[self.roles[self.tree.info[node]][1]]]
        return worth

    def _after_raise(self, node: int) -> float:
        """What a node is worth if the other one folds as it says, and otherwise calls."""
        if self.tree.turn[node] != 1 - self.player:
            return float(self.checked[node])
        fold, call = self.roles[self.tree.info[node]]
        children = self._children(node)
        folds = 0.0 if fold is None else float(self._shares(node)[fold])
        folded = 0.0 if fold is None else folds * float(self.checked[children[fold]])
        return folded + (1 - folds) * float(self.checked[children[call]])

    def response(self) -> BestResponse:
        """The player's actions, and what they win from the strategy."""
        tree, actions = self.tree, np.full(len(self.tree.player), -1)
        nodes = np.flatnonzero(tree.turn == self.player)
        for info in np.flatnonzero(tree.player == self.player):
            actions[info] = self._best(int(info), nodes[tree.info[nodes] == info].tolist())
        found = BestResponse(self.player, 0.0, actions)
        own = np.repeat(tree.player == self.player, np.diff(tree.slots))
        played = value(tree, np.where(own, found.strategy(tree), self.strategy))
        return BestResponse(self.player, played if self.player == 0 else -played, actions)

    def _best(self, info: int, nodes: list[int]) -> int:
        fold, call = self.roles[info]
        order = [call, *(move for move in range(len(self.tree.moves[info])) if move != call)]
        return max(order, key=lambda move: self._total(nodes, move, is_raise=move not in (fold, call)))

    def _total(self, nodes: list[int], move: int, *, is_raise: bool) -> float:
        """What a move is worth at all nodes of a set, each as likely as the others make it."""
        total = 0.0
        for node in nodes:
            child = self._children(node)[move]
            worth = self._after_raise(child) if is_raise else float(self.checked[child])
            total += float(self.reach[node]) * worth
        return total
