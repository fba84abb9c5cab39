"""Opponent models: action frequencies, ranges, showdowns, and the expected value of actions against them.

`Frequencies` counts how often each opponent takes which action, `weight_tables` estimates its range,
`Showdowns` records the holdings it shows, and `expected_values` plays actions out against such opponents.
"""

from holdmem.opponents.frequencies import PRIOR_WEIGHT, Frequencies, prior, situation_name
from holdmem.opponents.profiles import Profile, Profiles
from holdmem.opponents.rollouts import RolloutResults, expected_values, sized_actions
from holdmem.opponents.seating import Seating
from holdmem.opponents.showdowns import Showdowns
from holdmem.opponents.weight_tables import weight_tables

__all__ = [
    "PRIOR_WEIGHT",
    "Frequencies",
    "Profile",
    "Profiles",
    "RolloutResults",
    "Seating",
    "Showdowns",
    "expected_values",
    "prior",
    "situation_name",
    "sized_actions",
    "weight_tables",
]
