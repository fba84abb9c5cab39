"""`Representation` declares what a case is; `CaseBase` holds the cases of all streets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Views, registered
from holdmem.agent.agent_files import load_file
from holdmem.cbr.features.feature import Column, Features
from holdmem.cbr.retrieve import CaseIndex, Nearest, Neighbors, Retrieval
from holdmem.cbr.solutions import Solutions, Triple, Vocabulary
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


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of one street: one column of values per feature, and their solutions."""

    features: Features
    values: Mapping[str, Column]
    solutions: Solutions

    def __post_init__(self) -> None:
        if tuple(self.values) != self.features.names:
            raise NotationError(
                f"expected columns {', '.join(self.features.names)}, got {', '.join(self.values)}"
            )

    def __len__(self) -> int:
        return len(self.solutions)

    def __getitem__(self, which: Any) -> "Cases":
        chosen = {name: column[which] for name, column in self.values.items()}
        return Cases(self.features, chosen, self.solutions[which])

    @cached_property
    def memory(self) -> CaseIndex:
        """These cases prepared for retrieval."""
        return CaseIndex(self.features, self.values, self.solutions.seen)

    def reweighted(self, features: Features) -> "Cases":
        """Return these cases with different feature weights; the cached columns and tree are shared."""
        changed = Cases(features, self.values, self.solutions)
        changed.__dict__["memory"] = self.memory.reweighted(features)
        return changed

    def where(self, values: Mapping[str, Column], retrieval: Retrieval) -> Neighbors:
        """Retrieve the cases to use for targets with these feature values."""
        return retrieval.retrieve(self.memory, values)


def no_cases(features: Features, kinds: int) -> Cases:
    """Return an empty set of cases for one street."""
    empty: dict[str, Column] = {name: np.zeros(0, dtype=np.int64) for name in features.names}
    return Cases(features, empty, Solutions.empty(kinds))


@dataclass(frozen=True, eq=False)
class CaseBase:
    """Cases of all four streets and their metadata (see `storage`)."""

    representation: Representation
    streets: tuple[Cases, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def empty(cls, representation: Representation) -> "CaseBase":
        """Return a case base without cases."""
        kinds = len(representation.actions.names)
        return cls(representation, tuple(no_cases(features, kinds) for features in representation.streets))

    def __len__(self) -> int:
        return sum(len(cases) for cases in self.streets)

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Number of stored cases and of the decisions they represent, by street."""
        return {
            name: {"cases": len(cases), "decisions": int(cases.solutions.seen.sum())}
            for name, cases in zip(STREET_NAMES, self.streets, strict=True)
        }

    def reweighted(self, representation: Representation) -> "CaseBase":
        """Return the same cases under other weights or another retrieval, without copying any case."""
        pairs = zip(self.streets, representation.streets, strict=True)
        streets = tuple(cases.reweighted(features) for cases, features in pairs)
        return CaseBase(representation, streets, self.about)

    def recall(self, views: Views) -> tuple[Solutions, NDArray[np.float64], NDArray[np.int64]]:
        """Return each view's summed solutions, its best similarity and the number of cases used."""
        kinds = len(self.representation.actions.names)
        total = Solutions(*(np.zeros((len(views), kinds), np.int64) for _ in range(3)))
        similar, used = np.zeros(len(views)), np.zeros(len(views), np.int64)
        for street, cases in enumerate(self.streets):
            rows = np.flatnonzero(views.street == street)
            if len(rows) and len(cases):
                here = views if len(rows) == len(views) else views[rows]
                found = cases.where(cases.features.of(here), self.representation.retrieval)
                part = cases.solutions.over(found.places)
                total.counts[rows], total.settled[rows] = part.counts, part.settled
                total.won[rows] = part.won
                similar[rows], used[rows] = found.similarities[:, 0], (found.places >= 0).sum(axis=1)
        return total, similar, used
