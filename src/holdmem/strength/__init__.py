"""Exact hand strength: IHS, potentials, E[HS], E[HS²], equities, rankings, buckets, tables.

`values` and the functions named after the quantities are the way to all of them, with `rounding` to say where
values come from (see `hand_strength`). These callers have a rounding of their own:

    "shipped"   `outlook`: IHS, PPOT and E[HS] for rule-based players, PLICAS and CASPER's cases
    "shipped"   `Bucketing`: E[HS] and E[HS²] for the learners, on flops against one or two opponents from
                tables; their kernels call `kernels.expected_strength.means_of` for one hand
    "steps"     `cfr.card_abstraction`: E[HS] and E[HS²] as whole numbers of 1/65,535
    "exact"     `holdmem strength`, DIVAT (`variance.divat`) and counts of hands next to the end of a bucket
    256 levels  `opponents.kernels.holdings`: IHS of all 1,326 holdings at once, as weights need it
    "tables"    everything else

Two compiled paths remain next to `values`, because grouping a batch by street would take most of the time of
one decision: `kernels.decision_values` for few hands of `outlook`, with the same bits, and
`kernels.expected_strength` for the learners, within 1e-12. `tests/test_decision_values.py` compares them.
`bucket_cuts` says the same for buckets.
"""

from holdmem.cards.class_sizes import hands_in
from holdmem.strength.buckets import (
    METRICS,
    Buckets,
    LinearBuckets,
    NestedBuckets,
    hands_on,
    hands_per_bucket,
)
from holdmem.strength.build_tables import build_table, check_table
from holdmem.strength.decision_values import StrengthFeatures, outlook
from holdmem.strength.equity import Equities, hand_equities
from holdmem.strength.equity_by_holding import equity_against_each
from holdmem.strength.hand_strength import (
    Potential,
    Rounding,
    e_hs,
    e_hs2,
    ehs,
    hs,
    ihs,
    potential,
    values,
)
from holdmem.strength.hands import CardColumns, HandCards
from holdmem.strength.playable import Curves, playable_curves
from holdmem.strength.range_equity import RangeEquities, range_equities, sampled_equities
from holdmem.strength.ranking import EQUITY_RANK, EQUITY_RANKING, equity_against_random
from holdmem.strength.tables import TABLES, find_table, whole_column
from holdmem.strength.top_ranges import TopRangeEquities, nested_ranges

__all__ = [
    "EQUITY_RANK",
    "EQUITY_RANKING",
    "METRICS",
    "TABLES",
    "Buckets",
    "CardColumns",
    "Curves",
    "Equities",
    "HandCards",
    "LinearBuckets",
    "NestedBuckets",
    "Potential",
    "RangeEquities",
    "Rounding",
    "StrengthFeatures",
    "TopRangeEquities",
    "build_table",
    "check_table",
    "e_hs",
    "e_hs2",
    "ehs",
    "equity_against_each",
    "equity_against_random",
    "find_table",
    "hand_equities",
    "hands_in",
    "hands_on",
    "hands_per_bucket",
    "hs",
    "ihs",
    "nested_ranges",
    "outlook",
    "playable_curves",
    "potential",
    "range_equities",
    "sampled_equities",
    "values",
    "whole_column",
]
