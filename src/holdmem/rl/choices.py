"""Discrete actions of a learner, numbered from 0: fold, call, and raises of given sizes."""

from collections.abc import Sequence
from math import inf, isnan

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.single_hand import TABLE, SingleHand
from holdmem.core.errors import GameError
from holdmem.core.types import Ints
from holdmem.engine import Batch, Game
from holdmem.rl.kernels.choices import fill_all_choices

ALL_IN = inf
"""Raise size that stands for all-in."""

SIZES = (0.5, 1.0, ALL_IN)


class Choices:
    """Fold (0), check or call (1), and one raise per size (2 and up).

    A size f raises to `highest + f · (pot + to_call)`, that is, by f times the pot after a call, rounded to
    whole chips and clipped to the legal bounds. Limit games have a single raise and accept no sizes.
    """

    def __init__(self, game: Game, sizes: Sequence[float] | None = None) -> None:
        if game.limit and sizes is not None:
            raise GameError(f"{game.name}: raise sizes are for no-limit games only, got {tuple(sizes)}")
        self.sizes: tuple[float, ...] = (ALL_IN,) if game.limit else tuple(SIZES if sizes is None else sizes)
        if not game.limit and any(isnan(size) or size <= 0 for size in self.sizes):
            raise GameError(f"{game.name}: raise sizes must be positive fractions of the pot, got {sizes}")
        self._sizes = np.array(self.sizes, dtype=np.float64)
        self.names: tuple[str, ...] = (
            "fold",
            "call",
            *(("raise",) if game.limit else map(_name, self.sizes)),
        )

    def __len__(self) -> int:
        return len(self.names)

    def of(self, hand: SingleHand) -> tuple[Ints, NDArray[np.int8]]:
        """Return the action code of each choice for the player to act, and a mask of the legal choices.

        An illegal choice maps to the nearest legal action, as everywhere in HoldMem: a fold becomes a check
        where checking is free, and a raise becomes a call where no raise is legal. If several sizes give the
        same raise, only the first counts as legal.
        """
        codes, mask = self.of_batch(hand.batch, TABLE)
        return codes[0], mask[0]

    def of_batch(self, batch: Batch, tables: Ints) -> tuple[Ints, NDArray[np.int8]]:
        """Return the same for the seats to act at these tables, a row each; no hand may be over."""
        shape = len(tables), len(self)
        codes, mask = np.empty(shape, dtype=np.int64), np.empty(shape, dtype=np.int8)
        fill_all_choices(batch.game.rules_row, batch.hands, tables, self._sizes, codes, mask)
        return codes, mask


def _name(size: float) -> str:
    return "all-in" if size == ALL_IN else f"raise {size:g} pot"
