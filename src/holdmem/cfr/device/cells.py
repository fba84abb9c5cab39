"""What a strategy in training learns: regrets and averages by decision and class, or by case."""

from typing import Any

import numpy as np

from .responder import Array

PLAYED = ((0, 1, 2), (1, 1, 2), (0, 1, 1), (1, 1, 1))
"""[kind of decision][remembered action] the action that is played for it; see `learning.case_regret`"""


class TrainingCells:
    """The regrets and the average of one street: a cell for each decision and class, or for each case.

    A case is retrieved by several decisions, perhaps of different kinds: `PLAYED` says what its actions
    become. A cell without a positive regret plays `initial`, or all its actions alike.
    """

    def __init__(self, xp: Any, data: dict[str, Array], street: int, classes: int) -> None:
        self.xp = xp
        kind = data[f"train/street{street}/kind"].astype(int)
        self.rows: int = len(kind)
        self.classes = classes
        cell, initial = (data.get(f"train/street{street}/{name}") for name in ("cell", "initial"))
        self.cell: Any = None if cell is None else xp.asarray(cell.astype(np.int64))
        self.count: int = self.rows * classes if cell is None else len(initial)  # type: ignore[arg-type]
        played = np.array(PLAYED)[kind]  # [row, remembered action]
        legal = (played[:, :, None] == np.arange(3)).any(axis=1)
        if cell is None:
            played = np.tile(np.arange(3), (self.rows, 1))
        self.played: Any = xp.asarray(played[:, None, :])
        self.becomes: Any = xp.asarray((played[:, :, None] == np.arange(3)).astype(np.float32))
        self.allowed: Any = xp.asarray(legal.astype(np.float32)[:, None, :]) if cell is None else None
        self.initial: Any = None if initial is None else xp.asarray(initial.astype(np.float32))
        self.regrets: Any = xp.zeros((self.count, 3), np.float32)
        self.sums: Any = xp.zeros((self.count, 3), np.float32)

    def _by_decision(self, cells: Any) -> Any:
        """Return the numbers of each decision's cells, [row, class, action]."""
        return cells.reshape(self.rows, self.classes, 3) if self.cell is None else cells[self.cell]

    def _matched(self, weights: Any) -> Any:
        """Return probabilities in proportion to weights, [cell, action]."""
        xp, total = self.xp, weights.sum(axis=1, keepdims=True)
        return xp.where(total > 0, weights / xp.where(total > 0, total, 1), self._otherwise)

    @property
    def _otherwise(self) -> Any:
        if self.initial is not None:
            return self.initial
        alike = self.allowed / self.allowed.sum(axis=2, keepdims=True)
        return self.xp.broadcast_to(alike, (self.rows, self.classes, 3)).reshape(-1, 3)

    def current(self) -> Any:
        """Return what the cells play now, [cell, action]."""
        return self._matched(self.xp.maximum(self.regrets, 0))

    def average(self) -> Any:
        """Return what the cells have played on average, weighted by reach."""
        return self._matched(self.sums)

    def table(self, cells: Any) -> Any:
        """Return the probabilities of actions, [row, class, action], of what cells play."""
        found = self._by_decision(cells)
        return found if self.cell is None else self.xp.matmul(found, self.becomes)

    def learn(self, cells: Any, earned: Any, reach: Any, weight: float) -> None:
        """Add regrets and averages.

        Parameters
        ----------
        cells : what was played.
        earned : [row, class, action] what each action earned.
        reach : [row, class] the player's own reach.
        """
        xp, played = self.xp, self._by_decision(cells)
        by_action = xp.take_along_axis(earned, xp.broadcast_to(self.played, earned.shape), axis=2)
        regret = weight * (by_action - (played * by_action).sum(axis=2, keepdims=True))
        if self.cell is None:
            self.regrets += (regret * self.allowed).reshape(-1, 3)
            self.sums += (weight**2 * reach[:, :, None] * played).reshape(-1, 3)
            return
        xp.add.at(self.regrets, self.cell.ravel(), regret.reshape(-1, 3))
        shares = xp.zeros(self.count, np.float32)
        xp.add.at(shares, self.cell.ravel(), reach.ravel())
        self.sums += weight**2 * shares[:, None] * cells
        self.regrets[-1] = 0  # where there is no case, nothing is learned
        self.sums[-1] = 0
