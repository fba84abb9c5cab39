"""An optional part of the agent contract: strategies as tables, for exact best responses in limit.

A strategy is *tabular* if its policy depends only on the node of the betting tree and on a class of hole
cards and board, where exchanging suits changes no class. A seat whose strategy is tabular offers
`tabulate(tree)`; other seats leave it out, or raise AgentError with the reason.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.contract import Policy, Seat
from holdmem.agent.views import VIEW, Views
from holdmem.core.types import Floats, Ints
from holdmem.engine.game import Game
from holdmem.engine.state import ACTION, STREETS


class BoardTable(NamedTuple):
    """A strategy on one board.

    Strategies whose tables are the same on all boards of a street return the same array each time.
    """

    classes: Ints
    """[holding] class of each of the 1,326 holdings; any valid class where it shares a card with the board"""
    table: Floats
    """[decision, action, class] probabilities of fold, call and raise at the street's decisions in the order
    of their nodes; 0 where illegal"""


@runtime_checkable
class TabularStrategy(Protocol):
    """A strategy in tables."""

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the strategy on a board of 0, 3, 4 or 5 cards."""
        ...


@runtime_checkable
class TabularSeat(Seat, Protocol):
    """A seat whose policy can be tabulated."""

    def tabulate(self, tree: Any) -> TabularStrategy:
        """Return the strategy at every decision of a `cfr.betting_tree.BettingTree` of the seat's game.

        Raise AgentError, with the reason, if the policy depends on more than a node and a class of cards.
        """
        ...


class TreeDecisions(NamedTuple):
    """The decisions of one street of a limit betting tree, in the order of their nodes."""

    nodes: Ints
    betting: tuple[str, ...]
    """letters before each decision as in `cbr.features.betting`: "rrc-cr" """
    to_call: Ints
    pot: Ints
    raises: Ints
    """raises on this street, blinds not counted"""
    may_raise: NDArray[np.bool_]


def decisions(tree: Any, street: int) -> TreeDecisions:
    """Return the decisions of a street of a limit betting tree."""
    letters, raises = _betting(tree)
    nodes = np.flatnonzero((tree.turn < 2) & (tree.street == street))
    paid = tree.paid[nodes]
    may_raise = np.array([(tree.fraction[tree.edges[n] : tree.edges[n + 1]] > 0).any() for n in nodes])
    to_call = paid.max(axis=1) - paid[np.arange(len(nodes)), tree.turn[nodes]]
    betting = tuple(letters[node] for node in nodes.tolist())
    return TreeDecisions(nodes, betting, to_call, paid.sum(axis=1), raises[nodes], may_raise)


def _betting(tree: Any) -> tuple[list[str], Ints]:
    """Return the letters before each node and the number of raises on its street."""
    letters, raises = [""] * len(tree.turn), np.zeros(len(tree.turn), np.int64)
    for node in range(len(tree.turn)):
        for edge in range(tree.edges[node], tree.edges[node + 1]):
            after, fraction = int(tree.child[edge]), int(tree.fraction[edge])
            new_street = tree.street[after] > tree.street[node]
            letters[after] = letters[node] + "fcr"[fraction + 1] + ("-" if new_street else "")
            raises[after] = 0 if new_street else raises[node] + (fraction > 0)
    return letters, raises


def bare_views(game: Game, street: int, facts: TreeDecisions, which: Ints) -> Views:
    """Return views with the chips of decisions but no cards or history: enough to make policies legal.

    `which` are indices into the decisions, one per view. A raise is to a total of 1 where it is legal.
    """
    rows = np.zeros(len(which), dtype=VIEW)
    rows["street"], rows["to_call"], rows["pot"] = street, facts.to_call[which], facts.pot[which]
    rows["raises"], rows["live"] = facts.raises[which], 3
    rows["min_raise_to"] = rows["max_raise_to"] = facts.may_raise[which]
    none = np.zeros(len(which), np.int64)
    return Views(game, rows, np.zeros((1, 1), dtype=ACTION), none, none)


def columns_of(probabilities: Floats, codes: Ints) -> Floats:
    """Return a limit policy as columns of fold, call and raise."""
    kinds = np.stack([codes < 0, codes == 0, codes > 0])
    columns: Floats = (kinds * probabilities).sum(axis=2).T
    return columns


def tabulate_without_cards(policy: Callable[[Views], Policy], tree: Any) -> "ConstantTables":
    """Tabulate a policy that depends only on chips."""
    tables = []
    for street in range(STREETS):
        facts = decisions(tree, street)
        found = policy(bare_views(tree.game, street, facts, np.arange(len(facts.nodes))))
        tables.append(columns_of(found.probabilities, found.codes)[:, :, None])
    return ConstantTables(tuple(tables))


class ConstantTables(NamedTuple):
    """A strategy that ignores all cards: one class on every board."""

    tables: tuple[Floats, ...]

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the strategy, which is the same on all boards of a street."""
        return BoardTable(np.zeros(1326, np.int64), self.tables[max(len(board) - 2, 0)])
