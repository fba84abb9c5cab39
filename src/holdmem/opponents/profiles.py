"""Opponent model of PLICAS: a few frequencies of one opponent per table (Friedrich and Schwind 2011, §4.1).

"It registers how often the opponent raises and calls before the flop. The opponent's aggression, the
proportion of raises and calls during the game, is also measured. The information about the percentage of
hands (range) the opponent does not fold before the flop is the most essential."
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdmem.agent import FinishedHands, SeatState
from holdmem.agent.seat_state import checked_array
from holdmem.engine import Game
from holdmem.opponents.kernels.profiles import PROFILE, note_hands, smoothed

if TYPE_CHECKING:
    from numpy.typing import NDArray

USUAL_RANGE, USUAL_AGGRESSION = 0.7, 0.5
"""Prior for an unknown opponent: it plays 70% of its hands, and bets or raises as often as it calls."""
PRIOR_WEIGHT = 20.0
"""Weight of that prior, in observations."""


class Profile(NamedTuple):
    """What is known about one opponent."""

    hands: int
    raises: float
    """Share of raises among its preflop actions other than free checks; 0 before the first such action."""
    calls: float
    """Share of calls among those actions; 0 before the first."""
    folds: float
    """Share of folds among those actions; 0 before the first."""
    aggression: float
    """Bets and raises as a share of bets, raises and calls, on all streets."""
    range: float
    """Share of hands it does not fold before the flop, among those in which it had to pay to stay in."""
    average_pot: float
    """Mean pot, in small blinds, of the hands that we did not fold before the flop; 0 if there is none.

    Uncalled chips do not count.
    """


class Profiles:
    """One opponent profile per table of a heads-up game."""

    def __init__(self, game: Game, tables: int) -> None:
        self.rows: NDArray[np.void] = np.zeros(tables, PROFILE)
        self.small_blind: float = small_blind(game)

    def watch(self, hands: FinishedHands) -> None:
        """Count the opponents' actions in these hands."""
        tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
        own = -1 if hands.player is None else hands.player
        rules = hands.game.rules_row
        note_hands(rules, hands.batch.hands, hands.history, hands.lineup, own, tables, self.rows)

    def state(self) -> SeatState:
        """Return the counts."""
        return {"profiles": self.rows}

    def restore(self, state: SeatState) -> None:
        """Restore a state returned by `state`."""
        self.rows = checked_array(state, "profiles", self.rows)

    def __getitem__(self, table: int) -> Profile:
        row = self.rows[table]
        acted = max(int(row.raised_before + row.called_before + row.folded_before), 1)
        before = (row.raised_before / acted, row.called_before / acted, row.folded_before / acted)
        aggression = smoothed(row.raises, row.raises + row.calls, USUAL_AGGRESSION, PRIOR_WEIGHT)
        played = smoothed(row.stayed, row.asked, USUAL_RANGE, PRIOR_WEIGHT)
        pot = row.chips / (max(int(row.pots), 1) * self.small_blind)
        return Profile(int(row.hands), *map(float, (*before, aggression, played, pot)))


def small_blind(game: Game) -> float:
    """Return the smaller blind in chips, or half the big blind if there is only one blind."""
    least = min(game.blinds)
    return float(least) if least else game.big_blind / 2
