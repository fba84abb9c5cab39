"""Best responses within a subgame, and the exploitability of its solution."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.subgame.cards import compatible_weight
from holdmem.cfr.subgame.kernels.solver import bring, collect, respond, room_of
from holdmem.cfr.subgame.records import WalkRoom
from holdmem.cfr.subgame.solver import StreetPart, SubgameSolver, walk_room
from holdmem.core.types import Floats, Ints


class SubgameStrategy(NamedTuple):
    """Action probabilities, [row of an action, position], of the first street and of each river."""

    first: Floats
    rivers: Iterable[Floats]


def average(solver: SubgameSolver) -> SubgameStrategy:
    """Return the average strategy of a solve, which is the one that converges."""
    return SubgameStrategy(solver.first.average(), [part.average() for part in solver.rivers])


def root_values(solver: SubgameSolver, strategy: SubgameStrategy, seat: int, maximise: bool = True) -> Floats:
    """Return the value of the subgame with each holding of a seat, in chips times the opponent's reach.

    The opponent plays the strategy with its range. The seat plays a best response, or the strategy itself.
    Chips are counted from an equal share of the pot. Holdings that are not in the subgame have value 0.
    """
    first = solver.first
    held, nodes, room = first.sorted.holding, np.flatnonzero(first.tree.onward >= 0), _room(solver)
    shape = first.tree.shapes[seat]
    if solver.rivers:
        room.values[nodes] = 0
        for place, below in _rivers(solver, strategy, seat, maximise, room):
            collect(below, place, nodes, room.values)
    room.reach[0] = solver.ranges[1 - seat][held]
    respond(shape, first.cards, strategy.first, maximise, room)
    values = np.zeros(len(solver.ranges[seat]))
    values[held] = room.values[0]
    return values


def river_values(solver: SubgameSolver, strategy: SubgameStrategy, seat: int) -> NDArray[np.float32]:
    """Return a seat's best-response values at the beginnings of rivers, [beginning, river, holding].

    They are like `root_values` of a subgame that starts there, with the reach that the opponent has then.
    """
    held = solver.first.sorted.holding
    size = int((solver.trees[0].onward >= 0).sum()), len(solver.rivers), len(solver.ranges[seat])
    found = np.zeros(size, np.float32)
    rivers = _rivers(solver, strategy, seat, True, _room(solver))
    for river, (place, values) in enumerate(rivers):
        found[:, river, held[place]] = values[: size[0]] / solver.chance
    return found


def _room(solver: SubgameSolver) -> WalkRoom:
    """Return working memory for the first street."""
    held = solver.first.sorted.holding
    return walk_room(solver.trees[0], len(held), int(solver.game.holdings.max()) + 1, np.float64)


def _rivers(
    solver: SubgameSolver, strategy: SubgameStrategy, seat: int, maximise: bool, room: WalkRoom
) -> Iterator[tuple[Ints, Floats]]:
    """Value each river of a turn; yield the places of its holdings on the turn, and the values of its nodes.

    What is yielded is overwritten by the next river.
    """
    first = solver.first
    shape, nodes = first.tree.shapes[seat], np.flatnonzero(first.tree.onward >= 0)
    room.reach[0] = solver.ranges[1 - seat][first.sorted.holding]
    respond(shape, first.cards, strategy.first, maximise, room)  # fills in the reach at the ends
    most = max(map(len, solver.places))
    whole = walk_room(solver.trees[1], most, len(room.cards), np.float64)
    for part, place, below in zip(solver.rivers, solver.places, strategy.rivers, strict=True):
        after = room_of(whole, len(place))
        bring(room.reach, shape.sequence, nodes, place, solver.chance, after.reach)
        respond(part.tree.shapes[seat], part.cards, below, maximise, after)
        yield place, after.values


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
