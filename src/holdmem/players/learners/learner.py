"""Shared parts of the two learners: parameters, states, memory, and knowledge that is saved and loaded."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from holdmem.agent import Actions, Detail, FinishedHands, Policy, SeatState, View, Views, legal_policy
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.seat_state import checked_array, prefixed, unprefixed
from holdmem.agent.words.english import counted
from holdmem.core.errors import AgentError, KnowledgeError, NotationError
from holdmem.core.random import Streams, kernel_key
from holdmem.core.types import Floats, Ints
from holdmem.engine import STREET_NAMES, Game
from holdmem.opponents.player_types import OpponentTyping, TypeThresholds, kinds
from holdmem.opponents.seating import Seating
from holdmem.players.learners.kernels.learner import see_views, size_raises
from holdmem.players.learners.states import States
from holdmem.players.learners.value_table import SETTINGS, ValueTable, read_knowledge
from holdmem.strength.bucketings import Bucketing, BucketingStrategy, BucketMetric, StreetCuts
from holdmem.strength.expected_strength import MeanTables, mean_tables


class StateLookup(NamedTuple):
    """Constant tables used to find the state of a view."""

    means: MeanTables
    cuts: StreetCuts
    kinds: TypeThresholds


class LearnerMemory(NamedTuple):
    """What a learner remembers, one row per table."""

    values: Floats  # [table, state, action]
    visits: Ints  # [table, state] decisions there
    lessons: Ints  # [table, state] those of them from which something was learned
    hands: Ints  # [table]
    counts: Ints  # [table, player, what] how the others play, for their types
    keys: Ints  # [table, street] cards whose bucket is known
    buckets: Ints  # [table, street] that bucket


KEPT = ("values", "visits", "lessons", "hands", "counts")
"""Fields of a memory that are saved; the others are caches."""


class LearnerSeat(SamplingSeat):
    """Seat that remembers, per table, what it has learned about each state and how the others play."""

    def __init__(
        self,
        agent: "Learner",
        game: Game,
        tables: int,
        width: int,
        sizes: tuple[float, ...],
        known: ValueTable | None,
        rng: Streams,
    ) -> None:
        super().__init__(rng)
        self.sizes: tuple[float, ...] = (1.0,) if game.limit else sizes
        self.agent = agent
        self.game = game
        self.states: States = States(agent.split_by, agent.typing)
        self.lookup: StateLookup = StateLookup(mean_tables(), self.states.bucketing.cuts, kinds(agent.typing))
        self.neighbours: Seating = Seating(tables)
        # Zeros take no memory until they are written to: most states never come up.
        self.memory: LearnerMemory = LearnerMemory(
            np.zeros((tables, self.states.count, width)),
            np.zeros((tables, self.states.count), np.int64),
            np.zeros((tables, self.states.count), np.int64),
            np.zeros(tables, np.int64),
            np.zeros((tables, game.seats, 4), np.int64),
            np.full((tables, len(STREET_NAMES)), -1, np.int64),
            np.zeros((tables, len(STREET_NAMES)), np.int64),
        )
        if known is not None:
            self.recall(known)

    def recall(self, known: ValueTable) -> None:
        """Start from this knowledge at every table."""
        if known.values.shape != self.memory.values.shape[1:]:
            raise KnowledgeError(
                f"expected knowledge of {self.memory.values.shape[1]:,} states with"
                f" {self.memory.values.shape[2]} values each, got shape {known.values.shape}"
            )
        self.memory.values[:] = known.values
        self.memory.visits[:] = known.visits
        self.memory.lessons[:] = known.lessons
        self.memory.hands[:] = known.hands

    def states_of(self, views: Views) -> Ints:
        """Return the state of each view."""
        out = np.empty(len(views), np.int64)
        see_views(
            self.game.rules_row,
            np.ascontiguousarray(views.rows),
            *views.played,
            np.ascontiguousarray(views.table),
            self.neighbours.players(views),
            self.lookup,
            self.memory,
            out,
        )
        return out

    @abstractmethod
    def weights(self, views: Views, states: Ints) -> Floats:
        """Return the weights of fold, call and each raise in these states."""

    @abstractmethod
    def learn(self, hands: FinishedHands) -> None:
        """Update the memory with these hands."""

    @property
    @abstractmethod
    def step(self) -> tuple[Any, Any]:
        """The kernel that finds the state, decides and draws an action, and its parameters."""

    def policy(self, views: Views) -> Policy:
        """Return the policy learned for the state of each view."""
        codes = np.empty((len(views), 2 + len(self.sizes)), np.int64)
        size_raises(np.ascontiguousarray(views.rows), np.array(self.sizes), codes)
        return legal_policy(views, self.weights(views, self.states_of(views)), codes[:, 2:])

    def act(self, views: Views) -> Actions:
        """Return the actions that would be drawn from the policy, in one compiled step."""
        out = np.empty(len(views), np.int64)
        kernel, how = self.step
        kernel(
            self.game.rules_row,
            np.ascontiguousarray(views.rows),
            views.played,
            np.ascontiguousarray(views.table),
            self.neighbours.players(views),
            self.lookup,
            self.memory,
            how,
            kernel_key(self.rng),
            out,
        )
        return Actions(out)

    def watch(self, hands: FinishedHands) -> None:
        """Learn from finished hands and record the seating."""
        missing = int(hands.lineup.max(initial=0)) + 1 - self.memory.counts.shape[1]
        if missing > 0:  # more players than seats may take turns at a table
            counts = np.pad(self.memory.counts, ((0, 0), (0, missing), (0, 0)))
            self.memory = self.memory._replace(counts=counts)
        self.learn(hands)
        self.neighbours.watch(hands)

    def state(self) -> SeatState:
        """Return what was learned, how the others play, and the seating; buckets are recomputed."""
        return {
            **{name: getattr(self.memory, name) for name in KEPT},
            **prefixed("neighbours", self.neighbours.state()),
        }

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        found = {
            name: checked_array(state, name, getattr(self.memory, name)) for name in KEPT if name != "counts"
        }
        counts = checked_array(state, "counts", self.memory.counts, wider=True)
        self.neighbours.restore(unprefixed(state, "neighbours"), counts.shape[1])
        self.memory.keys[:] = -1
        self.memory = self.memory._replace(counts=counts, **found)

    def knowledge(self, table: int = 0, notes: Mapping[str, Any] | None = None) -> ValueTable:
        """Return what has been learned at one table."""
        memory = self.memory
        return ValueTable(
            self.agent.learner,
            self.agent.settings,
            int(memory.hands[table]),
            memory.values[table].copy(),
            memory.visits[table].copy(),
            memory.lessons[table].copy(),
            notes or {},
        )

    def reasons(self, view: View) -> list[str]:
        """Say how it sees the situation, how often it has met it, and what it has learned there."""
        views = view.alone
        state, table = int(self.states_of(views)[0]), int(views.table[0])
        lessons, values = int(self.memory.lessons[table, state]), self.memory.values[table, state].tolist()
        seen = f"it sees no more than this: {self.states.plain_words(state)}"
        if not lessons:
            return [seen, f"It has learned nothing about such situations yet; {self.untaught(table)}"]
        learned = f"It has learned from {counted(lessons, 'such decision')}"
        return [seen, learned, *self.lessons(table, values)]

    @abstractmethod
    def untaught(self, table: int) -> str:
        """Say what it does where it has learned nothing."""

    @abstractmethod
    def lessons(self, table: int, values: list[float]) -> list[str]:
        """Say what the values of a state are and how they decide."""

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the state and the value of each action in it."""
        state, table = int(self.states_of(views)[0]), int(views.table[0])
        lessons, visits = int(self.memory.lessons[table, state]), int(self.memory.visits[table, state])
        seen = Detail(self.states.words(state), float(lessons > 0), {"visits": visits, "lessons": lessons})
        values = self.memory.values[table, state].tolist()
        return (seen, *(Detail(name, value) for name, value in zip(self.names, values, strict=True)))

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of the values of a state."""


@dataclass(frozen=True)
class Learner:
    """The parameters of both learners.

    bucketing, buckets, inner, metric, low, high   how hands are sorted: see `Bucketing`
    typing      types of opponents: four as in the thesis, sixteen, or none
    explore     probability of an action from the random strategy, whatever was learned
    knowledge   a file written by `holdmem train` to start from; its bucketing, typing and raises apply
    learning    off: play with what is known and learn no more (types of opponents are still recorded)
    """

    bucketing: BucketingStrategy = "LNU"
    buckets: int = 24
    inner: int = 3
    metric: BucketMetric = "e_hs2"
    low: float | None = None
    high: float | None = None
    typing: OpponentTyping = "four"
    explore: float = 0.0
    knowledge: Path | None = None
    learning: bool = True

    learner: ClassVar[str] = "learner"

    def __post_init__(self) -> None:
        try:
            self.split_by  # noqa: B018
        except NotationError as error:
            raise AgentError(f"{self.learner}: {error}") from error
        for name in self.shares:
            if not 0 <= getattr(self, name) <= 1:
                raise AgentError(f"{self.learner}: expected {name} from 0 to 1, got {getattr(self, name)}")

    shares: ClassVar[tuple[str, ...]] = ("explore",)

    @property
    def split_by(self) -> Bucketing:
        """How hands are sorted into buckets."""
        return Bucketing(self.bucketing, self.buckets, self.inner, self.metric, self.low, self.high)

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that determine the number of states and actions."""
        return {name: getattr(self, name, (1.0,)) for name in SETTINGS}

    def load_knowledge(self) -> tuple[dict[str, Any], ValueTable | None]:
        """Return the effective settings, and the knowledge in the file if one is given."""
        if self.knowledge is None:
            return self.settings, None
        known = read_knowledge(self.knowledge)
        if known.learner != self.learner:
            raise KnowledgeError(
                f"{self.knowledge}: expected knowledge of {self.learner}, got {known.learner}"
            )
        usual = {one.name: one.default for one in fields(self)}
        for name, value in self.settings.items():
            if value not in (usual.get(name, value), known.settings[name]):
                raise KnowledgeError(f"{self.knowledge}: expected {name} {value}, got {known.settings[name]}")
        return dict(known.settings), known
