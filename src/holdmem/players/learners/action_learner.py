"""Action Learner: learns weights of fold, call and raise for each state (Marques n.d., §4.1.2)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from holdmem.agent import FinishedHands, Views, register
from holdmem.agent.words.english import joined, plain
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams, philox_key
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.players.learners.kernels.action_learner import act, decide, learn
from holdmem.players.learners.learner import Learner, LearnerSeat
from holdmem.players.learners.value_table import ValueTable


class InitialWeights(NamedTuple):
    """Source of the initial weights: random numbers from 0 to `scale` big blinds, by Philox `key`."""

    key: np.uint64
    scale: float


class ActionParams(NamedTuple):
    """Parameters of the `act` kernel."""

    first: InitialWeights
    explore: float
    sizes: Floats


class ActionSeat(LearnerSeat):
    """Seat that keeps the action weights of each state."""

    agent: "ActionLearner"

    def __init__(
        self, agent: "ActionLearner", game: Game, tables: int, known: ValueTable | None, rng: Streams
    ) -> None:
        sizes = (1.0,) if game.limit else agent.raises
        super().__init__(agent, game, tables, 2 + len(sizes), sizes, known, rng)
        scale = agent.scale * most_to_lose(game)
        self.first: InitialWeights = InitialWeights(philox_key(rng.spawn("first weights")), scale)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the weights: fold, call and each raise size."""
        return ("fold", "call", *raise_names(self.sizes))

    def untaught(self, table: int) -> str:
        """Say that the first weights are random."""
        return "it plays them by habits that were set at random, until what it wins and loses changes them"

    def lessons(self, table: int, values: list[float]) -> list[str]:
        """State the weights of the actions: their probabilities before they are scaled to sum to one."""
        said = [f"{name} {plain(value)}" for name, value in zip(self.names, values, strict=True)]
        how = "It acts in proportion to them: they rise with the big blinds that an action won"
        return [
            f"The weights of its actions there are {joined(said)}",
            f"{how} and fall with those that it lost",
        ]

    def weights(self, views: Views, states: Ints) -> Floats:
        """Return the normalised weights, shape (views, 2 + raise sizes)."""
        out = np.empty((len(states), 2 + len(self.sizes)))
        rows, tables = np.ascontiguousarray(views.rows), np.ascontiguousarray(views.table)
        decide(rows, tables, states, self.memory, self.first, self.agent.explore, out)
        return out

    @cached_property
    def step(self) -> tuple[Any, ActionParams]:
        """Return the `act` kernel and its parameters."""
        return act, ActionParams(self.first, self.agent.explore, np.array(self.sizes))

    def learn(self, hands: FinishedHands) -> None:
        """Reward every decision of these hands by outcome, action and amount."""
        learn(
            self.game.rules_row,
            hands.batch.hands,
            hands.history,
            hands.lineup == hands.player,
            hands.lineup,
            hands.hand_ids,
            np.ascontiguousarray(hands.tables),
            self.lookup,
            self.memory,
            self.first,
            np.array(self.sizes),
            self.agent.learning,
        )


def most_to_lose(game: Game) -> float:
    """Return the most a hand can cost, in big blinds: the smallest stack or, in limit, all bets if less."""
    chips = min(game.stacks)
    if game.raise_sizes is not None:
        bets = zip(game.raise_sizes, game.max_raises, strict=True)
        chips = min(chips, game.big_blind + sum(size * most for size, most in bets))
    return chips / game.big_blind


def raise_names(sizes: tuple[float, ...]) -> tuple[str, ...]:
    """Return the display names of raises of these sizes, given in pots."""
    if len(sizes) == 1:
        return ("raise",)
    words = {0.0: "minimum raise", np.inf: "all-in"}
    return tuple(words.get(size, f"raise {size:g} pots") for size in sizes)


@register(
    "action-learner",
    style="learns from scratch which action pays in which situation",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class ActionLearner(Learner):
    """Keeps weights (fold, call, raise) for each state and rewards them after every hand (table 4.1).

    raises      raise sizes in no-limit, in pots, increasing (0 is the minimum raise, inf all-in)
    scale       upper bound of the random initial weights of calls and raises, as a multiple of the most a
                hand can cost
    """

    raises: tuple[float, ...] = (1.0,)
    scale: float = 10.0

    learner: ClassVar[str] = "action-learner"

    def __post_init__(self) -> None:
        super().__post_init__()
        rising = all(one < other for one, other in zip(self.raises, self.raises[1:], strict=False))
        if not self.raises or not rising or not self.raises[0] >= 0:
            raise AgentError(
                f"{self.learner}: raises must be 0 or more and strictly increasing, got {self.raises}"
            )
        if not 0 < self.scale < np.inf:
            raise AgentError(f"{self.learner}: expected a scale above 0, got {self.scale}")

    def sit(self, game: Game, tables: int, rng: Streams) -> ActionSeat:
        """Return a seat for any game, starting from its knowledge file if it has one."""
        settings, known = self.load_knowledge()
        if known is not None and game.limit and known.values.shape[1] != 3:
            raise AgentError(f"{self.knowledge}: expected one raise size for limit, got {settings['raises']}")
        return ActionSeat(replace(self, **settings), game, tables, known, rng)
