"""AlistairBot: the action with the best expected value against the present opponents, by Monte Carlo."""

from dataclasses import dataclass

from holdmem.agents.simbot import SimulatingSeat
from holdmem.rules import Game
from holdmem.table import Streams, register


class AlistairSeat(SimulatingSeat):
    """Looks at the answers to its action and then at the showdown, with no more betting in between."""

    to_showdown = True
    sizes = (0.5, 1.0, 2.0)


@register(
    "alistairbot",
    style="Monte-Carlo expected value of each action against the present opponents",
    source="Rubin and Watson (2011), §5.2",
)
@dataclass(frozen=True)
class AlistairBot:
    """Exploits what it has seen of its opponents: `samples` hands and boards a decision."""

    samples: int = 200

    def sit(self, game: Game, tables: int, rng: Streams) -> AlistairSeat:
        """Plays every game."""
        return AlistairSeat(game, tables, rng, self.samples)
