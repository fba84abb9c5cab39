"""Two-player zero-sum games as trees of chance, decisions and payoffs.

`ExtensiveGame` is the interface that a game implements. `GameTree` is the game laid out in arrays, which the
kernels and the best response work on. A *slot* is one action of one information set: strategies, regrets and
sums are arrays with one number per slot.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from holdmem.core.errors import GameError
from holdmem.core.types import Floats, Ints

CHANCE, OVER = -1, -2
"""Values of `turn` where no player decides: chance moves, or the hand is over."""


class ExtensiveGame(Protocol):
    """Two-player game with perfect recall. A state may be of any type."""

    @property
    def name(self) -> str:
        """Name of the game."""

    def start(self) -> Any:
        """Return the initial state."""

    def turn(self, state: Any) -> int:
        """Return the player to act (0 or 1), CHANCE or OVER."""

    def moves(self, state: Any) -> tuple[str, ...]:
        """Return the names of the possible moves, at chance or at a decision."""

    def chance_probabilities(self, state: Any) -> tuple[float, ...]:
        """Return the probability of each move at a chance node."""

    def after(self, state: Any, move: int) -> Any:
        """Return the state after the move of this index."""

    def information(self, state: Any) -> str:
        """Return what the player to act knows; states that it cannot distinguish have equal information."""

    def payoff(self, state: Any) -> float:
        """Return what player 0 has won in a terminal state; player 1 has lost the same amount."""


@dataclass(frozen=True, eq=False)
class GameTree:
    """Game as arrays, with nodes in depth-first order, so that children follow their parents.

    The children of node n are `child[edges[n] : edges[n + 1]]`; at a chance node the same slice of `chance`
    holds their probabilities.
    """

    name: str
    turn: Ints  # [node] 0, 1, CHANCE or OVER
    payoff: Floats  # [node] to player 0, at terminals
    edges: Ints  # [node] index of its first edge; one extra entry at the end
    child: Ints  # [edge] node it leads to
    chance: Floats  # [edge] probability at a chance node, 1 where a player moves
    info: Ints  # [node] information set, -1 where no player decides
    slots: Ints  # [information set] index of its first slot; one extra entry at the end
    player: Ints  # [information set] player to act
    information: tuple[str, ...]  # [information set] what the player knows
    moves: tuple[tuple[str, ...], ...]  # [information set] names of the moves

    @property
    def size(self) -> int:
        """Number of slots."""
        return int(self.slots[-1])

    def uniform(self) -> Floats:
        """Return the uniform strategy."""
        counts = np.diff(self.slots)
        return np.repeat(1.0 / counts, counts)

    def normalised(self, weights: Floats) -> Floats:
        """Normalise slot weights within each information set; uniform where all weights are zero."""
        sums = np.add.reduceat(weights, self.slots[:-1])
        counts = np.diff(self.slots)
        whole = np.repeat(sums, counts)
        shares: Floats = np.where(whole > 0, weights / np.where(whole > 0, whole, 1), self.uniform())
        return shares

    def strategy(self, probabilities: dict[str, dict[str, float]]) -> Floats:
        """Build a strategy from a mapping of information to move probabilities.

        Every information set must be present; a missing move has probability 0.
        """
        found = np.empty(self.size)
        for number, known in enumerate(self.information):
            if known not in probabilities:
                raise GameError(f"{self.name}: the strategy has no probabilities for {known!r}")
            start = self.slots[number]
            for place, move in enumerate(self.moves[number]):
                found[start + place] = probabilities[known].get(move, 0.0)
        return found

    def in_words(self, strategy: Floats) -> dict[str, dict[str, float]]:
        """Return a strategy as a mapping of information to move probabilities; the inverse of `strategy`."""
        return {
            known: dict(zip(self.moves[i], strategy[self.slots[i] : self.slots[i + 1]].tolist(), strict=True))
            for i, known in enumerate(self.information)
        }


@dataclass
class _Walk:
    """Nodes and information sets collected by a walk through a game."""

    game: ExtensiveGame
    turn: list[int] = field(default_factory=list)
    payoff: list[float] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    chance_probabilities: list[tuple[float, ...]] = field(default_factory=list)
    info: list[int] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    player: list[int] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)

    def visit(self, state: Any) -> int:
        """Add a state and all its descendants, and return its node index."""
        game, node = self.game, len(self.turn)
        turn = game.turn(state)
        moves = game.moves(state) if turn != OVER else ()
        self.turn.append(turn)
        self.payoff.append(game.payoff(state) if turn == OVER else 0.0)
        self.chance_probabilities.append(
            game.chance_probabilities(state) if turn == CHANCE else (1.0,) * len(moves)
        )
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
                f"{self.game.name}: information set {known!r} must have one player and one list of moves,"
                f" got {self.moves[number]} and {moves}"
            )
        return number


def build_game_tree(game: ExtensiveGame) -> GameTree:
    """Lay a game out in arrays."""
    walk = _Walk(game)
    walk.visit(game.start())
    return GameTree(
        name=game.name,
        turn=np.array(walk.turn),
        payoff=np.array(walk.payoff),
        edges=np.cumsum([0, *map(len, walk.children)]),
        child=np.array([child for some in walk.children for child in some]),
        chance=np.array([chance for some in walk.chance_probabilities for chance in some]),
        info=np.array(walk.info),
        slots=np.cumsum([0, *map(len, walk.moves)]),
        player=np.array(walk.player),
        information=tuple(walk.known),
        moves=tuple(walk.moves),
    )
