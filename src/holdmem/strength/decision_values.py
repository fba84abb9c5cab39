"""`outlook`: the values on which rule-based agents decide, for a whole batch of decisions at once."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from holdmem.cards import Isomorphism
from holdmem.cards.classes import CLASS_OF
from holdmem.core.types import Floats
from holdmem.strength.hand_strength import values_on_street
from holdmem.strength.hands import CardColumns, Cards, by_street
from holdmem.strength.kernels.decision_values import glance_all
from holdmem.strength.tables import columns_of, find_table, whole_column
from holdmem.strength.turn import rank_tables

COLUMNS = ("ihs", "ppot1", "hs1")
FEW = 32
"""Up to this number of hands are computed one by one, with bit-identical values.

Learning matches ask for one or two decisions at a time, and then grouping them by street would take most of
the time.
"""


class StrengthFeatures(NamedTuple):
    """Strength of hands against one opponent with random cards, and the potential of the next card."""

    ihs: Floats
    """Share of an opponent's holdings beaten now, ties half; 0 before the flop (no hand to rank)."""
    ppot: Floats
    """Positive potential with one card to come; 0 before the flop and on the river."""
    e_hs: Floats
    """Mean of HS over all boards to come."""


def outlook(hands: CardColumns) -> StrengthFeatures:
    """Return IHS, PPOT with one card to come, and E[HS]; streets may be mixed.

    Flops (and preflop E[HS]) come from tables that every machine has, the flop's rounded to 16 bits;
    turns and rivers are computed. The values do not depend on which other tables have been built, so a random
    seed gives the same hands everywhere.
    """
    found = _at_a_glance(hands) if len(hands.hole) <= FEW else by_street(hands, len(COLUMNS), _values)
    return StrengthFeatures(found[:, 0].copy(), found[:, 1].copy(), found[:, 2].copy())


def _at_a_glance(hands: CardColumns) -> Floats:
    holes, boards = np.require(hands.hole, np.int8, ["C", "W"]), np.require(hands.board, np.int8, ["C", "W"])
    out = np.empty((len(holes), 3))
    flops, forms, ranks, preflop, classes = _glance_tables()
    glance_all(holes, boards, flops, forms, ranks, preflop, classes, out)
    return out


@cache
def _glance_tables() -> tuple[Any, ...]:
    table = find_table("flop")
    columns = columns_of(table)
    assert columns is not None, "it is built on use"
    flops = tuple(np.require(columns[name], np.uint16, ["C", "W"]) for name in COLUMNS)
    forms, preflop = Isomorphism(table.rounds).tables, whole_column("preflop", "hs1").copy()
    return flops, forms, rank_tables(), preflop, CLASS_OF.copy()


def _values(holes: Cards, boards: Cards) -> Floats:
    columns = COLUMNS if boards.shape[1] else COLUMNS[-1:]
    out = np.zeros((len(holes), len(COLUMNS)))
    out[:, -len(columns) :] = values_on_street(holes, boards, columns, rounding="shipped")
    return out
