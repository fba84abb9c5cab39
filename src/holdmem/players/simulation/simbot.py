"""Simbot: Poki's opponent models, with decisions by rollouts of the rest of the hand."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Actions, Evidence, Explanation, FinishedHands, SeatState, View, Views, register
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import FOLD, Game
from holdmem.engine.describe import describe_action
from holdmem.opponents import Frequencies, RolloutResults, expected_values, sized_actions
from holdmem.opponents.kernels.rollouts import NO_ACTION
from holdmem.players.simulation.poki import PokiSeat

CAUTION = 1.0
"""Standard errors subtracted from the estimated value of every action except a fold."""


class SimulatingSeat:
    """Seat that estimates the value of every action by rollouts against its opponent models."""

    to_showdown = False
    sizes: tuple[float, ...] = (2 / 3,)
    """Raise sizes tried in no-limit, in pots."""

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        if rollouts < 1:
            raise AgentError(f"expected at least one roll-out, got {rollouts}")
        self.frequencies = Frequencies(game, tables)
        self.rng = rng
        self.rollouts = rollouts

    def watch(self, hands: FinishedHands) -> None:
        """Update the action counts of all players."""
        self.frequencies.watch(hands)

    def state(self) -> SeatState:
        """Return the action counts."""
        return self.frequencies.state()

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.frequencies.restore(state)

    def outcomes(self, views: Views) -> RolloutResults:
        """Return the estimated value of each action, in chips relative to a fold."""
        return expected_values(
            views,
            self.frequencies.probabilities(views),
            self.rng,
            sized_actions(views, self.sizes),
            rollouts=self.rollouts,
            to_showdown=self.to_showdown,
        )

    def act(self, views: Views) -> Actions:
        """Take the action with the highest mean less `CAUTION` standard errors; fold if all are below 0."""
        return self.outcomes(views).best(views, CAUTION)

    def explain(self, view: View) -> Explanation:
        """Return the mean value of each action, in chips relative to a fold."""
        views = view.alone
        found = self.outcomes(views)
        tried = zip(
            found.actions[0].tolist(), found.values[0].tolist(), found.errors[0].tolist(), strict=True
        )
        evidence = [
            Evidence(
                describe_action(action), value, {"±": round(1.96 * error, 2), "roll-outs": self.rollouts}
            )
            for action, value, error in tried
            if action != NO_ACTION
        ]
        if view.to_call:
            evidence.append(Evidence(describe_action(FOLD), 0.0))
        chosen = int(found.best(views, CAUTION).codes[0])
        return Explanation(str(view), ((chosen, 1.0),), tuple(evidence))


class SimbotSeat(SimulatingSeat):
    """Seat that uses Poki's formula before the flop and rollouts after it.

    Both share the same opponent counts. Before the flop the outcome is so uncertain that a small number of
    rollouts says little.
    """

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        super().__init__(game, tables, rng, rollouts)
        self.formula = PokiSeat(game, tables, rng)
        self.formula.frequencies = self.frequencies

    def act(self, views: Views) -> Actions:
        """Decide by the formula before the flop and by rollouts after it."""
        before = views.street == 0
        codes = np.empty(len(views), np.int64)
        if before.any():
            codes[before] = self.formula.act(views[before]).codes
        if not before.all():
            codes[~before] = super().act(views[~before]).codes
        return Actions(codes)

    def explain(self, view: View) -> Explanation:
        """Explain by the method that decides on this street."""
        return super().explain(view) if view.street else self.formula.explain(view)


@register(
    "simbot",
    style="plays the rest of the hand out against opponents' weighted hands",
    source="Rubin (2007), §2.2.3",
)
@dataclass(frozen=True)
class Simbot:
    """Simulation-based Poki: `rollouts` deals per decision, each played out with every action."""

    rollouts: int = 64

    def sit(self, game: Game, tables: int, rng: Streams) -> SimbotSeat:
        """Return a seat; every game is supported."""
        return SimbotSeat(game, tables, rng, self.rollouts)
