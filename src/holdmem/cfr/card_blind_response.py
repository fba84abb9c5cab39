"""Exact best response to a strategy that ignores its cards, such as always-call.

Its reach probabilities are the same with every holding, so the responder's value is the reach times a value
that does not depend on it. Two simplifications follow. Betting that leads to the same stakes and the same
probabilities has the same values: of 567 ways to begin the river 16 are left if the strategy looks at chips
alone. And on the river a holding matters only through its wins less losses against all other holdings, a
whole number, so the values of the whole street are tabulated once by that number for all boards.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from holdmem.agent.tabular import ConstantTables
from holdmem.cfr.exact_response import ExactResponse, FlopValues, flop_values
from holdmem.cfr.kernels.card_blind_response import add_rivers
from holdmem.cfr.kernels.exact_response import FOLD, LEAF, OWN
from holdmem.cfr.public_game import CardTuple, PublicDeal, PublicGame
from holdmem.cfr.street_shape import street_roots
from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints


class MergedStreet(NamedTuple):
    """The betting of a street, with one root for all that lead to the same stakes and probabilities."""

    probabilities: Floats  # [decision of the shape, action, root]
    stake: list[Floats]  # [seat][node, root]
    onward: Ints  # [node, root] root of the next merged street, -1 if none
    root: Ints  # [root of the betting tree] its root here


class CardBlindResponse:
    """Best responses in both seats to one strategy that ignores its cards."""

    def __init__(self, response: ExactResponse) -> None:
        if not isinstance(response.strategy, ConstantTables):
            raise GameError(f"expected a strategy without cards, got {type(response.strategy).__name__}")
        if response.game.dealt[-1] != 1:
            raise GameError(f"expected one card on the last street, got {response.game.dealt[-1]}")
        self.response = response
        self.game: PublicGame = response.game
        self.tables: tuple[Floats, ...] = response.strategy.tables

    @cached_property
    def streets(self) -> dict[int, MergedStreet]:
        """For each street after the first, its betting with equal subtrees merged."""
        found: dict[int, MergedStreet] = {}
        for street in reversed(range(1, self.game.streets)):
            found[street] = self._merged(street, found.get(street + 1))
        return found

    def _merged(self, street: int, later: MergedStreet | None) -> MergedStreet:
        roots = len(street_roots(self.response.tree, street))
        shapes, nodes = self.response.shapes[street], self.response.nodes[street]
        probabilities = self.tables[street][nodes.decisions][..., 0]  # [root, decision, action]
        stake = [shape.stake[:, :roots].astype(np.float64) for shape in shapes]
        onward = shapes[0].onward[:, :roots]
        if later is not None:
            onward = np.where(onward >= 0, later.root[onward], -1)
        rows = np.hstack([stake[0].T, stake[1].T, probabilities.reshape(roots, -1), onward.T])
        _, first, root = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        return MergedStreet(
            probabilities[first].transpose(1, 2, 0), [one[:, first] for one in stake], onward[:, first], root
        )

    def ascend(self, street: int, seat: int, leaves: Floats, opponents: Floats, maximise: bool) -> Floats:
        """Propagate values to the roots of a street, [root, x].

        Parameters
        ----------
        leaves : [node, root, x] values of showdowns and ends of the street, in the order of the nodes.
        opponents : [x] number of holdings that the opponent may have.
        maximise : whether the responder takes the best action or plays the strategy itself.
        """
        shape, merged = self.response.shapes[street][seat], self.streets[street]
        values: list[Floats] = [np.zeros(0)] * len(shape.kind)
        ends = iter(leaves)
        after = {node: next(ends) for node in np.flatnonzero(shape.kind == LEAF).tolist()}
        for node in reversed(range(len(shape.kind))):
            actions = [action for action in range(3) if shape.child[node, action] >= 0]
            if shape.kind[node] == FOLD:
                values[node] = merged.stake[seat][node][:, None] * opponents
            elif shape.kind[node] == LEAF:
                values[node] = after[node]
            else:
                some = [values[shape.child[node, action]] for action in actions]
                best = maximise and shape.kind[node] == OWN
                weights = merged.probabilities[shape.decision[node]][:, :, None]
                values[node] = _largest(some) if best else _mean(some, weights[actions])
        return values[0]

    @cached_property
    def river(self) -> Floats:
        """Values of the last street, [wins less losses + most, seat and way and root]; see `most`."""
        street, scores = self.game.streets - 1, np.arange(-self.most, self.most + 1, dtype=np.float64)
        opponents = np.full(len(scores), float(self.most))
        columns = []
        for seat in (0, 1):
            ends = self.response.shapes[street][seat].kind == LEAF
            leaves = self.streets[street].stake[seat][ends][:, :, None] * scores
            columns += [self.ascend(street, seat, leaves, opponents, best).T for best in (False, True)]
        return np.ascontiguousarray(np.hstack(columns))

    @cached_property
    def most(self) -> int:
        """Number of holdings that the opponent may have on a full board."""
        return self.opponents(sum(self.game.dealt))

    def opponents(self, board: int) -> int:
        """Return the number of holdings that the opponent may have on a board of this many cards."""
        left = len(self.game.cards) - board - self.game.hole_cards
        return left * (left - 1) // 2 if self.game.hole_cards == 2 else left

    def values(self, street: int, before: CardTuple, deal: PublicDeal) -> list[Floats]:
        """Return the values of a street after a deal, one array [way, root, holding] per seat."""
        board = (*before, *deal.cards)
        last = street == self.game.streets - 2
        after = self._rivers(board) if last else self._later(street, board, deal)
        opponents = np.where(self.game.free(board), float(self.opponents(len(board))), 0.0)
        return [self._street(street, seat, after[seat], opponents) for seat in (0, 1)]

    def _street(self, street: int, seat: int, after: Floats, opponents: Floats) -> Floats:
        """Return every later way unchanged on this street, and maxima from this street on."""
        ends = self.response.shapes[street][seat].kind == LEAF
        onward = self.streets[street].onward[ends]
        ways = [*((way, False) for way in range(len(after))), (len(after) - 1, True)]
        return np.stack(
            [self.ascend(street, seat, after[way][onward], opponents, best) for way, best in ways]
        )

    def _later(self, street: int, board: CardTuple, deal: PublicDeal) -> list[Floats]:
        """Return the mean values of the next street's roots over its deals."""
        sums: list[Floats] = []
        for later in self.game.deals(street + 1, board, deal.stabiliser):
            found = self.values(street + 1, board, later)
            sums = sums or [np.zeros_like(one) for one in found]
            for seat in (0, 1):
                for moved in later.moves:
                    sums[seat][..., moved] += found[seat]
        return [one * self.game.chance(street + 1) for one in sums]

    def _rivers(self, board: CardTuple) -> list[Floats]:
        """Return the mean values of the last street's roots over all its cards."""
        sums = np.zeros((len(self.game.holdings), self.river.shape[1]))
        holdings = self.game.holdings.astype(np.uint8)
        add_rivers(np.array(board, np.uint8), self.game.cards, holdings, self.river, sums)
        means = (sums * self.game.chance(self.game.streets - 1)).T
        return list(means.reshape(2, 2, -1, len(sums)))


def respond_without_cards(blind: CardBlindResponse, flop: PublicDeal) -> FlopValues:
    """Respond on one flop and all that are equivalent to it, in both seats, as `respond_to_flop` does."""
    preflop, root = blind.response.preflop, blind.streets[1].root
    values = [
        found[:, root].transpose(0, 2, 1) * preflop.own_reach(1 - seat)
        for seat, found in enumerate(blind.values(1, (), flop))
    ]
    return flop_values(blind.response, flop, values)


def _largest(values: list[Floats]) -> Floats:
    found = values[0]
    for one in values[1:]:
        found = np.maximum(found, one)
    return found


def _mean(values: list[Floats], weights: Floats) -> Floats:
    found: Floats = values[0] * weights[0]
    for one, weight in zip(values[1:], weights[1:], strict=True):
        found = found + one * weight
    return found
