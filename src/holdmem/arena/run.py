"""Playing a design: what the ledger knows is not played again, the rest is shared among workers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger
from holdmem.arena.result import MatchResult
from holdmem.arena.units import BATCH, WorkUnit, play_unit, samples_per_match, split
from holdmem.cluster import run_units
from holdmem.errors import AgentError
from holdmem.table import given_name, make_agent

Progress = Callable[[int, int], None]
"""Called with the hands that are done and the hands that there are."""


def run(
    design: Design,
    *,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    batch: int = BATCH,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a design to the end and return its result. A run that was killed goes on where it was."""
    name = ledger.begin(design) if ledger else design.hash
    known: dict[int, dict[str, Any]] = ledger.results(name) if ledger else {}
    units = split(design, batch)
    done = sum(hands_of(unit) for unit in units if unit.start in known)
    all_hands = design.hands_per_match * design.matches
    if progress:
        progress(done, all_hands)
    for unit, result in run_units(
        play_unit, [unit for unit in units if unit.start not in known], workers, on
    ):
        if "error" in result:
            raise AgentError(result["error"])
        if ledger:
            ledger.store(name, unit, result)
        known[unit.start] = result
        done += hands_of(unit)
        if progress:
            progress(done, all_hands)
    return MatchResult(design, name, tuple(known[unit.start] for unit in units))


def hands_of(unit: WorkUnit) -> int:
    """About how many hands a unit has (fewer where a table ends early)."""
    per = unit.design.hands_per_match
    return (unit.stop - unit.start) * (
        per if unit.design.sequential else per // samples_per_match(unit.design)
    )


def match(game: Any, *agents: Any, ledger: Ledger | None = None, **choices: Any) -> MatchResult:
    """Play agents, given as values or as text, against each other.

    >>> from holdmem import find_game, match
    >>> result = match(find_game("limit"), "random", "always-call", hands=500, seed=1)
    >>> result.hands
    1000
    """
    texts = tuple(given_name(agent) for agent in agents)
    names = {"workers", "on", "batch", "progress"}
    how = {key: choices.pop(key) for key in names & choices.keys()}
    for text in texts:
        make_agent(text)
    return run(Design(game, texts, **choices), ledger=ledger, **how)


def again(design: Design, **changes: Any) -> Design:
    """The same design with some of it changed."""
    return replace(design, **changes)
