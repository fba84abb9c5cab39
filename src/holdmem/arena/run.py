"""Playing designs: what the ledger knows is not played again, the rest is shared among workers."""

from collections.abc import Iterator, Sequence
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger
from holdmem.arena.result import MatchResult
from holdmem.arena.secret_seeds import publish, with_secret
from holdmem.arena.units import BATCH, MatchPlan, WorkUnit, plan, play_unit
from holdmem.core.errors import AgentError, GameError
from holdmem.core.parallel import WorkerDied, run_units
from holdmem.core.types import Progress
from holdmem.strength.build_tables import build_wanted
from holdmem.strength.tables import WANTED


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
    (found,) = run_all([design], ledger=ledger, workers=workers, on=on, batch=batch, progress=progress)
    if isinstance(found, AgentError):
        raise found
    return found


def run_all(
    designs: Sequence[Design],
    *,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    batch: int = BATCH,
    progress: Progress | None = None,
) -> list[MatchResult | AgentError]:
    """Play designs to the end, all their units together; a failure costs only the design that it is in.

    Those whose seed is secret share one, which their results have as a number.
    """
    if batch < 1 or workers < 1:
        raise GameError(f"batch and workers must be at least 1, got {batch} and {workers}")
    numbered, secret = with_secret(designs, ledger)
    WANTED.clear()  # agents sit down for a moment when a design is planned
    current = Run([_planned(design) for design in numbered], ledger, batch)
    if on is None:
        build_wanted(current.hands - current.done, workers)
    if progress:
        progress(current.done, current.hands)
    workers = min(workers, max(current.unplayed, 1))
    for unit, result in run_units(play_unit, current.units(), workers, on):
        current.note(unit, result)
        if progress:
            progress(current.done, current.hands)
    outcomes = current.outcomes()
    if ledger and any(isinstance(one, MatchResult) for one in outcomes):
        publish(secret, ledger)
    return outcomes


def _planned(design: Design) -> MatchPlan | AgentError:
    try:
        return plan(design)
    except AgentError as error:
        return error


class Run:
    """Several designs that are played together: what is known of each, and what is still to do."""

    def __init__(self, plans: list[MatchPlan | AgentError], ledger: Ledger | None, batch: int) -> None:
        self.plans = plans
        self.ledger = ledger
        self.batch = batch
        self.failed: dict[str, AgentError] = {}
        # Two designs with one hash are one match: it is played once.
        self.to_play: dict[str, MatchPlan] = {one.hash: one for one in plans if isinstance(one, MatchPlan)}
        self.known: dict[str, dict[int, dict[str, Any]]] = {
            name: self._begin(one) for name, one in self.to_play.items()
        }
        self.hands: int = sum(one.hands for one in self.to_play.values())
        self.done: int = self.hands - sum(unit.hands for unit in self.units())
        self.unplayed: int = sum(1 for _ in self.units())

    def _begin(self, one: MatchPlan) -> dict[int, dict[str, Any]]:
        return self.ledger.begin(one) if self.ledger else {}

    def units(self) -> Iterator[WorkUnit]:
        """Yield the units that are still to be played, except those of designs that have failed meanwhile."""
        for name, one in self.to_play.items():
            for unit in one.split(self.batch):
                if unit.start not in self.known[name] and name not in self.failed:
                    yield unit

    def note(self, unit: WorkUnit, result: dict[str, Any] | WorkerDied) -> None:
        """Keep the result of a unit, or the reason why there is none."""
        name = unit.plan.hash
        self.done += unit.hands
        if isinstance(result, WorkerDied):
            self.failed[name] = AgentError(f"{' against '.join(unit.plan.design.agents)}: {result}")
        elif "error" in result:
            self.failed[name] = AgentError(result["error"])
        else:
            self.known[name][unit.start] = result
            if self.ledger:
                self.ledger.store(unit, result)

    def outcomes(self) -> list[MatchResult | AgentError]:
        """Return the outcome of each design."""
        return [self._outcome(one) for one in self.plans]

    def _outcome(self, one: MatchPlan | AgentError) -> MatchResult | AgentError:
        if isinstance(one, AgentError):
            return one
        if one.hash in self.failed:
            return self.failed[one.hash]
        return MatchResult(one, tuple(self.known[one.hash][unit.start] for unit in one.split()))
