"""Exact best response within a perfect-recall abstraction, over a fixed number of boards.

The best response of a player with perfect recall is usually found by fixing its decisions from the last to
the first. Here each round sets all of them at once to the action with the highest value given the current
later decisions, and rounds repeat until nothing changes. After k rounds every decision followed by fewer than
k further decisions of the same player is optimal.
"""

import numpy as np
from numpy.typing import NDArray

from holdmem.cfr.board import RankedBoard, random_boards, rank_holdings
from holdmem.cfr.public_chance_sampling import HoldemSolver
from holdmem.core.errors import GameError

STILL = np.ones(3, np.float32)
"""Factors that leave regrets and average strategy undiscounted."""


def exploitability_on_boards(solver: HoldemSolver) -> float:
    """Return what best responses within the abstraction win from the average strategy, mean of both seats.

    In big blinds per hand, over the boards that the solver deals. Requires perfect recall and a fixed number
    of boards; for the real game with all boards the figure cannot be computed in reasonable time.
    """
    if solver.buckets.recall != "perfect" or not solver.boards:
        raise GameError("an exact best response needs perfect recall and a fixed number of boards")
    boards = random_boards(solver.seed, 0, solver.boards)
    deals = [rank_holdings(board, solver.buckets) for board in boards]
    answer = HoldemSolver(solver.tree, solver.buckets, seed=solver.seed)
    return sum(_best_value(answer, player, solver.sums, deals) for player in (0, 1)) / 2


def _best_value(
    answer: HoldemSolver, player: int, sums: NDArray[np.float32], deals: list[RankedBoard]
) -> float:
    """Return the expected value of the player's best response, in big blinds per hand.

    `sums` give the strategy of both players to begin with.
    """
    strategy = sums.copy()
    while True:
        gains = np.zeros(len(sums))
        value = 0.0
        for deal in deals:
            answer.regrets[:] = strategy  # regret matching turns these weights back into the strategy
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
    """Put all weight on the best action at each of the player's information sets; keep the opponent's."""
    tree, offset, out = answer.tree, answer.layout.offset, strategy.copy()
    for node in np.flatnonzero(tree.turn == player):
        start, end = offset[node], offset[node + 1]
        rows = gains[start:end].reshape(tree.edges[node + 1] - tree.edges[node], -1)
        out[start:end] = (np.arange(len(rows))[:, None] == rows.argmax(axis=0)).ravel()
    return out
