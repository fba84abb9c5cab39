"""What can be played here: games, agents by name, and which of the agents can play which game."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from holdmem.errors import AgentError, GameError, HoldMemError
from holdmem.rules import Game, find_game
from holdmem.rules.game_file import BUILT_IN, SHORT_NAMES
from holdmem.table import Streams, make_agent
from holdmem.table.registry import registered

Message = dict[str, Any]

SPARE = "simplebot"
"""Who takes a seat that nobody else is chosen for: it plays every game."""

logger = logging.getLogger("holdmem.web")


@dataclass(frozen=True)
class Offer:
    """What can be played here: agents by name, and those that were named when the server was started.

    A client chooses from these and cannot say anything else: an agent in a file is code.
    """

    opponents: tuple[str, ...]
    adviser: str
    game: str = "limit"
    extra: tuple[str, ...] = ()

    def agents(self) -> dict[str, str]:
        """Every agent that may be chosen, with a line on its style."""
        listed = {name: entry.style for name, entry in registered().items()}
        return dict.fromkeys((*self.opponents, *self.extra), "chosen when the table was opened") | listed

    def games(self) -> list[str]:
        """Every game that may be chosen, by name."""
        return list(dict.fromkeys((*SHORT_NAMES, *BUILT_IN, self.game)))

    def checked(self, names: Sequence[str]) -> tuple[str, ...]:
        """The same names, if all are on offer."""
        known = self.agents()
        for name in names:
            if name not in known:
                raise AgentError(f"expected an agent of this table, got {name[:80]!r}")
        return tuple(names)

    def able(self, game: Game, stacks: Sequence[int] | None = None) -> list[str]:
        """The agents that can sit down in this game, and with each of these stacks in it."""
        games = [replace(game, stacks=(stack,) * game.seats) for stack in sorted(set(stacks or ()))] or [game]
        return [name for name in self.agents() if all(can_sit(name, one) for one in games)]

    def usual(self, seats: int, able: Sequence[str]) -> list[str]:
        """Whom `seats - 1` opponents are at first: those of the launch, where they can play."""
        spare = SPARE if SPARE in able else next(iter(able), "")
        wanted = [*self.opponents, *[spare] * seats][: seats - 1]
        return [name if name in able else spare for name in wanted]

    def plain(self) -> Message:
        """The lobby, as values of a message."""
        return {
            "agents": [{"name": name, "style": style} for name, style in self.agents().items()],
            "games": self.games(),
            "opponents": list(self.opponents),
            "adviser": self.adviser,
            "game": self.game,
        }


@lru_cache(maxsize=10_000)
def can_sit(name: str, game: Game) -> bool:
    """Whether this agent takes a seat in this game: it is asked to."""
    try:
        make_agent(name).sit(game, 1, Streams.of(0))
    except HoldMemError:
        return False
    except Exception:  # an agent of the user's own may raise anything; it is not offered then
        logger.exception("%s cannot sit down in %s", name, game.name)
        return False
    return True


def game_for(name: str, seats: int, big_blind: int | None, stack: int | None, offer: Offer) -> Game:
    """The game that a client asks for, its chips scaled to a big blind and stacks in big blinds if given."""
    if name not in offer.games():
        raise GameError(f"expected a built-in game, got {name[:80]!r}")
    game = find_game(name, seats)
    if big_blind is not None and big_blind != game.big_blind:
        if (big_blind * min(blind for blind in game.blinds if blind)) % game.big_blind:
            raise GameError(f"expected a big blind that gives whole chips, got {big_blind}")
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
    """Chips of each player if they are not all the same."""
    if len(stacks) < 2:
        return None
    if len(stacks) != game.seats:
        raise GameError(f"expected one stack for all or {game.seats}, one for each, got {len(stacks)}")
    return tuple(stack * game.big_blind for stack in stacks)
