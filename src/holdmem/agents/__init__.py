"""Every player, one file each. Importing this package registers them all by name."""

from holdmem.agents.always import AlwaysAllIn, AlwaysCall, AlwaysRaise
from holdmem.agents.equilibrium import (
    Equilibrium,
    EquilibriumAggressive,
    EquilibriumNoLimit,
    EquilibriumNoLimitAggressive,
    EquilibriumNoLimitPassive,
    EquilibriumPassive,
)
from holdmem.agents.random import Random

__all__ = [
    "AlwaysAllIn",
    "AlwaysCall",
    "AlwaysRaise",
    "Equilibrium",
    "EquilibriumAggressive",
    "EquilibriumNoLimit",
    "EquilibriumNoLimitAggressive",
    "EquilibriumNoLimitPassive",
    "EquilibriumPassive",
    "Random",
]
