"""`Design`: everything that the result of a match depends on, as a frozen value with a hash."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

from holdmem.compiled import source_hash
from holdmem.errors import AgentError, GameError
from holdmem.rules import Game
from holdmem.table import Agent, Bot, Streams, WatchingSeat, make_agent

Kind = Literal["duplicate", "ring", "bankroll", "freeze-out"]
Memory = Literal["wiped", "kept"]
Luck = Literal["adjusted", "divat", "divat-showdown"]

ALL_PERMUTATIONS_UP_TO = 4


@dataclass(frozen=True)
class Design:
    """Who plays whom at what, how long and how.

    duplicate    the same cards again with the players in every other order (all orders up to four seats,
                 every rotation above); `hands` is per order
    ring         the button moves on with every hand, all cards are new
    bankroll     the same with stacks carried over; a player without chips is out
    freeze-out   the same until one has all chips, with blinds that double every `level_hands` hands

    `memory` says whether agents that learn forget between the orders of a duplicate match; between matches
    they always do.
    """

    game: Game
    agents: tuple[str, ...]
    hands: int = 3000
    matches: int = 1
    kind: Kind = "duplicate"
    memory: Memory = "wiped"
    seed: int = 0
    luck: tuple[Luck, ...] = ()
    level_hands: int = 50
    time_limit: float = 0.0
    """Seconds that an agent may take for the decisions of one batch; 0 for as long as it likes."""

    def __post_init__(self) -> None:
        if len(self.agents) != self.game.seats:
            raise GameError(f"{self.game.name}: expected {self.game.seats} agents, got {len(self.agents)}")
        for name in ("hands", "matches", "level_hands"):
            if getattr(self, name) < 1:
                raise GameError(f"expected {name} of 1 or more, got {getattr(self, name)}")
        if self.seed < 0:
            raise GameError(f"expected a seed of 0 or more, got {self.seed}")

    @property
    def sequential(self) -> bool:
        """Whether hands depend on the hands before: stacks are carried over, or somebody learns."""
        return self.kind in ("bankroll", "freeze-out") or learns(self.game, self.agents)

    @property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """The orders in which the players sit, one for each part of a match: lineup[seat] is a player."""
        seats = self.game.seats
        if self.kind == "duplicate" and seats <= ALL_PERMUTATIONS_UP_TO:
            return tuple(permutations(range(seats)))
        return tuple(tuple((seat - turn) % seats for seat in range(seats)) for turn in range(seats))

    @property
    def hands_per_match(self) -> int:
        """Hands in all orders together; the rest of a round of the button is played in a ring game."""
        if self.kind == "duplicate":
            return self.hands * len(self.lineups)
        if self.kind == "ring":
            return -(-self.hands // self.game.seats) * self.game.seats
        return self.hands

    @property
    def hash(self) -> str:
        """Names the result: changes with the design, with our source, and with any file an agent names."""
        described = {field.name: getattr(self, field.name) for field in fields(self)}
        described["game"] = asdict(self.game)
        content = [_agent_content(make_agent(text)) for text in self.agents]
        # Agents count by what they are, not by how they were written or where their files lie.
        described["agents"] = content
        text = json.dumps([described, source_hash()], sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@cache
def learns(game: Game, agents: tuple[str, ...]) -> bool:
    """Whether any of the agents watches hands, and so plays hand after hand."""
    seats = (make_agent(text).sit(game, 1, Streams(0)) for text in agents)
    return any(isinstance(seat, WatchingSeat) for seat in seats)


def _agent_content(agent: Agent) -> Any:
    """What an agent is: its class and parameters, and the contents of every file that these name."""
    if isinstance(agent, Bot):
        return ["bot", agent.function.__qualname__, _code_content(agent.function), repr(agent.settings)]
    parts: list[Any] = [type(agent).__qualname__]
    module = type(agent).__module__
    if module.startswith("holdmem.table.files."):
        parts.append(_file_hash(Path(bytes.fromhex(module.rpartition(".")[2]).decode())))
    elif not module.startswith("holdmem."):
        parts.append(module)
    if is_dataclass(agent):
        parts += [[field.name, _value_content(getattr(agent, field.name))] for field in fields(agent)]
    return parts


def _code_content(function: Any) -> Any:
    """The file of a function; the code itself where no file has it, as in a notebook."""
    code = function.__code__
    if Path(code.co_filename).is_file():
        return _file_hash(Path(code.co_filename))
    return [code.co_code.hex(), repr(code.co_consts), repr(code.co_names)]


def _value_content(value: Any) -> Any:
    if isinstance(value, Path):
        return _file_hash(value)
    if isinstance(value, tuple):
        return [_value_content(one) for one in value]
    return _agent_content(value) if hasattr(value, "sit") else repr(value)


def _file_hash(path: Path) -> str:
    """A hash of a file, or of all files of a folder by their place in it."""
    if not path.exists():
        raise AgentError(f"expected a file or folder, got {path}, which does not exist")
    digest = hashlib.blake2b(digest_size=12)
    for file in [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file()):
        digest.update(str(file.relative_to(path)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()
