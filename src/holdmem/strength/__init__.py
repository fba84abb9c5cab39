"""Exact hand strength: IHS, potentials, E[HS], E[HS²], equities, rankings, buckets, tables.

The same quantities are found in several ways, each for what its callers need. They differ in rounding alone:

    values, ihs, e_hs, …     any street, column and number of opponents; from a table if there is one, in
                             units of 1/65,535, else exact; always exact with `exact=True`
    outlook                  IHS, PPOT and E[HS] for rule-based players: flops in units of 1/65,535 from the
                             shipped table, else exact, so that it does not matter which tables are built
    expected_strength.means  E[HS] and E[HS²] for learners, a hand at a time within kernels: flops against one
                             or two opponents in units of 1/65,535 from the shipped tables, else exact
    cfr.card_abstraction     E[HS] and E[HS²] always rounded to 1/65,535
    opponents.kernels        IHS of all 1,326 holdings in 256 levels

`outlook` and `means` stay apart from `values` for speed: they count turns and rivers by pairs of ranks, many
times as fast as enumeration, which has every column.
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
from holdmem.strength.hand_strength import Potential, e_hs, e_hs2, ehs, hs, ihs, potential, values
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
