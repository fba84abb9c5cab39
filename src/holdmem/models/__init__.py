"""Opponent models: action frequencies, ranges, showdowns, and the expected value of actions against them.

`Frequencies` counts how often each opponent takes which action, `weight_tables` estimates its range,
`Showdowns` records the holdings it shows, and `expected_values` plays actions out against such opponents.
"""

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
