"""Case-based reasoning: retrieve, reuse and retain cases, from the features of a view to a decision.

`features` and `similarity` define what a case is, `retrieve` finds similar cases, `reuse` turns them into a
decision, `retain` keeps new cases while playing, `maintenance` keeps the case base small, and `storage` keeps
it on disk. docs/memory.md is the guide.
"""

from holdmem.casebase import condensed  # noqa: F401  declares features
from holdmem.casebase.bet_sizes import BetSizes, SizedSteps
from holdmem.casebase.cases import CaseBase, Cases, Representation, declare, find_representation
from holdmem.casebase.features import Features, feature, in_parts, in_words
from holdmem.casebase.gather import Experience, Gathering
from holdmem.casebase.remembering import RememberingSeat
from holdmem.casebase.retain import RetainingSeat
from holdmem.casebase.retrieve import Exact, Nearest, Threshold
from holdmem.casebase.similarity import Decay, Equal, Groups, Linear, Nested, Stepped
from holdmem.casebase.solutions import Solutions, Triple
from holdmem.casebase.storage import read_cases, write_cases
from holdmem.casebase.weight_sets import WeightSet, read_weights, write_weights

__all__ = [
    "BetSizes",
    "CaseBase",
    "Cases",
    "Decay",
    "Equal",
    "Exact",
    "Experience",
    "Features",
    "Gathering",
    "Groups",
    "Linear",
    "Nearest",
    "Nested",
    "RememberingSeat",
    "Representation",
    "RetainingSeat",
    "SizedSteps",
    "Solutions",
    "Stepped",
    "Threshold",
    "Triple",
    "WeightSet",
    "declare",
    "feature",
    "find_representation",
    "in_parts",
    "in_words",
    "read_cases",
    "read_weights",
    "write_cases",
    "write_weights",
]
