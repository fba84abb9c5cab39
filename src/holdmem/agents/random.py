"""A player that chooses at random among what is legal."""

from dataclasses import dataclass

import numpy as np

from holdmem.compiled import kernel
from holdmem.rules import CALL, FOLD, Game
from holdmem.table import Actions, Streams, Views, register


@kernel
def choose(rows, uniforms, out):
    """Fold (where it saves something), call and raise (where it is legal) alike; any legal total alike."""
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
    """Draws every decision anew."""

    streams: Streams

    def act(self, views: Views) -> Actions:
        """One random legal action for each view."""
        out = np.empty(len(views), dtype=np.int64)
        choose(views.rows, views.uniforms(self.streams, 2), out)
        return Actions(out)


@register("random", style="every legal kind of action alike, every legal raise alike", source="Rubin (2007)")
@dataclass(frozen=True)
class Random:
    """Folds, calls and raises with the same probability where they are legal, to any legal total."""

    def sit(self, game: Game, tables: int, rng: Streams) -> RandomSeat:
        """Plays every game."""
        return RandomSeat(rng)
