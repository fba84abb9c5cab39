"""Every player, one file each. Importing this package registers them all by name."""

from holdmem.agents.alistairbot import AlistairBot
from holdmem.agents.always import AlwaysAllIn, AlwaysCall, AlwaysRaise
from holdmem.agents.poki import Poki
from holdmem.agents.random import Random
from holdmem.agents.simbot import Simbot

__all__ = ["AlistairBot", "AlwaysAllIn", "AlwaysCall", "AlwaysRaise", "Poki", "Random", "Simbot"]
