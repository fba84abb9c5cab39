"""HoldMem: hold'em players made of memory.

    import holdmem as hm

    hm.match("limit", "sartre-2", "always-call", hands=1000)

These are the names of common work: the verbs, the values that they take, and the contract of agents. Rarer
verbs and the classes of results are in `holdmem.api`, errors other than their base class in
`holdmem.core.errors`, and the packages export the rest. Names are imported on first use, so that
`import holdmem` and `holdmem --help` stay fast.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

__version__ = "0.2.0"

if _TYPE_CHECKING:
    from holdmem.agent import Actions as Actions
    from holdmem.agent import Agent as Agent
    from holdmem.agent import Explanation as Explanation
    from holdmem.agent import Policy as Policy
    from holdmem.agent import Seat as Seat
    from holdmem.agent import Situation as Situation
    from holdmem.agent import View as View
    from holdmem.agent import Views as Views
    from holdmem.agent import bot as bot
    from holdmem.agent import legal_policy as legal_policy
    from holdmem.agent import make_agent as make_agent
    from holdmem.agent import register as register
    from holdmem.api.cases import explain as explain
    from holdmem.api.cases import learn as learn
    from holdmem.api.cases import record as record
    from holdmem.api.cases import review as review
    from holdmem.api.equity import equity as equity
    from holdmem.api.hands import stats as stats
    from holdmem.api.hands import write_hands as write_hands
    from holdmem.api.leaks import find_leaks as find_leaks
    from holdmem.api.people import imitate as imitate
    from holdmem.api.people import resemble as resemble
    from holdmem.api.play import exploit as exploit
    from holdmem.api.play import match as match
    from holdmem.api.play import tournament as tournament
    from holdmem.api.solve import solve as solve
    from holdmem.api.spot import solve_spot as solve_spot
    from holdmem.api.train import train as train
    from holdmem.api.value import value as value
    from holdmem.arena import Ledger as Ledger
    from holdmem.arena import check_agent as check_agent
    from holdmem.cards import Range as Range
    from holdmem.cbr import CaseBase as CaseBase
    from holdmem.cbr import read_cases as read_cases
    from holdmem.core.errors import HoldMemError as HoldMemError
    from holdmem.core.random import Streams as Streams
    from holdmem.engine import CALL as CALL
    from holdmem.engine import FOLD as FOLD
    from holdmem.engine import Game as Game
    from holdmem.engine import find_game as find_game
    from holdmem.history import read_hands as read_hands
    from holdmem.papers.reproduce import reproduce as reproduce
    from holdmem.rl.gymnasium_env import TableEnv as TableEnv
    from holdmem.rl.pettingzoo_env import TableAEC as TableAEC
    from holdmem.rl.vector_env import TableVectorEnv as TableVectorEnv

_HOMES = {
    "agent": (
        *("Actions", "Agent", "Explanation", "Policy", "Seat", "Situation", "View", "Views"),
        *("bot", "legal_policy", "make_agent", "register"),
    ),
    "api.cases": ("explain", "learn", "record", "review"),
    "api.equity": ("equity",),
    "api.hands": ("stats", "write_hands"),
    "api.leaks": ("find_leaks",),
    "api.people": ("imitate", "resemble"),
    "api.play": ("exploit", "match", "tournament"),
    "api.solve": ("solve",),
    "api.spot": ("solve_spot",),
    "api.train": ("train",),
    "api.value": ("value",),
    "arena": ("Ledger", "check_agent"),
    "cards": ("Range",),
    "cbr": ("CaseBase", "read_cases"),
    "core.errors": ("HoldMemError",),
    "core.random": ("Streams",),
    "engine": ("CALL", "FOLD", "Game", "find_game"),
    "history": ("read_hands",),
    "papers.reproduce": ("reproduce",),
}
_OPTIONAL = {"rl": ("TableAEC", "TableEnv", "TableVectorEnv")}
"""Names that need an extra. They are left out of `__all__`, so that a star import works without it."""

__all__ = sorted(name for names in _HOMES.values() for name in names)  # noqa: PLE0605


def __getattr__(name: str) -> _Any:
    for home, names in (*_HOMES.items(), *_OPTIONAL.items()):
        if name in names:
            return getattr(_import_module(f"holdmem.{home}"), name)
    raise AttributeError(f"module 'holdmem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for names in _OPTIONAL.values() for name in names), "__version__"]
