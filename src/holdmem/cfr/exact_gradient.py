"""What each action of a tabular strategy earns against its best response: the gradient of exploitability.

The best response b of one seat is held fixed. What the strategy wins from it is linear in the probabilities
of any one decision and class, so

    gradient[decision, action, class] = sum over holdings of the class, boards and chance of
        (strategy's own reach) * (best response's reach) * (value of the action, then playing the strategy on)

is the derivative of the strategy's winnings with respect to that probability, in chips per hand. Where the
best response is unique, minus the gradient is the derivative of exploitability itself (by the envelope
theorem); where it is not, it is that for the best response chosen here, the first of equal actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from holdmem.cfr.exact_response import (
    ExactResponse,
    FlopValues,
    Response,
    StreetTable,
    onward_reach,
    respond_before_flop,
    street_values,
)
from holdmem.cfr.kernels.exact_gradient import choose_street, river_gradient, street_gradient
from holdmem.cfr.kernels.exact_response import CHUNK, LANES, add_moved, reach_next
from holdmem.cfr.public_game import CardTuple, PublicDeal
from holdmem.cfr.street_shape import ACTIONS, padded
from holdmem.core.types import Floats, Ints


class StrategyGradient(NamedTuple):
    """Derivatives of a strategy's winnings, by the seat that responds."""

    tables: list[list[Floats]]
    """[responder's seat][street] arrays [decision, action, class], chips per hand"""
    won: tuple[float, float]
    """What the strategy wins from the best response in seat 0 and in seat 1, chips per hand"""


def strategy_gradient(
    response: ExactResponse, flops: Sequence[tuple[PublicDeal, float]], values: FlopValues
) -> StrategyGradient:
    """Return the gradient over flops with factors, given the summed values of responding to them."""
    answer = respond_before_flop(response, values)
    tables, won = [], []
    for seat in (0, 1):
        walk = GradientWalk(response, seat)
        total = walk.flops(answer, flops)
        tables.append(walk.tables(total, values))
        won.append(walk.won)
    return StrategyGradient(tables, (won[0], won[1]))


