"""The verbs of the public API, one module per group, and the classes of their results.

`holdmem` exports the verbs of common work. This package exports the others (`case_costs`, `improve`,
`merge_cases` and `evolve` for memories, `explain_hand` and `recorded_luck` for recorded hands,
`solve_by_best_response` for a graphics card) and, for type annotations, the classes of all results. Games and
agents may be given as values or by name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdmem.api.best_responses import TrainedStrategy as TrainedStrategy
    from holdmem.api.best_responses import solve_by_best_response as solve_by_best_response
    from holdmem.api.leaks import explain_hand as explain_hand
    from holdmem.api.luck import recorded_luck as recorded_luck
    from holdmem.api.memories import case_costs as case_costs
    from holdmem.api.memories import evolve as evolve
    from holdmem.api.memories import improve as improve
    from holdmem.api.memories import merge_cases as merge_cases
    from holdmem.api.people import ImitatedPlayer as ImitatedPlayer
    from holdmem.api.solve import SolveResult as SolveResult
    from holdmem.api.spot_solution import SpotSolution as SpotSolution
    from holdmem.arena import MatchResult as MatchResult
    from holdmem.arena import Tournament as Tournament
    from holdmem.arena.aivat.recorded import RecordedLuck as RecordedLuck
    from holdmem.arena.exact_result import ExactExploitability as ExactExploitability
    from holdmem.arena.exploit import ExploitabilityBound as ExploitabilityBound
    from holdmem.ev import DecisionValue as DecisionValue
    from holdmem.ev.review import LeakReport as LeakReport
    from holdmem.history.stats import PlayerStatistics as PlayerStatistics
    from holdmem.learning.costly_cases import MemoryCosts as MemoryCosts
    from holdmem.learning.evolve.evolution import Evolution as Evolution
    from holdmem.learning.evolve.task import EvolutionTask as EvolutionTask
    from holdmem.learning.improve import Improvement as Improvement
    from holdmem.learning.review_result import Review as Review
    from holdmem.learning.training_runs import TrainingReport as TrainingReport
    from holdmem.people.resemble import Resemblance as Resemblance
    from holdmem.strength import RangeEquities as RangeEquities


_HOMES = {
    "DecisionValue": "ev",
    "Evolution": "learning.evolve.evolution",
    "EvolutionTask": "learning.evolve.task",
    "ExactExploitability": "arena.exact_result",
    "ExploitabilityBound": "arena.exploit",
    "ImitatedPlayer": "api.people",
    "Improvement": "learning.improve",
    "LeakReport": "ev.review",
    "MatchResult": "arena",
    "MemoryCosts": "learning.costly_cases",
    "PlayerStatistics": "history.stats",
    "RangeEquities": "strength",
    "RecordedLuck": "arena.aivat.recorded",
    "Resemblance": "people.resemble",
    "Review": "learning.review_result",
    "SolveResult": "api.solve",
    "SpotSolution": "api.spot_solution",
    "Tournament": "arena",
    "TrainedStrategy": "api.best_responses",
    "TrainingReport": "learning.training_runs",
    "case_costs": "api.memories",
    "evolve": "api.memories",
    "explain_hand": "api.leaks",
    "improve": "api.memories",
    "merge_cases": "api.memories",
    "recorded_luck": "api.luck",
    "solve_by_best_response": "api.best_responses",
}
"""Module of each name, imported on first use, so that one verb does not load all the others."""

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"holdmem.{_HOMES[name]}"), name)
