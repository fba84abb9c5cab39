"""What rule players look at, for a whole batch of decisions at once."""

from typing import NamedTuple

import numpy as np

from holdmem.strength.hands import Cards, Dealt, Floats, by_street
from holdmem.strength.tables import look_up
from holdmem.strength.turn import river_values, turn_values


class Outlook(NamedTuple):
    """How hands stand against one opponent with random cards, and what the next card may change."""

    ihs: Floats
    """The share of holdings that lose now, a tie half; 0 before the flop, where nothing can be ranked."""
    ppot: Floats
    """Of what beats us now, the share that we shall beat on the next card; 0 before the flop and on the
    river."""
    e_hs: Floats
    """The mean of HS over all boards to come."""


def outlook(hands: Dealt) -> Outlook:
    """IHS, PPOT with one card to come, and E[HS], streets mixed.

    Flops (and E[HS] before it) come from the tables of the package, rounded to 16 bits; turns and rivers are
    computed. It makes no difference which other tables are built, so a seed gives the same hands everywhere.
    """
    found = by_street(hands, 3, _values)
    return Outlook(found[:, 0].copy(), found[:, 1].copy(), found[:, 2].copy())


def _values(holes: Cards, boards: Cards) -> Floats:
    size = boards.shape[1]
    if size == 4:
        return turn_values(holes, boards)
    if size == 3:
        return _tabulated(holes, boards, ("ihs", "ppot1", "hs1"))
    out = np.zeros((len(holes), 3))
    if size == 0:
        out[:, 2:] = _tabulated(holes, boards, ("hs1",))
    else:
        out[:, 0] = out[:, 2] = river_values(holes, boards)
    return out


def _tabulated(holes: Cards, boards: Cards, columns: tuple[str, ...]) -> Floats:
    found = look_up(holes, boards, columns)
    assert found is not None, "the tables of the package have these"
    return found
