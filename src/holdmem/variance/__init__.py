"""Variance reduction: results without luck, by two methods that are never mixed (docs/luck.md).

adjusted         winnings minus the luck of every chance event; same mean, lower variance
divat            actual betting against baseline betting, by all-in equity; a heuristic, biased in limit
divat-showdown   divat where cards were shown and the winnings elsewhere; a heuristic, biased
"""

from holdmem.agent import FinishedHands
from holdmem.core.errors import NotationError
from holdmem.core.types import Ints
from holdmem.variance.control_variate import adjusted, luck_by_street
from holdmem.variance.divat import divat, divat_showdown

__all__ = ["QUANTITIES", "adjusted", "adjusted_parts", "divat", "divat_showdown", "luck_by_street"]

QUANTITIES = {"adjusted": adjusted, "divat": divat, "divat-showdown": divat_showdown}
"""The quantities by the names that `--luck` accepts."""


def adjusted_parts(hands: FinishedHands, name: str) -> Ints:
    """Compute one of `QUANTITIES` in whole parts of a chip, of shape (hands, seats).

    Each hand is computed independently of the others. `divat-showdown` accepts one player's view of the
    hands; the other quantities need all hole cards.
    """
    if name not in QUANTITIES:
        raise NotationError(f"expected {' or '.join(QUANTITIES)}, got {name!r}")
    if hands.player is not None and name != "divat-showdown":
        raise NotationError(f"{name} needs all hole cards, got one player's view of the hands")
    return QUANTITIES[name](hands)
