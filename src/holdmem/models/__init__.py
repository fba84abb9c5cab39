"""Models of opponents: how often they do what (`Frequencies`), what they may hold (`weight_tables`), what
they show (`Showdowns`), and what comes of an action against such opponents (`expected_values`)."""

from holdmem.models.frequencies import PRIOR_WEIGHT, Frequencies, prior, situation_name
from holdmem.models.neighbours import Neighbours
from holdmem.models.profiles import Profile, Profiles
from holdmem.models.rollouts import Outcomes, expected_values, sized_actions
from holdmem.models.showdowns import Showdowns
from holdmem.models.weights import weight_tables

__all__ = [
    "PRIOR_WEIGHT",
    "Frequencies",
    "Neighbours",
    "Outcomes",
    "Profile",
    "Profiles",
    "Showdowns",
    "expected_values",
    "prior",
    "situation_name",
    "sized_actions",
    "weight_tables",
]
