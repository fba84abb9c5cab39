"""SARTRE-1 and SARTRE-2: case-based agents for heads-up limit (Rubin and Watson 2010; docs/sartre.md).

A case has three features (table 1): the hand made by hole cards and board, the betting so far, and the board
texture. Before the flop it has two: the class of the hole cards and the betting. A solution is an action
triple and an outcome triple. Where the paper is silent, global similarity is the mean of the local
similarities, an outcome is the net result of the whole hand in small bets, and ties in similarity go to the
case seen more often.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from holdmem.agent import register
from holdmem.cbr.features.betting import Stepped
from holdmem.cbr.features.feature import Features
from holdmem.cbr.representation import Representation, declare
from holdmem.cbr.retrieve import Exact, Nearest
from holdmem.cbr.reuse import PolicyName
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.similarity import Equal
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game

heads_up_limit: partial[Representation] = partial(Representation, limit=True, seats=(2,))

# The 2009 system: exact match in every feature, all matching cases used, always-call if there is none.
PREFLOP_1 = Features(hand_class=Equal(), betting=Equal())
POSTFLOP_1 = Features(hand_type=Equal(), betting=Equal(), board_texture=Equal())
SARTRE_1 = declare(
    heads_up_limit(
        "sartre-1",
        (PREFLOP_1, POSTFLOP_1, POSTFLOP_1, POSTFLOP_1),
        retrieval=Exact(),
        default=(0.0, 1.0, 0.0),
    )
)

# After maintenance: triples instead of single actions, stepped betting similarity, always the nearest case.
PREFLOP_2 = Features(hand_class=Equal(), betting=Stepped((1.0, 0.9, 0.8)))
POSTFLOP_2 = Features(hand_type=Equal(), betting=Stepped((1.0, 0.9, 0.8)), board_texture=Equal())
SARTRE_2 = declare(
    heads_up_limit("sartre-2", (PREFLOP_2, POSTFLOP_2, POSTFLOP_2, POSTFLOP_2), retrieval=Nearest(1))
)


@register("sartre-1", style="repeats what an expert did in exactly this situation; calls if it has none",
          source="Rubin and Watson (2010)")  # fmt: skip
@dataclass(frozen=True)
class Sartre1:
    """SARTRE as entered in the 2009 competition: exact match, majority policy by default."""

    policy: PolicyName = "majority"
    cases: Path | None = None

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case base if none is given; results depend on its contents."""
        return () if self.cases else (DATA / SARTRE_1.name,)

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat:
        """Return a seat for heads-up limit, the only game supported."""
        return _seat(SARTRE_1, self.cases, self.policy, game, rng)


@register(
    "sartre-2",
    style="repeats what an expert did in the most similar situation it remembers",
    source="Rubin and Watson (2010)",
)
@dataclass(frozen=True)
class Sartre2:
    """SARTRE after case-base maintenance: always re-uses the nearest case."""

    policy: PolicyName = "majority"
    cases: Path | None = None

    @property
    def shipped_files(self) -> tuple[Path, ...]:
        """The case base if none is given; results depend on its contents."""
        return () if self.cases else (DATA / SARTRE_2.name,)

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat:
        """Return a seat for heads-up limit, the only game supported."""
        return _seat(SARTRE_2, self.cases, self.policy, game, rng)


def _seat(
    representation: Representation, cases: Path | None, policy: PolicyName, game: Game, rng: Streams
) -> CaseBasedSeat:
    representation.check(game)
    base = read_cases(cases or DATA / representation.name)
    if base.representation != representation:
        raise AgentError(
            f"{cases}: expected cases of {representation.name}, got those of {base.representation.name}"
        )
    return CaseBasedSeat(base, policy, rng)
