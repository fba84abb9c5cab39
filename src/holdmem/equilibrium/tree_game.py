"""What the solver knows of a game: a tree of chance, decisions and payoffs for two players, zero-sum.

`TreeGame` is the interface that a game implements; `Tree` is the same game laid out in arrays, which the
kernels and the best response work on. A *slot* is one action of one information set: strategies, regrets and
sums are arrays with a number for each slot.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import GameError

CHANCE, OVER = -1, -2
"""Whose turn it is where nobody decides: chance moves, or the hand is over."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class TreeGame(Protocol):
    """A game of two players that never forget what they knew. States are whatever the game likes."""

    @property
    def name(self) -> str:
        """What people call it."""

    def start(self) -> Any:
        """The state before anything has happened."""

    def turn(self, state: Any) -> int:
        """0 or 1 for a player, CHANCE or OVER."""

    def moves(self, state: Any) -> tuple[str, ...]:
        """The names of what can happen next, at chance or at a decision."""

    def chances(self, state: Any) -> tuple[float, ...]:
        """How likely each move is where chance moves."""

    def after(self, state: Any, move: int) -> Any:
        """The state after the move of this number."""

    def information(self, state: Any) -> str:
        """What the player to act knows: states that it cannot tell apart have the same."""

    def payoff(self, state: Any) -> float:
        """What player 0 has won when it is over; player 1 has lost as much."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A game as arrays. Nodes stand in the order of a walk from the root, so a child comes after its parent.

    The children of node n are `child[edges[n] : edges[n + 1]]`, and chance takes them with `chance` there.
    """

    name: str
    turn: Ints  # [node] 0, 1, CHANCE or OVER
    payoff: Floats  # [node] to player 0, where it is over
    edges: Ints  # [node] its first edge
    child: Ints  # [edge]
    chance: Floats  # [edge] 1 where a player moves
    info: Ints  # [node] its information set, -1 where nobody decides
    slots: Ints  # [information set] its first slot
    player: Ints  # [information set] whose it is
    information: tuple[str, ...]  # [information set] what is known there
    moves: tuple[tuple[str, ...], ...]  # [information set] names of the actions

    @property
    def size(self) -> int:
        """The number of slots."""
        return int(self.slots[-1])

    def uniform(self) -> Floats:
        """The strategy that takes every action alike."""
        counts = np.diff(self.slots)
        return np.repeat(1.0 / counts, counts)

    def normalised(self, weights: Floats) -> Floats:
        """Weights of slots as a strategy: shares within each information set, alike where all are zero."""
        sums = np.add.reduceat(weights, self.slots[:-1])
        counts = np.diff(self.slots)
        whole = np.repeat(sums, counts)
        shares: Floats = np.where(whole > 0, weights / np.where(whole > 0, whole, 1), self.uniform())
        return shares

    def strategy(self, probabilities: dict[str, dict[str, float]]) -> Floats:
        """A strategy from what is known to the probability of each move; all sets must be there."""
        found = np.empty(self.size)
        for number, known in enumerate(self.information):
            if known not in probabilities:
                raise GameError(f"{self.name}: expected a strategy for {known!r}, got none")
            start = self.slots[number]
            for place, move in enumerate(self.moves[number]):
                found[start + place] = probabilities[known].get(move, 0.0)
        return found

    def in_words(self, strategy: Floats) -> dict[str, dict[str, float]]:
        """The same the other way round."""
        return {
            known: dict(zip(self.moves[i], strategy[self.slots[i] : self.slots[i + 1]].tolist(), strict=True))
            for i, known in enumerate(self.information)
        }


@dataclass
class _Walk:
    """What a walk through a game has met so far."""

    game: TreeGame
    turn: list[int] = field(default_factory=list)
    payoff: list[float] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    chances: list[tuple[float, ...]] = field(default_factory=list)
    info: list[int] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    player: list[int] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)

    def visit(self, state: Any) -> int:
        """Note a state and all that can come after it; its number."""
        game, node = self.game, len(self.turn)
        turn = game.turn(state)
        moves = game.moves(state) if turn != OVER else ()
        self.turn.append(turn)
        self.payoff.append(game.payoff(state) if turn == OVER else 0.0)
        self.chances.append(game.chances(state) if turn == CHANCE else (1.0,) * len(moves))
        self.info.append(self._set(state, turn, moves) if turn >= 0 else -1)
        self.children.append([])
        self.children[node] = [self.visit(game.after(state, move)) for move in range(len(moves))]
        return node

    def _set(self, state: Any, turn: int, moves: tuple[str, ...]) -> int:
        known = self.game.information(state)
        if known not in self.known:
            self.known[known] = len(self.known)
            self.player.append(turn)
            self.moves.append(moves)
        number = self.known[known]
        if (self.player[number], self.moves[number]) != (turn, moves):
            raise GameError(
                f"{self.game.name}: expected the same player and moves wherever {known!r} is known,"
                f" got {self.moves[number]} and {moves}"
            )
        return number


def tree_of(game: TreeGame) -> Tree:
    """Lay a game out in arrays."""
    walk = _Walk(game)
    walk.visit(game.start())
    return Tree(
        name=game.name,
        turn=np.array(walk.turn),
        payoff=np.array(walk.payoff),
        edges=np.cumsum([0, *map(len, walk.children)]),
        child=np.array([child for some in walk.children for child in some]),
        chance=np.array([chance for some in walk.chances for chance in some]),
        info=np.array(walk.info),
        slots=np.cumsum([0, *map(len, walk.moves)]),
        player=np.array(walk.player),
        information=tuple(walk.known),
        moves=tuple(walk.moves),
    )
