"""The dearest cases of a memory in heads-up limit, estimated from random flops."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from holdmem.arena.exact import exact_response, sample_flops
from holdmem.arena.exact_result import all_flops
from holdmem.cbr.case_costs import CaseCosts, case_costs
from holdmem.cbr.tabulate import CaseTables
from holdmem.cfr.exact_gradient import StrategyGradient, strategy_gradient
from holdmem.cfr.exact_response import ExactResponse, FlopValues, respond_to_flop
from holdmem.cfr.public_game import PublicDeal
from holdmem.core.errors import AgentError, GameError
from holdmem.core.types import Progress
from holdmem.engine import Game


@dataclass(frozen=True)
class CostlyCase:
    """A case and what it costs."""

    street: int
    place: int
    cost: float
    """mbb/h by which exploitability falls per unit of probability that moves to `action`"""
    action: int
    """0 fold, 1 call, 2 raise"""


@dataclass(frozen=True, eq=False)
class MemoryCosts:
    """Costs of all cases of a memory."""

    exploitability: float
    """What a best response wins on the same flops, mbb/h, the mean of both seats"""
    flops: int
    seed: int
    streets: tuple[CaseCosts, ...]

    def dearest(self, count: int) -> list[CostlyCase]:
        """Return the dearest cases of all streets, the dearest first."""
        found = [
            CostlyCase(street, place, float(costs.costs[place]), int(costs.actions[place]))
            for street, costs in enumerate(self.streets)
            for place in np.argsort(-costs.costs, kind="stable")[:count].tolist()
        ]
        return sorted(found, key=lambda case: -case.cost)[:count]


def memory_costs(
    agent: str, game: Game, *, flops: int, seed: int = 0, progress: Progress | None = None
) -> MemoryCosts:
    """Compute what each case of a case-based agent costs, on random flops."""
    if flops < 1:
        raise GameError(f"expected at least 1 flop, got {flops}")
    response = exact_response(agent, game, False)
    if not isinstance(response.strategy, CaseTables):
        raise AgentError(f"{agent}: expected a player that plays from cases alone")
    return costs_on_flops(response, response.strategy, flops, seed, progress)


def costs_on_flops(
    response: ExactResponse, tables: CaseTables, flops: int, seed: int, progress: Progress | None = None
) -> MemoryCosts:
    """Return the costs of the cases behind the tables that are responded to."""
    found = flop_gradient(response, scaled_flops(sample_flops(flops, seed)), progress)
    scale = 1000 / response.tree.game.big_blind / 2  # mbb/h, the mean of both seats
    streets = [
        case_costs(tables, street, scale * (found.tables[0][street] + found.tables[1][street]))
        for street in range(response.game.streets)
    ]
    return MemoryCosts(-sum(found.won) * scale, flops, seed, tuple(streets))


def scaled_flops(drawn: Counter[int]) -> list[tuple[PublicDeal, float]]:
    """Return drawn flops, each with the factor that makes them stand for all."""
    whole = sum(flop.weight for flop in all_flops())
    return [
        (all_flops()[flop], whole * times / (drawn.total() * all_flops()[flop].weight))
        for flop, times in sorted(drawn.items())
    ]


def flop_gradient(
    response: ExactResponse, flops: list[tuple[PublicDeal, float]], progress: Progress | None = None
) -> StrategyGradient:
    """Respond to flops with factors, then value the strategy against that response."""
    values: FlopValues | None = None
    for done, (flop, factor) in enumerate(flops):
        if progress:
            progress(done, 4 * len(flops))  # the gradient takes about three times as long
        found = respond_to_flop(response, flop).times(factor)
        values = found if values is None else values.plus(found)
    if values is None:
        raise GameError("expected at least one flop, got none")
    return strategy_gradient(response, flops, values)
