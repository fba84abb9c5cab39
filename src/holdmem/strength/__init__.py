"""Hand strength, exactly: IHS, potentials, E[HS], E[HS²], their tables, and buckets of like hands."""

from holdmem.strength.buckets import METRICS, Buckets, Linear, Nested, hands_on, hands_per_bucket
from holdmem.strength.building import build_table, check_table
from holdmem.strength.hands import Dealt, Hands
from holdmem.strength.orbits import hands_in
from holdmem.strength.tables import TABLES, find_table, whole_column
from holdmem.strength.values import Potential, e_hs, e_hs2, ehs, hs, ihs, potential, values

__all__ = [
    "METRICS",
    "TABLES",
    "Buckets",
    "Dealt",
    "Hands",
    "Linear",
    "Nested",
    "Potential",
    "build_table",
    "check_table",
    "e_hs",
    "e_hs2",
    "ehs",
    "find_table",
    "hands_in",
    "hands_on",
    "hands_per_bucket",
    "hs",
    "ihs",
    "potential",
    "values",
    "whole_column",
]
