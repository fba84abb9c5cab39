"""An agent that acts uniformly at random among the legal kinds of action."""

from dataclasses import dataclass, replace

import numpy as np

from holdmem.agent import Actions, Explanation, View, Views, explained, register
from holdmem.core.random import Streams
from holdmem.engine import CALL, FOLD, Game
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

    def explain(self, view: View) -> Explanation:
        """Return the probability of each kind of action; a raise stands for all totals, which are uniform."""
        codes = [CALL] + [FOLD] * (view.to_call > 0) + [view.min_raise_to] * (view.max_raise_to > 0)
        found = explained(
            view,
            [(code, 1 / len(codes)) for code in codes],
            ["its rule is to choose a kind of action at random, and for a raise any legal total"],
        )
        if view.max_raise_to == view.min_raise_to:
            return found
        least, any_total = (
            f"{view.min_raise_to:,}",
            f"anything from {view.min_raise_to:,} to {view.max_raise_to:,}",
        )
        actions = [
            replace(one, words=one.words.replace(least, any_total)) if one.code > 0 else one
            for one in found.actions
        ]
        return replace(found, decision=found.decision.replace(least, any_total), actions=tuple(actions))


@register(
    "random", style="uniform over the legal kinds of action and over the legal raises", source="Rubin (2007)"
)
@dataclass(frozen=True)
class Random:
    """Folds, calls and raises with equal probability where legal; every legal raise is equally likely."""

    def sit(self, game: Game, tables: int, rng: Streams) -> RandomSeat:
        """Return a seat; every game is supported."""
        return RandomSeat(rng)
