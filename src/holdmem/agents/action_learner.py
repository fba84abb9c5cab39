"""The Action Learner: learns weights of fold, call and raise for each state (Marques n.d., §4.1.2)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from holdmem.agents.action_kernels import act, decide, learn
from holdmem.agents.knowledge import Knowledge
from holdmem.agents.learner import Floats, Ints, Learner, LearnerSeat
from holdmem.errors import AgentError
from holdmem.rules import Game
from holdmem.table import Finished, Streams, Views, register
from holdmem.table.streams import philox_key


class First(NamedTuple):
    """Where the first weights come from: random numbers up to `scale` big blinds."""

    key: np.uint64
    scale: float


class How(NamedTuple):
    """What it decides by."""

    first: First
    explore: float
    sizes: Floats


class ActionSeat(LearnerSeat):
    """Keeps the weights of each state."""

    agent: "ActionLearner"

    def __init__(
        self, agent: "ActionLearner", game: Game, tables: int, known: Knowledge | None, streams: Streams
    ) -> None:
        sizes = (1.0,) if game.limit else agent.raises
        super().__init__(agent, game, tables, 2 + len(sizes), sizes, known, streams)
        scale = agent.scale * most_to_lose(game)
        self.first = First(philox_key(streams.spawn("first weights")), scale)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the weights."""
        return ("fold", "call", *raise_names(self.sizes))

    def weights(self, views: Views, states: Ints) -> Floats:
        """The normalised weights."""
        out = np.empty((len(states), 2 + len(self.sizes)))
        rows, tables = np.ascontiguousarray(views.rows), np.ascontiguousarray(views.table)
        decide(rows, tables, states, self.memory, self.first, self.agent.explore, out)
        return out

    @cached_property
    def step(self) -> tuple[Any, How]:
        """What `act` of the kernels takes."""
        return act, How(self.first, self.agent.explore, np.array(self.sizes))

    def learn(self, hands: Finished) -> None:
        """Every decision is rewarded by outcome, action and amount."""
        learn(
            self.game.rules_row,
            hands.batch.hands,
            hands.history,
            hands.lineup == hands.player,
            hands.lineup,
            hands.spots,
            np.ascontiguousarray(hands.tables),
            self.lookup,
            self.memory,
            self.first,
            np.array(self.sizes),
            self.agent.learning,
        )


def most_to_lose(game: Game) -> float:
    """Big blinds that a hand can cost: a stack, or in limit all the bets there can be, if that is less."""
    chips = min(game.stacks)
    if game.raise_sizes is not None:
        bets = zip(game.raise_sizes, game.max_raises, strict=True)
        chips = min(chips, game.big_blind + sum(size * most for size, most in bets))
    return chips / game.big_blind


def raise_names(sizes: tuple[float, ...]) -> tuple[str, ...]:
    """What raises of these sizes are called."""
    if len(sizes) == 1:
        return ("raise",)
    words = {0.0: "least raise", np.inf: "all-in"}
    return tuple(words.get(size, f"raise {size:g} pots") for size in sizes)


@register(
    "action-learner",
    style="learns from scratch which action pays in which situation",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class ActionLearner(Learner):
    """Weights (fold, call, raise) for each state, rewarded after every hand by table 4.1.

    raises      sizes of its raises in no-limit, in pots, from the smallest (0 for the least, inf for all-in)
    scale       the first weights of calls and raises are random up to so many times what a hand can cost
    """

    raises: tuple[float, ...] = (1.0,)
    scale: float = 10.0

    learner: ClassVar[str] = "action-learner"

    def __post_init__(self) -> None:
        super().__post_init__()
        rising = all(one < other for one, other in zip(self.raises, self.raises[1:], strict=False))
        if not self.raises or not rising or not self.raises[0] >= 0:
            raise AgentError(f"{self.learner}: expected raises that rise, one or more, got {self.raises}")
        if not 0 < self.scale < np.inf:
            raise AgentError(f"{self.learner}: expected a scale above 0, got {self.scale}")

    def sit(self, game: Game, tables: int, rng: Streams) -> ActionSeat:
        """Plays every game, with what is in its file or nothing."""
        settings, known = self.recalled()
        if known is not None and game.limit and known.values.shape[1] != 3:
            raise AgentError(
                f"{self.knowledge}: expected one size of raise for limit, got {settings['raises']}"
            )
        return ActionSeat(replace(self, **settings), game, tables, known, rng)
