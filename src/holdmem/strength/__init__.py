"""How strong hands are: all-in equities of hands and ranges."""

from holdmem.strength.equity import Equities, hand_equities
from holdmem.strength.equity_ranges import RangeEquities, range_equities, sampled_equities
from holdmem.strength.nested import NestedRanges, nested_ranges
from holdmem.strength.ranking import EQUITY_RANK, EQUITY_RANKING, equity_against_random

__all__ = [
    "EQUITY_RANK",
    "EQUITY_RANKING",
    "Equities",
    "NestedRanges",
    "RangeEquities",
    "equity_against_random",
    "hand_equities",
    "nested_ranges",
    "range_equities",
    "sampled_equities",
]
