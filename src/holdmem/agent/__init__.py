"""The table: the interface between agents and the engine, and the loop that plays agents in lockstep."""

from holdmem.agent.bot import Bot, bot
from holdmem.agent.contract import (
    Actions,
    Agent,
    CountingSeat,
    ExplainingSeat,
    Policy,
    PolicySeat,
    Seat,
    WatchingSeat,
)
from holdmem.agent.explanation import Detail, ExampleHand, ExplainedAction, Explanation
from holdmem.agent.legal_policy import legal_policy
from holdmem.agent.play import FinishedHands, play
from holdmem.agent.registry import as_agent, given_name, make_agent, name_of, register, registered
from holdmem.agent.seat_state import SavableSeat, SeatState
from holdmem.agent.situation import Situation
from holdmem.agent.tabular import BoardTable, TabularSeat, TabularStrategy
from holdmem.agent.views import View, Views
from holdmem.agent.words import describe_situation, explain_seat, explained
from holdmem.core.random import Streams, hand_ids, secret_seed
from holdmem.engine.state import CALL, FOLD

__all__ = [
    "CALL",
    "FOLD",
    "Actions",
    "Agent",
    "BoardTable",
    "Bot",
    "CountingSeat",
    "Detail",
    "ExampleHand",
    "ExplainedAction",
    "ExplainingSeat",
    "Explanation",
    "FinishedHands",
    "Policy",
    "PolicySeat",
    "SavableSeat",
    "Seat",
    "SeatState",
    "Situation",
    "Streams",
    "TabularSeat",
    "TabularStrategy",
    "View",
    "Views",
    "WatchingSeat",
    "as_agent",
    "bot",
    "describe_situation",
    "explain_seat",
    "explained",
    "given_name",
    "hand_ids",
    "legal_policy",
    "make_agent",
    "name_of",
    "play",
    "register",
    "registered",
    "secret_seed",
]
