"""Play from a solved strategy: find where in the betting tree a view is, and look up the policy there."""

from typing import NamedTuple

import numpy as np

from holdmem.agent import Policy, Views, legal_policy
from holdmem.cfr.betting_tree import ALL_IN
from holdmem.cfr.kernels.lookup import CALLS, FOLDS, PLACES, follow_all, raise_totals, weigh_actions
from holdmem.cfr.strategy import Strategy
from holdmem.core.types import Floats, Ints
from holdmem.engine.state import BOARD_CARDS


class LookupTree(NamedTuple):
    """Betting tree in the form the lookup kernels read."""

    turn: Ints
    edges: Ints
    child: Ints
    fraction: Floats
    size: Floats  # [edge] size of a raise, as a fraction of the pot after a call
    column: Ints  # [edge] its column in a policy
    faced: Floats  # [node] size of the bet to call as a fraction of the pot before it, 0 if none


class TreePositions(NamedTuple):
    """Positions of views in the tree: up to four nodes per view with weights; -1 for none."""

    nodes: Ints
    weights: Floats


class StrategyLookup:
    """A strategy and the tables needed to look up decisions in it."""

    def __init__(self, strategy: Strategy) -> None:
        tree = strategy.tree
        self.strategy = strategy
        raises = sorted(set(tree.fraction[tree.fraction > 0].tolist()) - {ALL_IN})
        self.fractions: Floats = np.array([] if tree.game.limit else raises)
        columns = {-1.0: FOLDS, 0.0: CALLS, ALL_IN: 2 + len(self.fractions)}
        columns |= {fraction: 2 + place for place, fraction in enumerate(raises)}
        self.paths: LookupTree = LookupTree(
            tree.turn,
            tree.edges,
            tree.child,
            tree.fraction,
            _sizes(strategy),
            np.array([columns[fraction] for fraction in tree.fraction.tolist()]),
            np.ptp(tree.paid, axis=1) / (2.0 * tree.paid.min(axis=1)),
        )

    def places(self, views: Views) -> TreePositions:
        """Return the nodes that the betting of each view leads to."""
        game = self.strategy.tree.game
        found = TreePositions(np.empty((len(views), PLACES), np.int64), np.empty((len(views), PLACES)))
        follow_all(self.paths, game.rules_row, views.rows, views.history, *found)
        return found

    def buckets(self, views: Views) -> Ints:
        """Return the bucket of each view's cards on its street."""
        out = np.empty(len(views), np.int64)
        for street, cards in enumerate(BOARD_CARDS):
            rows = np.flatnonzero(views.street == street)
            if len(rows):
                holes = np.ascontiguousarray(views.hole[rows]).view(np.uint8)
                boards = np.ascontiguousarray(views.board[rows, :cards]).view(np.uint8)
                out[rows] = self.strategy.buckets.of(holes, boards)
        return out

    def policy(self, views: Views) -> Policy:
        """Return the strategy's policy; where the hand is already over in the tree, call."""
        places, width = self.places(views), 3 + len(self.fractions)
        weights = np.empty((len(views), width))
        weigh_actions(
            self.paths,
            self.strategy.probabilities,
            self.strategy.offset,
            views.rows,
            *places,
            self.buckets(views),
            weights,
        )
        totals = np.empty((len(views), width - 2), np.int64)
        raise_totals(views.rows, self.fractions, totals)
        return legal_policy(views, weights, totals)


def _sizes(strategy: Strategy) -> Floats:
    """Return the size of each raise in the tree: chips beyond a call divided by the pot after a call."""
    tree = strategy.tree
    parent = np.repeat(np.arange(len(tree)), np.diff(tree.edges))
    before, after = tree.paid[parent].max(axis=1), tree.paid[tree.child].max(axis=1)
    sizes: Floats = (after - before) / (2.0 * before)
    return sizes
