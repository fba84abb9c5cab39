"""Types of opponents: tight or loose and passive or aggressive, or finer classes (Marques, §4.3)."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

OpponentTyping = Literal["four", "sixteen", "none"]

LOOSE = 0.28
"""A player who plays more than this share of hands is loose."""
AGGRESSIVE = 1.0
"""A player whose aggression factor, (bets + raises) / calls, exceeds this is aggressive."""


class TypeThresholds(NamedTuple):
    """Thresholds between the types."""

    loose: NDArray[np.float64]
    """Thresholds on the share of hands played."""
    aggressive: NDArray[np.float64]
    """Thresholds on the aggression factor."""

    @property
    def types(self) -> int:
        """Number of types."""
        return (len(self.loose) + 1) * (len(self.aggressive) + 1)

    def name(self, number: int) -> str:
        """Return the name of a type by its number, such as "tight aggressive"."""
        loose, aggressive = divmod(number, len(self.aggressive) + 1)
        first, second = LOOSENESS[len(self.loose)][loose], AGGRESSION[len(self.aggressive)][aggressive]
        return f"{first} {second}".strip() or "typical"


LOOSENESS: dict[int, tuple[str, ...]] = {
    0: ("",),
    1: ("tight", "loose"),
    3: ("very tight", "tight", "loose", "very loose"),
}
AGGRESSION: dict[int, tuple[str, ...]] = {
    0: ("",),
    1: ("passive", "aggressive"),
    3: ("very passive", "passive", "aggressive", "very aggressive"),
}


_ENDS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "none": ((), ()),
    "four": ((LOOSE,), (AGGRESSIVE,)),
    "sixteen": ((LOOSE / 2, LOOSE, 2 * LOOSE), (AGGRESSIVE / 2, AGGRESSIVE, 2 * AGGRESSIVE)),
}


def kinds(typing: OpponentTyping) -> TypeThresholds:
    """Return the thresholds between types of players: four types as in the thesis, sixteen, or only one.

    The sixteen add thresholds at half and twice those of the thesis.
    """
    loose, aggressive = _ENDS[typing]
    return TypeThresholds(np.array(loose, np.float64), np.array(aggressive, np.float64))
