"""Policies of known players at their decisions in finished hands, with every holding."""

from collections import OrderedDict
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import PolicySeat, TabularSeat
from holdmem.agent.tabular import BoardTable, TabularStrategy
from holdmem.arena.aivat.decisions import KnownChoices, ReplayedDecisions, no_choices
from holdmem.arena.aivat.kernels.decisions import reduce_answers
from holdmem.arena.range_policy import RangePolicyQuery, group_keys, public_states
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.betting_tree import BettingTree, betting_tree
from holdmem.cfr.street_shape import action_columns, decisions_of
from holdmem.core.errors import HoldMemError
from holdmem.core.types import Ints
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS

KEPT_BOARDS = 64
"""Tables of boards that are kept: hands on equal boards follow each other in duplicate play."""


class KnownPolicy:
    """The policy of a seated agent, asked for all holdings at the decisions of finished hands."""

    def __init__(self, game: Game, name: str, seat: PolicySeat) -> None:
        self.game = game
        self.seat = seat
        self.query: RangePolicyQuery = RangePolicyQuery(game, name, seat)
        self._boards: OrderedDict[bytes, BoardTable] = OrderedDict()

    @cached_property
    def tables(self) -> TabularStrategy | None:
        """Tables of a tabular strategy in limit, made at the first hand, or None if it has to be asked."""
        return _tabulated(self.game, self.seat)

    def forget_boards(self) -> None:
        """Drop the tables of boards that were kept for later hands."""
        self._boards.clear()

    def fill(
        self,
        decisions: ReplayedDecisions,
        history: NDArray[np.record],
        which: Ints,
        rows: Ints,
        out: KnownChoices,
    ) -> None:
        """Fill in `out[rows]` for the decisions `which`; `history` has a row per hand."""
        if self.tables is not None:
            for d, row in zip(which.tolist(), rows.tolist(), strict=True):
                self._look_up(decisions, history, d, row, out)
        elif len(which):
            self._ask(decisions, history, which, rows, out)

    def _look_up(
        self, decisions: ReplayedDecisions, history: NDArray[np.record], d: int, row: int, out: KnownChoices
    ) -> None:
        """Fill in one decision from the tables of a tabular strategy."""
        paths, hand = _paths(self.game), decisions.before[d]
        node = paths.node(history[decisions.hand[d]]["to"][: hand["actions"]].tolist())
        board = self._on(hand["board"][: BOARD_CARDS[hand["street"]]])
        probabilities = board.table[paths.row[node]][:, board.classes]
        out.took[row] = probabilities[_column(int(decisions.code[d]))]
        out.folds[row] = probabilities[0]
        out.stakes[row] = paths.stakes[node] @ probabilities

    def _on(self, board: NDArray[np.int8]) -> BoardTable:
        key = board.tobytes()
        if key not in self._boards:
            assert self.tables is not None
            self._boards[key] = self.tables.on(board.astype(np.uint8))
            if len(self._boards) > KEPT_BOARDS:
                self._boards.popitem(last=False)
        return self._boards[key]

    def _ask(
        self,
        decisions: ReplayedDecisions,
        history: NDArray[np.record],
        which: Ints,
        rows: Ints,
        out: KnownChoices,
    ) -> None:
        """Fill in decisions by asking the policy with every holding, once for each public state."""
        hands = decisions.before[which]
        betting = history[decisions.hand[which]]
        _, state, first = group_keys(public_states(hands, betting))
        seen = np.arange(5) < np.array(BOARD_CARDS)[hands["street"][first]][:, None]
        boards = np.where(seen, hands["board"][first], -1)
        alive = ~(HOLDINGS[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
        answers = self.query.ask(hands, betting, first, alive.astype(np.uint8))
        found = no_choices(len(which))
        reduce_answers(self.game.rules_row, hands, state, answers, decisions.code[which], *found)
        for table, some in zip(out, found, strict=True):
            table[rows] = some


def _column(code: int) -> int:
    """Return the column of an action: fold, call or raise."""
    return min(code, 1) + 1


def _tabulated(game: Game, seat: PolicySeat) -> TabularStrategy | None:
    """Return the tables of a tabular strategy in limit, or None if it has to be asked."""
    if not game.limit or not isinstance(seat, TabularSeat):
        return None
    try:
        return seat.tabulate(_paths(game).tree)
    except HoldMemError:  # not tabular, or a game that has no betting tree
        return None


class _Paths:
    """Nodes of the limit betting tree by the actions that lead to them."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree = tree
        self.child: list[list[int]] = [
            action_columns(tree, n) if t < 2 else [] for n, t in enumerate(tree.turn)
        ]
        self.row = np.full(len(tree), -1)
        self.stakes = np.array([self._stakes(n) for n in range(len(tree))])
        for street in range(len(BOARD_CARDS)):
            nodes = decisions_of(tree, street)
            self.row[nodes] = np.arange(len(nodes))

    def _stakes(self, node: int) -> list[float]:
        """Return the stakes after a fold (0), a call and a raise (0 if illegal); see `stake_after`."""
        if not self.child[node]:
            return [0.0, 0.0, 0.0]
        call, raised = self.child[node][1:]
        return [0.0, *(float(self.tree.paid[child].max()) if child >= 0 else 0.0 for child in (call, raised))]

    def node(self, codes: list[int]) -> int:
        """Return the node after these actions."""
        node = 0
        for code in codes:
            node = self.child[node][_column(code)]
        return node


@cache
def _paths(game: Game) -> Any:
    return _Paths(betting_tree(game))
