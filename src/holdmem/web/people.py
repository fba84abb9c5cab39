"""Who is here: one `Person` for each session, with a table of their own that nobody else can see or move."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdmem.errors import AgentError, GameError, IllegalAction, NotationError
from holdmem.rules import CALL, FOLD, Game, find_game
from holdmem.rules.game_file import BUILT_IN, SHORT_NAMES
from holdmem.rules.state import PARTS
from holdmem.table import Streams, make_agent
from holdmem.table.registry import registered
from holdmem.web import messages as said
from holdmem.web.sitting import Ended, Order, Sitting
from holdmem.web.spectacle import Spectacle
from holdmem.web.store import Store

Message = dict[str, Any]

MOST_PEOPLE = 2000
IDLE_SECONDS = 3600.0
"""A session without a connection is forgotten after this; its hands are not."""


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

    def checked(self, names: list[str]) -> tuple[str, ...]:
        """The same names, if all are on offer."""
        known = self.agents()
        for name in names:
            if name not in known:
                raise AgentError(f"expected an agent of this table, got {name[:80]!r}")
        return tuple(names)

    def plain(self) -> Message:
        """The lobby, as values of a message."""
        return {
            "agents": [{"name": name, "style": style} for name, style in self.agents().items()],
            "games": [*SHORT_NAMES, *BUILT_IN],
            "opponents": list(self.opponents),
            "adviser": self.adviser,
            "game": self.game,
        }


def game_for(name: str, seats: int, big_blind: int | None, stack: int | None, offer: Offer) -> Game:
    """The game that a client asks for, its chips scaled to a big blind and stacks in big blinds if given."""
    if name not in (*SHORT_NAMES, *BUILT_IN, offer.game):
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


@dataclass(eq=False)
class Person:
    """One session. Only one thing happens in it at a time."""

    key: str
    offer: Offer
    store: Store
    sitting: Sitting | None = None
    spectacle: Spectacle | None = None
    seen: float = field(default_factory=time.monotonic)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Callable[[Message], None]] = field(default_factory=set)

    def welcome(self) -> list[Message]:
        """The lobby, and the table of this session if it sits at one."""
        hello = {"type": "welcome", "version": said.VERSION, "session": self.key, **self.offer.plain()}
        hello["seated"] = self.sitting is not None and self.sitting.hand is not None
        return [hello, *([self.sitting.state()] if self.sitting and self.sitting.hand else [])]

    def answer(self, message: said.AnyMessage) -> list[Message]:
        """Do what the message asks for; what is to be told."""
        match message:
            case said.Hello():
                return self.welcome()
            case said.Sit():
                return self._sit(message)
            case said.Watch():
                return self._watch(message)
            case said.Step():
                return [self._spectacle().step(message.hands)]
            case said.History():
                hands = self.store.listed(self.key, before=message.before)
                return [{"type": "history", "hands": hands}]
            case said.Reasons():
                return [self._reasons(message.id)]
            case said.Leave():
                self.sitting = None
                return [{"type": "left"}]
        return self._at_table(message)

    def _at_table(self, message: said.AnyMessage) -> list[Message]:
        sitting = self._sitting()
        match message:
            case said.Next():
                return self._kept(sitting.deal())
            case said.Act():
                return self._kept(sitting.act(message.hand, _code(message)))
            case said.Advice():
                return [sitting.ask()]
            case _:
                return [sitting.summary()]

    def _sit(self, wish: said.Sit) -> list[Message]:
        opponents = self.offer.checked(wish.opponents)
        adviser = self.offer.checked([wish.adviser or self.offer.adviser])[0]
        stack = wish.stacks[0] if wish.stacks else None
        game = game_for(wish.game, len(opponents) + 1, wish.big_blind, stack, self.offer)
        if wish.adviser is None:
            adviser = _able(adviser, opponents, game)
        uneven = _uneven(wish.stacks or [], game)
        self.sitting = Sitting(
            Order(game, opponents, adviser, wish.duplicate, name=secrets.token_hex(8), stacks=uneven)
        )
        return self._kept(self.sitting.deal())

    def _kept(self, told: list[Message]) -> list[Message]:
        """Store the hand if it has just ended; only then is the end told."""
        ended = self.sitting.last if self.sitting and self.sitting.hand and self.sitting.hand.over else None
        if ended is not None and told and told[-1].get("over"):
            told[-1]["id"] = self._store(ended)
        return told

    def _store(self, ended: Ended) -> int:
        name = self._sitting().order.name
        return self.store.add(self.key, name, ended.record, ended.plain(), ended.net / PARTS)

    def _reasons(self, number: int | None) -> Message:
        if number is not None:
            found = self.store.reasons(self.key, number)
            if found is None:
                raise NotationError(f"expected a hand of your own, got number {number}")
            return found
        ended = self._sitting().last
        if ended is None:
            raise IllegalAction("expected a hand that is over: reasons are told after it")
        return ended.plain()

    def _watch(self, wish: said.Watch) -> list[Message]:
        agents = self.offer.checked(wish.agents)
        game = game_for(wish.game, len(agents), None, wish.stack, self.offer)
        self.spectacle = Spectacle(game, agents, wish.seed)
        return [self.spectacle.state()]

    def _sitting(self) -> Sitting:
        if self.sitting is None:
            raise IllegalAction("expected a table: sit down first")
        return self.sitting

    def _spectacle(self) -> Spectacle:
        if self.spectacle is None:
            raise IllegalAction("expected a table to watch: choose agents first")
        return self.spectacle


def _uneven(stacks: Sequence[int], game: Game) -> tuple[int, ...] | None:
    """Chips of each player if they are not all the same."""
    if len(stacks) < 2:
        return None
    if len(stacks) != game.seats:
        raise GameError(f"expected one stack for all or {game.seats}, one for each, got {len(stacks)}")
    return tuple(stack * game.big_blind for stack in stacks)


def _code(message: said.Act) -> int:
    if message.action == "raise":
        if not message.to:
            raise IllegalAction("expected the total of the raise in 'to'")
        return message.to
    return FOLD if message.action == "fold" else CALL


def _able(adviser: str, opponents: tuple[str, ...], game: Game) -> str:
    """The adviser if it can play this game; else the first opponent, which can."""
    try:
        make_agent(adviser).sit(game, 1, Streams.of(0))
    except AgentError:
        return opponents[0]
    return adviser


class People:
    """All sessions by their keys."""

    def __init__(self, offer: Offer, store: Store) -> None:
        self.offer = offer
        self.store = store
        self._people: dict[str, Person] = {}

    def find(self, key: str | None) -> Person:
        """The session of this key, or a new one; a key that is unknown is taken for a session that slept."""
        self._forget_the_idle()
        if key is None or not 16 <= len(key) <= 100 or not key.isascii():
            key = secrets.token_urlsafe(24)
        if key not in self._people:
            if len(self._people) >= MOST_PEOPLE:
                raise NotationError("expected fewer people: this server is full")
            self._people[key] = Person(key, self.offer, self.store)
        person = self._people[key]
        person.seen = time.monotonic()
        return person

    def _forget_the_idle(self) -> None:
        old = time.monotonic() - IDLE_SECONDS
        for key, person in list(self._people.items()):
            if not person.listeners and person.seen < old:
                del self._people[key]
