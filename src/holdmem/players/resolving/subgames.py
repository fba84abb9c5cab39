"""Solve the subgames that hands have reached: chips, ranges and what the base would have done.

A river is solved in place of the base's river, or of the one that a solved turn has promised: the values that
the opponent could have on each river of the turn's solution are then the alternatives that it gets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import PolicySeat, Views
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.public_game import HOLDEM, CardTuple, PublicGame
from holdmem.cfr.subgame.response import SubgameStrategy, average, river_values, root_values, strategy_at
from holdmem.cfr.subgame.solver import Gadget, StreetPart, SubgameSolver
from holdmem.cfr.subgame.tree import StreetTree, Subgame, subgame_tree
from holdmem.core.choices import Weighting
from holdmem.core.types import Floats, Ints
from holdmem.engine import CALL, Game
from holdmem.engine.state import BOARD_CARDS
from holdmem.players.resolving.public_play import (
    PolicyOfRange,
    PublicHands,
    RangeAnswer,
    RangeFollower,
    act_legally,
    action_columns,
    rebuild,
)

TURN, RIVER = 2, 3
WHOLE = 255
"""Sum of the stored probabilities of a decision."""
TURN_SIZES = Sizes((1.0,), (1.0,), 2)
"""Bet sizes of turns in no-limit, where 48 rivers are solved with each."""


@dataclass(frozen=True)
class ResolveOptions:
    """How subgames are solved: see `Resolve`."""

    safe: bool
    iterations: int
    share: float
    sizes: Sizes
    weighting: Weighting = "discounted"
    turn_iterations: int = 0
    turn_sizes: Sizes = TURN_SIZES

    @property
    def start(self) -> int:
        """The first street that is solved."""
        return TURN if self.turn_iterations else RIVER

    def iterations_on(self, street: int) -> int:
        """Return the number of iterations for a subgame that starts on a street."""
        return self.turn_iterations if street == TURN else self.iterations

    def weighting_on(self, street: int) -> Weighting:
        """Return the weighting of iterations for a subgame that starts on a street."""
        return "discounted" if street == TURN else self.weighting


class SolvedSubgame(NamedTuple):
    """A solved subgame as one seat plays it.

    `probabilities` of the first street are in 255ths, [row of an action, holding]; rows of the other seat are
    empty. `values` are what the opponent could win on the rivers of a turn, [beginning, river, holding].
    """

    subgame: Subgame
    tree: StreetTree
    seat: int
    ranges: NDArray[np.float32]  # [seat, holding]
    probabilities: NDArray[np.uint8]
    values: NDArray[np.float32] | None = None

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

    def range_after(self, node: int) -> Floats:
        """Return the seat's range at a node, played as solved from the start of the street."""
        found: Floats = self.ranges[self.seat].astype(np.float64)
        while self.tree.parent[node] >= 0:
            parent = int(self.tree.parent[node])
            if self.tree.turn[parent] == self.seat:
                found *= self.at(parent)[node - int(self.tree.child[parent])]
            node = parent
        return found

    def promised(self, node: int, board: Sequence[int]) -> Floats:
        """Return the opponent's values on a river after the turn's betting has ended at a node."""
        assert self.values is not None, "only a safely solved turn has them"
        left = np.setdiff1d(np.arange(len(HOLDEM.cards)), np.array(board[:-1]))
        river = int(np.searchsorted(left, board[-1]))
        found: Floats = self.values[int(self.tree.onward[node]), river].astype(np.float64)
        return found


SolvedTurn = tuple[SolvedSubgame, int]
"""A solved turn and the node at which its betting has ended."""


