"""Types of opponents: tight or loose, passive or aggressive, or finer (learners, §4.3)."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Typing = Literal["four", "sixteen", "none"]

LOOSE = 0.28
"""Who plays more hands than this share is loose."""
AGGRESSIVE = 1.0
"""Whose aggression factor, (bets + raises) / calls, is above this is aggressive."""


class Kinds(NamedTuple):
    """Where one type ends and the next begins."""

    loose: NDArray[np.float64]
    """Shares of hands played."""
    aggressive: NDArray[np.float64]
    """Aggression factors."""

    @property
    def types(self) -> int:
        """How many types there are."""
        return (len(self.loose) + 1) * (len(self.aggressive) + 1)

    def name(self, number: int) -> str:
        """A type in words."""
        loose, aggressive = divmod(number, len(self.aggressive) + 1)
        first, second = LOOSENESS[len(self.loose)][loose], AGGRESSION[len(self.aggressive)][aggressive]
        return f"{first} {second}".strip() or "anybody"


LOOSENESS = {0: ("",), 1: ("tight", "loose"), 3: ("very tight", "tight", "loose", "very loose")}
AGGRESSION = {
    0: ("",),
    1: ("passive", "aggressive"),
    3: ("very passive", "passive", "aggressive", "very aggressive"),
}


_ENDS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "none": ((), ()),
    "four": ((LOOSE,), (AGGRESSIVE,)),
    "sixteen": ((LOOSE / 2, LOOSE, 2 * LOOSE), (AGGRESSIVE / 2, AGGRESSIVE, 2 * AGGRESSIVE)),
}


def kinds(typing: Typing) -> Kinds:
    """The thesis's four types, sixteen with ends at half and twice the thesis's, or one for everybody."""
    loose, aggressive = _ENDS[typing]
    return Kinds(np.array(loose, np.float64), np.array(aggressive, np.float64))
