"""The games and agents on offer, and which agent can play which game."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from holdmem.agent import Agent, Seat, make_agent
from holdmem.agent.registry import registered
from holdmem.api.agents import field_rates
from holdmem.arena.bankroll import game_at
from holdmem.core.errors import AgentError, GameError, HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import JsonObject
from holdmem.engine import Game, find_game
from holdmem.engine.game_file import BUILT_IN, SHORT_NAMES
from holdmem.players.clone import SMALL_STYLE_WORDS, STYLE_WORDS, Clone
from holdmem.web.carried import TableFormat
from holdmem.web.downloads import plain_downloads
from holdmem.web.messages import Sit

STYLE = "clone:style="
PEOPLE = {"clone": "plays like the average of many people at PokerStars, July 2009"} | {
    f"{STYLE}{style}": f"{words}, PokerStars, July 2009"
    for style, words in (STYLE_WORDS | SMALL_STYLE_WORDS).items()
}
"""Memories of people, each with a line on its style."""
COMPANY = ("simplebot", "dpp", "jagbot", "megabot", "casper", "poki", "always-call", "whlbot", "random")
"""Agents for seats without another choice, each once as far as they go; the first plays every game."""

CARRIED_DEPTH = 50
"""Big blinds with which a match or sit-and-go begins, unless chosen."""

logger: logging.Logger = logging.getLogger("holdmem.web")


@dataclass(frozen=True)
class MadePlayer:
    """A player that somebody made from their own hands: an agent of theirs alone.

    It is asked for by its `name`, called `shown` at the table, and plays from the memory in `file`. `betting`
    is that of most of its hands, limit or nolimit, at which it is invited to sit down.
    """

    name: str
    shown: str
    style: str
    file: Path
    betting: str = "nolimit"

    def sit(self, game: Game, tables: int, rng: Streams) -> Seat:
        """Return a seat at any table."""
        try:
            return Clone(self.file).sit(game, tables, rng)
        except HoldMemError:
            raise AgentError(f"{self.shown} cannot be read: delete it and make it again") from None


Made = Mapping[str, MadePlayer]
"""Players that somebody made, by name."""
NOBODY: Made = {}


@dataclass(frozen=True)
class Lobby:
    """The registered agents, those named when the server was started, and the games.

    A client can choose only among these. An arbitrary name could load an agent from a file, which is code.
    """

    opponents: tuple[str, ...]
    adviser: str
    game: str = "limit"
    extra: tuple[str, ...] = ()
    made: Made = field(default_factory=dict)

    def agents(self) -> dict[str, str]:
        """Return every agent on offer with a line on its style."""
        listed = {name: entry.style for name, entry in registered().items()} | PEOPLE
        chosen = dict.fromkeys((*self.opponents, *self.extra), "chosen when the table was opened")
        return {name: one.style for name, one in self.made.items()} | chosen | listed

    def games(self) -> list[str]:
        """Return the names of all games on offer."""
        return list(dict.fromkeys((*SHORT_NAMES, *BUILT_IN, self.game)))

    def checked(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names if all are on offer, else raise AgentError."""
        known = self.agents()
        for name in names:
            if name not in known:
                raise AgentError(f"this server does not offer the agent {name[:80]!r}")
        return tuple(names)

    def able(self, game: Game, stacks: Sequence[int] | None = None) -> list[str]:
        """Return the agents that can play this game, or that can play it with each of `stacks` if given."""
        games = [replace(game, stacks=(stack,) * game.seats) for stack in sorted(set(stacks or ()))] or [game]
        return [name for name in self.agents() if all(self.can_sit(name, one) for one in games)]

    def can_sit(self, name: str, game: Game) -> bool:
        """Whether this agent can play this game; one that was made plays every game."""
        return name in self.made or can_sit(name, game)

    def able_at(
        self, game: Game, stacks: Sequence[int] | None, format: TableFormat, names: Sequence[str] = ()
    ) -> list[str]:
        """Return the agents, of all or of `names`, that can play this game in this format.

        Where stacks carry over, an agent must play the game with any stack, and with fewer seats.
        """
        games = [game] if format == "cash" else _carried_games(game)
        asked = names or self.able(game, stacks)
        return [name for name in asked if all(self.can_sit(name, one) for one in games)]

    def expect_carried(self, game: Game, names: Sequence[str], wish: Sit) -> None:
        """Raise GameError unless these agents can play a match or sit-and-go of this game."""
        if wish.duplicate or (wish.stacks and len(wish.stacks) > 1):
            raise GameError(f"a {wish.format} has equal stacks and no duplicate hands")
        if wish.format == "match" and game.seats != 2:
            raise GameError(f"a match is heads-up; this table has {game.seats} seats")
        able = self.able_at(game, None, wish.format, names)
        for name in names:
            if name not in able:
                raise AgentError(f"{name[:80]} cannot play a {wish.format}, in which stacks carry over")

    def usual(self, seats: int, able: Sequence[str]) -> list[str]:
        """Return the default opponents for `seats - 1` seats: those named at launch, then others."""
        named = [name for name in self.opponents if name in able]
        company = [name for name in COMPANY if name in able and name not in named] or list(able[:1])
        return [*named, *company, *company * seats][: seats - 1] if able else []

    def plain(self) -> JsonObject:
        """Return the lobby as values of a message."""
        return {
            "agents": [
                {
                    "name": name,
                    "shown": shown_name(name, self.made),
                    "style": style,
                    "made": name in self.made,
                    "betting": self.made[name].betting if name in self.made else None,
                    "rates": field_rates().get(name, []),
                }
                for name, style in self.agents().items()
            ],
            "games": self.games(),
            "opponents": list(self.opponents),
            "adviser": self.adviser,
            "game": self.game,
            "downloads": plain_downloads(),
        }


