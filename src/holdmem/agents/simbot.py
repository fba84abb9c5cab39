"""Simbot: the models of Poki, and decisions by playing the rest of the hand out."""

from dataclasses import dataclass

import numpy as np

from holdmem.agents.poki import PokiSeat
from holdmem.errors import AgentError
from holdmem.models import Frequencies, Outcomes, expected_values, sized_actions
from holdmem.models.rollout_kernels import NO_ACTION
from holdmem.rules import FOLD, Game
from holdmem.rules.batch import in_words
from holdmem.table import Actions, Explanation, Finished, Ground, State, Streams, View, Views, register

CAUTION = 1.0
"""Standard errors that are taken off the value of everything but a fold."""


class SimulatingSeat:
    """Tries every action many times against opponents that it knows, and takes the best."""

    to_showdown = False
    sizes: tuple[float, ...] = (2 / 3,)
    """Raises of no-limit that are tried, in pots."""

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        if rollouts < 1:
            raise AgentError(f"expected one roll-out or more, got {rollouts}")
        self.frequencies = Frequencies(game, tables)
        self.rng = rng
        self.rollouts = rollouts

    def watch(self, hands: Finished) -> None:
        """Count what everybody did."""
        self.frequencies.watch(hands)

    def state(self) -> State:
        """What it has counted."""
        return self.frequencies.state()

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.frequencies.restore(state)

    def outcomes(self, views: Views) -> Outcomes:
        """What comes of each action."""
        return expected_values(
            views,
            self.frequencies.chances(views),
            self.rng,
            sized_actions(views, self.sizes),
            rollouts=self.rollouts,
            to_showdown=self.to_showdown,
        )

    def act(self, views: Views) -> Actions:
        """The action with the highest mean."""
        return self.outcomes(views).best(views, CAUTION)

    def explain(self, view: View) -> Explanation:
        """The mean of each action, in chips beyond those of a fold."""
        views = view.alone
        found = self.outcomes(views)
        tried = zip(
            found.actions[0].tolist(), found.values[0].tolist(), found.errors[0].tolist(), strict=True
        )
        grounds = [
            Ground(in_words(action), value, {"±": round(1.96 * error, 2), "roll-outs": self.rollouts})
            for action, value, error in tried
            if action != NO_ACTION
        ]
        if view.to_call:
            grounds.append(Ground(in_words(FOLD), 0.0))
        chosen = int(found.best(views, CAUTION).codes[0])
        return Explanation(str(view), ((chosen, 1.0),), tuple(grounds))


class SimbotSeat(SimulatingSeat):
    """Before the flop it decides by Poki's formula, with the same memory: so much is still open there that
    few roll-outs say little."""

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        super().__init__(game, tables, rng, rollouts)
        self.formula = PokiSeat(game, tables, rng)
        self.formula.frequencies = self.frequencies

    def act(self, views: Views) -> Actions:
        """By the formula before the flop, by roll-outs after it."""
        before = views.street == 0
        codes = np.empty(len(views), np.int64)
        if before.any():
            codes[before] = self.formula.act(views[before]).codes
        if not before.all():
            codes[~before] = super().act(views[~before]).codes
        return Actions(codes)

    def explain(self, view: View) -> Explanation:
        """Whichever decides."""
        return super().explain(view) if view.street else self.formula.explain(view)


@register(
    "simbot",
    style="plays the rest of the hand out against opponents' weighted hands",
    source="Rubin (2007), §2.2.3",
)
@dataclass(frozen=True)
class Simbot:
    """Simulation-based Poki: `rollouts` cases a decision."""

    rollouts: int = 64

    def sit(self, game: Game, tables: int, rng: Streams) -> SimbotSeat:
        """Plays every game."""
        return SimbotSeat(game, tables, rng, self.rollouts)
