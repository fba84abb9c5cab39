"""The table: the interface between agents and the engine, and the loop that plays agents in lockstep."""

from holdmem.rules.state import CALL, FOLD
from holdmem.table.bot import Bot, bot
from holdmem.table.contract import (
    Actions,
    Agent,
    CountingSeat,
    ExplainingSeat,
    Explanation,
    Ground,
    Policy,
    PolicySeat,
    Seat,
    WatchingSeat,
)
from holdmem.table.legal import legal_policy
from holdmem.table.lockstep import Finished, play
from holdmem.table.memories import KeepingSeat, State
from holdmem.table.registry import given_name, make_agent, name_of, register, registered
from holdmem.table.streams import Streams, secret_seed, spots
from holdmem.table.views import View, Views

__all__ = [
    "CALL",
    "FOLD",
    "Actions",
    "Agent",
    "Bot",
    "CountingSeat",
    "ExplainingSeat",
    "Explanation",
    "Finished",
    "Ground",
    "KeepingSeat",
    "Policy",
    "PolicySeat",
    "Seat",
    "State",
    "Streams",
    "View",
    "Views",
    "WatchingSeat",
    "bot",
    "given_name",
    "legal_policy",
    "make_agent",
    "name_of",
    "play",
    "register",
    "registered",
    "secret_seed",
    "spots",
]
