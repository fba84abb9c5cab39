"""Models of opponents: how often they do what (`Frequencies`), what they may hold (`weight_tables`), and what
comes of an action against such opponents (`expected_values`)."""

from holdmem.models.frequencies import PRIOR_WEIGHT, Frequencies, prior, situation_name
from holdmem.models.rollouts import Outcomes, expected_values, sized_actions
from holdmem.models.weights import weight_tables

__all__ = [
    "PRIOR_WEIGHT",
    "Frequencies",
    "Outcomes",
    "expected_values",
    "prior",
    "situation_name",
    "sized_actions",
    "weight_tables",
]
