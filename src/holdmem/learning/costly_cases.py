"""The dearest cases of a memory in heads-up limit, estimated from random flops."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdmem.agent.tabular import BoardTable
from holdmem.arena.exact import exact_response, sample_flops
from holdmem.arena.exact_result import all_flops
from holdmem.cbr.case_costs import CaseCosts, case_costs, revised_table
from holdmem.cbr.tabulate import CaseTables
from holdmem.cfr.exact_gradient import StrategyGradient, strategy_gradient
from holdmem.cfr.exact_response import ExactResponse, FlopValues, respond_before_flop, respond_to_flop
from holdmem.cfr.public_game import PublicDeal
from holdmem.core.display import html_table
from holdmem.core.errors import AgentError, GameError
from holdmem.core.types import Floats, Progress
from holdmem.engine import Game
from holdmem.engine.state import BOARD_CARDS, STREET_NAMES

if TYPE_CHECKING:
    import polars as pl

ACTION_NAMES = ("fold", "call", "raise")
SHOWN = 10
"""Cases that are shown in notebooks."""


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
    """Costs of all cases of a memory.

    Examples
    --------
    >>> costs = case_costs("sartre-2", flops=4)  # doctest: +SKIP
    >>> costs.dearest(10), costs.frame().filter(street="river")  # doctest: +SKIP
    """

    exploitability: float
    """What a best response wins on the same flops, mbb/h, the mean of both seats"""
    flops: int
    seed: int
    streets: tuple[CaseCosts, ...]
    savings: tuple[float, ...] = ()
    """By how much exploitability falls, mbb/h, if one of the dearest cases alone plays its better action, in
    their order; empty if not computed"""

    def dearest(self, count: int) -> list[CostlyCase]:
        """Return the dearest cases of all streets, the dearest first.

        Parameters
        ----------
        count : number of cases.

        Returns
        -------
        list of CostlyCase : each with its cost and the action that would be better.
        """
        found = [
            CostlyCase(street, place, float(costs.costs[place]), int(costs.actions[place]))
            for street, costs in enumerate(self.streets)
            for place in np.argsort(-costs.costs, kind="stable")[:count].tolist()
        ]
        return sorted(found, key=lambda case: -case.cost)[:count]

    def frame(self) -> "pl.DataFrame":
        """Return the costs as a polars data frame.

        Returns
        -------
        polars.DataFrame : one row per case: street, number of the case, cost in mbb/h, the better action.
        """
        import polars as pl  # noqa: PLC0415

        parts = [
            pl.DataFrame({"case": np.arange(len(one.costs)), "cost": one.costs, "better": one.actions})
            .with_columns(pl.col("better").replace_strict(dict(enumerate(ACTION_NAMES))))
            .select(pl.lit(name).alias("street"), pl.all())
            for name, one in zip(STREET_NAMES, self.streets, strict=False)
        ]
        return pl.concat(parts)

    def __repr__(self) -> str:
        count = sum(len(one.slopes) for one in self.streets)
        return f"MemoryCosts({count:,} cases: {self.exploitability:,.1f} mbb/h on {self.flops} random flops)"

    def _repr_html_(self) -> str:
        rows = [
            (f"{STREET_NAMES[one.street]}:{one.place}", f"{one.cost:.3f}", ACTION_NAMES[one.action])
            for one in self.dearest(SHOWN)
        ]
        return html_table(("case", "mbb/h", "better"), rows, repr(self))


def memory_costs(
    agent: str,
    game: Game,
    *,
    flops: int,
    seed: int = 0,
    savings: int = 0,
    progress: Progress | None = None,
) -> MemoryCosts:
    """Compute what each case of a case-based agent costs, on random flops.

    For the dearest `savings` cases also compute what revising each alone saves, on the same flops.
    """
    if flops < 1:
        raise GameError(f"expected at least 1 flop, got {flops}")
    response = exact_response(agent, game, False)
    if not isinstance(response.strategy, CaseTables):
        raise AgentError(f"{agent}: expected a player that plays from cases alone")
    found = costs_on_flops(response, response.strategy, flops, seed, progress)
    some = scaled_flops(sample_flops(flops, seed))
    return replace(found, savings=true_savings(response, some, found.dearest(savings), progress))


def costs_on_flops(
    response: ExactResponse, tables: CaseTables, flops: int, seed: int, progress: Progress | None = None
) -> MemoryCosts:
    """Return what each case costs against the best response, from a sample of flops."""
    found = flop_gradient(response, scaled_flops(sample_flops(flops, seed)), progress)
    scale = 1000 / response.tree.game.big_blind / 2  # mbb/h, the mean of both seats
    streets = [
        case_costs(tables, street, scale * (found.tables[0][street] + found.tables[1][street]))
        for street in range(response.game.streets)
    ]
    return MemoryCosts(-sum(found.won) * scale, flops, seed, tuple(streets))


@dataclass(frozen=True, eq=False)
class RevisedTables:
    """A memory as tables, with another table on one street."""

    tables: CaseTables
    street: int
    table: Floats

    def on(self, board: NDArray[np.uint8]) -> BoardTable:
        """Return the strategy on a board."""
        found = self.tables.on(board)
        return found._replace(table=self.table) if len(board) == BOARD_CARDS[self.street] else found


def true_savings(
    response: ExactResponse,
    flops: list[tuple[PublicDeal, float]],
    cases: list[CostlyCase],
    progress: Progress | None = None,
) -> tuple[float, ...]:
    """Return by how much exploitability falls if one case alone plays its better action, for each case."""
    tables, found = response.strategy, []
    if not isinstance(tables, CaseTables):
        raise AgentError("expected a player that plays from cases alone")
    before = exploitability_on(response, flops) if cases else 0.0
    for done, case in enumerate(cases):
        if progress:
            progress(done, len(cases))
        table = revised_table(tables, case.street, case.place, case.action)
        revised = RevisedTables(tables, case.street, table)
        after = ExactResponse(response.tree, revised, response.game, response.precision)
        found.append(before - exploitability_on(after, flops))
    return tuple(found)


def exploitability_on(response: ExactResponse, flops: list[tuple[PublicDeal, float]]) -> float:
    """Return what a best response wins if flops with factors stand for all, mbb/h, mean of both seats."""
    values = [respond_to_flop(response, flop).times(factor) for flop, factor in flops]
    total = values[0]
    for more in values[1:]:
        total = total.plus(more)
    won = respond_before_flop(response, total).by_way[:, -1]
    return float(won.mean() * 1000 / response.tree.game.big_blind)


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
