"""`eqm-nl-depths`: plays the no-limit strategy that was solved for the nearest stack depth."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holdmem.agent import Explanation, Policy, View, Views, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.cfr.betting_tree import Sizes
from holdmem.cfr.lookup import StrategyLookup
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.core.types import Floats, Ints
from holdmem.engine import Game
from holdmem.players.equilibrium import strategy_lookup
from holdmem.players.equilibrium_words import explain_strategy
from holdmem.players.imitators.composite import merge_policies
from holdmem.strength.tables import WANTED

SHIPPED = (DATA / "eqm-nl-20.strategy", DATA / "eqm-nl.strategy")


class DepthSeat(SamplingSeat):
    """Plays each hand by the strategy whose depth has the smallest ratio to the effective stack."""

    def __init__(self, lookups: list[StrategyLookup], rng: Streams) -> None:
        super().__init__(rng)
        self.lookups = lookups
        self.depths: Floats = np.array([one.strategy.tree.game.stacks[0] for one in lookups], np.float64)
        WANTED.add("turn")

    @property
    def sizes(self) -> Sizes | None:
        """The bet sizes of the deepest strategy."""
        return self.lookups[int(self.depths.argmax())].strategy.tree.sizes

    def chosen(self, views: Views) -> Ints:
        """Return the number of the strategy for each view, by the smaller stack at the start of the hand."""
        stacks = (views.stack[:, :2] + views.paid[:, :2]).min(axis=1)
        apart = np.abs(np.log(self.depths) - np.log(np.maximum(stacks, 1))[:, None])
        found: Ints = apart.argmin(axis=1)
        return found

    def policy(self, views: Views) -> Policy:
        """Return the policy of the strategy chosen for each view; bets are translated where need be."""
        chosen = self.chosen(views)
        parts = [(rows, self.lookups[k].policy(views[rows])) for k, rows in _groups(chosen)]
        return merge_policies(len(views), parts)

    def explain(self, view: View) -> Explanation:
        """Explain a decision as the strategy that is played does."""
        (chosen,) = self.chosen(view.alone).tolist()
        return explain_strategy(self.lookups[chosen], view, self.policy(view.alone))


def _groups(chosen: Ints) -> list[tuple[int, Ints]]:
    return [(k, np.flatnonzero(chosen == k)) for k in np.unique(chosen).tolist()]


@register(
    "eqm-nl-depths",
    style="near equilibrium for 20 or 200 big blinds, whichever is nearer; heads-up no-limit, any stacks",
    source="public chance-sampled CFR (docs/equilibrium.md)",
)
@dataclass(frozen=True)
class Depths:
    """Plays strategies for several stack depths: in each hand the one nearest to the effective stack.

    Parameters
    ----------
    strategies : files written by `holdmem solve`, which differ in their stacks.
    """

    strategies: tuple[Path, ...] = SHIPPED

    def sit(self, game: Game, tables: int, rng: Streams) -> DepthSeat:
        """Return a seat at a heads-up no-limit table with the strategies' blinds, and with any stacks."""
        if not self.strategies:
            raise AgentError("expected at least one strategy file, got none")
        lookups = [strategy_lookup(path) for path in self.strategies]
        for path, lookup in zip(self.strategies, lookups, strict=True):
            solved = lookup.strategy.tree.game
            if game.seats != 2 or game.limit or solved.limit or game.blinds != solved.blinds:
                kind = "limit" if game.limit else "no-limit"
                raise AgentError(
                    f"{path.name} is for heads-up no-limit with blinds {solved.blinds}; {game.name} has"
                    f" {game.seats} seats, {kind} betting and blinds {game.blinds}"
                )
        return DepthSeat(lookups, rng)