def shown_name(agent: str, made: Made = NOBODY) -> str:
    """Return the name of an agent at the table: a style of people, or a player made, by its own name."""
    if agent in made:
        return made[agent].shown
    return agent.removeprefix(STYLE) if agent in PEOPLE else agent


def seated(agent: str, made: Made) -> Agent:
    """Return an agent on offer by its name."""
    return made[agent] if agent in made else make_agent(agent)


def strongest(agents: Sequence[str], game: Game) -> str:
    """Return the agent with the best measured rate in such games; the first if none has one."""

    def mean(agent: str) -> float:
        rate = measured_rate(agent, game)
        return -math.inf if rate is None else float(rate["mean"])

    return max(agents, key=mean)


def measured_rate(agent: str, game: Game) -> JsonObject | None:
    """Return what the agent wins from the field in games like this one, if that was measured."""
    kind, seats = "limit" if game.limit else "nolimit", 2 if game.seats == 2 else 6
    rates = field_rates().get(agent, [])
    return next((rate for rate in rates if (rate["game"], rate["seats"]) == (kind, seats)), None)


def _carried_games(game: Game) -> list[Game]:
    """Return the games that a match or sit-and-go may come to: fewer seats, short and deep stacks."""
    depths = (game.big_blind * 3, min(game.stacks), sum(game.stacks) - game.big_blind)
    return [
        replace(game_at(game, seats, 0), stacks=(depth,) * seats)
        for seats in range(2, game.seats + 1)
        for depth in depths
    ]


@lru_cache(maxsize=10_000)
def can_sit(name: str, game: Game) -> bool:
    """Whether this agent can play this game, found by seating it."""
    try:
        make_agent(name).sit(game, 1, Streams.of(0))
    except HoldMemError:
        return False
    except Exception:  # a user's own agent may raise anything; it is then not offered
        logger.exception("%s cannot sit down in %s", name, game.name)
        return False
    return True


def game_for(name: str, seats: int, big_blind: int | None, stack: int | None, offer: Lobby) -> Game:
    """Return the game that a client asks for.

    If given, chips are scaled to `big_blind`, and every `stack` is that many big blinds.
    """
    if name not in offer.games():
        raise GameError(f"expected a built-in game, got {name[:80]!r}")
    game = find_game(name, seats)
    if big_blind is not None and big_blind != game.big_blind:
        if (big_blind * min(blind for blind in game.blinds if blind)) % game.big_blind:
            raise GameError(f"a big blind of {big_blind} does not give whole chips for the other blinds")
        game = _scaled(game, big_blind)
    if stack is not None:
        game = replace(game, stacks=(stack * game.big_blind,) * seats)
    return game


def table_game(
    name: str, seats: int, big_blind: int | None, stack: int | None, format: TableFormat, offer: Lobby
) -> Game:
    """Return the game for a table of this format: where stacks carry over, they are never unlimited."""
    game = game_for(name, seats, big_blind, stack, offer)
    if format != "cash":
        depth = min(*game.stacks, CARRIED_DEPTH * game.big_blind) if stack is None else min(game.stacks)
        game = replace(game, stacks=(depth,) * seats, odd_chips="first-seat")
    return game


def _scaled(game: Game, big_blind: int) -> Game:
    def chips(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(value * big_blind // game.big_blind for value in values)

    sizes = chips(game.raise_sizes) if game.raise_sizes else None
    stacks = game.stacks if game.limit else chips(game.stacks)
    return replace(game, blinds=chips(game.blinds), raise_sizes=sizes, stacks=stacks)


def uneven(stacks: Sequence[int], game: Game) -> tuple[int, ...] | None:
    """Return the chips of each player for stacks given in big blinds per player; None for a single stack."""
    if len(stacks) < 2:
        return None
    if len(stacks) != game.seats:
        raise GameError(f"expected one stack for all players or {game.seats} stacks, got {len(stacks)}")
    return tuple(stack * game.big_blind for stack in stacks)
