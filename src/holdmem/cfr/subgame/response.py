"""Best responses within a subgame, and the exploitability of its solution."""

from typing import NamedTuple

import numpy as np

from holdmem.cfr.subgame.cards import compatible_weight
from holdmem.cfr.subgame.kernels.solver import bring, collect, respond
from holdmem.cfr.subgame.solver import StreetPart, SubgameSolver, walk_room
from holdmem.core.types import Floats


class SubgameStrategy(NamedTuple):
    """Action probabilities, [row of an action, position], of the first street and of each river."""

    first: Floats
    rivers: list[Floats]


def average(solver: SubgameSolver) -> SubgameStrategy:
    """Return the average strategy of a solve, which is the one that converges."""
    return SubgameStrategy(solver.first.average(), [part.average() for part in solver.rivers])


def root_values(solver: SubgameSolver, strategy: SubgameStrategy, seat: int, maximise: bool = True) -> Floats:
    """Return the value of the subgame with each holding of a seat, in chips times the opponent's reach.

    The opponent plays the strategy with its range. The seat plays a best response, or the strategy itself.
    Chips are counted from an equal share of the pot. Holdings that are not in the subgame have value 0.
    """
    first, reach = solver.first, solver.ranges[1 - seat]
    held = first.sorted.holding
    room = walk_room(first.tree, len(held), int(solver.game.holdings.max()) + 1, np.float64)
    room.reach[0] = reach[held]
    shape = first.tree.shapes[seat]
    if solver.rivers:
        nodes = np.flatnonzero(first.tree.onward >= 0)
        respond(shape, first.cards, strategy.first, maximise, room)  # fills in the reach at the ends
        room.values[nodes] = 0
        for part, place, below in zip(solver.rivers, solver.places, strategy.rivers, strict=True):
            after = walk_room(part.tree, len(place), room.cards.shape[0], np.float64)
            bring(room.reach, shape.sequence[nodes], place, solver.chance, after.reach)
            respond(part.tree.shapes[seat], part.cards, below, maximise, after)
            collect(after.values, place, nodes, room.values)
    respond(shape, first.cards, strategy.first, maximise, room)
    values = np.zeros(len(reach))
    values[held] = room.values[0]
    return values


def game_value(solver: SubgameSolver, strategy: SubgameStrategy, seat: int, maximise: bool = False) -> float:
    """Return the chips that a seat wins per hand, from an equal share of the pot, with its range."""
    own, other = solver.ranges[seat], solver.ranges[1 - seat]
    pairs = float(own @ compatible_weight(other, solver.game.holdings))
    return float(own @ root_values(solver, strategy, seat, maximise)) / pairs


def exploitability(solver: SubgameSolver, strategy: SubgameStrategy | None = None) -> float:
    """Return what a best response wins in the subgame, the mean of both seats, as a share of the pot."""
    strategy = strategy or average(solver)
    won = sum(game_value(solver, strategy, seat, maximise=True) for seat in (0, 1))
    return won / 2 / solver.subgame.pot


def strategy_at(part: StreetPart, strategy: Floats, node: int) -> Floats:
    """Return the probabilities of a decision's actions, [action, position]."""
    start = part.tree.offset[node]
    return strategy[start : start + part.tree.actions[node]]
