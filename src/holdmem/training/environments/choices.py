"""The few actions that a learner chooses from, numbered from 0: fold, call, and raises of given sizes."""

from collections.abc import Sequence
from math import inf, isnan

import numpy as np
from numpy.typing import NDArray

from holdmem.errors import GameError
from holdmem.rules import CALL, FOLD, Game

ALL_IN = inf
"""The size of a raise by everything."""

SIZES = (0.5, 1.0, ALL_IN)


class Choices:
    """Fold (0), check or call (1), and one raise for each size (2 and up).

    A size f raises to `highest + f · (pot + to_call)`: by f times the pot that there is after a call, rounded
    to whole chips and moved into the legal bounds. Limit has a single raise, and takes no sizes.
    """

    def __init__(self, game: Game, sizes: Sequence[float] | None = None) -> None:
        if game.limit and sizes is not None:
            raise GameError(f"{game.name}: expected no sizes of raises in a limit game, got {tuple(sizes)}")
        self.sizes = (0.0,) if game.limit else tuple(SIZES if sizes is None else sizes)
        if not game.limit and any(isnan(size) or size <= 0 for size in self.sizes):
            raise GameError(f"{game.name}: expected raises of positive fractions of the pot, got {sizes}")
        self.limit = game.limit
        self.names = ("fold", "call", *(("raise",) if game.limit else map(_name, self.sizes)))

    def __len__(self) -> int:
        return len(self.names)

    def codes(self, view: np.record) -> list[int]:
        """What each choice does at this view; one that is not legal does what comes next to it.

        A fold where a check is free checks, and a raise where none is legal calls, as everywhere here.
        """
        fold = FOLD if view["to_call"] > 0 else CALL
        return [fold, CALL, *(self._total(view, size) for size in self.sizes)]

    def _total(self, view: np.record, size: float) -> int:
        least, most = int(view["min_raise_to"]), int(view["max_raise_to"])
        if size == ALL_IN or not most or self.limit:
            return most
        wanted = view["highest"] + size * (view["pot"] + view["to_call"])
        return int(min(max(round(wanted), least), most))

    def mask(self, codes: Sequence[int]) -> NDArray[np.int8]:
        """1 for each choice that is legal and not the same raise as one before it."""
        raises = codes[2:]
        first = [code > CALL and code not in raises[:place] for place, code in enumerate(raises)]
        return np.array([codes[0] == FOLD, True, *first], dtype=np.int8)


def _name(size: float) -> str:
    return "all-in" if size == ALL_IN else f"raise {size:g} pot"
