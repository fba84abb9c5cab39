"""A tabular limit strategy with its last street re-solved, for exact best responses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import BoardTable, TabularStrategy
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.public_game import HOLDEM, PublicGame
from holdmem.cfr.street_shape import action_columns, decisions_of, street_roots
from holdmem.cfr.subgame.response import strategy_at
from holdmem.cfr.subgame.tree import StreetTree, Subgame, subgame_tree
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints
from holdmem.players.resolving.subgames import RIVER, ResolveOptions, resolve_river


class _Root(NamedTuple):
    """Where the last street begins: its subgame, and the table's rows of the subgame's decisions."""

    subgame: Subgame
    tree: StreetTree
    rows: Ints  # [node of the subgame] row of the street's table, -1 where nobody decides
    columns: list[list[int]]  # [node of the subgame] columns of its actions


class ResolvedTables:
    """The strategy on earlier streets as it is, and on the last one solved for each betting that leads there.

    Each seat's play is solved separately, as a seat of `resolve` would. Where the mean over all holdings of a
    seat's probability of playing there is below `least`, the base's play is left as it is.
    """

    def __init__(
        self,
        strategy: TabularStrategy,
        tree: BettingTree,
        options: ResolveOptions,
        game: PublicGame = HOLDEM,
        least: float = 1e-12,
    ) -> None:
        self.strategy = strategy
        self.tree = tree
        self.options = options
        self.game = game
        self.least = least
        self.starts: Ints = street_roots(tree, RIVER)
        self.roots: list[_Root] = [self._root(int(node)) for node in self.starts]

    def _root(self, start: int) -> _Root:
        """Match the nodes of a subgame with those of the whole tree."""
        tree, rules = self.tree, self.tree.game
        if rules.raise_sizes is None:
            raise GameError(f"{rules.name}: expected a limit game")
        subgame = Subgame(
            RIVER,
            float(tree.paid[start].sum()),
            10**9,
            fixed=(rules.raise_sizes[RIVER - 1], rules.raise_sizes[RIVER]),
            most_raises=rules.max_raises[RIVER],
            first=rules.first[RIVER],
        )
        (street,) = subgame_tree(subgame)
        decisions = decisions_of(tree, RIVER)
        same, rows = np.full(len(street), start), np.full(len(street), -1)
        columns: list[list[int]] = [[] for _ in range(len(street))]
        for node in range(len(street)):
            if street.turn[node] < 2:
                rows[node] = np.searchsorted(decisions, same[node])
                children = action_columns(tree, int(same[node]))
                columns[node] = [column for column, child in enumerate(children) if child >= 0]
                first = street.child[node]
                same[first : first + len(columns[node])] = [children[column] for column in columns[node]]
        return _Root(subgame, street, rows, columns)

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the strategy on a board, with a class for each holding on a full board."""
        found = self.strategy.on(board)
        if len(board) < sum(self.game.dealt):
            return found
        table = np.ascontiguousarray(found.table[:, :, found.classes])
        for root, reach in zip(self.roots, self._reaches(board), strict=True):
            for seat in (0, 1):
                self._resolve(root, board, reach, seat, found, table)
        return BoardTable(np.arange(len(self.game.holdings)), table)

    def _resolve(
        self,
        root: _Root,
        board: NDArray[np.uint8],
        reach: Floats,
        seat: int,
        old: BoardTable,
        table: Floats,
    ) -> None:
        """Replace a seat's play after one way of betting."""
        held = reach * self.game.free(tuple(board.tolist()))
        if held[seat].mean() < self.least or not held.any(axis=1).all():
            return
        tree = root.tree
        before = np.zeros((tree.rows, len(self.game.holdings)))
        own = np.flatnonzero(tree.turn == seat).tolist()
        for node in own:
            rows = slice(tree.offset[node], tree.offset[node] + tree.actions[node])
            before[rows] = old.table[root.rows[node], root.columns[node]][:, old.classes]
        ranges = [one / one.max() for one in held]
        cards = tuple(board.tolist())
        solver = resolve_river(root.subgame, cards, ranges, seat, before, self.options, self.game)
        strategy = solver.first.average()
        for node in own:
            found = table[root.rows[node]]
            for column, row in zip(
                root.columns[node], strategy_at(solver.first, strategy, node), strict=True
            ):
                found[column, solver.first.sorted.holding] = row

    def _reaches(self, board: NDArray[np.uint8]) -> Floats:
        """Return reach[root, seat, holding] at the beginnings of the last street."""
        sizes = np.cumsum(self.game.dealt)
        tables = [self.strategy.on(board[: sizes[street]]) for street in range(RIVER)]
        tree = self.tree
        rows = {
            int(node): row for street in range(RIVER) for row, node in enumerate(decisions_of(tree, street))
        }
        found = np.zeros((len(self.starts), 2, len(self.game.holdings)))
        place = {int(node): k for k, node in enumerate(self.starts)}

        def visit(node: int, reach: Floats) -> None:
            if node in place:
                found[place[node]] = reach
            elif tree.turn[node] < 2:
                classes, table = tables[tree.street[node]]
                for column, child in enumerate(action_columns(tree, node)):
                    if child >= 0:
                        after = reach.copy()
                        after[tree.turn[node]] *= table[rows[node], column][classes]
                        visit(child, after)

        visit(0, np.ones((2, len(self.game.holdings))))
        return found
