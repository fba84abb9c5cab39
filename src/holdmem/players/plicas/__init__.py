"""PLICAS (Friedrich and Schwind 2011), an adaptive rule-based agent for heads-up limit.

It combines rules, range control, a case base, bluffing and aggression control. Each unit of the paper's
figures 1 to 3 is a module: the opponent model `opponents.profiles`, the preflop rules `starting_hands`,
Dynamic Preflop Range Control `range_control`, the postflop rules `kernels.postflop`, the case-based unit
`kernels.cases`, and bluffs and Dynamic Postflop Aggression Control `kernels.aggression`.
`kernels.decision` combines them. docs/plicas.md lists the choices made where the paper is silent.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdmem.agent import register
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.plicas.kernels.decision import SETTINGS
from holdmem.players.plicas.kernels.starting_hands import PLAYED
from holdmem.players.plicas.range_control import WEIGHINGS, Weighing, best_range, gain
from holdmem.players.plicas.seat import PlicasSeat
from holdmem.players.plicas.starting_hands import starting_classes
from holdmem.players.plicas.units import UNITS, switched_off

AnswerRule = Literal["raises", "calls"]

__all__ = ["UNITS", "Plicas", "PlicasSeat", "best_range", "gain", "starting_classes"]


@register(
    "plicas",
    style="rules, range control, case base, bluffs and aggression control; heads-up limit",
    source="Friedrich and Schwind (2011)",
)
@dataclass(frozen=True)
class Plicas:
    """Adapts its rules to the opponent; every unit can be switched off.

    off         units to switch off, joined by plus signs, such as `dprc+dpac`
    range       share of hands played before the opponent is known, or without range control
    n_hands     range and aggression control act once more than this many of the opponent's hands are known
    n_cases     cases are used once there have been more than this many showdowns,
    n_similar   and more than this many similar cases
    buckets     number of hand-strength buckets
    merge       weight of the cases' triple; the rules' triple has the rest
    shift       maximum number of buckets by which aggression control moves a hand
    weighing    f of range control: pots weighted by the share of hands `played`, the formula as `printed`,
                or the first with the blinds won by `stealing`
    answer      to aggression: fewer bets and `raises`, or more `calls`
    """

    off: str = ""
    range: float = PLAYED
    n_hands: int = 100
    n_cases: int = 100
    n_similar: int = 20
    buckets: int = 10
    merge: float = 0.5
    shift: float = 1.0
    weighing: Weighing = "played"
    answer: AnswerRule = "raises"

    def __post_init__(self) -> None:
        object.__setattr__(self, "off", "+".join(switched_off(self.off)))
        for name in ("range", "merge"):
            if not 0 <= getattr(self, name) <= 1:
                raise AgentError(f"plicas:{name}: expected a number from 0 to 1, got {getattr(self, name)}")
        for name in ("n_hands", "n_cases", "n_similar"):
            if getattr(self, name) < 0:
                raise AgentError(f"plicas:{name}: expected 0 or more, got {getattr(self, name)}")
        if not 2 <= self.buckets <= 100:
            raise AgentError(f"plicas:buckets: expected 2 to 100, got {self.buckets}")
        if not 0 <= self.shift < np.inf:
            raise AgentError(f"plicas:shift: expected 0 or more buckets, got {self.shift}")

    def settings(self) -> NDArray[np.record]:
        """Return the parameters as one record of type `SETTINGS` for the kernels."""
        row = np.zeros(1, SETTINGS)
        for unit in UNITS:
            row[unit] = unit not in self.off.split("+")
        row["weighing"] = WEIGHINGS.index(self.weighing)
        row["calling"] = self.answer == "calls"
        for name in ("range", "shift", "merge", "n_hands", "n_cases", "n_similar", "buckets"):
            row[name] = getattr(self, name)
        return row

    def sit(self, game: Game, tables: int, rng: Streams) -> PlicasSeat:
        """Return a seat for heads-up limit, the only game supported."""
        if game.seats != 2 or not game.limit:
            kind = "limit" if game.limit else "no-limit"
            raise AgentError(
                f"plays heads-up limit only; this game is {game.name} ({kind}, {game.seats} seats)"
            )
        return PlicasSeat(game, tables, self.settings(), rng)
