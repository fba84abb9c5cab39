"""Near-equilibrium agents that play precomputed strategies.

There are three styles for heads-up limit and three for heads-up no-limit with 200 big blinds, and a player
of limit that was trained to be hard to exploit.
docs/equilibrium.md describes how they were solved, the commands used and how well they play.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.agent import Explanation, Policy, View, Views, register
from holdmem.agent.sampling_seat import SamplingSeat
from holdmem.cards.classes import HOLDINGS
from holdmem.cfr.betting_tree import BettingTree, Sizes
from holdmem.cfr.lookup import StrategyLookup
from holdmem.cfr.strategy import read_strategy
from holdmem.cfr.strategy_tables import StrategyTables
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError, StrategyError
from holdmem.core.random import Streams
from holdmem.core.types import Ints
from holdmem.engine import UNLIMITED, Game
from holdmem.players.equilibrium_words import explain_strategy
from holdmem.strength.tables import WANTED

SOURCE = "public chance-sampled CFR (docs/equilibrium.md)"
AGAINST_BEST_RESPONSES = "Johanson, Bard, Burch and Bowling (2012): CFR-BR"


class EquilibriumSeat(SamplingSeat):
    """Seat that samples its actions from a strategy table and keeps no memory."""

    def __init__(self, player: StrategyLookup, rng: Streams) -> None:
        super().__init__(rng)
        self.player = player
        WANTED.add("turn")  # without it most of the time goes into the strengths of turns

    @property
    def sizes(self) -> Sizes | None:
        """The bet sizes that the strategy was solved with; None in limit."""
        return self.player.strategy.tree.sizes

    def policy(self, views: Views) -> Policy:
        """Return the strategy's probabilities, interpolated where bets lie between sizes in the tree."""
        return self.player.policy(views)

    def card_classes(self, board: Sequence[int]) -> Ints:
        """Return the bucket of each of the 1,326 holdings; -1 in the board stands for cards to come.

        Holdings of one bucket are played the same way, whatever the betting was.
        """
        shown = np.array([card for card in board if card >= 0], np.uint8)
        free = np.flatnonzero(~np.isin(HOLDINGS, shown).any(axis=1))
        holes = np.ascontiguousarray(HOLDINGS[free], np.uint8)
        classes = np.zeros(len(HOLDINGS), np.int64)
        classes[free] = self.player.strategy.buckets.of(holes, np.tile(shown, (len(holes), 1)))
        return classes

    def tabulate(self, tree: BettingTree) -> StrategyTables:
        """Return the strategy by decision and bucket; AgentError unless the game is its limit game."""
        return StrategyTables(self.player.strategy, tree)

    def explain(self, view: View) -> Explanation:
        """Return the strength of the hand and the strategy's probabilities; nodes and buckets are details."""
        return explain_strategy(self.player, view, self.policy(view.alone))


@cache
def _player(path: Path, changed: int) -> StrategyLookup:
    return StrategyLookup(read_strategy(path))


def strategy_lookup(path: Path) -> StrategyLookup:
    """Return a player of the strategy in a file, cached per process until the file changes."""
    try:
        return _player(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise StrategyError(f"{path}: cannot read the strategy file: {error.strerror}") from None


def _described(game: Game) -> str:
    """Return the name of a game and what distinguishes it from others of that name."""
    betting = "limit" if game.limit else "no-limit"
    blinds = "/".join(str(blind) for blind in sorted(filter(None, game.blinds)))
    stacks = ", ".join(map(str, sorted(set(game.stacks)))) if min(game.stacks) < UNLIMITED else "unlimited"
    return f"{game.name} ({game.seats} seats, {betting}, blinds {blinds}, stacks {stacks})"


def _style(name: str, style: str, source: str = SOURCE) -> Callable[[type[Any]], type[Any]]:
    """Register the strategy of this name among the shipped files."""
    return register(name, style, source, preset={"strategy": DATA / f"{name}.strategy"})


@register("eqm", style="near equilibrium, balanced; heads-up limit", source=SOURCE)
@_style("eqm-2", "near equilibrium, the hardest to exploit; heads-up limit", AGAINST_BEST_RESPONSES)
@_style("eqm-aggressive", "near equilibrium of a game that pays winners more; limit")
@_style("eqm-passive", "near equilibrium of a game that pays winners less; limit")
@_style("eqm-nl", "near equilibrium, balanced; heads-up no-limit, 200 big blinds")
@_style("eqm-nl-aggressive", "near equilibrium of a game that pays winners more; no-limit")
@_style("eqm-nl-passive", "near equilibrium of a game that pays winners less; no-limit")
@dataclass(frozen=True)
class Equilibrium:
    """Plays a strategy file written by `holdmem solve`, by default the balanced one for heads-up limit.

    The other shipped files have a name each. They are for heads-up limit or for heads-up no-limit with stacks
    of 200 big blinds: balanced, or tilted towards betting (aggressive) or against it (passive). `eqm-2` plays
    limit and was trained against best responses.
    """

    strategy: Path = DATA / "eqm.strategy"

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Return a seat for the game that the strategy was solved for."""
        lookup = strategy_lookup(self.strategy)
        if not lookup.strategy.fits(game):
            expected, got = _described(lookup.strategy.tree.game), _described(game)
            raise AgentError(f"{self.strategy.name} was solved for {expected}; this game is {got}")
        return EquilibriumSeat(lookup, rng)
