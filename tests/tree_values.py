"""Values of actions in Kuhn and Leduc: exact ones from the tree, and samples as the package draws them.

A decision is an information set. The other player's hidden card has the probabilities that Bayes' rule gives
it after that player's actions; every action is played on from the same card with the same random numbers; and
chips are counted from the decision on, so that a fold is worth 0.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from holdmem.cfr.kuhn import Kuhn
from holdmem.cfr.leduc import Leduc, paid
from holdmem.cfr.tree_game import OVER, GameTree, build_game_tree
from holdmem.engine.state import CALL, FOLD
from holdmem.ev import Candidates, Moments
from holdmem.ev.candidates import NONE

WIDTH = 3
"""Columns: fold, check or call, bet or raise."""
STEPS = 12
"""Moves that a hand has at most after a decision."""


@dataclass(frozen=True, eq=False)
class TreeValues:
    """All decisions of a game between two strategies; `strategy` has one probability per slot."""

    game: Kuhn | Leduc
    strategy: np.ndarray

    @cached_property
    def tree(self) -> GameTree:
        """The game in arrays."""
        return build_game_tree(self.game)

    def moves(self, node: int) -> list[tuple[int, float]]:
        """Return the child and the probability of every move."""
        tree, edges = self.tree, slice(self.tree.edges[node], self.tree.edges[node + 1])
        chances = tree.chance[edges]
        if tree.turn[node] >= 0:
            slot = tree.slots[tree.info[node]]
            chances = self.strategy[slot : slot + len(chances)]
        return list(zip(tree.child[edges].tolist(), chances.tolist(), strict=True))

    def node_values(self) -> np.ndarray:
        """Return what player 0 wins on average from every node on."""
        found = self.tree.payoff.copy()
        for node in reversed(range(len(found))):  # children follow their parents
            if self.tree.turn[node] != OVER:
                found[node] = sum(chance * found[child] for child, chance in self.moves(node))
        return found

    def reach(self, player: int) -> np.ndarray:
        """Return the probability of every node if this player does all to get there: Bayes' rule."""
        found = np.zeros(len(self.tree.turn))
        found[0] = 1.0
        for node in range(len(found)):
            for child, chance in self.moves(node) if self.tree.turn[node] != OVER else ():
                found[child] = found[node] * (1.0 if self.tree.turn[node] == player else chance)
        return found

    def exact(self) -> np.ndarray:
        """Return the mean result of every action by information set, to its player, NaN if there is none."""
        values, found = self.node_values(), np.full((len(self.tree.information), WIDTH), np.nan)
        for info, (nodes, shares) in enumerate(self.ranges()):
            sign = 1 if self.tree.player[info] == 0 else -1
            for place, column in enumerate(self.columns(info)):
                ends = self.tree.child[self.tree.edges[nodes] + place]
                found[info, column] = sign * float(shares @ values[ends])
        return found

    def ranges(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the nodes of every information set and their probabilities for the player to act."""
        reach = [self.reach(player) for player in (0, 1)]
        found = []
        for info, player in enumerate(self.tree.player.tolist()):
            nodes = np.flatnonzero(self.tree.info == info)
            weights = reach[player][nodes]
            found.append((nodes, weights / weights.sum()))
        return found

    def columns(self, info: int) -> list[int]:
        """Return the column of every move of an information set."""
        names, known = self.tree.moves[info], self.tree.information[info]
        if isinstance(self.game, Leduc):
            return ["fcr".index(name) for name in names]
        return [0, 1] if known.endswith("b") else [1, 2]

    def chips(self, info: int) -> tuple[int, np.ndarray]:
        """Return what the player has paid before an information set, and the pot if each action is called."""
        acts = self.tree.information[info].split(":")[-1]
        if isinstance(self.game, Kuhn):
            return 1, np.array([0.0, 4.0 if "b" in acts else 2.0, 4.0])
        rounds = tuple(acts.split("/"))
        before = paid(rounds)
        most, bet = max(before), (2, 4)[len(rounds) - 1]
        return before[len(rounds[-1]) % 2], np.array([0.0, 2.0 * most, 2.0 * (most + bet)])

    def candidates(self, rng: np.random.Generator) -> Candidates:
        """Return the actions of all decisions, of which one has been taken at random."""
        count = len(self.tree.information)
        codes, chances = np.full((count, WIDTH), NONE), np.zeros((count, WIDTH))
        for info in range(count):
            columns = self.columns(info)
            codes[info, columns] = np.array([FOLD, CALL, 1])[columns]
            chances[info, columns] = self.strategy[self.tree.slots[info] : self.tree.slots[info + 1]]
        chosen = np.array([rng.choice(self.columns(info)) for info in range(count)])
        return Candidates(codes, chances, chosen)

    def sampled(self, samples: int, rng: np.random.Generator) -> Moments:
        """Return the sums of samples, which are drawn uniformly and weighted by the ranges."""
        stakes = np.array([self.chips(info)[1] for info in range(len(self.tree.information))])
        found = Moments.zeros(len(stakes), WIDTH, stakes)
        for info, (nodes, shares) in enumerate(self.ranges()):
            drawn = rng.integers(0, len(nodes), samples)
            numbers = rng.random((samples, STEPS))
            sign = 1 if self.tree.player[info] == 0 else -1
            won = np.zeros((1, samples, WIDTH))
            for place, column in enumerate(self.columns(info)):
                ends = self._play(self.tree.child[self.tree.edges[nodes[drawn]] + place], numbers)
                won[0, :, column] = sign * ends + self.chips(info)[0]
            found.add(np.array([info]), won, (shares[drawn] * len(nodes))[None])
        return found

    def _play(self, nodes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Play on from the nodes to the end and return what player 0 has won."""
        below, child = self._tables
        for step in range(STEPS):
            move = (numbers[:, step, None] >= below[nodes]).sum(axis=1)
            nodes = child[nodes, move]
        assert (self.tree.turn[nodes] == OVER).all()
        return self.tree.payoff[nodes]

    @cached_property
    def _tables(self) -> tuple[np.ndarray, np.ndarray]:
        """Upper ends of the moves' shares of (0, 1), and the children; the end of a hand leads to itself."""
        count = len(self.tree.turn)
        below, child = np.full((count, WIDTH), 2.0), np.repeat(np.arange(count)[:, None], WIDTH, axis=1)
        for node in np.flatnonzero(self.tree.turn != OVER).tolist():
            moves = self.moves(node)
            below[node, : len(moves) - 1] = np.cumsum([chance for _, chance in moves])[:-1]
            child[node, : len(moves)] = [one for one, _ in moves]
        return below, child


def random_strategy(game: Kuhn | Leduc, seed: int) -> np.ndarray:
    """Return a strategy in which every action has some probability."""
    tree = build_game_tree(game)
    return tree.normalised(np.random.default_rng(seed).gamma(1.0, size=tree.size) + 0.02)
