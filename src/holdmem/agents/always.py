"""Players that always do the same: call, raise, go all-in."""

from dataclasses import dataclass

import numpy as np

from holdmem.rules import Game
from holdmem.table import CALL, Actions, Policy, Streams, Views, register


class SameSeat:
    """Does one thing at every view, with certainty."""

    def act(self, views: Views) -> Actions:
        """Call, unless a kind of player below knows better."""
        return Actions(np.full(len(views), CALL))

    def policy(self, views: Views) -> Policy:
        """All the probability on what `act` does."""
        return Policy(np.ones((len(views), 1)), self.act(views).codes[:, None])


class RaisingSeat(SameSeat):
    """Raises as little as the rules allow; where no raise is legal that total is 0, which is a call."""

    def act(self, views: Views) -> Actions:
        """The least raise."""
        return Actions(views.min_raise_to)


class AllInSeat(SameSeat):
    """Raises as much as the rules allow."""

    def act(self, views: Views) -> Actions:
        """The largest raise."""
        return Actions(views.max_raise_to)


@register("always-call", style="never folds, never raises", source="Rubin and Watson (2011), Marques (n.d.)")
@dataclass(frozen=True)
class AlwaysCall:
    """Checks and calls to the end."""

    def sit(self, game: Game, tables: int, rng: Streams) -> SameSeat:
        """Plays every game."""
        return SameSeat()


@register("always-raise", style="raises whenever it may, by the minimum in no-limit", source="Marques (n.d.)")
@dataclass(frozen=True)
class AlwaysRaise:
    """Raises the fixed size in limit and the minimum in no-limit; calls where the cap forbids it."""

    def sit(self, game: Game, tables: int, rng: Streams) -> RaisingSeat:
        """Plays every game."""
        return RaisingSeat()


@register(
    "always-all-in",
    style="all-in whenever it may; in limit the same as always-raise",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class AlwaysAllIn:
    """Puts its whole stack in at the first chance."""

    def sit(self, game: Game, tables: int, rng: Streams) -> AllInSeat:
        """Plays every game."""
        return AllInSeat()
