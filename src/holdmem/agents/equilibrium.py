"""Near-equilibrium players: solved strategies, played from the table.

Three styles for heads-up limit and three for heads-up no-limit at 200 big blinds; docs/equilibrium.md says
how they were solved, by which commands, and how well they play.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdmem.compiled import DATA
from holdmem.equilibrium.player import Player
from holdmem.equilibrium.strategy import read_strategy
from holdmem.errors import AgentError, StrategyError
from holdmem.rules import STREET_NAMES, UNLIMITED, Game
from holdmem.strength.tables import WANTED
from holdmem.table import Actions, Explanation, Ground, Policy, Streams, View, Views, register

SOURCE = "public chance-sampled CFR (docs/equilibrium.md)"


class EquilibriumSeat:
    """Draws its actions from the table; remembers nothing."""

    def __init__(self, player: Player, rng: Streams) -> None:
        self.player, self.rng = player, rng
        WANTED.add("turn")  # without it most of the time goes into the strengths of turns

    def policy(self, views: Views) -> Policy:
        """The probabilities of the table, mixed where the betting lies between sizes of the tree."""
        return self.player.policy(views)

    def act(self, views: Views) -> Actions:
        """A draw from them."""
        return self.policy(views).draw(views.uniforms(self.rng))

    def explain(self, view: View) -> Explanation:
        """The node, the bucket and the probabilities; off the tree what was done about it."""
        views = view.alone
        policy, places = self.policy(views), self.player.places(views)
        bucket = int(self.player.buckets(views)[0])
        strategy, street = self.player.strategy, int(views.street[0])
        words = [f"{STREET_NAMES[street]}, bucket {bucket} of {strategy.buckets.sizes[street]}"]
        held = places.nodes[0] >= 0
        words.append(_where(places.nodes[0][held].tolist(), places.weights[0][held].tolist()))
        grounds = [
            Ground(
                f"node {node}", float(weight), _facts(strategy.tree.actions(node), strategy.at(node, bucket))
            )
            for node, weight in zip(places.nodes[0][held].tolist(), places.weights[0][held], strict=True)
        ]
        chances = zip(policy.codes[0].tolist(), policy.probabilities[0].tolist(), strict=True)
        return Explanation(
            "; ".join(words), tuple((code, chance) for code, chance in chances if chance > 0), tuple(grounds)
        )


def _where(nodes: list[int], weights: list[float]) -> str:
    """Whether the betting is in the tree, and what stands for it otherwise."""
    if not nodes:
        return "off the tree, where this hand went all-in before: check or call"
    if len(nodes) == 1:
        return f"node {nodes[0]}"
    mixed = ", ".join(f"{weight:.0%} node {node}" for node, weight in zip(nodes, weights, strict=True))
    return f"off the tree, between bets that it has: {mixed} (pseudo-harmonic mapping)"


def _facts(fractions: list[float], chances: NDArray[np.float64]) -> dict[str, float | str]:
    names = {-1.0: "fold", 0.0: "call", 99.0: "all-in"}
    return {
        names.get(fraction, f"{fraction:g} pot"): round(chance, 3)
        for fraction, chance in zip(fractions, chances.tolist(), strict=True)
    }


@cache
def _player(path: Path, changed: int) -> Player:
    return Player(read_strategy(path))


def player_of(path: Path) -> Player:
    """The strategy in a file, read once in a process as long as the file stays as it is."""
    try:
        return _player(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise StrategyError(f"{path}: expected a strategy file, got {error.strerror}") from None


def _seated(path: Path, game: Game, rng: Streams) -> EquilibriumSeat:
    player = player_of(path)
    if not player.strategy.fits(game):
        expected, got = _described(player.strategy.tree.game), _described(game)
        raise AgentError(f"{path.name} was solved for {expected}; got {got}")
    return EquilibriumSeat(player, rng)


def _described(game: Game) -> str:
    """The name, and what tells games of one name apart."""
    betting = "limit" if game.limit else "no-limit"
    blinds = "/".join(str(blind) for blind in sorted(filter(None, game.blinds)))
    stacks = ", ".join(map(str, sorted(set(game.stacks)))) if min(game.stacks) < UNLIMITED else "unlimited"
    return f"{game.name} ({game.seats} seats, {betting}, blinds {blinds}, stacks {stacks})"


@register("eqm", style="near equilibrium, balanced; heads-up limit", source=SOURCE)
@dataclass(frozen=True)
class Equilibrium:
    """The balanced expert for heads-up limit, or any strategy file of `holdmem solve`."""

    strategy: Path | None = None

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays the game that the strategy was solved for."""
        return _seated(self.strategy or DATA / "eqm.strategy", game, rng)


@register("eqm-aggressive", style="near equilibrium of a game that pays winners more; limit", source=SOURCE)
@dataclass(frozen=True)
class EquilibriumAggressive:
    """The expert for heads-up limit tilted towards betting."""

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays heads-up limit."""
        return _seated(DATA / "eqm-aggressive.strategy", game, rng)


@register("eqm-passive", style="near equilibrium of a game that pays winners less; limit", source=SOURCE)
@dataclass(frozen=True)
class EquilibriumPassive:
    """The expert for heads-up limit tilted against betting."""

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays heads-up limit."""
        return _seated(DATA / "eqm-passive.strategy", game, rng)


@register("eqm-nl", style="near equilibrium, balanced; heads-up no-limit, 200 big blinds", source=SOURCE)
@dataclass(frozen=True)
class EquilibriumNoLimit:
    """The balanced expert for heads-up no-limit."""

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays heads-up no-limit with stacks of 200 big blinds."""
        return _seated(DATA / "eqm-nl.strategy", game, rng)


@register(
    "eqm-nl-aggressive", style="near equilibrium of a game that pays winners more; no-limit", source=SOURCE
)
@dataclass(frozen=True)
class EquilibriumNoLimitAggressive:
    """The expert for heads-up no-limit tilted towards betting."""

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays heads-up no-limit with stacks of 200 big blinds."""
        return _seated(DATA / "eqm-nl-aggressive.strategy", game, rng)


@register(
    "eqm-nl-passive", style="near equilibrium of a game that pays winners less; no-limit", source=SOURCE
)
@dataclass(frozen=True)
class EquilibriumNoLimitPassive:
    """The expert for heads-up no-limit tilted against betting."""

    def sit(self, game: Game, tables: int, rng: Streams) -> EquilibriumSeat:
        """Plays heads-up no-limit with stacks of 200 big blinds."""
        return _seated(DATA / "eqm-nl-passive.strategy", game, rng)
