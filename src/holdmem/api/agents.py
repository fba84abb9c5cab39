"""All agents with the games they play and how strong they were measured to be."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdmem.agent import make_agent
from holdmem.agent.registry import Entry, registered
from holdmem.core.data import DATA
from holdmem.core.errors import HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import JsonObject
from holdmem.engine import find_game

FILE = DATA / "field.json"
"""Written by `python -m holdmem.papers.field` (`make field`)."""
GAMES = (("limit", 2), ("limit", 6), ("nolimit", 2), ("nolimit", 6))
"""Games in which agents are measured, with the number of seats."""


@dataclass(frozen=True)
class AgentListing:
    """An agent as `holdmem agents` lists it.

    Attributes
    ----------
    name, style, source : as registered.
    parameters : default of each parameter, as text.
    games : those of `GAMES` that it plays, as "limit-2".
    rates : what it wins per hand from a fixed field, by game: mean, 95% interval, unit and hands.
    """

    name: str
    style: str
    source: str
    parameters: dict[str, str]
    games: tuple[str, ...]
    rates: dict[str, JsonObject]

    def as_json(self) -> dict[str, Any]:
        """Return the listing as JSON values."""
        return {
            "name": self.name, "style": self.style, "source": self.source, "parameters": self.parameters,
            "games": list(self.games), "rates": self.rates,
        }  # fmt: skip


def list_agents() -> list[AgentListing]:
    """Return all registered agents, in the order of their names."""
    return [_listing(entry) for _, entry in sorted(registered().items())]


def _listing(entry: Entry) -> AgentListing:
    rates = {f"{rate['game']}-{rate['seats']}": rate for rate in field_rates().get(entry.name, [])}
    tried = (f"{game}-{seats}" for game, seats in GAMES if _plays(entry.name, game, seats))
    games = tuple(rates) or tuple(tried)  # who plays a game is measured in it, with few exceptions
    parameters = {name: str(one.default) for name, one in entry.parameters.items()}
    return AgentListing(entry.name, entry.style, entry.source, parameters, games, rates)


@cache
def field_rates() -> dict[str, list[JsonObject]]:
    """Return the measured rates of each agent."""
    found: dict[str, list[JsonObject]] = {}
    for rate in _file()["rates"]:
        found.setdefault(rate["agent"], []).append({k: v for k, v in rate.items() if k != "agent"})
    return found


def field_opponents(game: str, seats: int) -> Sequence[str]:
    """Return the opponents against which agents are measured."""
    return list(_file()["fields"][f"{game}-{seats}"])


def _file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _plays(name: str, game: str, seats: int) -> bool:
    """Whether an agent sits down in a game."""
    try:
        make_agent(name).sit(find_game(game, seats), 1, Streams.of(0))
    except HoldMemError:
        return False
    except Exception:  # an agent of somebody else may raise anything
        return False
    return True
