"""AlistairBot: Monte Carlo estimate of each action's expected value against the current opponents."""

from dataclasses import dataclass

from holdmem.agent import register
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.simulation.simbot import SimulatingSeat


class AlistairSeat(SimulatingSeat):
    """Seat whose rollouts include the opponents' replies to its action and then go straight to showdown."""

    to_showdown = True
    played_on = "with the opponents answering as they have so far and checking it down after that"
    sizes: tuple[float, ...] = (0.5, 1.0, 2.0)


@register(
    "alistairbot",
    style="Monte-Carlo expected value of each action against the present opponents",
    source="Rubin and Watson (2011), §5.2",
)
@dataclass(frozen=True)
class AlistairBot:
    """Exploits observed frequencies of its opponents.

    `samples` is the number of deals (opponents' holdings and rest of the board) per decision; every action
    is played out on each.
    """

    samples: int = 200

    def sit(self, game: Game, tables: int, rng: Streams) -> AlistairSeat:
        """Return a seat; every game is supported."""
        return AlistairSeat(game, tables, rng, self.samples)
