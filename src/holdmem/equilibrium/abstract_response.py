"""Exact best response inside an abstraction of perfect recall, on a given number of boards.

The best answer of a player that forgets nothing is found by settling its decisions from the last to the
first. Here all are settled at once by what their actions win if later ones stay as they are, and again,
until nothing changes: after k rounds all decisions that have less than k of the same player's after them
are right.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.equilibrium.deals import Deal, deal_of, random_boards
from holdmem.equilibrium.holdem import HoldemSolver
from holdmem.errors import GameError

STILL = np.ones(3, np.float32)
"""Nothing fades."""


def exploitability_on_boards(solver: HoldemSolver) -> float:
    """What best responses inside the abstraction win from the average strategy, the mean of both seats.

    In big blinds a hand, over the boards that the solver deals. Only for perfect recall and a fixed number of
    boards; the real game with all boards has no such figure in reasonable time.
    """
    if solver.buckets.recall != "perfect" or not solver.boards:
        raise GameError("expected perfect recall and a number of boards for an exact best response")
    boards = random_boards(solver.seed, 0, solver.boards)
    deals = [deal_of(board, solver.buckets) for board in boards]
    answer = HoldemSolver(solver.tree, solver.buckets, seed=solver.seed)
    return sum(_best_value(answer, player, solver.sums, deals) for player in (0, 1)) / 2


def _best_value(answer: HoldemSolver, player: int, sums: NDArray[np.float32], deals: list[Deal]) -> float:
    """What the player's best response wins; `sums` stand for the strategy of both at first."""
    strategy = sums.copy()
    while True:
        gains = np.zeros(len(sums))
        value = 0.0
        for deal in deals:
            answer.regrets[:] = strategy  # regret matching makes the strategy of it again
            value += answer.walk(player, deal, STILL)
            gains += answer.regrets
            gains -= strategy
        better = _best_actions(answer, player, gains, strategy)
        if np.array_equal(better, strategy):
            return value / len(deals)
        strategy = better


def _best_actions(
    answer: HoldemSolver, player: int, gains: NDArray[np.float64], strategy: NDArray[np.float32]
) -> NDArray[np.float32]:
    """All on the action that gains most at each of the player's sets; the other's stay."""
    tree, offset, out = answer.tree, answer.layout.offset, strategy.copy()
    for node in np.flatnonzero(tree.turn == player):
        start, end = offset[node], offset[node + 1]
        rows = gains[start:end].reshape(tree.edges[node + 1] - tree.edges[node], -1)
        out[start:end] = (np.arange(len(rows))[:, None] == rows.argmax(axis=0)).ravel()
    return out
