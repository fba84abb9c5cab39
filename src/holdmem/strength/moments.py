"""E[HS] and E[HS²] of hands of any street in one compiled step, for those who sort hands by the million.

It does not depend on which tables are built, so that a seed gives the same hands everywhere: flops against
one or two opponents come from the tables of the package (off by 1/131,070 at the most), all else is exact.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdmem.cards.classes import CLASS_OF
from holdmem.cards.isomorphism import Isomorphism, Tables
from holdmem.strength.hands import Dealt, Floats, opponents_of
from holdmem.strength.moment_kernels import fill_means
from holdmem.strength.table_files import STEP
from holdmem.strength.tables import TABLES, columns_of
from holdmem.strength.turn import RankTables, rank_tables


class MeanTables(NamedTuple):
    """What the kernels look up."""

    classes: NDArray[np.int64]  # [card, card] class before the flop
    preflop: Floats  # [power - 1, class]
    flops: Tables
    flop: NDArray[np.uint16]  # [E[HS] or E[HS²], class]
    flop_two: NDArray[np.uint16]  # [class] E[HS²] against two
    step: float
    ranks: RankTables


@cache
def mean_tables() -> MeanTables:
    """The tables, read once in a process."""
    preflop, flop, two = (columns_of(TABLES[name]) or {} for name in ("preflop", "flop", "flop-two"))
    return MeanTables(  # all three tables are in the package
        CLASS_OF.astype(np.int64),
        np.array(list(preflop.values())),
        Isomorphism((2, 3)).tables,
        np.array([flop["hs1"], flop["hs2"]]),
        np.array(two["hs4"]),
        STEP,
        rank_tables(),
    )


def means(hands: Dealt, opponents: ArrayLike = 1) -> Floats:
    """(n, 2): E[HS] and E[HS²], with n opponents the means of HS ** n and HS ** 2n, streets mixed."""
    holes = np.require(hands.hole, np.int8, ["C", "W"])
    boards = np.require(hands.board, np.int8, ["C", "W"])
    out = np.empty((len(holes), 2))
    fill_means(holes, boards, np.array(opponents_of(hands, opponents)), mean_tables(), out)
    return out
