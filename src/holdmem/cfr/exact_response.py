"""Exact best response to a tabular strategy in limit hold'em (Johanson, Waugh, Bowling and Zinkevich 2011).

The responder knows the strategy, so at a public state it knows the opponent's reach probability with each
holding. Values are computed for all holdings of the responder at once: down the betting with vectors of
reach, through a showdown by one pass over the holdings in order of strength with card removal, and up again,
taking the best action of each holding where the responder decides. Boards that differ by an exchange of suits
have the same values, so 1,755 flops stand for all 22,100.

The flops are independent. `respond_to_flop` values one; `respond_before_flop` adds flops up and takes the
maxima before the flop. Besides the best response itself there are four more ways to respond, which start to
take maxima later and play the strategy itself before: from the flop, turn or river on, and never (self-play).
"""

from dataclasses import dataclass, field
from functools import cached_property
from threading import local
from typing import Any, NamedTuple

import numpy as np

from holdmem.agent.tabular import TabularStrategy
from holdmem.cfr.betting_tree import BettingTree
from holdmem.cfr.kernels.exact_response import (
    CHUNK,
    LANES,
    add_moved,
    ascend_street,
    reach_next,
    respond_to_river,
)
from holdmem.cfr.preflop_response import Preflop
from holdmem.cfr.public_game import HOLDEM, CardTuple, PublicDeal, PublicGame
from holdmem.cfr.street_shape import StreetNodes, StreetShape, arranged, padded, street_nodes, street_shape
from holdmem.core.types import Floats, Ints


class Room(NamedTuple):
    """Working memory of the kernels for one street; names ending in 3 are views with lanes as last axis."""

    here: Floats  # [holding, slot and lane] opponent's reach
    here3: Floats
    score: Floats  # [holding, slot and lane] of showdowns
    score3: Floats
    total: Floats  # [slot and lane] sum of `here`
    by_card: Floats  # [card, slot and lane] the same by card
    values: Floats  # [way and node, holding of a chunk, lane]


def make_room(shape: StreetShape, holdings: int, cards: int, precision: Any) -> Room:
    """Allocate the working memory of a street."""
    slots, leaves, nodes = len(shape.slot_from), shape.leaf_slots, len(shape.kind)
    here3 = np.zeros((holdings, slots, LANES), precision)
    score3 = np.zeros((holdings, leaves, LANES), precision)
    by_card = np.zeros((cards, slots * LANES), precision)
    values = np.zeros((2 * nodes, CHUNK, LANES), precision)
    return Room(
        here3.reshape(holdings, -1),
        here3,
        score3.reshape(holdings, -1),
        score3,
        by_card[0].copy(),
        by_card,
        values,
    )


class StreetTable(NamedTuple):
    """A strategy on one board, in the kernels' layout."""

    classes: Ints
    probabilities: Floats


