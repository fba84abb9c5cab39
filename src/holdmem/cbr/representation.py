"""`Representation` declares what a case is, and is found by its name or in a file."""

from dataclasses import dataclass
from pathlib import Path

from holdmem.agent import registered
from holdmem.agent.agent_files import load_file
from holdmem.cbr.features.feature import Features
from holdmem.cbr.retrieve import Nearest, Retrieval
from holdmem.cbr.solutions import Triple, Vocabulary
from holdmem.core.errors import AgentError, NotationError, nearest
from holdmem.engine import STREET_NAMES, Game


@dataclass(frozen=True)
class Representation:
    """What a case is: features per street, how cases are retrieved, and which kinds of action they record.

    A feature of weight 0 is kept for explanations only. `default` holds the action weights (a triple, unless
    `actions` has other kinds) used when nothing is retrieved. `limit` and `seats` restrict the games in which
    the representation is valid.
    """

    name: str
    streets: tuple[Features, ...]
    retrieval: Retrieval = Nearest()  # noqa: RUF009  a frozen value
    actions: Vocabulary = Triple()  # noqa: RUF009  a frozen value
    default: tuple[float, ...] = (0.0, 1.0, 0.0)
    limit: bool | None = None
    seats: tuple[int, ...] = ()
    merged: bool = True
    """Merge cases with equal features into one with counts; otherwise each decision stays a separate case."""

    def __post_init__(self) -> None:
        if len(self.streets) != len(STREET_NAMES):
            raise NotationError(f"{self.name}: expected features for four streets, got {len(self.streets)}")

    def check(self, game: Game) -> None:
        """Raise AgentError if this representation is not valid for the game."""
        if self.limit is not None and game.limit != self.limit:
            wanted = "limit" if self.limit else "no-limit"
            raise AgentError(f"{self.name}: expected a {wanted} game, got {game.name}")
        if self.seats and game.seats not in self.seats:
            wanted = " or ".join(map(str, self.seats))
            raise AgentError(f"{self.name}: expected {wanted} seats, got {game.seats} in {game.name}")


_DECLARED: dict[str, Representation] = {}


def declare(representation: Representation) -> Representation:
    """Register a representation by its name, for `holdmem learn --as` and for case bases on disk."""
    _DECLARED[representation.name] = representation
    return representation


def representations() -> dict[str, Representation]:
    """Return all declared representations by name, including those of every registered agent."""
    registered()  # imports the modules of all agents, which declare their representations
    return dict(sorted(_DECLARED.items()))


def find_representation(name: str) -> Representation:
    """Return the representation with this name, or the one in a file: `./mycases.py:MINE`."""
    path, _, thing = name.rpartition(":")
    if path.endswith(".py"):
        found = getattr(load_file(path), thing, None)
        if not isinstance(found, Representation):
            raise NotationError(f"{path}: {thing!r} is not a Representation")
        return found
    known = representations()
    if name not in known:
        raise NotationError(
            f"expected a representation or one in a file, such as ./mycases.py:MINE, got {name!r};"
            f" {nearest(name, list(known))}"
        )
    return known[name]


def header_name(name: str) -> str:
    """Return the name under which a case base's header finds its representation; files by their full path."""
    path, _, thing = name.rpartition(":")
    return f"{Path(path).resolve()}:{thing}" if path.endswith(".py") else name
