"""Random boards for training: flops, turns of them, and all rivers of these."""

from typing import Any, NamedTuple

import numpy as np

from . import responder
from .responder import Array


class DrawnBoards(NamedTuple):
    """Flops, turns of them, and all rivers of these, up to exchange of suits."""

    flops: list[int]
    turns: responder.NextCards  # of the flops; `child` is -1 for turns that are left out
    rivers: responder.NextCards  # of the turns
    scale: Array  # [flop] by which the values of its turns are multiplied
    turn_weight: Array
    river_weight: Array
    listed: list[Array | None]  # [street] rows of the classes listed in the file


class Boards:
    """Draws boards of an exported game."""

    def __init__(self, export: Any) -> None:
        self.export = export
        self.exchanges: Array = export.data["exchanges"]
        self._turns: dict[int, tuple[Any, list[Array]]] = {}

    def turns(self, flop: int) -> tuple[Any, list[Array]]:
        """Return the turns of a flop, and the exchanges of suits that leave each as it is."""
        if flop not in self._turns:
            cards = self.export.flops[flop].astype(int)
            images = np.sort(self.exchanges[:, cards], axis=1)
            group = np.flatnonzero((images == np.sort(cards)).all(axis=1))
            self._turns[flop] = responder.next_cards(cards[None], [group], self.exchanges)
        return self._turns[flop]

    def draw(self, rng: np.random.Generator, count: int) -> DrawnBoards:
        """Draw flops by their weights, and one turn of each."""
        weights = self.export.data["weights"].astype(float)
        flops = rng.choice(len(weights), count, p=weights / weights.sum()).tolist()
        places = [int(rng.choice(self.turns(flop)[0].child[0])) for flop in flops]
        return self.batch(flops, [[place] for place in places])

    def all_of(self, flops: list[int]) -> DrawnBoards:
        """Return these flops with all their turns."""
        return self.batch(flops, [list(range(len(self.turns(flop)[0].boards))) for flop in flops])

    def batch(self, flops: list[int], chosen: list[list[int]]) -> DrawnBoards:
        """Return flops with some of their turns."""
        kept = [(flop, turn) for flop, some in zip(flops, chosen, strict=True) for turn in some]
        known = [self.turns(flop) for flop in flops]
        times = [np.bincount(turns.child[0]) for turns, _ in known]  # equivalent turns of each that is there
        counts = np.cumsum([0, *map(len, chosen)])
        child = np.full((len(flops), known[0][0].child.shape[1]), -1, np.int32)
        scale, weight = np.ones(len(flops), np.float32), np.ones(len(kept), np.float32)
        for place, ((turns, _), some) in enumerate(zip(known, chosen, strict=True)):
            number = np.full(len(turns.boards), -1)
            number[some] = counts[place] + np.arange(len(some))
            child[place] = number[turns.child[0]]
            if len(some) < len(turns.boards):  # drawn by their weights
                scale[place] = child.shape[1] / times[place][some].sum()
            else:
                weight[counts[place] : counts[place + 1]] = times[place]
        boards = np.array([self.turns(flop)[0].boards[turn] for flop, turn in kept])
        groups = [self.turns(flop)[1][turn] for flop, turn in kept]
        rivers, _ = responder.next_cards(boards.astype(int), groups, self.exchanges)
        times_of_rivers = np.concatenate([np.bincount(row - row.min()) for row in rivers.child])
        parent = np.repeat(np.arange(len(flops)), np.diff(counts)).astype(np.int32)
        exchange = np.array([turns.exchange[0] for turns, _ in known], np.int32)
        card = np.array([turns.card[0] for turns, _ in known], np.uint8)
        return DrawnBoards(
            flops,
            responder.NextCards(boards, parent, child, exchange, card),
            rivers,
            scale,
            weight,
            (times_of_rivers * weight[rivers.parent]).astype(np.float32),
            self._listed(flops, kept),
        )

    def _listed(self, flops: list[int], turns: list[tuple[int, int]]) -> list[Array | None]:
        """Return the rows of listed classes, where there are any."""
        data, ways = self.export.data, self.export.meta["classes"]
        found: list[Array | None] = [None] * 4
        if ways[1] == "listed":
            found[1] = data["street1/first"][flops]
        if ways[2] == "listed":
            found[2] = np.array([data["street2/first"][flop] + place for flop, place in turns])
        if ways[3] == "listed":
            rows = []
            for flop, place in turns:
                parent = responder.boards_after(self.export.flops[flop], self.exchanges)[1].parent
                rows.append(data["street3/first"][flop] + np.flatnonzero(parent == place))
            found[3] = np.concatenate(rows)
        return found