@dataclass(eq=False)
class ExactResponse:
    """Best responses in both seats to one strategy."""

    tree: BettingTree
    strategy: TabularStrategy
    game: PublicGame = HOLDEM
    precision: Any = np.float32
    _tables: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)
    _own: local = field(default_factory=local)
    _reduced: dict[int, tuple[tuple[bytes, int], Floats, Floats]] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> list[StreetNodes]:
        """The betting of each street."""
        return [street_nodes(self.tree, street) for street in range(self.game.streets)]

    @cached_property
    def shapes(self) -> list[list[StreetShape]]:
        """The betting of each street after the first, as seen from either seat; the first has none."""
        streets = range(1, self.game.streets)
        return [
            [],
            *(
                [street_shape(self.tree, street, seat, self.precision) for seat in (0, 1)]
                for street in streets
            ),
        ]

    @property
    def rooms(self) -> list[Room]:
        """Working memory of each street after the first, one for each thread: kernels run side by side."""
        if not hasattr(self._own, "rooms"):
            holdings, cards = len(self.game.holdings), int(self.game.holdings.max()) + 1
            self._own.rooms = [
                make_room(some[0], holdings, cards, self.precision) for some in self.shapes[1:]
            ]
        rooms: list[Room] = self._own.rooms
        return rooms

    def table(self, street: int, board: CardTuple) -> StreetTable:
        """Return the strategy on a board; tables that boards share are laid out once."""
        found = self.strategy.on(np.array(board, np.uint8))
        known = self._tables.get(street)
        if known is None or known[0] is not found.table:
            laid = arranged(found.table, self.nodes[street], self.precision)
            self._tables[street] = known = found.table, laid
        return StreetTable(np.asarray(found.classes, np.int64), known[1])

    def only(self, seat: int, roots: Ints, table: StreetTable) -> Floats:
        """Return the last street's probabilities at these roots only; the most recent result is cached."""
        key = (roots.tobytes(), id(table.probabilities))
        known = self._reduced.get(seat)
        if known is None or known[0] != key:
            lanes = table.probabilities.transpose(1, 2, 0, 3)  # [class, action, block, lane]
            some = padded(lanes.reshape(*lanes.shape[:2], -1)[:, :, roots])
            blocks = some.reshape(*some.shape[:2], -1, LANES).transpose(2, 0, 1, 3)
            self._reduced[seat] = known = key, np.ascontiguousarray(blocks), table.probabilities
        return known[1]

    def cards(self, board: CardTuple, table: StreetTable) -> Ints:
        """Return holding, cards and class of the holdings that the board leaves, in their order."""
        left = np.flatnonzero(self.game.free(board))
        return np.ascontiguousarray(np.vstack([left, self.game.holdings[left].T, table.classes[left]]))

    def by_strength(self, board: CardTuple, table: StreetTable) -> tuple[Ints, Ints]:
        """Return `cards` on a full board in order of strength, and one past the end of each equal group."""
        cards = self.cards(board, table)
        strengths = self.game.strengths(board, cards[0])
        order = np.argsort(strengths, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(strengths[order])) + 1, len(order))
        return np.ascontiguousarray(cards[:, order]), ends

    @cached_property
    def preflop(self) -> Preflop:
        """The betting before the flop."""
        found = self.strategy.on(np.zeros(0, np.uint8))
        return Preflop(self.tree, self.nodes[0], found, self.game)


class FlopValues(NamedTuple):
    """Values of all deals equivalent to a flop, summed, each times its probability given both holdings.

    Values are in chips times the opponent's reach. Those of several flops add up.
    """

    best: Floats
    """[seat, class of holdings, betting before the flop] value of responding from the flop on, by holding"""
    by_way: Floats
    """[seat, way] sum over holdings if the responder plays the strategy itself before the flop"""

    def times(self, factor: float) -> "FlopValues":
        """Return the values multiplied by a factor."""
        return FlopValues(self.best * factor, self.by_way * factor)

    def plus(self, other: "FlopValues") -> "FlopValues":
        """Return the sum of two."""
        return FlopValues(self.best + other.best, self.by_way + other.by_way)


class Response(NamedTuple):
    """Responses to a strategy in both seats."""

    by_way: Floats
    """[seat, way] chips won per hand: self-play, then maximising from the river, turn, flop and preflop on"""
    plays: list[Floats]
    """[seat][class, betting before the flop] how often the best response takes its actions to the flop"""
    folds: Floats
    """[seat] the part of the best response's winnings from hands that end before the flop"""


def respond_to_flop(response: ExactResponse, flop: PublicDeal) -> FlopValues:
    """Respond to the strategy on one flop and all that are equivalent to it, in both seats.

    With fewer than four streets there are fewer ways to respond.
    """
    preflop = response.preflop
    reach = [preflop.reach(1 - seat).astype(response.precision) for seat in (0, 1)]
    found = street_values(response, 1, (), flop, reach)
    return flop_values(response, flop, [one[:, :, : len(preflop.leaves)] for one in found])


def flop_values(response: ExactResponse, flop: PublicDeal, found: list[Floats]) -> FlopValues:
    """Collect the values of a flop from arrays [way, holding, betting before the flop], one per seat."""
    game, preflop = response.game, response.preflop
    best, by_way = [], []
    for seat, one in enumerate(found):
        values = one.astype(np.float64) * (flop.weight * game.chance(1))
        by_class = np.zeros((game.classes.max() + 1, values.shape[2]))
        np.add.at(by_class, game.classes, values[-1])
        best.append(by_class / np.bincount(game.classes)[:, None])
        by_way.append((values * preflop.own_reach(seat)).sum(axis=(1, 2)))
    return FlopValues(np.stack(best), np.stack(by_way))


