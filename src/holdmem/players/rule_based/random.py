"""An agent that acts uniformly at random among the legal kinds of action."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Actions, Views, register
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.random import choose


@dataclass(frozen=True)
class RandomSeat:
    """Seat that draws each decision independently."""

    rng: Streams

    def act(self, views: Views) -> Actions:
        """Return one random legal action per view."""
        out = np.empty(len(views), dtype=np.int64)
        choose(views.rows, views.uniforms(self.rng, 2), out)
        return Actions(out)


@register(
    "random", style="uniform over the legal kinds of action and over the legal raises", source="Rubin (2007)"
)
@dataclass(frozen=True)
class Random:
    """Folds, calls and raises with equal probability where legal; raise totals are uniform."""

    def sit(self, game: Game, tables: int, rng: Streams) -> RandomSeat:
        """Return a seat; every game is supported."""
        return RandomSeat(rng)
