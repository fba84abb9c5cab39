"""Case-based reasoning: retrieve, reuse and retain cases, from the features of a view to a decision.

`features` and `similarity` define what a case is, `retrieve` finds similar cases, `reuse` turns them into a
decision, `retain` keeps new cases while playing, `maintenance` keeps the case base small, and `storage` keeps
it on disk. docs/memory.md is the guide.
"""

from holdmem.cbr.builder import CaseBaseBuilder, Experience
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.cases import Cases
from holdmem.cbr.features.bet_sizes import BetSizes, SizedSteps
from holdmem.cbr.features.betting import Stepped
from holdmem.cbr.features.feature import Features, described_by, feature, rounded
from holdmem.cbr.remembered import RememberedHand
from holdmem.cbr.representation import Representation, declare, find_representation
from holdmem.cbr.retain import RetainingSeat
from holdmem.cbr.retrieve import Exact, Nearest, Threshold
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.similar_cases import SimilarCases
from holdmem.cbr.similarity import Decay, Equal, Groups, Linear, Nested
from holdmem.cbr.solutions import Solutions, Triple
from holdmem.cbr.store import read_cases, write_cases
from holdmem.cbr.weight_sets import WeightSet, read_weights, write_weights

__all__ = [
    "BetSizes",
    "CaseBase",
    "CaseBaseBuilder",
    "CaseBasedSeat",
    "Cases",
    "Decay",
    "Equal",
    "Exact",
    "Experience",
    "Features",
    "Groups",
    "Linear",
    "Nearest",
    "Nested",
    "RememberedHand",
    "Representation",
    "RetainingSeat",
    "SimilarCases",
    "SizedSteps",
    "Solutions",
    "Stepped",
    "Threshold",
    "Triple",
    "WeightSet",
    "declare",
    "described_by",
    "feature",
    "find_representation",
    "read_cases",
    "read_weights",
    "rounded",
    "write_cases",
    "write_weights",
]
