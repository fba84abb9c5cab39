"""Expert imitators (Rubin and Watson 2011, §3): case-based limit and no-limit agents for two or more seats.

For limit the paper uses the cases of SARTRE. For no-limit it specifies only the action vector, so the
features are our own (docs/imitators.md). Global similarity is the weighted mean of the local similarities.
The weights were set by hand, with the features that matter most to a decision highest; none was fitted.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import Policy, Views, register
from holdmem.cbr.features.bet_sizes import BetSizes, SizedSteps
from holdmem.cbr.features.feature import Features
from holdmem.cbr.representation import Representation, declare
from holdmem.cbr.retrieve import Nearest, Threshold
from holdmem.cbr.reuse import most_frequent, probabilistic
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.shrink import ShrinkingSeat
from holdmem.cbr.similarity import Equal, Nested
from holdmem.cbr.solutions import Solutions
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.sartre import POSTFLOP_2, PREFLOP_2

Expert = Literal[
    "eqm", "eqm-aggressive", "eqm-passive", "eqm-nl", "eqm-nl-aggressive", "eqm-nl-passive"
]  # fmt: skip
ReusePolicy = Literal["max-frequency", "probabilistic", "shrunk"]

LIMIT_EXPERTS: tuple[Expert, ...] = ("eqm", "eqm-aggressive", "eqm-passive")
NO_LIMIT_EXPERTS: tuple[Expert, ...] = ("eqm-nl", "eqm-nl-aggressive", "eqm-nl-passive")

CALLS = (0.0, 1.0)
TEN = BetSizes()
DEPTH = Nested((1.0, 0.5), (1, 2))

LIMIT = declare(
    Representation(
        "imitator-limit", (PREFLOP_2, POSTFLOP_2, POSTFLOP_2, POSTFLOP_2), Nearest(1), limit=True, seats=(2,)
    )
)

BEFORE_FLOP = Features(hand_class=Equal(), sized_betting=SizedSteps(), stack_to_pot=DEPTH)
AFTER_FLOP = Features(
    hand_type=Equal(), sized_betting=SizedSteps(), board_texture=Equal(), stack_to_pot=DEPTH
)
HEADS_UP = (
    BEFORE_FLOP.with_weights(hand_class=3, sized_betting=3),
    *(AFTER_FLOP.with_weights(hand_type=3, sized_betting=3),) * 3,
)
NO_LIMIT = declare(
    Representation(
        "imitator-nolimit",
        HEADS_UP,
        Nearest(1),
        TEN,
        default=CALLS + (0.0,) * 8,
        limit=False,
        seats=(2,),
    )
)

BEFORE_FLOP_RING = Features(
    hand_place=Nested((1.0, 0.9, 0.7), (1, 4, 12)),
    round_now=Nested((1.0, 0.9, 0.8, 0.5), (1, 3, 6, 30)),
    seat_position=Equal(),
    stack_to_pot=DEPTH,
)
AFTER_FLOP_RING = Features(
    hand_type=Nested((1.0, 0.8), (1, 5)),
    round_now=Nested((1.0, 0.9, 0.5), (1, 6, 30)),
    rounds_before=Nested((1.0, 0.7), (1, 100)),
    seat_position=Equal(),
    board_texture=Equal(),
    stack_to_pot=Equal(),
)
RING = (
    BEFORE_FLOP_RING.with_weights(hand_place=4, round_now=4, seat_position=2),
    *(AFTER_FLOP_RING.with_weights(hand_type=4, round_now=4, rounds_before=2),) * 3,
)
FEW = Threshold(0.97, most=100, otherwise=8)
"""Retrieval for case bases of human play, which hold thousands of hands rather than millions.

It uses all nearly identical cases instead of one.
"""
MORE = tuple(range(3, 11))
LIMIT_RING = declare(Representation("imitator-limit-ring", RING, FEW, limit=True, seats=MORE))
NO_LIMIT_RING = declare(
    Representation(
        "imitator-nolimit-ring",
        RING,
        FEW,
        TEN,
        default=CALLS + (0.0,) * 8,
        limit=False,
        seats=MORE,
    )
)


@dataclass(frozen=True)
class ImitatingSeat(CaseBasedSeat):
    """Seat that re-uses the action vector of the retrieved cases, or only its most frequent action."""

    def weights(self, solutions: Solutions) -> NDArray[np.float64]:
        """Return the action vectors under either policy: they are legalised before the action is chosen."""
        found = (solutions.seen > 0)[:, None]
        return np.where(found, probabilistic(solutions), np.array(self.base.representation.default))

    def reuse(self, views: Views, solutions: Solutions) -> Policy:
        """Return the legal policy, reduced to its most probable action under max-frequency."""
        policy = super().reuse(views, solutions)
        return most_frequent(policy) if self.policy_name == "max-frequency" else policy


@register(
    "imitator", style="decides as an expert did in the most similar case", source="Rubin and Watson (2011)"
)
@dataclass(frozen=True)
class Imitator:
    """Imitates a shipped expert, or the player from whom `holdmem learn` learned `cases`.

    `max-frequency` and `probabilistic` are the paper's; `shrunk` plays probabilities that are shrunk towards
    a coarser neighbour (`cbr/shrink.py`).
    """

    expert: Expert | None = None
    policy: ReusePolicy = "max-frequency"
    cases: Path | None = None

    def __post_init__(self) -> None:
        if self.expert and self.cases:
            raise AgentError(
                f"imitator: give either an expert or cases, not both: {self.expert} and {self.cases}"
            )

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case bases that may be read if none is given; results depend on their contents."""
        experts = (self.expert,) if self.expert else (LIMIT_EXPERTS[0], NO_LIMIT_EXPERTS[0])
        return () if self.cases else tuple(DATA / f"imitator-{expert}" for expert in experts)

    def sit(self, game: Game, tables: int, rng: Streams) -> ImitatingSeat | ShrinkingSeat:
        """Return a seat for a game the cases support; by default they are those of the balanced expert."""
        expert = self.expert or (LIMIT_EXPERTS if game.limit else NO_LIMIT_EXPERTS)[0]
        base = read_cases(self.cases or DATA / f"imitator-{expert}")
        base.representation.check(game)
        kind = ShrinkingSeat if self.policy == "shrunk" else ImitatingSeat
        return kind(base, self.policy, rng)


def basic_imitators(game: Game, *policies: ReusePolicy) -> tuple[Imitator, ...]:
    """Return an imitator of each shipped expert of the game, for each policy in turn."""
    experts = LIMIT_EXPERTS if game.limit else NO_LIMIT_EXPERTS
    return tuple(Imitator(expert, policy) for policy in policies for expert in experts)


def memories_of_basic_imitators() -> tuple[Path, ...]:
    """Return the folders of the case bases of all shipped imitators."""
    return tuple(DATA / f"imitator-{expert}" for expert in (*LIMIT_EXPERTS, *NO_LIMIT_EXPERTS))
