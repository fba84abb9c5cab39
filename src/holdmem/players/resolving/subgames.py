"""Solve the subgames that hands have reached: chips, ranges and what the base would have done."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import PolicySeat, Views
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.public_game import HOLDEM, Cards, PublicGame
from holdmem.cfr.subgame.response import SubgameStrategy, root_values, strategy_at
from holdmem.cfr.subgame.solver import Gadget, SubgameSolver
from holdmem.cfr.subgame.tree import StreetTree, Subgame, subgame_tree
from holdmem.core.choices import Weighting
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, Game
from holdmem.players.resolving.public_play import (
    PolicyOfRange,
    PublicHands,
    RangeFollower,
    act_legally,
    action_columns,
    rebuild,
)

RIVER = 3
WHOLE = 255
"""Sum of the stored probabilities of a decision."""


@dataclass(frozen=True)
class ResolveOptions:
    """How subgames are solved: see `Resolve`."""

    safe: bool
    iterations: int
    share: float
    sizes: Sizes
    weighting: Weighting = "discounted"


class SolvedRiver(NamedTuple):
    """A solved subgame as one seat plays it.

    `probabilities` are in 255ths, [row of an action, holding]; rows of the other seat are empty.
    """

    subgame: Subgame
    tree: StreetTree
    seat: int
    ranges: NDArray[np.float32]  # [seat, holding]
    probabilities: NDArray[np.uint8]

    def at(self, node: int) -> Floats:
        """Return the probabilities of a decision's actions, [action, holding]; a call where none is known."""
        start = self.tree.offset[node]
        stored = self.probabilities[start : start + self.tree.actions[node]].astype(np.float64)
        whole = stored.sum(axis=0)
        call = self.codes(node).index(CALL)
        stored[call] += whole == 0
        found: Floats = stored / np.where(whole > 0, whole, 1)
        return found

    def codes(self, node: int) -> list[int]:
        """Return the actions of a decision."""
        first = int(self.tree.child[node])
        found: list[int] = self.tree.code[first : first + int(self.tree.actions[node])].tolist()
        return found


