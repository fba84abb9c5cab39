"""An agent that acts uniformly at random among the legal kinds of action."""

from dataclasses import dataclass

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules import CALL, FOLD, Game
from holdmem.table import Actions, Streams, Views, register


@kernel
def choose(rows, uniforms, out):
    """Fill out[view] with a random legal action.

    Call, fold (only facing a bet) and raise (where legal) are equally likely, and so is every legal raise
    total. `uniforms` has two columns: one for the kind of action, one for the total.
    """
    for i in range(len(rows)):
        row = rows[i]
        kinds = 1 + (row.to_call > 0) + (row.max_raise_to > 0)
        kind = int(uniforms[i, 0] * kinds)
        if kind == 0:
            out[i] = CALL
        elif kind == 1 and row.to_call > 0:
            out[i] = FOLD
        else:
            out[i] = row.min_raise_to + int(uniforms[i, 1] * (row.max_raise_to - row.min_raise_to + 1))


@dataclass(frozen=True)
class RandomSeat:
    """Seat that draws each decision independently."""

    streams: Streams

    def act(self, views: Views) -> Actions:
        """Return one random legal action per view."""
        out = np.empty(len(views), dtype=np.int64)
        choose(views.rows, views.uniforms(self.streams, 2), out)
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