class EndSolver:
    """Solves the ends of many hands, in which the seat and its opponent have played like the base."""

    def __init__(self, game: Game, base: PolicySeat, options: ResolveOptions) -> None:
        self.game = game
        self.options = options
        self.policy: PolicyOfRange = PolicyOfRange(game, base)
        self.follower: RangeFollower = RangeFollower(game, self.policy)

    def subgame(self, view: "np.record", actions: tuple[int, ...], street: int = RIVER) -> Subgame:
        """Return the subgame of a view from a street on, with these actions on that street.

        They become nodes up to the last one whose size is not in the tree anyway.
        """
        for made in range(len(actions) + 1):
            found = self._subgame(view, actions[:made], street, actions)
            if subgame_tree(found)[0].follow(actions) >= 0:
                break
        return found

    def _subgame(
        self, view: "np.record", made: tuple[int, ...], street: int, actions: tuple[int, ...]
    ) -> Subgame:
        game, bets = self.game, view["bet"][:2]
        earlier = max(0, *actions) if street < view["street"] and actions else 0  # paid by both since then
        stack = int((view["stack"][:2] + bets).min()) + earlier
        fixed = (game.raise_sizes[2], game.raise_sizes[3]) if game.raise_sizes else None
        return Subgame(
            street,
            float(view["pot"] - bets.sum() - 2 * earlier),
            stack,
            self.options.turn_sizes if street == TURN else self.options.sizes,
            fixed,
            int(game.max_raises[street]) if fixed else 0,
            max(game.min_bet or game.big_blind, 1),
            made,
            game.first[street],
        )

    def solve(
        self, views: Views, subgames: list[Subgame], turns: Sequence[SolvedTurn | None] = ()
    ) -> list[SolvedSubgame | None]:
        """Solve the subgame of each view for the seat to act; None where its range is empty there.

        All start on the same street. `turns` are the solutions that led to rivers.
        """
        street = subgames[0].street
        turns = turns or [None] * len(views)
        public, actions = rebuild(views)
        counts = np.array([int((one["street"] < street)[:n].sum()) for one, n in _played(views)])
        reach = self.follower.follow(public, actions, counts)
        for row, turn in enumerate(turns):
            if turn is not None:
                reach[row, views.seat[row]] = turn[0].range_after(turn[1])
        reach *= _free(views, street)[:, None]
        usable = np.flatnonzero((reach.max(axis=2) > 0).sum(axis=1) == 2)
        asked = np.array([row for row in usable.tolist() if turns[row] is None], np.int64)
        tables = dict(zip(asked.tolist(), self._base_tables(public, views, subgames, asked), strict=True))
        found: list[SolvedSubgame | None] = [None] * len(views)
        for row in usable.tolist():
            hand = public.copied(np.array([row]))
            found[row] = self._solved(
                views.rows[row], subgames[row], reach[row], tables.get(row), turns[row], hand
            )
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
        self._play(again, [trees[place].path(node) for place, node in nodes])
        answers = self.policy.ask(again, np.arange(len(nodes)))
        for (place, node), answer, hand in zip(nodes, answers, again.hands, strict=True):
            _fill(tables[place], trees[place], node, answer, int(hand["highest"]))
        return tables

    def _play(self, public: PublicHands, paths: list[tuple[int, ...]]) -> None:
        """Play hands on, each along a path of its own."""
        for step in range(max(map(len, paths), default=0)):
            some = np.array([k for k, path in enumerate(paths) if len(path) > step])
            act_legally(self.game, public, some, np.array([paths[k][step] for k in some.tolist()]))

    def _river_tables(self, hand: PublicHands, solver: SubgameSolver, seat: int) -> Iterator[Floats]:
        """Yield the base's probabilities on each river of a turn, [row of an action, position]."""
        turn, river = solver.trees
        own = np.flatnonzero(river.turn == seat).tolist()
        ends = {int(turn.onward[node]): turn.path(node) for node in np.flatnonzero(turn.onward >= 0).tolist()}
        again = hand.copied(np.zeros(len(own), np.int64))
        self._play(again, [ends[river.root(node)] + river.path(node) for node in own])
        for part in solver.rivers:
            again.hands["board"][:, -1] = part.board[-1]
            table = np.zeros((river.rows, len(HOLDINGS)))
            answers = self.policy.ask(again, np.arange(len(own))) if own else []
            for node, answer, row in zip(own, answers, again.hands, strict=True):
                _fill(table, river, node, answer, int(row["highest"]))
            yield np.ascontiguousarray(table[:, part.sorted.holding])

    def _solved(
        self,
        view: "np.record",
        subgame: Subgame,
        reach: Floats,
        table: Floats | None,
        turn: SolvedTurn | None,
        hand: PublicHands,
    ) -> SolvedSubgame:
        """Solve one subgame for the seat to act."""
        seat, board = int(view["seat"]), tuple(view["board"][: BOARD_CARDS[subgame.street]].tolist())
        ranges = [one / one.max() for one in reach]
        solver = resolver(subgame, board, ranges, seat, self.options)
        if solver.gadget is not None and turn is not None:
            offer(solver, turn[0].promised(turn[1], board) / reach[seat].max())
        elif solver.gadget is not None and table is not None:
            first = np.ascontiguousarray(table[:, solver.first.sorted.holding])
            rivers = self._river_tables(hand, solver, seat) if solver.rivers else ()
            offer(solver, root_values(solver, SubgameStrategy(first, rivers), 1 - seat))
        solver.run(self.options.iterations_on(subgame.street))
        values = river_values(solver, average(solver), 1 - seat) if solver.rivers and solver.gadget else None
        held = np.stack(ranges).astype(np.float32)
        return SolvedSubgame(subgame, solver.trees[0], seat, held, _stored(solver.first, seat), values)


