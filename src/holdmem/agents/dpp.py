"""dpp: plays "mathematically fair" by winning probability and pot odds, without an opponent model."""

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
    """Fill weights[view] (fold, call, raise), totals[view] (raise total) and chances[view].

    `chances` is the probability p of beating n opponents with random cards: E[HS^n] before the flop and
    E[HS]^n after it. It raises if n · p / (1 - p) ≥ edge · 2^raises, with the raises on this street (a fair
    share 1 / (n + 1) gives odds n · p / (1 - p) = 1). Otherwise it calls if p reaches the pot odds, else
    folds. A raise in no-limit is half the pot after calling.
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
    """Seat that compares its winning probability with the pot odds; its policy is deterministic."""

    def __init__(self, game: Game, edge: float, streams: Streams) -> None:
        super().__init__(streams)
        self.game = game
        self.edge = edge
        powers = [whole_column("preflop", f"hs{n}") for n in range(1, MOST_OPPONENTS + 1)]
        self.preflop = np.column_stack(powers)
        self.classes = CLASS_OF.copy()

    def policy(self, views: Views) -> Policy:
        """Return a policy with one action of probability 1 per view."""
        return self._decided(views)[0]

    def _decided(self, views: Views) -> tuple[Policy, float]:
        """Return the policy and the winning probability at the first view."""
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
        """Return the winning probability and the pot odds of a call."""
        price = int(views.to_call[0]) / (int(views.pot[0]) + int(views.to_call[0]))
        return (
            Ground("probability of beating random cards", self._decided(views)[1]),
            Ground("probability that a call needs", price),
        )


@register(
    "dpp",
    style="bets and calls by winning probability and pot odds; no opponent model",
    source="Friedrich and Schwind (2011)",
)
@dataclass(frozen=True)
class Dpp:
    """Decides deterministically by pot odds and its winning probability against random cards.

    `edge` is the odds required for a first bet, in multiples of the odds of an average hand.
    """

    edge: float = 1.5

    def __post_init__(self) -> None:
        if not 0 < self.edge < np.inf:
            raise AgentError(f"dpp: expected an edge above 0, got {self.edge}")

    def sit(self, game: Game, tables: int, rng: Streams) -> DppSeat:
        """Return a seat; every game is supported."""
        return DppSeat(game, self.edge, rng)
