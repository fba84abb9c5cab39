"""SimpleBot: preflop rules, then hand rank, potential and pot odds. It has no opponent model."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import Evidence, Policy, Views, legal_policy, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.rule_based.kernels.simplebot import decide
from holdmem.strength import outlook


class SimpleSeat(SamplingSeat):
    """Seat that decides from its cards, the pot and the price of a call alone."""

    def __init__(self, game: Game, leak: bool, rng: Streams) -> None:
        super().__init__(rng)
        self.game = game
        self.leak = leak

    def policy(self, views: Views) -> Policy:
        """Return the policy of the rules above."""
        seen = outlook(views)
        weights, totals = np.empty((len(views), 3)), np.empty(len(views), dtype=np.int64)
        game = self.game
        rows = np.ascontiguousarray(views.rows)
        decide(rows, seen.ihs, seen.ppot, game.big_blind, game.limit, self.leak, weights, totals)
        return legal_policy(views, weights, totals[:, None])

    def evidence(self, views: Views) -> tuple[Evidence, ...]:
        """Return hand rank and positive potential; before the flop only that rules decide."""
        if views.street[0] == 0:
            return (Evidence("rules for two cards", 1.0),)
        seen = outlook(views)
        opponents = int(views.live[0]).bit_count() - 1
        return (
            Evidence("hand rank", float(seen.ihs[0]) ** opponents, {"opponents": float(opponents)}),
            Evidence("positive potential", float(seen.ppot[0])),
        )


@register(
    "simplebot",
    style="rules before the flop, hand rank, potential and pot odds after it",
    source="Rubin and Watson (2011), Marques (n.d.)",
)
@dataclass(frozen=True)
class SimpleBot:
    """Plays pairs, high cards and some suited hands; after the flop bets by hand rank and calls by pot odds.

    With `leak`, as in the original, pairs lose their special treatment once there have been two raises.
    """

    leak: bool = True

    def sit(self, game: Game, tables: int, rng: Streams) -> SimpleSeat:
        """Return a seat; every game is supported."""
        return SimpleSeat(game, self.leak, rng)
