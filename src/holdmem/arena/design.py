"""`Design`: everything that the result of a match depends on, as a frozen value with a hash."""

import hashlib
import json
import pickle
import sys
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import permutations
from pathlib import Path
from types import CodeType
from typing import Any, Literal

from holdmem.compiled import source_hash
from holdmem.errors import AgentError, GameError
from holdmem.rules import UNLIMITED, Game
from holdmem.table import Agent, Bot, Streams, make_agent
from holdmem.table.files import source_hash as loaded_source

Kind = Literal["duplicate", "ring", "bankroll", "freeze-out"]
Memory = Literal["wiped", "kept"]
Luck = Literal["adjusted", "divat", "divat-showdown"]
Seed = int | Literal["secret"]
"""A whole number, or the wish for one that nobody knows before the end."""

SECRET: Literal["secret"] = "secret"

ALL_PERMUTATIONS_UP_TO = 4
CARRIED = ("bankroll", "freeze-out")
MOST = 2**32
"""Hands of a match, and matches, are counted in 32 bits of the random numbers' counter."""

SOURCES = source_hash()
"""Our source when this process began: what plays, whatever happens to the files afterwards."""


@dataclass(frozen=True)
class Design:
    """Who plays whom at what, how long and how.

    duplicate    the same cards again with the players in every other order (all orders up to four seats,
                 every rotation above); `hands` is per order
    ring         the button moves on with every hand, all cards are new
    bankroll     the same with stacks carried over; a player without chips is out
    freeze-out   the same until one has all chips (or `hands` are played), with blinds and bets that double
                 every `level_hands` hands

    `memory` says whether agents that learn forget between the orders of a duplicate match; between matches
    they always do.
    """

    game: Game
    agents: tuple[str, ...]
    hands: int = 3000
    matches: int = 1
    kind: Kind = "duplicate"
    memory: Memory = "wiped"
    seed: Seed = 0
    """`"secret"` until the design is run, which draws a number for it."""
    luck: tuple[Luck, ...] = ()
    level_hands: int = 50
    time_limit: float = 0.0
    """Seconds that an agent may take for the decisions of one batch; 0 for as long as it likes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "luck", tuple(dict.fromkeys(self.luck)))
        if len(self.agents) != self.game.seats:
            raise GameError(f"{self.game.name}: expected {self.game.seats} agents, got {len(self.agents)}")
        for name in ("hands", "matches", "level_hands"):
            if getattr(self, name) < 1:
                raise GameError(f"expected {name} of 1 or more, got {getattr(self, name)}")
        if max(self.hands_per_match, self.matches) > MOST:
            raise GameError(f"expected at most {MOST:,} hands a match and matches, got {self.hands:,}")
        if self.seed != SECRET and (isinstance(self.seed, str) or self.seed < 0):
            raise GameError(f"expected a seed of 0 or more, or {SECRET!r}, got {self.seed!r}")
        if not self.time_limit >= 0:
            raise GameError(f"expected a time limit of 0 or more, got {self.time_limit}")
        if self.game.seats > 2 and any(name.startswith("divat") for name in self.luck):
            raise GameError(f"{self.game.name}: expected two seats for DIVAT, got {self.game.seats}")
        if self.kind in CARRIED and sum(self.game.stacks) > UNLIMITED:
            raise GameError(
                f"{self.game.name}: expected stacks that can be carried over in a {self.kind} match,"
                " got unlimited ones; give everybody a stack, or play no-limit"
            )

    @property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """The orders in which the players sit, one for each part of a match: lineup[seat] is a player."""
        seats = self.game.seats
        if self.kind == "duplicate" and seats <= ALL_PERMUTATIONS_UP_TO:
            return tuple(permutations(range(seats)))
        # The button goes to the left: who had the big blind has the small one next.
        return tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))

    @property
    def hands_per_match(self) -> int:
        """Hands in all orders together; the rest of a round of the button is played in a ring game."""
        if self.kind == "duplicate":
            return self.hands * len(self.lineups)
        if self.kind == "ring":
            return -(-self.hands // self.game.seats) * self.game.seats
        return self.hands

    @property
    def samples_per_match(self) -> int:
        """Decks of a duplicate match, rounds of the button of a ring game."""
        return self.hands_per_match // len(self.lineups)

    def streams(self, *what_for: int | str) -> Streams:
        """The random numbers for a purpose."""
        if self.seed == SECRET:
            raise GameError("expected a design with a number for a seed, got a secret one: use run()")
        return Streams.of(self.seed, *what_for)

    def make_agents(self) -> tuple[Agent, ...]:
        """The agents as they are now: a file that has changed is read again."""
        return tuple(make_agent(text) for text in self.agents)

    @property
    def hash(self) -> str:
        """Names the result: changes with the design, with our source, and with any file an agent names."""
        return self.hash_with(self.make_agents())

    def hash_with(self, agents: tuple[Agent, ...]) -> str:
        """The hash where these values are what the texts of the design stand for."""
        described = {field.name: getattr(self, field.name) for field in fields(self)}
        described["game"] = asdict(self.game)
        # Agents count by what they are, not by how they were written or where their files lie.
        described["agents"] = [_content(agent) for agent in agents]
        del described["time_limit"]  # may stop a match, never changes what comes out of it
        text = json.dumps([described, SOURCES], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def content_hash(agent: Agent) -> str:
    """Names what an agent is, files by what is in them: the same for two texts that mean the same player."""
    text = json.dumps(_content(agent), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _content(value: Any) -> Any:
    """What a parameter is, in words that JSON has: agents with their code, files by what is in them."""
    if isinstance(value, Bot):
        settings = [[name, _content(setting)] for name, setting in value.settings]
        code = _instructions(value.function.__code__)
        return [_code(value.function.__module__), value.function.__qualname__, code, settings]
    if isinstance(value, Path):
        return ["file", file_hash(value)]
    if isinstance(value, str | int | float | None):
        return repr(value)
    if isinstance(value, tuple | list):
        return [_content(one) for one in value]
    if isinstance(value, dict):
        return [[_content(key), _content(one)] for key, one in value.items()]
    if callable(value) and hasattr(value, "__qualname__"):  # a function or a class
        return [_code(value.__module__), value.__qualname__]
    parts = [_code(module) for module in _modules(type(value))] + [type(value).__qualname__]
    if is_dataclass(value):
        return parts + [[field.name, _content(getattr(value, field.name))] for field in fields(value)]
    if hasattr(value, "__dict__"):
        return [*parts, _content(vars(value))]
    return [*parts, hashlib.blake2b(pickle.dumps(value), digest_size=12).hexdigest()]


def _instructions(code: CodeType) -> Any:
    """What a function does, for those that no file has: in a notebook only this tells two versions apart."""
    inner = [_instructions(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), code.co_names, inner]


def _modules(kind: type) -> list[str]:
    """Where a class and what it inherits are written."""
    return list(dict.fromkeys(parent.__module__ for parent in kind.__mro__ if parent is not object))


def _code(module: str) -> str:
    """A module by its contents: the file it was loaded from, or the whole package that it belongs to."""
    found = sys.modules[module]
    loaded = loaded_source(found)
    if loaded is not None:
        return loaded
    package = module.partition(".")[0]
    if package == "holdmem" or package in sys.stdlib_module_names:
        return module  # our source is in the hash once for all
    folders = getattr(sys.modules[package], "__path__", None)
    file = Path(folders[0]) if folders else Path(getattr(found, "__file__", None) or "")
    return file_hash(file) if file.name else module


def file_hash(path: Path) -> str:
    """A hash of a file, or of all files of a folder by their place in it."""
    if not path.exists():
        raise AgentError(f"expected a file or folder, got {path}, which does not exist")
    digest = hashlib.blake2b(digest_size=12)
    inside = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    for file in inside:
        if "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
