"""dpp: mathematically fair. It pays what its chance of winning is worth, and no model says otherwise."""

from dataclasses import dataclass

import numpy as np

from holdmem.agents.drawn import DrawnSeat
from holdmem.cards.classes import CLASS_OF
from holdmem.compiled import kernel
from holdmem.errors import AgentError
from holdmem.rules import Game
from holdmem.rules.betting import count
from holdmem.strength import outlook, whole_column
from holdmem.table import Ground, Policy, Streams, Views, legal_policy, register

FOLDING, CALLING, RAISING = 0, 1, 2
MOST_OPPONENTS = 9


@kernel
def decide(rows, e_hs, classes, preflop, edge, limit, weights, totals, chances):
    """The weights of fold, call and raise for each view, and the total of the raise.

    The chance to win against n opponents with random cards is E[HS^n] before the flop and E[HS]^n after it.
    It raises where the odds on it, times n (so that a fair share has odds of one), reach `edge` doubled for
    each raise on this street; otherwise it calls where the chance is worth the price, and else folds.
    """
    for i in range(len(rows)):
        row = rows[i]
        opponents = count(row.live) - 1
        if row.street == 0:
            chance = preflop[classes[row.hole[0], row.hole[1]], opponents - 1]
        else:
            chance = e_hs[i] ** opponents
        weights[i] = 0.0
        if chance * opponents >= edge * 2.0**row.raises * (1.0 - chance):
            weights[i, RAISING] = 1.0
        elif chance * (row.pot + row.to_call) >= row.to_call:
            weights[i, CALLING] = 1.0
        else:
            weights[i, FOLDING] = 1.0
        totals[i] = row.min_raise_to if limit else row.highest + (row.pot + row.to_call) // 2
        chances[i] = chance


class DppSeat(DrawnSeat):
    """Weighs its chance against the pot's odds. Always the same in the same place."""

    def __init__(self, game: Game, edge: float, streams: Streams) -> None:
        super().__init__(streams)
        self.game = game
        self.edge = edge
        powers = [whole_column("preflop", f"hs{n}") for n in range(1, MOST_OPPONENTS + 1)]
        self.preflop = np.column_stack(powers)
        self.classes = CLASS_OF.copy()

    def policy(self, views: Views) -> Policy:
        """One action with certainty."""
        return self._decided(views)[0]

    def _decided(self, views: Views) -> tuple[Policy, float]:
        """The policy, and the chance to win at the first view."""
        size = len(views)
        weights, totals, chances = np.empty((size, 3)), np.empty(size, dtype=np.int64), np.zeros(size)
        decide(
            np.ascontiguousarray(views.rows),
            outlook(views).e_hs,
            self.classes,
            self.preflop,
            self.edge,
            self.game.limit,
            weights,
            totals,
            chances,
        )
        return legal_policy(views, weights, totals[:, None]), float(chances[0]) if size else 0.0

    def grounds(self, views: Views) -> tuple[Ground, ...]:
        """The chance to win, and what a call asks for."""
        price = int(views.to_call[0]) / (int(views.pot[0]) + int(views.to_call[0]))
        return (
            Ground("chance to win against random cards", self._decided(views)[1]),
            Ground("chance that a call needs", price),
        )


@register(
    "dpp",
    style="pays what its chance to win is worth; steady, no opponent model",
    source="Friedrich and Schwind (2011)",
)
@dataclass(frozen=True)
class Dpp:
    """Folds, calls and raises by its chance to win against random cards and the pot's odds, never by chance.

    `edge`: how many times as good as its opponents' its odds must be for a first bet.
    """

    edge: float = 1.5

    def __post_init__(self) -> None:
        if not 0 < self.edge < np.inf:
            raise AgentError(f"dpp: expected an edge above 0, got {self.edge}")

    def sit(self, game: Game, tables: int, rng: Streams) -> DppSeat:
        """Plays every game."""
        return DppSeat(game, self.edge, rng)
