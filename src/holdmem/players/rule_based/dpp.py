"""dpp: plays "mathematically fair" by winning probability and pot odds, without an opponent model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdmem.agent import Detail, Policy, View, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.agent.words.english import counted, number, percent
from holdmem.cards.classes import CLASS_OF
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.dpp import decide
from holdmem.players.rule_based.words import apart, needs
from holdmem.strength import outlook, whole_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdmem.core.types import Floats

MOST_OPPONENTS = 9


class DppSeat(SamplingSeat):
    """Seat that compares its winning probability with the pot odds; its policy is deterministic."""

    def __init__(self, game: Game, edge: float, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.edge = edge
        powers = [whole_column("preflop", f"hs{n}") for n in range(1, MOST_OPPONENTS + 1)]
        self.preflop: Floats = np.column_stack(powers)
        self.classes: NDArray[np.int16] = CLASS_OF.copy()

    def policy(self, views: Views) -> Policy:
        """Return a policy with one action of probability 1 per view."""
        return self._decided(views)[0]

    def _decided(self, views: Views) -> tuple[Policy, float]:
        """Return the policy and the winning probability at the first view."""
        size = len(views)
        weights, totals, win_probabilities = (
            np.empty((size, 3)),
            np.empty(size, dtype=np.int64),
            np.zeros(size),
        )
        decide(
            np.ascontiguousarray(views.rows),
            outlook(views).e_hs,
            self.classes,
            self.preflop,
            self.edge,
            self.game.limit,
            weights,
            totals,
            win_probabilities,
        )
        return legal_policy(views, weights, totals[:, None]), float(win_probabilities[0]) if size else 0.0

    def reasons(self, view: View) -> list[str]:
        """Say how likely the hand wins, which odds a raise would need, and the price of a call."""
        probability, opponents = self._decided(view.alone)[1], sum(view.live) - 1
        odds, needed = opponents * probability / max(1 - probability, 1e-9), self.edge * 2**view.raises
        own, border = apart(odds, needed, 1)
        missed = own == border and odds < needed
        rule = f"It bets or raises when its odds of winning are at least {border} times an average hand's"
        return [
            _wins(view, probability, opponents),
            f"{rule}; here {'they are just below that' if missed else _ratio_words(odds, own)}",
            *([f"Otherwise it calls if it wins often enough: {needs(view)}"] if view.to_call else []),
        ]

    def details(self, views: Views) -> tuple[Detail, ...]:
        """Return the winning probability and the pot odds of a call."""
        price = int(views.to_call[0]) / (int(views.pot[0]) + int(views.to_call[0]))
        return (
            Detail("probability of beating random cards", self._decided(views)[1]),
            Detail("probability that a call needs", price),
        )


MOST_ODDS, LEAST_ODDS = 99, 0.05
"""Odds better or worse than this, beside an average hand's, are not told apart."""


def _wins(view: View, probability: float, opponents: int) -> str:
    """Say how often the hand wins; after the flop it takes several opponents for independent."""
    if opponents == 1 or view.street == 0:
        whom = "an opponent" if opponents == 1 else counted(opponents, "opponent")
        return f"it wins {percent(probability)} of the time against {whom} with random cards"
    alone = percent(float(outlook(view.alone).e_hs[0]))
    counts = f"which it counts as {percent(probability)} against {number(opponents)} of them"
    return f"it wins {alone} of the time against an opponent with random cards, {counts}"


def _ratio_words(odds: float, said: str) -> str:
    """Say how odds compare with an average hand's."""
    if odds >= MOST_ODDS:
        return f"they are more than {MOST_ODDS} times those"
    if odds < LEAST_ODDS:
        return "they are hardly any"
    return "they are about the same" if said == "1" else f"they are {said} times those"


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
