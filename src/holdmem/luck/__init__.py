"""What a result would be without luck: two quantities that are never mixed (docs/luck.md).

adjusted         the money minus the luck of every chance event; the same mean, less variance
divat            actual betting against baseline betting by all-in equity; a heuristic, biased in limit
divat-showdown   the same where cards were shown, and the money elsewhere; a heuristic, and biased
"""

from holdmem.errors import NotationError
from holdmem.luck.adjusted import adjusted, luck_by_street
from holdmem.luck.divat import divat, divat_showdown
from holdmem.luck.equities import Ints
from holdmem.table import Finished

__all__ = ["QUANTITIES", "adjusted", "adjusted_parts", "divat", "divat_showdown", "luck_by_street"]

QUANTITIES = {"adjusted": adjusted, "divat": divat, "divat-showdown": divat_showdown}
"""By the names that `--luck` takes."""


def adjusted_parts(hands: Finished, name: str) -> Ints:
    """(hands, seats): one of the quantities in whole parts of a chip; no hand's depends on another hand.

    A player's own view of the hands will do for divat-showdown; the others need everybody's hole cards.
    """
    if name not in QUANTITIES:
        raise NotationError(f"expected {', '.join(QUANTITIES)}, got {name!r}")
    if hands.player is not None and name != "divat-showdown":
        raise NotationError(
            f"expected hands with all hole cards open for {name}, got a player's view of them"
        )
    return QUANTITIES[name](hands)
