"""Round robins: all combinations of agents, a cross table, a bankroll ranking and a run-off ranking."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from holdmem.arena.design import Design, DesignSeed
from holdmem.arena.ledger import Ledger
from holdmem.arena.ranking import Standing, by_bankroll, by_runoff
from holdmem.arena.result import MatchResult, estimates_frame
from holdmem.arena.run import run_all
from holdmem.arena.tally import MONEY
from holdmem.core.display import html_table, short, short_list
from holdmem.core.statistics import Estimate
from holdmem.core.types import Progress
from holdmem.engine import Game

if TYPE_CHECKING:
    import polars as pl

UnbiasedMethod = Literal["adjusted", "aivat"]
"""Ways of removing luck that keep the mean of the winnings; others would rank by something else."""

AgentGroup = tuple[int, ...]
"""The agents of one match, as indices into the list of all agents."""


@dataclass(frozen=True)
class Tournament:
    """All matches between the agents, and the reasons for those that could not be played.

    Examples
    --------
    >>> from holdmem import tournament
    >>> found = tournament("limit", "random", "always-call", "always-raise", hands=500, seed=1)
    >>> [(found.agents[agent], round(mean, 2)) for agent, mean in found.bankroll()]
    [('always-raise', 1.54), ('always-call', 0.11), ('random', -1.65)]
    >>> print(found.cell(0, 1))  # what random won from always-call
    -0.2105 ± 0.1343 sb/h
    """

    game: Game
    agents: tuple[str, ...]
    results: dict[AgentGroup, MatchResult]
    failures: dict[AgentGroup, str]
    matches: int = 1
    seed: DesignSeed = 0
    luck: UnbiasedMethod | None = None
    """How luck is removed from all means; None for the winnings."""

    def __repr__(self) -> str:
        ranked = [f"{short(self.agents[agent], 20)} {mean:+.3f}" for agent, mean in self.bankroll()]
        failed = f", {len(self.failures)} matches failed" if self.failures else ""
        about = f"{self.unit}, {self.hands:,} hands of {short(self.game.name, 30)}{failed}"
        return f"Tournament({short_list(ranked)}; {about})"

    def _repr_html_(self) -> str:
        rows = [
            (
                self.agents[place.agent],
                place.mean,
                ", ".join(self.agents[other] for other in place.level_with),
            )
            for place in self.bankroll_places()
        ]
        about = f"{self.hands:,} hands of {self.game.name}, seed {self.seed}"
        return html_table(("agent", "mean over all matches", "not distinguishable from"), rows, about)

    def frame(self) -> "pl.DataFrame":
        """Return all matches as a polars data frame, one row per match and agent.

        Returns
        -------
        polars.DataFrame : one row per match and agent.
        """
        return estimates_frame(
            {
                "agent": self.agents[agent],
                "opponents": [self.agents[other] for other in table if other != agent],
            }
            | asdict(found)
            for table, estimates in self.estimates.items()
            for agent, found in zip(table, estimates, strict=True)
        )

    @cached_property
    def estimates(self) -> dict[AgentGroup, list[Estimate]]:
        """Winnings per hand of each agent in each match, without luck if that was asked for."""
        return {table: result.estimates(self.luck or MONEY) for table, result in self.results.items()}

    @property
    def unit(self) -> str:
        """The unit of the means."""
        return next((found[0].unit for found in self.estimates.values()), self.game.unit[1])

    @property
    def hands(self) -> int:
        """Total number of hands over all matches."""
        return sum(result.hands for result in self.results.values())

    def cell(self, one: int, other: int) -> Estimate | None:
        """Return what the first agent won from the second per hand; heads-up only.

        Parameters
        ----------
        one : index of the agent whose winnings are asked for.
        other : index of its opponent.

        Returns
        -------
        Estimate : winnings per hand; None if the match failed.
        """
        found = self.estimates.get((min(one, other), max(one, other)))
        return None if found is None else found[int(one > other)]

    def overall(self, agent: int, among: Sequence[int] | None = None) -> Estimate | None:
        """Return an agent's mean per hand over all its matches (among these agents), with equal weights.

        Failed matches do not count; None if no match is left. The matches of a tournament share their cards,
        so their errors need not cancel: the error of the mean is reported as the mean of the errors, which is
        an upper bound, and likewise for the interval.

        Parameters
        ----------
        agent : index of the agent.
        among : indices of the opponents to count; by default all.

        Returns
        -------
        Estimate : mean over matches with its interval; None if no match is left.
        """
        there = set(range(len(self.agents)) if among is None else among)
        found = [
            means[table.index(agent)]
            for table, means in self.estimates.items()
            if agent in table and there.issuperset(table)
        ]
        return _mean_of(found) if found else None

    def mean(self, agent: int, among: Sequence[int] | None = None) -> float:
        """Return the mean of `overall`; minus infinity for an agent without one.

        Parameters
        ----------
        agent : index of the agent.
        among : indices of the opponents to count; by default all.

        Returns
        -------
        float : mean per hand, or minus infinity.
        """
        found = self.overall(agent, among)
        return float("-inf") if found is None else found.mean

    def bankroll(self) -> list[tuple[int, float]]:
        """Return the agents with their means over all matches, best first.

        Returns
        -------
        list of (agent, mean) : highest mean first.
        """
        means = [(agent, self.mean(agent)) for agent in range(len(self.agents))]
        return sorted(means, key=lambda row: -row[1])

    def runoff(self) -> list[int]:
        """Rank agents by instant run-off, best first: drop the lowest mean, recompute the others, repeat.

        Among agents tied for the lowest mean, the one listed last is dropped.

        Returns
        -------
        list of int : indices of the agents, best first.
        """
        left, dropped = list(range(len(self.agents))), []
        while len(left) >= max(self.game.seats, 2):
            worst = min(reversed(left), key=lambda agent: self.mean(agent, left))
            left.remove(worst)
            dropped.append(worst)
        return sorted(left, key=lambda agent: -self.mean(agent)) + dropped[::-1]

    def bankroll_places(self) -> list[Standing]:
        """Return the bankroll ranking with intervals and the indistinguishable agents.

        Returns
        -------
        list of Standing : best first.
        """
        return by_bankroll([agent for agent, _ in self.bankroll()], self.overall)

    def runoff_places(self) -> list[Standing]:
        """Return the run-off ranking with the means that decided it and the indistinguishable agents.

        Returns
        -------
        list of Standing : best first.
        """
        return by_runoff(self.runoff(), self.game.seats, self.overall)

    @property
    def hash(self) -> str:
        """Identifier of the tournament; it changes with the hash of any of its matches."""
        text = ",".join(f"{table}:{result.hash}" for table, result in self.results.items())
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the output of `holdmem tournament --json`, described in docs/arena.md.

        Returns
        -------
        dict : values that JSON can represent.
        """
        return {
            "agents": [
                {"name": name, **_json(self.overall(agent), self.unit)}
                for agent, name in enumerate(self.agents)
            ],
            "hands": self.hands,
            "matches": self.matches,
            "seed": self.seed,
            "game": self.game.name,
            "luck": self.luck,
            "hash": self.hash,
            "crosstable": self._crosstable(),
            "bankroll": [self._place(place) for place in self.bankroll_places()],
            "runoff": [self._place(place) for place in self.runoff_places()],
            "results": [result.as_json() for result in self.results.values()],
            "failures": [
                {"agents": [self.agents[i] for i in table], "reason": reason}
                for table, reason in self.failures.items()
            ],
        }

    def _place(self, place: Standing) -> dict[str, Any]:
        found = _json(place.mean, self.unit)
        level = [self.agents[other] for other in place.level_with]
        return {
            "name": self.agents[place.agent],
            **{name: found[name] for name in ("mean", "ci95", "unit")},
            "not_told_apart_from": level,
        }

    def _crosstable(self) -> list[list[dict[str, Any] | None]] | None:
        if self.game.seats != 2:
            return None
        everybody = range(len(self.agents))
        cells = [[self.cell(one, other) for other in everybody] for one in everybody]
        return [[None if cell is None else cell.as_json() for cell in row] for row in cells]


