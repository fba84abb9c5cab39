"""Exact hand strength: IHS, potentials, E[HS], E[HS²], equities, rankings, buckets, tables."""

from holdmem.strength.buckets import METRICS, Buckets, Linear, Nested, hands_on, hands_per_bucket
from holdmem.strength.building import build_table, check_table
from holdmem.strength.equity import Equities, hand_equities
from holdmem.strength.equity_each import equity_against_each
from holdmem.strength.equity_ranges import RangeEquities, range_equities, sampled_equities
from holdmem.strength.hands import Dealt, Hands
from holdmem.strength.nested import NestedRanges, nested_ranges
from holdmem.strength.orbits import hands_in
from holdmem.strength.outlook import Outlook, outlook
from holdmem.strength.playable import Curves, playable_curves
from holdmem.strength.ranking import EQUITY_RANK, EQUITY_RANKING, equity_against_random
from holdmem.strength.tables import TABLES, find_table, whole_column
from holdmem.strength.values import Potential, e_hs, e_hs2, ehs, hs, ihs, potential, values

__all__ = [
    "EQUITY_RANK",
    "EQUITY_RANKING",
    "METRICS",
    "TABLES",
    "Buckets",
    "Curves",
    "Dealt",
    "Equities",
    "Hands",
    "Linear",
    "Nested",
    "NestedRanges",
    "Outlook",
    "Potential",
    "RangeEquities",
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