@dataclass(eq=False)
class GradientWalk:
    """One seat's best response, and the gradient of the strategy in the other seat."""

    response: ExactResponse
    seat: int
    won: float = 0.0

    @cached_property
    def gradients(self) -> dict[int, Floats]:
        """Gradients by street, in the kernels' layout; filled when the street is first met."""
        return {}

    @cached_property
    def paths(self) -> list[Floats]:
        """Working memory by street."""
        shapes = self.response.shapes[1:]
        return [np.zeros((len(some[0].kind), CHUNK, LANES), self.response.precision) for some in shapes]

    def flops(self, answer: Response, flops: Sequence[tuple[PublicDeal, float]]) -> Floats:
        """Add up flops and return the strategy's values before them, [holding, betting]."""
        response, game = self.response, self.response.game
        reach = response.preflop.reach(1 - self.seat).astype(response.precision)
        own = padded(answer.plays[self.seat][game.classes]).astype(response.precision)
        leaves = len(response.preflop.leaves)
        total = np.zeros((int(game.classes.max()) + 1, leaves))
        for flop, factor in flops:
            weight = factor * flop.weight * game.chance(1)
            found = self.visit(1, (), flop, reach, own, weight)[:, :leaves].astype(np.float64)
            np.add.at(total, game.classes, found * weight)
        return (total / np.bincount(game.classes)[:, None])[game.classes]

    def visit(
        self, street: int, before: CardTuple, deal: PublicDeal, reach: Floats, own: Floats, weight: float
    ) -> Floats:
        """Return the strategy's values at the roots of a street after a deal, and add its gradient."""
        response, board = self.response, (*before, *deal.cards)
        table = response.table(street, board)
        gradient = self.gradients.setdefault(street, np.zeros(table.probabilities.shape))
        if street == response.game.streets - 1:
            return self._river(board, table, reach, own, weight, gradient)
        cards = response.cards(board, table)
        theirs = response.shapes[street][1 - self.seat]
        room, paths = response.rooms[street - 1], self.paths[street - 1]
        onward = onward_reach(response, street, self.seat, cards, table, reach)
        chosen = self._chosen(street, board, deal, cards, table, reach, onward)
        places = np.vstack([cards[:3], np.arange(cards.shape[1])])
        theirs_onward = np.zeros_like(onward)
        reach_next(theirs, own, np.ascontiguousarray(places), chosen, room, theirs_onward)
        after = self._after(street, board, deal, onward, theirs_onward, weight)
        out = np.zeros_like(reach)
        street_gradient(
            theirs,
            reach,
            own,
            cards,
            table.probabilities,
            room,
            chosen,
            after,
            response.precision(weight),
            paths,
            out,
            gradient,
        )
        return out

    def _chosen(
        self,
        street: int,
        board: CardTuple,
        deal: PublicDeal,
        cards: Ints,
        table: StreetTable,
        reach: Floats,
        onward: Floats,
    ) -> Floats:
        """Return the best response on a street, [block, place of the holding, decision and action, lane]."""
        response = self.response
        best, share = np.zeros_like(onward), response.precision(response.game.chance(street + 1))
        both = [np.zeros_like(onward), np.zeros_like(onward)]
        both[self.seat] = onward
        for later in response.game.deals(street + 1, board, deal.stabiliser):
            found = street_values(response, street + 1, board, later, both)[self.seat][-1]
            for moved in later.moves:
                add_moved(found, moved, share, best)
        blocks, _, rows, lanes = table.probabilities.shape
        chosen = np.zeros((blocks, cards.shape[1], rows, lanes), response.precision)
        shape, room = response.shapes[street][self.seat], response.rooms[street - 1]
        choose_street(shape, reach, cards, table.probabilities, room, best, chosen)
        return chosen

    def _after(
        self, street: int, board: CardTuple, deal: PublicDeal, reach: Floats, own: Floats, weight: float
    ) -> Floats:
        """Return the strategy's values at the roots of the next street, over all its deals."""
        response, after = self.response, np.zeros_like(reach)
        share = response.game.chance(street + 1)
        for later in response.game.deals(street + 1, board, deal.stabiliser):
            found = self.visit(street + 1, board, later, reach, own, weight * later.weight * share)
            for moved in later.moves:
                add_moved(found, moved, response.precision(share), after)
        return after

    def _river(
        self,
        board: CardTuple,
        table: StreetTable,
        reach: Floats,
        own: Floats,
        weight: float,
        gradient: Floats,
    ) -> Floats:
        response, out = self.response, np.zeros_like(reach)
        cards, ends = response.by_strength(board, table)
        mine, theirs = (response.shapes[-1][seat] for seat in (self.seat, 1 - self.seat))
        _, _, rows, lanes = table.probabilities.shape
        chosen = np.zeros((1, cards.shape[1], rows, lanes), response.precision)
        river_gradient(
            mine, theirs, reach, own, cards, ends, table.probabilities, response.rooms[-1], chosen,
            response.precision(weight), self.paths[-1], out, gradient,
        )  # fmt: skip
        return out

    def tables(self, total: Floats, values: FlopValues) -> list[Floats]:
        """Return the gradient of each street as [decision, action, class], the first street's included."""
        response = self.response
        after = values.best[self.seat][response.game.classes]
        first, won = response.preflop.gradient(self.seat, after, total)
        self.won = won / response.game.pairs
        later = [self._laid_back(street) for street in sorted(self.gradients)]
        return [table / response.game.pairs for table in (first, *later)]

    def _laid_back(self, street: int) -> Floats:
        """Undo `street_shape.arranged`."""
        nodes, gradient = self.response.nodes[street], self.gradients[street]
        blocks, classes, rows, lanes = gradient.shape
        by_root = gradient.transpose(0, 3, 2, 1).reshape(blocks * lanes, rows // ACTIONS, ACTIONS, classes)
        table = np.zeros((nodes.decisions.size, ACTIONS, classes))
        table[nodes.decisions] = by_root[: len(nodes.decisions)]
        return table
