"""E[HS] and E[HS²] of hands on any street in one compiled call, for bucketing hands by the million.

The values do not depend on which tables have been built, so a random seed gives the same hands everywhere:
flops against one or two opponents come from the tables shipped with the package (error at most 1/131,070),
everything else is exact.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.classes import CLASS_OF
from holdmem.cards.isomorphism import Isomorphism, IsomorphismTables
from holdmem.core.types import Floats
from holdmem.strength.hands import CardColumns, opponents_of
from holdmem.strength.kernels.expected_strength import fill_means
from holdmem.strength.table_files import STEP
from holdmem.strength.tables import TABLES, columns_of
from holdmem.strength.turn import RankTables, rank_tables


class MeanTables(NamedTuple):
    """Tables in which the kernels look up E[HS] and E[HS²]."""

    classes: NDArray[np.int64]  # [card, card] preflop class
    preflop: Floats  # [power - 1, class]
    flops: IsomorphismTables
    flop: NDArray[np.uint16]  # [E[HS] or E[HS²], class]
    flop_two: NDArray[np.uint16]  # [class] E[HS²] against two
    step: float
    ranks: RankTables


@cache
def mean_tables() -> MeanTables:
    """Return the tables, read once per process."""
    preflop, flop, two = (columns_of(TABLES[name]) or {} for name in ("preflop", "flop", "flop-two"))
    return MeanTables(  # preflop ships with the package, the others are built on use
        CLASS_OF.astype(np.int64),
        np.array(list(preflop.values())),
        Isomorphism((2, 3)).tables,
        np.array([flop["hs1"], flop["hs2"]]),
        np.array(two["hs4"]),
        STEP,
        rank_tables(),
    )


def means(hands: CardColumns, opponents: ArrayLike = 1) -> Floats:
    """Return (n, 2): E[HS] and E[HS²], against n opponents E[HS ** n] and E[HS ** 2n].

    Streets may be mixed.
    """
    holes = np.require(hands.hole, np.int8, ["C", "W"])
    boards = np.require(hands.board, np.int8, ["C", "W"])
    out = np.empty((len(holes), 2))
    fill_means(holes, boards, np.array(opponents_of(hands, opponents)), mean_tables(), out)
    return out
