"""The Outcome Learner: learns how often each state ends well, and plays what does (Marques n.d., §4.1.1)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from holdmem.agents.learner import Floats, Ints, Learner, LearnerSeat
from holdmem.agents.outcome_kernels import act, decide, learn
from holdmem.errors import AgentError
from holdmem.rules import Game
from holdmem.table import Finished, Streams, Views, register


class How(NamedTuple):
    """What it decides by."""

    minimum: int
    explore: float
    sizes: Floats


class OutcomeSeat(LearnerSeat):
    """Keeps wins and losses of each state."""

    agent: "OutcomeLearner"

    @property
    def names(self) -> tuple[str, ...]:
        """Of a state."""
        return ("wins", "losses")

    def weights(self, views: Views, states: Ints) -> Floats:
        """The chances by the share of wins; random at first."""
        out = np.empty((len(states), 3))
        minimum, explore = self.agent.minimum, self.agent.explore
        decide(np.ascontiguousarray(views.table), states, self.memory, minimum, explore, out)
        return out

    @cached_property
    def step(self) -> tuple[Any, How]:
        """What `act` of the kernels takes."""
        return act, How(self.agent.minimum, self.agent.explore, np.array(self.sizes))

    def learn(self, hands: Finished) -> None:
        """Every state visited learns whether the hand was won."""
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
    """A pair (wins, losses) for each state; the more wins, the less it folds.

    minimum     hands that it plays at random first: 70% calls, 30% raises
    rate        learning rate of equations 4.12 and 4.13
    following   whose maximum is meant there: of the states `visited` on the next street, or `any` state of it
    size        raises of no-limit, in pots (0 for the least, inf for all-in)
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
                f"{self.learner}: expected a minimum and a size of 0 or more, got {self.minimum}, {self.size}"
            )

    def sit(self, game: Game, tables: int, rng: Streams) -> OutcomeSeat:
        """Plays every game, with what is in its file or nothing."""
        settings, known = self.recalled()
        settings.pop("raises")
        return OutcomeSeat(replace(self, **settings), game, tables, 2, (self.size,), known, rng)
