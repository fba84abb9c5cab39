"""Outcome Learner: learns how often each state leads to a win and folds less where it does.

Source: Marques (n.d., §4.1.1).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from holdmem.agent import FinishedHands, Views, register
from holdmem.agent.words.english import counted, percent
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.players.learners.kernels.outcome_learner import act, decide, learn
from holdmem.players.learners.learner import Learner, LearnerSeat


class OutcomeParams(NamedTuple):
    """Parameters of the `act` kernel."""

    minimum: int
    explore: float
    sizes: Floats


class OutcomeSeat(LearnerSeat):
    """Seat that keeps the wins and losses of each state."""

    agent: "OutcomeLearner"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the values kept per state."""
        return ("wins", "losses")

    def untaught(self, table: int) -> str:
        """Say how it plays its first hands."""
        return f"{self._first(table)} mostly calls and sometimes raises"

    def lessons(self, table: int, values: list[float]) -> list[str]:
        """Say the share of wins, which sets how rarely it folds."""
        wins, losses = values
        share = wins / (wins + losses) if wins + losses > 0 else 0.0
        won = f"Such situations have ended well {percent(share)} of the time"
        first = f"{self._first(table)} plays at random and does not use that yet"
        return [
            f"{won}; the more often, the less it folds",
            *([first] if self.memory.hands[table] < self.agent.minimum else []),
        ]

    def _first(self, table: int) -> str:
        left = self.agent.minimum - int(self.memory.hands[table])
        return f"for another {counted(left, 'hand')} it" if left > 0 else "there it"

    def weights(self, views: Views, states: Ints) -> Floats:
        """Return the probabilities of fold, call and raise from the share of wins; random at first."""
        out = np.empty((len(states), 3))
        minimum, explore = self.agent.minimum, self.agent.explore
        decide(np.ascontiguousarray(views.table), states, self.memory, minimum, explore, out)
        return out

    @cached_property
    def step(self) -> tuple[Any, OutcomeParams]:
        """Return the `act` kernel and its parameters."""
        return act, OutcomeParams(self.agent.minimum, self.agent.explore, np.array(self.sizes))

    def learn(self, hands: FinishedHands) -> None:
        """Update every visited state by whether the hand was won."""
        learn(
            self.game.rules_row,
            hands.batch.hands,
            hands.history,
            hands.lineup == hands.player,
            hands.lineup,
            np.ascontiguousarray(hands.tables),
            self.lookup,
            self.memory,
            self.agent.rate,
            self.agent.following == "any",
            self.agent.learning,
        )


@register(
    "outcome-learner",
    style="learns from scratch which situations end well, and plays those",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class OutcomeLearner(Learner):
    """Keeps a pair (wins, losses) for each state; the larger the share of wins, the less it folds.

    minimum     number of hands played at random first: 70% calls, 30% raises
    rate        learning rate of equations 4.12 and 4.13
    following   states the maximum in them is over: those `visited` on the next street, or `any` state of it
    size        raise size in no-limit, in pots (0 is the minimum raise, inf all-in)
    """

    minimum: int = 1000
    rate: float = 0.9
    following: Literal["visited", "any"] = "visited"
    size: float = 1.0

    learner: ClassVar[str] = "outcome-learner"
    shares: ClassVar[tuple[str, ...]] = ("explore", "rate")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minimum < 0 or not self.size >= 0:
            raise AgentError(
                f"{self.learner}: expected minimum and size of 0 or more, got {self.minimum} and {self.size}"
            )

    def sit(self, game: Game, tables: int, rng: Streams) -> OutcomeSeat:
        """Return a seat for any game, starting from its knowledge file if it has one."""
        settings, known = self.load_knowledge()
        settings.pop("raises")
        return OutcomeSeat(replace(self, **settings), game, tables, 2, (self.size,), known, rng)
