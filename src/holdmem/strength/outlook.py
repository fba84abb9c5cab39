"""What rule players look at, for a whole batch of decisions at once."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from holdmem.cards import Isomorphism
from holdmem.cards.classes import CLASS_OF
from holdmem.strength.glance_kernels import glance_all
from holdmem.strength.hands import Cards, Dealt, Floats, by_street
from holdmem.strength.tables import columns_of, find_table, look_up, whole_column
from holdmem.strength.turn import rank_tables, river_values, turn_values

FEW = 32
"""Up to so many hands are looked at one by one. Learning matches ask for one or two decisions at a time, and
then arranging them by street would take most of the time. The values are the same to the bit."""


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
    found = _at_a_glance(hands) if len(hands.hole) <= FEW else by_street(hands, 3, _values)
    return Outlook(found[:, 0].copy(), found[:, 1].copy(), found[:, 2].copy())


def _at_a_glance(hands: Dealt) -> Floats:
    holes, boards = np.require(hands.hole, np.int8, ["C", "W"]), np.require(hands.board, np.int8, ["C", "W"])
    out = np.empty((len(holes), 3))
    flops, forms, ranks, preflop, classes = _glance_tables()
    glance_all(holes, boards, flops, forms, ranks, preflop, classes, out)
    return out


@cache
def _glance_tables() -> tuple[Any, ...]:
    table = find_table("flop")
    columns = columns_of(table)
    assert columns is not None, "the tables of the package have it"
    flops = tuple(np.require(columns[name], np.uint16, ["C", "W"]) for name in ("ihs", "ppot1", "hs1"))
    forms, preflop = Isomorphism(table.rounds).tables, whole_column("preflop", "hs1").copy()
    return flops, forms, rank_tables(), preflop, CLASS_OF.copy()


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
