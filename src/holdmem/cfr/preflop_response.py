"""The preflop part of an exact best response, in plain numpy."""

import numpy as np

from holdmem.agent.tabular import BoardTable
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.public_game import PublicGame
from holdmem.cfr.street_shape import StreetNodes, padded
from holdmem.core.types import Floats, Ints


class Preflop:
    """The preflop betting tree of an exact best response: reach probabilities and values by holding."""

    def __init__(self, tree: BettingTree, nodes: StreetNodes, found: BoardTable, game: PublicGame) -> None:
        self.tree = tree
        self.game = game
        self.nodes: Ints = nodes.nodes[0]
        self.child: Ints = nodes.child
        self.probabilities: Floats = found.table[nodes.decisions[0]][:, :, np.asarray(found.classes)]
        self.decision: Ints = nodes.decision
        self.rows: Ints = nodes.decisions[0]
        self.classes: Ints = np.asarray(found.classes)
        self.leaves: list[int] = [
            place
            for place, node in enumerate(self.nodes.tolist())
            if nodes.decision[place] < 0 and tree.loser[node] < 0
        ]

    def _reach(self, seat: int) -> Floats:
        """Return the probability that a seat's own actions lead to each node, [node, holding]."""
        reach = np.ones((len(self.nodes), len(self.game.holdings)))
        for node, children in enumerate(self.child.tolist()):
            for action, child in enumerate(children):
                if child >= 0:
                    own = self.tree.turn[self.nodes[node]] == seat
                    reach[child] = reach[node] * (
                        self.probabilities[self.decision[node], action] if own else 1.0
                    )
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
        value, plays = self._respond(seat, after, maximise)
        return value, plays[self.leaves].T

    def gradient(self, seat: int, best: Floats, after: Floats) -> tuple[Floats, float]:
        """Return what the strategy's actions earn against the responder in a seat; see `exact_gradient`.

        Parameters
        ----------
        best : the responder's values where the next street begins, [holding, betting].
        after : the strategy's values there, against that response.

        Returns
        -------
        gradient : [decision, action, class], summed over holdings.
        won : what the strategy wins, summed over holdings.
        """
        reach, theirs = self._reach(1 - seat), self._respond(seat, best, maximise=True)[1]
        value = np.zeros(reach.shape)
        found = np.zeros((self.probabilities.shape[0], 3, int(self.classes.max()) + 1))
        for node in reversed(range(len(self.nodes))):
            children = self.child[node].tolist()
            if self.decision[node] < 0:
                value[node] = self._end(node, 1 - seat, after, theirs[node])
            for action, child in enumerate(children):
                if child < 0:
                    continue
                own = self.tree.turn[self.nodes[node]] != seat
                probability = self.probabilities[self.decision[node], action] if own else 1.0
                value[node] += probability * value[child]
                if own:
                    np.add.at(found[self.decision[node], action], self.classes, reach[node] * value[child])
        return found[np.argsort(self.rows)], float(value[0].sum())

    def _end(self, node: int, seat: int, after: Floats, theirs: Floats) -> Floats:
        """Return a seat's values at the end of the street."""
        if node in self.leaves:
            return after[:, self.leaves.index(node)]
        where = int(self.nodes[node])
        loser = self.tree.loser[where]
        stake = -self.tree.paid[where, seat] if loser == seat else self.tree.paid[where, loser]
        value: Floats = stake * against(self.game, theirs)
        return value

    def _respond(self, seat: int, after: Floats, maximise: bool) -> tuple[Floats, Floats]:
        """Return the responder's value with each holding, and its own reach at each node, [node, holding]."""
        theirs, count = self._reach(1 - seat), len(self.nodes)
        value, plays = np.zeros((count, len(self.game.holdings))), np.ones((count, len(self.game.holdings)))
        best = np.zeros(value.shape, np.int64)
        for node in reversed(range(count)):
            where = int(self.nodes[node])
            children = [child for child in self.child[node].tolist() if child >= 0]
            if not children:
                value[node] = self._end(node, seat, after, theirs[node])
            elif self.tree.turn[where] != seat:
                value[node] = value[children].sum(axis=0)
            elif maximise:
                best[node] = np.array(children)[value[children].argmax(axis=0)]
                value[node] = value[children].max(axis=0)
            else:
                probabilities = self.probabilities[self.decision[node]][self.child[node] >= 0]
                value[node] = (probabilities * value[children]).sum(axis=0)
        for node, children in enumerate(self.child.tolist()):
            for action, child in enumerate(children):
                if child >= 0:
                    own = self.tree.turn[self.nodes[node]] == seat
                    share = (
                        best[node] == child if maximise else self.probabilities[self.decision[node], action]
                    )
                    plays[child] = plays[node] * (share if own else 1.0)
        return value[0], plays


def against(game: PublicGame, reach: Floats) -> Floats:
    """Return the sum of `reach` over the holdings that share no card with each holding."""
    first, second = game.holdings.T
    by_card = np.zeros(int(game.holdings.max()) + 1)
    np.add.at(by_card, first, reach)
    np.add.at(by_card, second, reach)
    left: Floats = reach.sum() - by_card[first] - by_card[second] + reach
    return left
