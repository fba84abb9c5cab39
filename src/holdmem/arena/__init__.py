"""The arena: matches, tournaments, estimates with confidence intervals, and a ledger of results."""

from holdmem.arena.conformance import ConformanceReport, check_agent
from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger, default_ledger
from holdmem.arena.result import MatchResult
from holdmem.arena.run import run, run_all
from holdmem.arena.style import Style
from holdmem.arena.style_report import StyleReport, style_reports
from holdmem.arena.tournament import Tournament, round_robin
from holdmem.arena.units import MatchPlan, plan
from holdmem.core.statistics import Estimate, difference, estimate

__all__ = [
    "ConformanceReport",
    "Design",
    "Estimate",
    "Ledger",
    "MatchPlan",
    "MatchResult",
    "Style",
    "StyleReport",
    "Tournament",
    "check_agent",
    "default_ledger",
    "difference",
    "estimate",
    "plan",
    "round_robin",
    "run",
    "run_all",
    "style_reports",
]