def _fill(table: Floats, tree: StreetTree, node: int, answer: RangeAnswer, highest: int) -> None:
    """Enter a policy at a node into a table, with its bets at the sizes of the tree."""
    start, count, child = int(tree.offset[node]), int(tree.actions[node]), int(tree.child[node])
    codes = tree.code[child : child + count].tolist()
    columns = action_columns(answer, codes, float(2 * tree.paid[node].max()), highest)
    table[start : start + count, answer.holdings] = columns


def resolver(
    subgame: Subgame,
    board: CardTuple,
    ranges: list[Floats],
    seat: int,
    options: ResolveOptions,
    game: PublicGame = HOLDEM,
) -> SubgameSolver:
    """Return a solver of a subgame for one seat; if it is safe, `offer` sets the alternatives."""
    gadget = Gadget(seat, np.zeros(len(game.holdings)), options.share) if options.safe else None
    return SubgameSolver(subgame, board, ranges, gadget, options.weighting_on(subgame.street), game)


def offer(solver: SubgameSolver, alternative: Floats) -> None:
    """Set what the opponent can have with each holding instead of the subgame."""
    assert solver.gadget is not None, "only a safe solve has alternatives"
    solver.gadget = Gadget(solver.gadget.keeper, alternative, solver.gadget.share)


def resolve_river(
    subgame: Subgame,
    board: CardTuple,
    ranges: list[Floats],
    seat: int,
    table: Floats,
    options: ResolveOptions,
    game: PublicGame = HOLDEM,
) -> SubgameSolver:
    """Solve a river for one seat, which has played `table`, [row of an action, holding], so far.

    Safe solving takes what a best response to that wins with each holding as the alternative.
    """
    solver = resolver(subgame, board, ranges, seat, options, game)
    if solver.gadget is not None:
        old = SubgameStrategy(np.ascontiguousarray(table[:, solver.first.sorted.holding]), ())
        offer(solver, root_values(solver, old, 1 - seat))
    solver.run(options.iterations)
    return solver


def _stored(part: StreetPart, seat: int) -> NDArray[np.uint8]:
    """Return the average strategy of a seat on a street in 255ths, for all holdings."""
    strategy, tree = part.average(), part.tree
    found = np.zeros((tree.rows, len(HOLDINGS)), np.uint8)
    for node in np.flatnonzero(tree.turn == seat).tolist():
        rows = slice(tree.offset[node], tree.offset[node] + tree.actions[node])
        found[rows, part.sorted.holding] = np.round(WHOLE * strategy_at(part, strategy, node))
    return found


def _free(views: Views, street: int) -> NDArray[np.bool_]:
    """Return whether each holding shares no card with the board of a view on a street, [view, holding]."""
    boards = views.board[:, : BOARD_CARDS[street]]
    return np.stack([HOLDEM.free(tuple(board)) for board in boards.tolist()])


def _played(views: Views) -> list[tuple[NDArray[np.record], int]]:
    return list(zip(views.history, views.actions.tolist(), strict=True))
