"""The arena: matches, tournaments, estimates with confidence intervals, and a ledger of results."""

from holdmem.arena.check import Manners, check_agent
from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger, default_ledger
from holdmem.arena.portrait import Portrait, portraits
from holdmem.arena.result import MatchResult
from holdmem.arena.run import match, run, run_all
from holdmem.arena.statistics import Estimate, difference, estimate
from holdmem.arena.style import Style
from holdmem.arena.tournament import Tournament, tournament
from holdmem.arena.units import Plan, plan

__all__ = [
    "Design",
    "Estimate",
    "Ledger",
    "Manners",
    "MatchResult",
    "Plan",
    "Portrait",
    "Style",
    "Tournament",
    "check_agent",
    "default_ledger",
    "difference",
    "estimate",
    "match",
    "plan",
    "portraits",
    "run",
    "run_all",
    "tournament",
]
