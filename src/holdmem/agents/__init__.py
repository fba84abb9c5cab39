"""Every player, one file each. Importing this package registers them all by name."""

from holdmem.agents.always import AlwaysAllIn, AlwaysCall, AlwaysRaise
from holdmem.agents.memory import Memory
from holdmem.agents.random import Random
from holdmem.agents.sartre import Sartre1, Sartre2

__all__ = ["AlwaysAllIn", "AlwaysCall", "AlwaysRaise", "Memory", "Random", "Sartre1", "Sartre2"]
