"""Simbot: Poki's opponent models, with decisions by rollouts of the rest of the hand."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Actions, Detail, Explanation, FinishedHands, SeatState, View, Views, register
from holdmem.agent.words.english import counted
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import FOLD, Game
from holdmem.engine.describe import describe_action
from holdmem.opponents import Frequencies, RolloutResults, expected_values, sized_actions
from holdmem.opponents.kernels.rollouts import NO_ACTION
from holdmem.players.simulation.poki import PokiSeat
from holdmem.players.simulation.values import value_explanation

CAUTION = 1.0
"""Standard errors subtracted from the estimated value of every action except a fold."""


class SimulatingSeat:
    """Seat that estimates the value of every action by rollouts against its opponent models."""

    to_showdown = False
    played_on = "with the opponents playing on as they have played so far"
    sizes: tuple[float, ...] = (2 / 3,)
    """Raise sizes tried in no-limit, in pots."""

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        if rollouts < 1:
            raise AgentError(f"expected at least one roll-out, got {rollouts}")
        self.frequencies: Frequencies = Frequencies(game, tables)
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
        """Return the mean value of each action over a fold, in big blinds or small bets."""
        views = view.alone
        found = self.outcomes(views)
        tried = zip(
            found.actions[0].tolist(), found.values[0].tolist(), found.errors[0].tolist(), strict=True
        )
        values = [(action, value, error) for action, value, error in tried if action != NO_ACTION]
        values += [(FOLD, 0.0, 0.0)] if view.to_call else []
        details = [
            Detail(describe_action(action), value, {"±": round(1.96 * error, 2), "roll-outs": self.rollouts})
            for action, value, error in values
        ]
        deals = counted(self.rollouts, "possible deal")
        how = f"it played out {deals} of the hidden cards with each action, {self.played_on}"
        caution = "It takes the largest gain after subtracting that uncertainty"
        caution += ", and folds if nothing is left" if view.to_call else ""
        chosen = int(found.best(views, CAUTION).codes[0])
        return value_explanation(view, chosen, values, [how, caution], details)


class SimbotSeat(SimulatingSeat):
    """Seat that uses Poki's formula before the flop and rollouts after it.

    Both share the same opponent counts. Before the flop the outcome is so uncertain that a small number of
    rollouts says little.
    """

    def __init__(self, game: Game, tables: int, rng: Streams, rollouts: int) -> None:
        super().__init__(game, tables, rng, rollouts)
        self.formula: PokiSeat = PokiSeat(game, tables, rng)
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
