"""A strategy for any deck, with which the exact best response can be tried in little time."""

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import BoardTable
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.public_game import PublicGame
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.core.types import Floats


class UniformTables:
    """All legal actions are equally probable."""

    def __init__(self, tree: BettingTree, game: PublicGame) -> None:
        self.game = game
        self.tables: list[Floats] = [self._table(tree, street) for street in range(game.streets)]

    def _table(self, tree: BettingTree, street: int) -> Floats:
        nodes = decisions_of(tree, street).tolist()
        legal = np.array([[child >= 0 for child in action_columns(tree, node)] for node in nodes])
        shares: Floats = (legal / legal.sum(axis=1, keepdims=True))[:, :, None]
        return shares

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the same table on all boards of a street."""
        street = np.cumsum(self.game.dealt).tolist().index(len(board))
        return BoardTable(np.zeros(len(self.game.holdings), np.int64), self.tables[street])
