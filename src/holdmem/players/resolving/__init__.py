"""`resolve`: plays its base, follows both ranges, and solves the river, or the turn, when it is reached."""

from dataclasses import dataclass
from typing import Literal

from holdmem.agent import Agent, PolicySeat, name_of, register
from holdmem.agent.ask import watches
from holdmem.cfr.betting_tree import Sizes
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game
from holdmem.players.equilibrium import Equilibrium
from holdmem.players.resolving.seat import ResolveSeat
from holdmem.players.resolving.subgames import TURN_SIZES, ResolveOptions

SIZES = Sizes()
"""Bet sizes in no-limit, where the base does not say which it uses."""


@register(
    "resolve",
    style="plays as another player, and works out the river exactly when it comes; heads-up",
    source="Burch, Johanson and Bowling (2014) (docs/resolving.md)",
)
@dataclass(frozen=True)
class Resolve:
    """Plays like its base up to the turn, or the flop, and solves the rest of the hand after that.

    Parameters
    ----------
    base : an agent with a policy that does not learn at the table.
    safe : give the opponent with no holding more than the base does; otherwise trust both ranges.
    start : "river", or "turn": solve the turn with all rivers, and then the river that comes again.
    iterations : iterations per river.
    turn_iterations : iterations per turn; by default 40 in limit and 100 in no-limit.
    share : safe: weight of the opponent's expected range, next to holdings that choose to play on.
    bets, raises : no-limit: sizes of the first bet and of raises as fractions of the pot; by default the
        base's own, on the turn the pot.
    """

    base: Agent = Equilibrium()  # noqa: RUF009
    safe: bool = True
    start: Literal["river", "turn"] = "river"
    iterations: int = 100
    turn_iterations: int | None = None
    share: float = 10.0
    bets: tuple[float, ...] = ()
    raises: tuple[float, ...] = ()

    def sit(self, game: Game, tables: int, rng: Streams) -> ResolveSeat:
        """Return a seat at a heads-up table that the base plays."""
        if game.seats != 2:
            raise AgentError(f"resolve plays heads-up only; this table has {game.seats} seats")
        fewest = min(self.iterations, 1 if self.turn_iterations is None else self.turn_iterations)
        if fewest < 1 or not 0 <= self.share <= 1e6:
            raise AgentError(
                f"expected at least 1 iteration and a share of 0 or more, got {fewest} and {self.share}"
            )
        name = name_of(self.base)
        seat = self.base.sit(game, tables, rng.spawn("base", 0))
        if not isinstance(seat, PolicySeat):
            raise AgentError(f"resolve needs a base with a policy; {name} has none")
        if watches(seat):
            raise AgentError(f"resolve needs a base that does not learn at the table; {name} does")
        own = getattr(seat, "sizes", None) or SIZES
        sizes = Sizes(self.bets or own.first, self.raises or own.later, own.raises)
        on_turn = Sizes(self.bets or TURN_SIZES.first, self.raises or TURN_SIZES.later, TURN_SIZES.raises)
        by_game = 40 if game.limit else 100
        options = ResolveOptions(
            self.safe,
            self.iterations,
            self.share,
            sizes,
            "discounted" if game.limit else "linear",  # which does better with many sizes
            (self.turn_iterations or by_game) if self.start == "turn" else 0,
            on_turn,
        )
        return ResolveSeat(game, seat, options, rng)