class RiverSolver:
    """Solves the rivers of many hands, in which the seat and its opponent have played like the base."""

    def __init__(self, game: Game, base: PolicySeat, options: ResolveOptions) -> None:
        self.game, self.options = game, options
        self.policy = PolicyOfRange(game, base)
        self.follower = RangeFollower(game, self.policy)

    def subgame(self, view: "np.record", actions: tuple[int, ...]) -> Subgame:
        """Return the subgame of a river view with these actions on the river.

        They become nodes only if a size is not in the tree anyway.
        """
        plain = self._subgame(view, ())
        known = subgame_tree(plain)[0].follow(actions) >= 0
        return plain if known else self._subgame(view, actions)

    def _subgame(self, view: "np.record", made: tuple[int, ...]) -> Subgame:
        game, bets = self.game, view["bet"][:2]
        stack = int((view["stack"][:2] + bets).min())
        fixed = (game.raise_sizes[2], game.raise_sizes[3]) if game.raise_sizes else None
        return Subgame(
            RIVER,
            float(view["pot"] - bets.sum()),
            stack,
            self.options.sizes,
            fixed,
            int(game.max_raises[RIVER]) if fixed else 0,
            max(game.min_bet or game.big_blind, 1),
            made,
            game.first[RIVER],
        )

    def solve(self, views: Views, subgames: list[Subgame]) -> list[SolvedRiver | None]:
        """Solve the subgame of each view for the seat to act; None where its range is empty there."""
        public, actions = rebuild(views)
        counts = np.array([int((one["street"] < RIVER)[:n].sum()) for one, n in _played(views)])
        reach = self.follower.follow(public, actions, counts)
        reach *= _free(views)[:, None]
        usable = np.flatnonzero((reach.max(axis=2) > 0).sum(axis=1) == 2)
        tables = self._base_tables(public, views, subgames, usable)
        found: list[SolvedRiver | None] = [None] * len(views)
        for row, table in zip(usable.tolist(), tables, strict=True):
            found[row] = self._solved(views.rows[row], subgames[row], reach[row], table)
        return found

    def _base_tables(
        self, public: PublicHands, views: Views, subgames: list[Subgame], rows: Ints
    ) -> list[Floats]:
        """Return the base's probabilities at the seat's decisions, [row of an action, holding]."""
        trees = [subgame_tree(subgames[row])[0] for row in rows.tolist()]
        seats = views.seat[rows].tolist()
        tables = [np.zeros((tree.rows, len(HOLDINGS))) for tree in trees]
        if not self.options.safe:
            return tables
        nodes = [
            (place, int(node))
            for place, (tree, seat) in enumerate(zip(trees, seats, strict=True))
            for node in np.flatnonzero(tree.turn == seat)
        ]
        again = public.copied(rows[[place for place, _ in nodes]])
        paths = [trees[place].path(node) for place, node in nodes]
        for step in range(max(map(len, paths), default=0)):
            some = np.array([k for k, path in enumerate(paths) if len(path) > step])
            act_legally(self.game, again, some, np.array([paths[k][step] for k in some.tolist()]))
        answers = self.policy.ask(again, np.arange(len(nodes)))
        for (place, node), answer, hand in zip(nodes, answers, again.hands, strict=True):
            tree = trees[place]
            start, count, child = tree.offset[node], tree.actions[node], tree.child[node]
            pot = float(2 * tree.paid[node].max())
            columns = action_columns(
                answer, tree.code[child : child + count].tolist(), pot, int(hand["highest"])
            )
            tables[place][start : start + count, answer.holdings] = columns
        return tables

    def _solved(self, view: "np.record", subgame: Subgame, reach: Floats, table: Floats) -> SolvedRiver:
        """Solve one subgame for the seat to act."""
        seat, board = int(view["seat"]), tuple(view["board"].tolist())
        ranges = [one / one.max() for one in reach]
        solver = resolve_river(subgame, board, ranges, seat, table, self.options)
        return SolvedRiver(
            subgame, solver.trees[0], seat, np.stack(ranges).astype(np.float32), _stored(solver, seat)
        )


def resolve_river(
    subgame: Subgame,
    board: Cards,
    ranges: list[Floats],
    seat: int,
    table: Floats,
    options: ResolveOptions,
    game: PublicGame = HOLDEM,
) -> SubgameSolver:
    """Solve a river for one seat, which has played `table`, [row of an action, holding], so far.

    Safe solving takes what a best response to that wins with each holding as the alternative.
    """
    gadget = Gadget(seat, np.zeros(len(game.holdings)), options.share) if options.safe else None
    solver = SubgameSolver(subgame, board, ranges, gadget, options.weighting, game)
    if gadget is not None:
        old = SubgameStrategy(np.ascontiguousarray(table[:, solver.first.sorted.holding]), [])
        solver.gadget = Gadget(seat, root_values(solver, old, 1 - seat), options.share)
    solver.run(options.iterations)
    return solver


def _stored(solver: SubgameSolver, seat: int) -> NDArray[np.uint8]:
    """Return the average strategy of a seat in 255ths, for all holdings."""
    part, tree = solver.first, solver.trees[0]
    strategy = part.average()
    found = np.zeros((tree.rows, len(HOLDINGS)), np.uint8)
    for node in np.flatnonzero(tree.turn == seat).tolist():
        rows = slice(tree.offset[node], tree.offset[node] + tree.actions[node])
        found[rows, part.sorted.holding] = np.round(WHOLE * strategy_at(part, strategy, node))
    return found


def _free(views: Views) -> NDArray[np.bool_]:
    """Return whether each holding shares no card with the board of a view, [view, holding]."""
    return np.stack([~np.isin(HOLDINGS, board).any(axis=1) for board in views.board])


def _played(views: Views) -> list[tuple[NDArray[np.record], int]]:
    return list(zip(views.history, views.actions.tolist(), strict=True))
