"""Holdings in training: which share a card, and sums over classes of them."""

from typing import Any

import numpy as np


class HoldingSums:
    """The holdings of a deck, for numpy or CuPy arrays."""

    def __init__(self, xp: Any, holdings: Any, deck: int) -> None:
        self.xp = xp
        self.deck = deck
        self.count: int = len(holdings)
        with_card = (holdings[None] == np.arange(deck)[:, None, None]).any(axis=2)
        self._with_card = xp.asarray(with_card.astype(np.float32))
        self._low, self._high = (xp.asarray(one.astype(np.int64)) for one in holdings.T)

    def against(self, reach: Any) -> Any:
        """Return the sum of reach [board, holding, root] over the holdings that share no card with each."""
        by_card = self.xp.matmul(self._with_card, reach)
        left = reach.sum(axis=1, keepdims=True) - by_card[:, self._low] - by_card[:, self._high]
        return left + reach

    def by_class(self, values: Any, classes: Any, count: int) -> Any:
        """Add up values [board, holding, root] by class [board, holding], leaving out class -1."""
        total = self.xp.zeros((count + 1, values.shape[-1]), np.float32)
        self.xp.add.at(total, classes.ravel(), values.reshape(-1, values.shape[-1]))
        return total[:-1]
