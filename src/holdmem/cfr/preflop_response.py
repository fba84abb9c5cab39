"""The betting before the flop in an exact best response, by holding, in plain numpy."""

import numpy as np

from holdmem.agent.tabular import BoardTable
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.public_game import PublicGame
from holdmem.cfr.street_shape import StreetNodes, padded
from holdmem.core.types import Floats


class Preflop:
    """The betting before the flop, by holding."""

    def __init__(self, tree: BettingTree, nodes: StreetNodes, found: BoardTable, game: PublicGame) -> None:
        self.tree, self.game = tree, game
        self.nodes, self.child = nodes.nodes[0], nodes.child
        self.chances = found.table[nodes.decisions[0]][:, :, np.asarray(found.classes)]
        self.decision = nodes.decision
        self.leaves = [
            place
            for place, node in enumerate(self.nodes.tolist())
            if nodes.decision[place] < 0 and tree.loser[node] < 0
        ]

    def _reach(self, seat: int) -> Floats:
        """Return the probability with which a seat takes its own actions to each node, [node, holding]."""
        reach = np.ones((len(self.nodes), len(self.game.holdings)))
        for node, children in enumerate(self.child.tolist()):
            for action, child in enumerate(children):
                if child >= 0:
                    own = self.tree.turn[self.nodes[node]] == seat
                    reach[child] = reach[node] * (self.chances[self.decision[node], action] if own else 1.0)
        return reach

    def reach(self, seat: int) -> Floats:
        """Return a seat's reach probabilities where the next street begins, [holding, root], padded."""
        reach = self.own_reach(seat)
        return padded(reach)

    def own_reach(self, seat: int) -> Floats:
        """Return a seat's reach probabilities where the next street begins, [holding, betting]."""
        return self._reach(seat)[self.leaves].T

    def values(self, seat: int, after: Floats, maximise: bool) -> tuple[Floats, Floats]:
        """Return the responder's value with each holding, and how it plays: [holding, betting] weights."""
        theirs, count = self._reach(1 - seat), len(self.nodes)
        value, plays = np.zeros((count, len(self.game.holdings))), np.ones((count, len(self.game.holdings)))
        best = np.zeros(value.shape, np.int64)
        for node in reversed(range(count)):
            where = int(self.nodes[node])
            children = [child for child in self.child[node].tolist() if child >= 0]
            if not children and node in self.leaves:
                value[node] = after[:, self.leaves.index(node)]
            elif not children:
                loser = self.tree.loser[where]
                stake = -self.tree.paid[where, seat] if loser == seat else self.tree.paid[where, loser]
                value[node] = stake * against(self.game, theirs[node])
            elif self.tree.turn[where] != seat:
                value[node] = value[children].sum(axis=0)
            elif maximise:
                best[node] = np.array(children)[value[children].argmax(axis=0)]
                value[node] = value[children].max(axis=0)
            else:
                chances = self.chances[self.decision[node]][self.child[node] >= 0]
                value[node] = (chances * value[children]).sum(axis=0)
        for node, children in enumerate(self.child.tolist()):
            for action, child in enumerate(children):
                if child >= 0:
                    own = self.tree.turn[self.nodes[node]] == seat
                    share = best[node] == child if maximise else self.chances[self.decision[node], action]
                    plays[child] = plays[node] * (share if own else 1.0)
        return value[0], plays[self.leaves].T


def against(game: PublicGame, reach: Floats) -> Floats:
    """Return the sum of `reach` over the holdings that share no card with each holding."""
    first, second = game.holdings.T
    by_card = np.zeros(int(game.holdings.max()) + 1)
    np.add.at(by_card, first, reach)
    np.add.at(by_card, second, reach)
    left: Floats = reach.sum() - by_card[first] - by_card[second] + reach
    return left
