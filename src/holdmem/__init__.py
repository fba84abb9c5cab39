"""HoldMem: hold'em players made of memory.

    from holdmem import CALL, FOLD, bot, find_game, match

Public names are imported on first use, so that `import holdmem` and `holdmem --help` stay fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from holdmem.agent import Actions as Actions
    from holdmem.agent import Agent as Agent
    from holdmem.agent import Explanation as Explanation
    from holdmem.agent import FinishedHands as FinishedHands
    from holdmem.agent import Policy as Policy
    from holdmem.agent import Seat as Seat
    from holdmem.agent import View as View
    from holdmem.agent import Views as Views
    from holdmem.agent import bot as bot
    from holdmem.agent import legal_policy as legal_policy
    from holdmem.agent import make_agent as make_agent
    from holdmem.agent import play as play
    from holdmem.agent import register as register
    from holdmem.arena import Ledger as Ledger
    from holdmem.arena import MatchResult as MatchResult
    from holdmem.arena import check_agent as check_agent
    from holdmem.arena import match as match
    from holdmem.arena import tournament as tournament
    from holdmem.cards import Range as Range
    from holdmem.cards import evaluate as evaluate
    from holdmem.core.errors import AgentError as AgentError
    from holdmem.core.errors import GameError as GameError
    from holdmem.core.errors import HoldMemError as HoldMemError
    from holdmem.core.errors import IllegalAction as IllegalAction
    from holdmem.core.errors import NotationError as NotationError
    from holdmem.core.errors import UnknownAgent as UnknownAgent
    from holdmem.core.random import Streams as Streams
    from holdmem.core.random import hand_ids as hand_ids
    from holdmem.engine import CALL as CALL
    from holdmem.engine import FOLD as FOLD
    from holdmem.engine import Game as Game
    from holdmem.engine import find_game as find_game

_HOMES = {
    "arena": ("Ledger", "MatchResult", "check_agent", "match", "tournament"),
    "cards": ("Range", "evaluate"),
    "core.errors": (
        "AgentError",
        "GameError",
        "HoldMemError",
        "IllegalAction",
        "NotationError",
        "UnknownAgent",
    ),
    "engine": ("CALL", "FOLD", "Game", "find_game"),
    "agent": (
        *("Actions", "Agent", "Explanation", "FinishedHands", "Policy", "Seat", "View", "Views"),
        *("bot", "legal_policy", "make_agent", "play", "register"),
    ),
    "core.random": ("Streams", "hand_ids"),
}

__all__ = sorted(name for names in _HOMES.values() for name in names)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"holdmem.{home}"), name)
    raise AttributeError(f"module 'holdmem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
