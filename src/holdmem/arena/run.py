"""Playing designs: what the ledger knows is not played again, the rest is shared among workers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger
from holdmem.arena.result import MatchResult
from holdmem.arena.secret import publish, with_secret
from holdmem.arena.units import BATCH, Plan, WorkUnit, plan, play_unit
from holdmem.cluster import WorkerDied, run_units
from holdmem.errors import AgentError, GameError
from holdmem.rules import Game
from holdmem.strength.building import build_wanted
from holdmem.strength.tables import WANTED
from holdmem.table import Agent, given_name, make_agent

Progress = Callable[[int, int], None]
"""Called with the number of hands played and the total."""


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
    evening = Evening([_planned(design) for design in numbered], ledger, batch)
    if on is None:
        build_wanted(evening.hands - evening.done, workers)
    if progress:
        progress(evening.done, evening.hands)
    workers = min(workers, max(evening.unplayed, 1))
    for unit, result in run_units(play_unit, evening.units(), workers, on):
        evening.note(unit, result)
        if progress:
            progress(evening.done, evening.hands)
    outcomes = evening.outcomes()
    if ledger and any(isinstance(one, MatchResult) for one in outcomes):
        publish(secret, ledger)
    return outcomes


def _planned(design: Design) -> Plan | AgentError:
    try:
        return plan(design)
    except AgentError as error:
        return error


class Evening:
    """Several designs that are played together: what is known of each, and what is still to do."""

    def __init__(self, plans: list[Plan | AgentError], ledger: Ledger | None, batch: int) -> None:
        self.plans = plans
        self.ledger = ledger
        self.batch = batch
        self.failed: dict[str, AgentError] = {}
        # Two designs with one hash are one match: it is played once.
        self.to_play = {one.hash: one for one in plans if isinstance(one, Plan)}
        self.known = {name: self._begin(one) for name, one in self.to_play.items()}
        self.hands = sum(one.hands for one in self.to_play.values())
        self.done = self.hands - sum(unit.hands for unit in self.units())
        self.unplayed = sum(1 for _ in self.units())

    def _begin(self, one: Plan) -> dict[int, dict[str, Any]]:
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

    def _outcome(self, one: Plan | AgentError) -> MatchResult | AgentError:
        if isinstance(one, AgentError):
            return one
        if one.hash in self.failed:
            return self.failed[one.hash]
        return MatchResult(one, tuple(self.known[one.hash][unit.start] for unit in one.split()))


def match(
    game: Game,
    *agents: Agent | str,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    batch: int = BATCH,
    progress: Progress | None = None,
    **choices: Any,
) -> MatchResult:
    """Play agents, given as values or as text, against each other; `choices` are fields of `Design`.

    >>> from holdmem import find_game, match
    >>> result = match(find_game("limit"), "random", "always-call", hands=500, seed=1)
    >>> result.hands
    1000
    """
    texts = tuple(given_name(agent) for agent in agents)
    for text in texts:
        make_agent(text)
    design = Design(game, texts, **choices)
    return run(design, ledger=ledger, workers=workers, on=on, batch=batch, progress=progress)
