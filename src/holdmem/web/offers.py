"""The games and agents on offer, and which agent can play which game."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from holdmem.agent import make_agent
from holdmem.agent.registry import registered
from holdmem.core.errors import AgentError, GameError, HoldMemError
from holdmem.core.random import Streams
from holdmem.core.types import JsonObject
from holdmem.engine import Game, find_game
from holdmem.engine.game_file import BUILT_IN, SHORT_NAMES
from holdmem.web.downloads import plain_downloads

SPARE = "simplebot"
"""Default agent for a seat without another choice; it plays every game."""

logger = logging.getLogger("holdmem.web")


@dataclass(frozen=True)
class Lobby:
    """The registered agents, those named when the server was started, and the games.

    A client can choose only among these. An arbitrary name could load an agent from a file, which is code.
    """

    opponents: tuple[str, ...]
    adviser: str
    game: str = "limit"
    extra: tuple[str, ...] = ()

    def agents(self) -> dict[str, str]:
        """Return every agent on offer with a line on its style."""
        listed = {name: entry.style for name, entry in registered().items()}
        return dict.fromkeys((*self.opponents, *self.extra), "chosen when the table was opened") | listed

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
        return [name for name in self.agents() if all(can_sit(name, one) for one in games)]

    def usual(self, seats: int, able: Sequence[str]) -> list[str]:
        """Return the default opponents for `seats - 1` seats: those named at launch, where they can play."""
        spare = SPARE if SPARE in able else next(iter(able), "")
        wanted = [*self.opponents, *[spare] * seats][: seats - 1]
        return [name if name in able else spare for name in wanted]

    def plain(self) -> JsonObject:
        """Return the lobby as values of a message."""
        return {
            "agents": [{"name": name, "style": style} for name, style in self.agents().items()],
            "games": self.games(),
            "opponents": list(self.opponents),
            "adviser": self.adviser,
            "game": self.game,
            "downloads": plain_downloads(),
        }


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
