"""Public chance sampling CFR for hold'em: `HoldemSolver` keeps the regrets and the average strategy.

Each iteration samples a board per player and walks the whole betting tree with all holdings on it. At the end
of iteration t the past is discounted as described in `solver`.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.board import HANDS, RIVALS, RankedBoard, random_boards, rank_holdings
from holdmem.cfr.card_abstraction import CardBuckets
from holdmem.cfr.kernels.public_chance_sampling import DECK, walk_down, walk_up
from holdmem.cfr.kernels.river import BLOCK, RIVER, walk_part
from holdmem.cfr.solver import discount_factors, total_weight
from holdmem.core.choices import Weighting
from holdmem.core.types import Flags, Ints

SingleFloats = NDArray[np.float32]

LANES = 64
"""Lanes per batch of rivers that share one pass over the holdings; only a single river may have more."""


class TreeArrays(NamedTuple):
    """Betting tree in the form the kernels read."""

    turn: Ints
    street: Ints
    loser: Ints
    paid: SingleFloats  # in big blinds
    end: Ints
    edges: Ints
    child: Ints
    offset: Ints  # [node] where its regrets begin
    row: Ints  # [node] row within its part of the tree, -1 inside rivers
    lane: Ints  # [traverser, node] lane of a terminal on the river, within its river
    lanes: Ints  # [traverser, node] number of lanes, at a river's first node
    buckets: Ints  # [street] number of buckets


class ScratchArrays(NamedTuple):
    """Scratch arrays of one thread."""

    card: SingleFloats  # [card] reach by card
    tally: SingleFloats  # [holding] showdown scores
    strategy: SingleFloats  # [action, bucket]
    totals: SingleFloats  # [bucket] positive regrets of all actions
    gains: SingleFloats  # [action, bucket] value of each action
    mean: SingleFloats  # [bucket] value of the strategy, or reach
    brought: SingleFloats  # [bucket] opponent's reach at the start of a river
    theirs: SingleFloats  # [node of a river, bucket] opponent's probability product, later values
    ours: SingleFloats  # [node of a river, bucket] traverser's probability product
    chance: SingleFloats  # [bucket, lane] opponent's probability product
    weight: SingleFloats  # [bucket, 2, lane] traverser's product times stakes, per score and per reach
    there: SingleFloats  # [holding, lane] opponent's reach
    score: SingleFloats  # [holding, lane] see `run_over_holdings`
    cards: SingleFloats  # [card, lane] reach by card
    total: SingleFloats  # [lane] reach so far
    sums: SingleFloats  # [bucket, 2, lane] sums of score and reach
    terms: SingleFloats  # [lane] terms of a sum


class FlopSubtree(NamedTuple):
    """Subtree from the first decision on a flop.

    `nodes` are its flop and turn nodes plus the first nodes of its rivers, `roots` those first nodes alone,
    and `bounds[traverser]` splits `roots` into batches.
    """

    root: int
    nodes: Ints
    roots: Ints
    bounds: tuple[Ints, Ints]


class TreeLayout:
    """Memory layout of a tree: offsets of regrets, rows of holdings, lanes of rivers."""

    def __init__(self, tree: BettingTree, sizes: tuple[int, ...]) -> None:
        self.tree = tree
        actions = np.where(tree.turn < 2, np.diff(tree.edges), 0)
        self.offset: Ints = np.concatenate([[0], np.cumsum(actions * np.array(sizes)[tree.street])])
        self.size: int = int(self.offset[-1])
        self.information_sets: int = int((np.array(sizes)[tree.street] * (tree.turn < 2)).sum())
        parent = np.zeros(len(tree), np.int64)
        parent[tree.child] = np.repeat(np.arange(len(tree)), np.diff(tree.edges))
        self.opens: Flags = (tree.turn < 2) & (tree.street != tree.street[parent])
        """[node] whether it is the first decision of a street."""
        self.lane: Ints
        self.lanes: Ints
        self.lane, self.lanes = _lanes(tree, np.flatnonzero(self.opens & (tree.street == RIVER)))
        self.first: Ints = np.flatnonzero((tree.street == 0) | (self.opens & (tree.street == 1)))
        self.parts: list[FlopSubtree] = [
            self._part(int(root)) for root in np.flatnonzero(self.opens & (tree.street == 1))
        ]
        self.first_shape: TreeArrays = self._shape([self.first], sizes)
        self.shape: TreeArrays = self._shape([part.nodes for part in self.parts], sizes)
        self.longest_river: int = int(
            (tree.end - np.arange(len(tree)))[self.opens & (tree.street == RIVER)].max()
        )
        self.most_lanes: int = max(LANES, int(self.lanes.max()))

    def _part(self, root: int) -> FlopSubtree:
        tree = self.tree
        inside = np.arange(root, tree.end[root])
        roots = inside[self.opens[inside] & (tree.street[inside] == RIVER)]
        nodes = inside[(tree.street[inside] < RIVER) | np.isin(inside, roots)]
        return FlopSubtree(
            root, nodes, roots, (_batches(self.lanes[0, roots]), _batches(self.lanes[1, roots]))
        )

    def _shape(self, parts: list[Ints], sizes: tuple[int, ...]) -> TreeArrays:
        tree = self.tree
        row = np.full(len(tree), -1)
        for nodes in parts:
            row[nodes] = np.arange(len(nodes))
        paid = (tree.paid / tree.game.big_blind).astype(np.float32)
        plain = (tree.turn, tree.street, tree.loser, paid, tree.end, tree.edges, tree.child)
        return TreeArrays(*plain, self.offset, row, self.lane, self.lanes, np.array(sizes))


def _lanes(tree: BettingTree, roots: Ints) -> tuple[Ints, Ints]:
    """Assign lanes to river terminals, per traverser.

    Returns the lane of each terminal, and the lane count of each river, rounded up to a multiple of BLOCK.
    """
    lane, lanes = np.full((2, len(tree)), -1), np.zeros((2, len(tree)), np.int64)
    for traverser in (0, 1):
        for root in roots.tolist():
            count = 0
            for node in range(root, tree.end[root]):
                if tree.turn[node] >= 2 and tree.loser[node] != traverser:
                    lane[traverser, node] = count
                    count += 1
            lanes[traverser, root] = -(-count // BLOCK) * BLOCK
        for node in np.flatnonzero((tree.street == RIVER) & (tree.loser == traverser)).tolist():
            lane[traverser, node] = lane[traverser, node + 1]  # the call follows its sibling, the fold
    return lane, lanes


def _batches(lanes: Ints) -> Ints:
    """Return the bounds of batches of at most `LANES` lanes; a larger river forms a batch of its own."""
    bounds, filled = [0], 0
    for place, some in enumerate(lanes.tolist()):
        if filled and filled + some > LANES:
            bounds.append(place)
            filled = 0
        filled += some
    return np.array([*bounds, len(lanes)] if len(lanes) else [0])


def _room(layout: TreeLayout, sizes: tuple[int, ...]) -> ScratchArrays:
    def empty(*shape: int) -> SingleFloats:
        return np.zeros(shape, np.float32)

    most, river, lanes = max(sizes), sizes[RIVER], layout.most_lanes
    actions = int(np.diff(layout.tree.edges).max())
    return ScratchArrays(
        card=empty(DECK),
        tally=empty(HANDS),
        strategy=empty(actions, most),
        totals=empty(most),
        gains=empty(actions, most),
        mean=empty(most),
        brought=empty(river),
        theirs=empty(layout.longest_river, river),
        ours=empty(layout.longest_river, river),
        chance=empty(river, lanes),
        weight=empty(river, 2, lanes),
        there=empty(HANDS, lanes),
        score=empty(HANDS, lanes),
        cards=empty(DECK, lanes),
        total=empty(lanes),
        sums=empty(river, 2, lanes),
        terms=empty(lanes),
    )


class ThreadBuffers(NamedTuple):
    """Working memory of one thread."""

    room: ScratchArrays
    rows: SingleFloats


class HoldemSolver:
    """Counterfactual regret minimisation on a betting tree with card buckets.

    The result depends on seed and iterations alone, not on `threads`, because parts of the tree share no
    data. `tilt` multiplies what a player wins when the opponent folds and at a showdown; only (1, 1), the
    real game, is zero-sum. With `boards`, chance deals only that many boards, those of the seed, in turn: a
    small game.
    """

    def __init__(
        self,
        tree: BettingTree,
        buckets: CardBuckets,
        *,
        seed: int = 0,
        weighting: Weighting = "discounted",
        tilt: tuple[float, float] = (1.0, 1.0),
        threads: int = 1,
        boards: int = 0,
    ) -> None:
        self.tree = tree
        self.buckets = buckets
        self.seed = seed
        self.weighting = weighting
        self.tilt: NDArray[np.float32] = np.array(tilt, np.float32)
        self.layout: TreeLayout = TreeLayout(tree, buckets.sizes)
        self.regrets: NDArray[np.float32] = np.zeros(self.layout.size, np.float32)
        self.sums: NDArray[np.float32] = np.zeros(self.layout.size, np.float32)
        self.iterations: int = 0
        self.boards = boards
        self.values: list[float] = [0.0, 0.0]
        """Each player's value on its last board in big blinds per hand, under the strategies of that walk."""
        rows = max(len(part.nodes) for part in self.layout.parts)
        self._desks = [
            ThreadBuffers(_room(self.layout, buckets.sizes), np.empty((rows, HANDS), np.float32))
            for _ in range(threads)
        ]
        self._first = np.empty((len(self.layout.first), HANDS), np.float32)

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        for _ in range(iterations):
            fading = discount_factors(self.weighting, self.iterations + 1)[0].astype(np.float32)
            for traverser in (0, 1):
                self.values[traverser] = self.walk(traverser, self._deal(traverser), fading)
            self.iterations += 1

    def _deal(self, traverser: int) -> RankedBoard:
        """Deal a new board for each walk, or the next of the fixed boards."""
        number = self.iterations % self.boards if self.boards else 2 * self.iterations + traverser
        return rank_holdings(random_boards(self.seed, number, 1)[0], self.buckets)

    def average_regret(self) -> float:
        """Return the sum over all information sets of the largest positive regret, in big blinds per hand.

        Divided by the total weight of the iterations. In a zero-sum game with perfect recall and without
        sampling it would bound the exploitability; with imperfect recall or a tilt it bounds nothing.
        """
        layout, total = self.layout, 0.0
        for node in np.flatnonzero(self.tree.turn < 2):
            start, end = layout.offset[node], layout.offset[node + 1]
            actions = self.tree.edges[node + 1] - self.tree.edges[node]
            largest = self.regrets[start:end].reshape(actions, -1).max(axis=0)
            total += float(np.maximum(largest, 0).sum(dtype=np.float64))
        return total / (HANDS * RIVALS) / total_weight(self.weighting, max(self.iterations, 1))

    def walk(self, traverser: int, deal: RankedBoard, fading: SingleFloats) -> float:
        """Walk the tree once and update it; return the traverser's value in big blinds per hand."""
        layout, rows, desk = self.layout, self._first, self._desks[0]
        memory = (self.regrets, self.sums)
        rows[0] = 1.0
        walk_down(
            layout.first, 0, traverser, layout.first_shape, deal, self.tilt, fading, *memory, rows, desk.room
        )
        waiting = list(layout.parts)[::-1]

        def work(desk: ThreadBuffers) -> None:
            while waiting:
                try:
                    part = waiting.pop()
                except IndexError:  # another thread took the last part
                    return
                place = layout.first_shape.row[part.root]
                desk.rows[0] = rows[place]
                walk_part(
                    part.nodes,
                    part.roots,
                    part.bounds[traverser],
                    traverser,
                    layout.shape,
                    deal,
                    self.tilt,
                    fading,
                    *memory,
                    desk.rows,
                    desk.room,
                )
                rows[place] = desk.rows[0]

        if len(self._desks) == 1:
            work(desk)
        else:
            with ThreadPoolExecutor(len(self._desks)) as pool:
                list(pool.map(work, self._desks))
        walk_up(layout.first, 0, traverser, layout.first_shape, deal, fading, self.regrets, rows, desk.room)
        return float(rows[0].sum(dtype=np.float64)) / (HANDS * RIVALS)
