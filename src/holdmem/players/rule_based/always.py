"""Agents that always take one action: call, raise, or go all-in."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import CALL, Actions, Explanation, Policy, View, Views, explained, register
from holdmem.agent.tabular import ConstantTables, tabulate_without_cards
from holdmem.cfr.betting_tree import BettingTree
from holdmem.core.random import Streams
from holdmem.engine import Game


class FixedActionSeat:
    """Seat that takes one fixed action at every view, with probability 1."""

    rule = "its rule is to check or call, whatever it holds"

    def act(self, views: Views) -> Actions:
        """Call at every view; subclasses override this."""
        return Actions(np.full(len(views), CALL))

    def policy(self, views: Views) -> Policy:
        """Return a policy that gives the action of `act` probability 1."""
        return Policy(np.ones((len(views), 1)), self.act(views).codes[:, None])

    def explain(self, view: View) -> Explanation:
        """Return the action and the rule."""
        return explained(view, self.policy(view.alone), [self.rule])

    def tabulate(self, tree: BettingTree) -> ConstantTables:
        """Return the policy by decision; cards do not matter."""
        return tabulate_without_cards(self.policy, tree)


class RaisingSeat(FixedActionSeat):
    """Seat that makes the minimum raise, or calls where no raise is legal.

    `min_raise_to` is 0 where no raise is legal, and 0 is the code of a call.
    """

    rule = "its rule is to bet or raise the minimum whenever it may, and to call otherwise, whatever it holds"

    def act(self, views: Views) -> Actions:
        """Raise to the minimum."""
        return Actions(views.min_raise_to)


class AllInSeat(FixedActionSeat):
    """Seat that makes the maximum raise, or calls where no raise is legal."""

    rule = "its rule is to bet or raise as much as it may, and to call otherwise, whatever it holds"

    def act(self, views: Views) -> Actions:
        """Raise to the maximum."""
        return Actions(views.max_raise_to)


@register("always-call", style="never folds, never raises", source="Rubin and Watson (2011), Marques (n.d.)")
@dataclass(frozen=True)
class AlwaysCall:
    """Checks or calls at every decision."""

    def sit(self, game: Game, tables: int, rng: Streams) -> FixedActionSeat:
        """Return a seat; every game is supported."""
        return FixedActionSeat()


@register("always-raise", style="raises whenever it may, by the minimum in no-limit", source="Marques (n.d.)")
@dataclass(frozen=True)
class AlwaysRaise:
    """Raises by the fixed size in limit and by the minimum in no-limit; calls once raises are capped."""

    def sit(self, game: Game, tables: int, rng: Streams) -> RaisingSeat:
        """Return a seat; every game is supported."""
        return RaisingSeat()


@register(
    "always-all-in",
    style="all-in whenever it may; in limit the same as always-raise",
    source="Marques (n.d.)",
)
@dataclass(frozen=True)
class AlwaysAllIn:
    """Goes all-in at the first opportunity; in limit it makes every legal raise."""

    def sit(self, game: Game, tables: int, rng: Streams) -> AllInSeat:
        """Return a seat; every game is supported."""
        return AllInSeat()