def respond_before_flop(response: ExactResponse, total: FlopValues) -> Response:
    """Add the betting before the flop to the values of all flops, taking the maxima there."""
    game, preflop = response.game, response.preflop
    nothing = np.zeros((len(game.holdings), len(preflop.leaves)))
    by_way, plays, folds = [], [], []
    _, first = np.unique(game.classes, return_index=True)
    for seat in (0, 1):
        best, played = preflop.values(seat, total.best[seat][game.classes], maximise=True)
        folded = preflop.values(seat, nothing, maximise=False)[0].sum()
        by_way.append(np.append(folded + total.by_way[seat], best.sum()) / game.pairs)
        plays.append(played[first])
        from_flops = (played * total.best[seat][game.classes]).sum()
        folds.append((best.sum() - from_flops) / game.pairs)
    return Response(np.stack(by_way), plays, np.array(folds))


def street_values(
    response: ExactResponse, street: int, before: CardTuple, deal: PublicDeal, reach: list[Floats]
) -> list[Floats]:
    """Return the values of a street after a deal, one array [way, holding, root] per seat."""
    board = (*before, *deal.cards)
    table = response.table(street, board)
    if street == response.game.streets - 1:
        return _river(response, board, table, reach)
    cards = response.cards(board, table)
    onward = [onward_reach(response, street, seat, cards, table, reach[seat]) for seat in (0, 1)]
    sums = [np.zeros((response.game.streets - street, *one.shape), response.precision) for one in onward]
    share = response.precision(response.game.chance(street + 1))
    for later in response.game.deals(street + 1, board, deal.stabiliser):
        found = street_values(response, street + 1, board, later, onward)
        for seat in (0, 1):
            for way in range(len(found[seat])):
                for moved in later.moves:
                    add_moved(found[seat][way], moved, share, sums[seat][way])
    return [_ascend(response, street, seat, cards, table, reach[seat], sums[seat]) for seat in (0, 1)]


def onward_reach(
    response: ExactResponse, street: int, seat: int, cards: Ints, table: StreetTable, reach: Floats
) -> Floats:
    """Return the opponent's reach at the roots of the next street, [holding, root]."""
    roots = len(response.nodes[street + 1].nodes)
    onward = np.zeros((len(response.game.holdings), -(-roots // LANES) * LANES), response.precision)
    shape, room = response.shapes[street][seat], response.rooms[street - 1]
    reach_next(shape, reach, cards, table.probabilities, room, onward)
    return onward


def _ascend(
    response: ExactResponse,
    street: int,
    seat: int,
    cards: Ints,
    table: StreetTable,
    reach: Floats,
    after: Floats,
) -> Floats:
    """Return values of this street's roots: every later way unchanged here, and maxima from here on."""
    shape, room = response.shapes[street][seat], response.rooms[street - 1]
    out = np.zeros((len(after) + 1, *reach.shape), response.precision)
    for way in range(len(out)):
        last = way == len(after)
        source = after[len(after) - 1 if last else way]
        ascend_street(shape, reach, cards, table.probabilities, room, source, last, out[way])
    return out


def _river(
    response: ExactResponse, board: CardTuple, table: StreetTable, reach: list[Floats]
) -> list[Floats]:
    """Return the values of the last street: the strategy itself, and the best response."""
    cards, ends = response.by_strength(board, table)
    return [_showdowns(response, seat, cards, ends, table, reach[seat]) for seat in (0, 1)]


def _showdowns(
    response: ExactResponse, seat: int, cards: Ints, ends: Ints, table: StreetTable, reach: Floats
) -> Floats:
    """Return the values of the last street for one seat, computing only the roots that are reached."""
    shape, room = response.shapes[-1][seat], response.rooms[-1]
    values = np.zeros((2, *reach.shape), response.precision)
    roots = np.flatnonzero(reach.any(axis=0))
    if not len(roots):
        return values
    if -(-len(roots) // LANES) * LANES == reach.shape[1]:
        respond_to_river(shape, reach, cards, ends, table.probabilities, room, values[1], values[0])
        return values
    few = response.only(seat, roots, table)
    some = padded(reach[:, roots])
    found = np.zeros((2, *some.shape), response.precision)
    reduced = shape._replace(stake=padded(shape.stake[:, roots]))
    respond_to_river(reduced, some, cards, ends, few, room, found[1], found[0])
    values[:, :, roots] = found[:, :, : len(roots)]
    return values
