"""A solved limit strategy as tables by decision and bucket, for exact best responses."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import BoardTable
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.strategy import WHOLE, Strategy
from holdmem.cfr.street_shape import ACTIONS, action_columns, decisions_of
from holdmem.core.errors import AgentError
from holdmem.core.types import Floats
from holdmem.engine.state import BOARD_CARDS


class StrategyTables:
    """The probabilities of a strategy by decision and bucket; boards share them."""

    def __init__(self, strategy: Strategy, tree: BettingTree) -> None:
        if not tree.game.limit or not strategy.fits(tree.game):
            raise AgentError(
                f"expected the limit game that the strategy was solved for, got {tree.game.name}"
            )
        self.strategy = strategy

    @cached_property
    def tables(self) -> list[Floats]:
        """The table of each street, [decision, action, bucket]."""
        return [self._table(street) for street in range(len(BOARD_CARDS))]

    def _table(self, street: int) -> Floats:
        strategy = self.strategy
        nodes, buckets = decisions_of(strategy.tree, street), strategy.buckets.sizes[street]
        table = np.zeros((len(nodes), ACTIONS, buckets))
        for row, node in enumerate(nodes.tolist()):
            legal = [column for column, child in enumerate(action_columns(strategy.tree, node)) if child >= 0]
            stored = strategy.probabilities[strategy.offset[node] : strategy.offset[node + 1]]
            table[row, legal] = stored.reshape(buckets, len(legal)).T / WHOLE
        return table

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the bucket of each holding on a board, and the table of the street."""
        street = BOARD_CARDS.index(len(board))
        free = ~np.isin(HOLDINGS, board).any(axis=1)
        holes = np.ascontiguousarray(HOLDINGS[free], np.uint8)
        classes = np.zeros(len(HOLDINGS), np.int64)
        classes[free] = self.strategy.buckets.of(holes, np.tile(board, (len(holes), 1)))
        return BoardTable(classes, self.tables[street])
