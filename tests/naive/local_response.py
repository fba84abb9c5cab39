"""Local best response on a game tree, by the rule of `holdmem.arena.local_best_response`.

On the same tree `best_response` gives the exact maximum, so the two together show how tight a lower bound on
exploitability the rule gives.
"""

from collections.abc import Callable

import numpy as np

from holdmem.cfr.best_response import BestResponse, value
from holdmem.cfr.tree_game import CHANCE, OVER, GameTree
from holdmem.core.types import Floats

Roles = Callable[[str, tuple[str, ...]], tuple[int | None, int]]
"""Map an information set and its move names to the indices of fold (None if checking is free) and call."""


def fold_and_call(known: str, moves: tuple[str, ...]) -> tuple[int | None, int]:
    """Return fold and call for games with moves named f, c and r, such as Leduc."""
    return (moves.index("f") if "f" in moves else None), moves.index("c")


def pass_and_bet(known: str, moves: tuple[str, ...]) -> tuple[int | None, int]:
    """Return fold and call in Kuhn poker: after a bet, pass folds and bet calls; otherwise pass checks."""
    bet = "b" in known.partition(":")[2]
    return (moves.index("p"), moves.index("b")) if bet else (None, moves.index("p"))


def local_response(
    tree: GameTree, strategy: Floats, player: int, roles: Roles = fold_and_call
) -> BestResponse:
    """Return the player's local best response to the opponent's strategy, with its exact expected value.

    At each of its information sets the player weights the nodes by counterfactual reach probability. Fold and
    call are valued as if both players then checked and called to the end. A raise is valued as if the
    opponent folded with the probability of its strategy and otherwise called, with checks and calls after
    that. The player takes the move of highest value; ties go to the call.
    """
    return _Local(tree, strategy, player, roles).response()


class _Local:
    """One player's local best response to a strategy."""

    def __init__(self, tree: GameTree, strategy: Floats, player: int, roles: Roles) -> None:
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
        """Return the probability of each move at a node, from chance or from the strategy."""
        tree = self.tree
        if tree.turn[node] == CHANCE:
            return tree.chance[self._edges(node)]
        info = tree.info[node]
        return self.strategy[tree.slots[info] : tree.slots[info + 1]]

    def _reach(self) -> Floats:
        """Return each node's reach probability, counting chance and the opponent but not the player."""
        reach = np.ones(len(self.tree.turn))
        for node in range(len(reach)):
            if self.tree.turn[node] != OVER:
                own = self.tree.turn[node] == self.player
                reach[self._children(node)] = reach[node] * (1.0 if own else self._shares(node))
        return reach

    def _checked(self) -> Floats:
        """Return each node's value to the player if both check and call to the end."""
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
        """Return a node's value if the opponent folds with its strategy's probability and otherwise calls."""
        if self.tree.turn[node] != 1 - self.player:
            return float(self.checked[node])
        fold, call = self.roles[self.tree.info[node]]
        children = self._children(node)
        folds = 0.0 if fold is None else float(self._shares(node)[fold])
        folded = 0.0 if fold is None else folds * float(self.checked[children[fold]])
        return folded + (1 - folds) * float(self.checked[children[call]])

    def response(self) -> BestResponse:
        """Return the player's actions and their expected value against the strategy."""
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
        """Return a move's value summed over the nodes of a set, weighted by counterfactual reach."""
        total = 0.0
        for node in nodes:
            child = self._children(node)[move]
            worth = self._after_raise(child) if is_raise else float(self.checked[child])
            total += float(self.reach[node]) * worth
        return total
