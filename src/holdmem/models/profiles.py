"""The opponent model of plicas: one opponent a table, in a few frequencies (§4.1).

"It registers how often the opponent raises and calls before the flop. The opponent's aggression, the
proportion of raises and calls during the game, is also measured. The information about the percentage of
hands (range) the opponent does not fold before the flop is the most essential."
"""

from typing import NamedTuple

import numpy as np

from holdmem.models.profile_kernels import PROFILE, note_hands, smoothed
from holdmem.rules import Game
from holdmem.table import Finished, State
from holdmem.table.memories import taken

USUAL_RANGE, USUAL_AGGRESSION = 0.7, 0.5
"""An opponent never seen plays so many of its hands, and as many of its chips go in by bets as by calls."""
PRIOR_WEIGHT = 20.0
"""That counts as so many observations."""


class Profile(NamedTuple):
    """What is known of one opponent."""

    hands: int
    raises: float
    """Of its actions before the flop that were not free checks, the share of raises,"""
    calls: float
    """of calls,"""
    folds: float
    """of folds; all three 0 before the first."""
    aggression: float
    """Bets and raises as a share of bets, raises and calls, on all streets."""
    range: float
    """The share of hands that it does not fold before the flop, of those in which it had to pay to stay."""
    average_pot: float
    """Mean of the pots, in small blinds, of hands that we did not fold before the flop; 0 if there is none.
    Chips that nobody called are not counted."""


class Profiles:
    """One profile for each table sat down at; in a heads-up game each has one opponent."""

    def __init__(self, game: Game, tables: int) -> None:
        self.rows = np.zeros(tables, PROFILE)
        self.small_blind = small_blind(game)

    def watch(self, hands: Finished) -> None:
        """Count what the opponents did in these hands."""
        tables = np.ascontiguousarray(hands.tables, dtype=np.int64)
        own = -1 if hands.player is None else hands.player
        rules = hands.game.rules_row
        note_hands(rules, hands.batch.hands, hands.history, hands.lineup, own, tables, self.rows)

    def state(self) -> State:
        """What was counted."""
        return {"profiles": self.rows}

    def restore(self, state: State) -> None:
        """Take that up again."""
        self.rows = taken(state, "profiles", self.rows)

    def __getitem__(self, table: int) -> Profile:
        row = self.rows[table]
        acted = max(int(row.raised_before + row.called_before + row.folded_before), 1)
        before = (row.raised_before / acted, row.called_before / acted, row.folded_before / acted)
        aggression = smoothed(row.raises, row.raises + row.calls, USUAL_AGGRESSION, PRIOR_WEIGHT)
        played = smoothed(row.stayed, row.asked, USUAL_RANGE, PRIOR_WEIGHT)
        pot = row.chips / (max(int(row.pots), 1) * self.small_blind)
        return Profile(int(row.hands), *map(float, (*before, aggression, played, pot)))


def small_blind(game: Game) -> float:
    """The smaller blind in chips; half of the big one where there is but one."""
    least = min(game.blinds)
    return float(least) if least else game.big_blind / 2
