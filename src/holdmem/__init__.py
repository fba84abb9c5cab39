"""HoldMem: hold'em players made of memory.

    from holdmem import CALL, FOLD, bot, find_game, match

Public names are imported on first use, so that `import holdmem` and `holdmem --help` stay fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from holdmem.arena import Ledger as Ledger
    from holdmem.arena import MatchResult as MatchResult
    from holdmem.arena import check_agent as check_agent
    from holdmem.arena import match as match
    from holdmem.arena import tournament as tournament
    from holdmem.cards import Range as Range
    from holdmem.cards import evaluate as evaluate
    from holdmem.errors import AgentError as AgentError
    from holdmem.errors import GameError as GameError
    from holdmem.errors import HoldMemError as HoldMemError
    from holdmem.errors import IllegalAction as IllegalAction
    from holdmem.errors import NotationError as NotationError
    from holdmem.errors import UnknownAgent as UnknownAgent
    from holdmem.rules import CALL as CALL
    from holdmem.rules import FOLD as FOLD
    from holdmem.rules import Game as Game
    from holdmem.rules import find_game as find_game
    from holdmem.table import Actions as Actions
    from holdmem.table import Agent as Agent
    from holdmem.table import Explanation as Explanation
    from holdmem.table import Finished as Finished
    from holdmem.table import Policy as Policy
    from holdmem.table import Seat as Seat
    from holdmem.table import Streams as Streams
    from holdmem.table import View as View
    from holdmem.table import Views as Views
    from holdmem.table import bot as bot
    from holdmem.table import legal_policy as legal_policy
    from holdmem.table import make_agent as make_agent
    from holdmem.table import play as play
    from holdmem.table import register as register
    from holdmem.table import spots as spots

_HOMES = {
    "arena": ("Ledger", "MatchResult", "check_agent", "match", "tournament"),
    "cards": ("Range", "evaluate"),
    "errors": ("AgentError", "GameError", "HoldMemError", "IllegalAction", "NotationError", "UnknownAgent"),
    "rules": ("CALL", "FOLD", "Game", "find_game"),
    "table": (
        *("Actions", "Agent", "Explanation", "Finished", "Policy", "Seat", "Streams", "View", "Views"),
        *("bot", "legal_policy", "make_agent", "play", "register", "spots"),
    ),
}

__all__ = sorted(name for names in _HOMES.values() for name in names)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"holdmem.{home}"), name)
    raise AttributeError(f"module 'holdmem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