def _mean_of(found: list[Estimate]) -> Estimate:
    mean = sum(one.mean for one in found) / len(found)
    samples, unit = sum(one.samples for one in found), found[0].unit
    errors = [one.standard_error for one in found if one.standard_error is not None]
    reaches = [(one.high - one.low) / 2 for one in found if one.low is not None and one.high is not None]
    if len(reaches) < len(found):
        return Estimate(mean, None, None, None, unit, samples)
    error, reach = sum(errors) / len(found), sum(reaches) / len(found)
    return Estimate(mean, error, mean - reach, mean + reach, unit, samples)


def _json(found: Estimate | None, unit: str) -> dict[str, Any]:
    if found is None:
        return {"mean": None, "standard_error": None, "ci95": None, "unit": unit, "samples": 0}
    return found.as_json()


def round_robin(
    designs: Callable[[tuple[str, ...]], Design],
    game: Game,
    agents: tuple[str, ...],
    *,
    luck: UnbiasedMethod | None = None,
    ledger: Ledger | None = None,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play every combination of as many agents as the game has seats; `designs` makes each match.

    A failure affects only its own match. With `luck`, which the designs have to ask for, it is removed from
    all means.
    """
    tables = list(combinations(range(len(agents)), game.seats))
    planned = [designs(tuple(agents[agent] for agent in table)) for table in tables]
    outcomes = run_all(planned, ledger=ledger, workers=workers, on=on, progress=progress)
    found = dict(zip(tables, outcomes, strict=True))
    results = {table: one for table, one in found.items() if isinstance(one, MatchResult)}
    failures = {table: str(one) for table, one in found.items() if not isinstance(one, MatchResult)}
    seed = next((one.design.seed for one in results.values()), planned[0].seed)
    return Tournament(game, agents, results, failures, planned[0].matches, seed, luck)
