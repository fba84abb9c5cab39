"""`Design`: everything that determines the result of a match, as a frozen value with a hash."""

import hashlib
import json
import pickle
import sys
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import permutations
from pathlib import Path
from types import CodeType
from typing import Any, Literal, get_args

import numpy as np

from holdmem.agent import Agent, Bot, make_agent
from holdmem.agent.agent_files import source_hash as loaded_source
from holdmem.arena.dependencies import PLAY, file_hash, module_digest, whole_digest
from holdmem.core.choices import MatchKind, MemoryMode, OnError, VarianceMethod
from holdmem.core.errors import GameError, NotationError
from holdmem.core.random import Streams
from holdmem.engine import UNLIMITED, Game

DesignSeed = int | Literal["secret"]
"""An integer, or `"secret"` for one that is drawn for the run and published only after it has ended."""

SECRET: Literal["secret"] = "secret"

DeckPurpose = Literal["play", "record", "test"]
"""What decks are for. Decks of different purposes differ whatever their seeds, so that a player is never
tested on decks that its memory was recorded with."""

ALL_PERMUTATIONS_UP_TO = 4
CARRIED = ("bankroll", "freeze-out")
MOST = 2**32
"""Maximum number of hands per match and of matches: each has 32 bits of the random-number counter."""


@dataclass(frozen=True)
class Design:
    """Players, game, length and format of a match.

        duplicate    the same cards are replayed with the players in every other order (all orders up to four
                     seats, every rotation above); `hands` is per order
        ring         the button moves with every hand, and every hand has new cards
        bankroll     a ring game with stacks carried over; a player without chips is out
        freeze-out   a bankroll match until one player has all chips (or `hands` are played), in which blinds
                     and bets double every `level_hands` hands

    `memory` determines whether agents that learn forget between the orders of a duplicate match; they always
    forget between matches.
    """

    game: Game
    agents: tuple[str, ...]
    hands: int = 3000
    matches: int = 1
    kind: MatchKind = "duplicate"
    memory: MemoryMode = "wiped"
    seed: DesignSeed = 0
    """`"secret"` until the design is run, which replaces it by a number."""
    luck: tuple[VarianceMethod, ...] = ()
    level_hands: int = 50
    time_limit: float = 0.0
    """Seconds that an agent may take for the decisions of one batch; 0 for no limit."""
    on_error: OnError = "stop"
    """Whether an agent's failure stops the match, or becomes a check or fold that is counted."""
    purpose: DeckPurpose = "play"
    """What the decks are for: `record` those from which memories are learned, `test` those on which they are
    tested; `play` everything else."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "luck", tuple(dict.fromkeys(self.luck)))
        if len(self.agents) != self.game.seats:
            raise GameError(f"{self.game.name}: expected {self.game.seats} agents, got {len(self.agents)}")
        for name in ("hands", "matches", "level_hands"):
            if getattr(self, name) < 1:
                raise GameError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name, given, known in (
            ("kind", (self.kind,), MatchKind),
            ("memory", (self.memory,), MemoryMode),
            ("luck", self.luck, VarianceMethod),
            ("on_error", (self.on_error,), OnError),
            ("purpose", (self.purpose,), DeckPurpose),
        ):
            for value in given:
                _expect_choice(name, value, get_args(known))
        if max(self.hands_per_match, self.matches) > MOST:
            raise GameError(f"expected at most {MOST:,} hands per match and matches, got {self.hands:,}")
        if self.seed != SECRET and (isinstance(self.seed, str) or self.seed < 0):
            raise GameError(f"expected a seed of 0 or more, or {SECRET!r}, got {self.seed!r}")
        if not self.time_limit >= 0:
            raise GameError(f"expected a time limit of 0 or more, got {self.time_limit}")
        if self.game.seats > 2 and any(name.startswith("divat") for name in self.luck):
            raise GameError(f"{self.game.name}: DIVAT needs a heads-up game, got {self.game.seats} seats")
        if "aivat" in self.luck:
            self._check_aivat()
        if self.kind in CARRIED and sum(self.game.stacks) > UNLIMITED:
            raise GameError(
                f"{self.game.name}: a {self.kind} match carries stacks over from hand to hand, but they are"
                " unlimited here; give every player a stack, or play no-limit"
            )

    def _check_aivat(self) -> None:
        """Raise GameError where AIVAT does not apply: hands that start differently, unknown policies."""
        if self.game.seats != 2:
            raise GameError(
                f"{self.game.name}: AIVAT needs a heads-up game, got {self.game.seats} seats; use adjusted"
            )
        if self.kind in CARRIED:
            raise GameError(f"AIVAT needs hands that start with equal stacks, got a {self.kind} match")
        if self.on_error != "stop":
            raise GameError(
                "AIVAT needs agents that act by their policies; on_error 'fold' replaces failed decisions"
            )

    @property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """The seating orders, one for each part of a match: lineup[seat] is a player."""
        seats = self.game.seats
        if self.kind == "duplicate" and seats <= ALL_PERMUTATIONS_UP_TO:
            return tuple(permutations(range(seats)))
        # The button moves to the left: the player in the big blind posts the small blind in the next hand.
        return tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))

    @property
    def hands_per_match(self) -> int:
        """Hands in all orders together; a ring game is rounded up to whole rounds of the button."""
        if self.kind == "duplicate":
            return self.hands * len(self.lineups)
        if self.kind == "ring":
            return -(-self.hands // self.game.seats) * self.game.seats
        return self.hands

    @property
    def samples_per_match(self) -> int:
        """Number of decks in a duplicate match, or of rounds of the button in a ring game."""
        return self.hands_per_match // len(self.lineups)

    def rng(self, *what_for: int | str) -> Streams:
        """Return the source of random numbers for a purpose."""
        if self.seed == SECRET:
            raise GameError("this design has a secret seed, which only run() draws")
        of_purpose = () if self.purpose == "play" else (self.purpose,)
        return Streams.of(self.seed, *of_purpose, *what_for)

    def make_agents(self) -> tuple[Agent, ...]:
        """Build the agents as they are now: a file that has changed is reloaded."""
        return tuple(make_agent(text) for text in self.agents)

    @property
    def hash(self) -> str:
        """Identifier of the result: of the design, the code that plays, and the files that agents read."""
        return self.hash_with(self.make_agents())

    def hash_with(self, agents: tuple[Agent, ...]) -> str:
        """Return the hash, given the agents that the design's texts stand for."""
        described = {field.name: getattr(self, field.name) for field in fields(self)}
        described["game"] = asdict(self.game)
        # Agents are hashed by content, not by the text that names them or the location of their files.
        described["agents"] = [_content(agent) for agent in agents]
        del described["time_limit"]  # may stop a match but never changes its result
        text = json.dumps([described, PLAY], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _expect_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise NotationError(f"expected {name} {', '.join(known[:-1])} or {known[-1]}, got {value!r}")


def content_hash(agent: Any) -> str:
    """Return a hash of the content of an agent or function, with files by what they contain."""
    text = json.dumps(_content(agent), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _content(value: Any) -> Any:
    """Describe a parameter's content as JSON values: agents with their code, files by what they contain.

    Fields of dataclasses whose metadata says `affects_play=False` are left out. An agent that reads shipped
    files which are in none of its fields lists them as `shipped_files`.
    """
    if isinstance(value, Bot):
        settings = [[name, _content(setting)] for name, setting in value.settings]
        code = _instructions(value.function.__code__)
        return [_code(value.function.__module__), value.function.__qualname__, code, settings]
    if isinstance(value, Path):
        return ["file", file_hash(value)]
    if isinstance(value, str | int | float | None):
        return repr(value)
    if isinstance(value, np.ndarray | np.generic):
        content = hashlib.blake2b(value.tobytes(), digest_size=12).hexdigest()
        return ["array", str(value.dtype), list(value.shape), content]
    if isinstance(value, tuple | list):
        return [_content(one) for one in value]
    if isinstance(value, dict):
        return [[_content(key), _content(one)] for key, one in value.items()]
    if callable(value) and hasattr(value, "__qualname__"):  # a function or a class
        return [_code(value.__module__), value.__qualname__]
    parts = [_code(module) for module in _modules(type(value))] + [type(value).__qualname__]
    if is_dataclass(value):
        playing = [field for field in fields(value) if field.metadata.get("affects_play", True)]
        parts += [[field.name, _content(getattr(value, field.name))] for field in playing]
        return parts + [_content(path) for path in getattr(value, "shipped_files", ())]
    if hasattr(value, "__dict__"):
        return [*parts, _content(vars(value))]
    return [*parts, hashlib.blake2b(pickle.dumps(value), digest_size=12).hexdigest()]


def _instructions(code: CodeType) -> Any:
    """Describe what a function does. In a notebook, only this distinguishes two versions of a function."""
    inner = [_instructions(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), code.co_names, inner]


def _modules(kind: type) -> list[str]:
    """Return the modules that define a class and its base classes."""
    return list(dict.fromkeys(parent.__module__ for parent in kind.__mro__ if parent is not object))


def _code(module: str) -> Any:
    """Identify a module by its contents: the file it was loaded from, or the whole package it belongs to.

    Code from elsewhere may use any part of HoldMem, so its identity includes the whole of ours.
    """
    found = sys.modules[module]
    package = module.partition(".")[0]
    loaded = loaded_source(found)
    if loaded is None and package == "holdmem":
        return [module, module_digest(module)]
    if loaded is None and package in sys.stdlib_module_names:
        return module
    return [loaded or _file_of(module, package), whole_digest()]


def _file_of(module: str, package: str) -> str:
    """Return the hash of the package that a module belongs to, or of its file; its name if it has none."""
    folders = getattr(sys.modules[package], "__path__", None)
    file = Path(folders[0]) if folders else Path(getattr(sys.modules[module], "__file__", None) or "")
    return file_hash(file) if file.name else module
