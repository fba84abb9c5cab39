"""Round robins: everybody against everybody, a cross table, a bankroll winner and a run-off winner."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.ledger import Ledger
from holdmem.arena.result import MatchResult
from holdmem.arena.run import run
from holdmem.arena.statistics import Estimate
from holdmem.errors import AgentError, GameError
from holdmem.rules import Game


@dataclass(frozen=True)
class Tournament:
    """All matches between the agents, and the reasons of those that could not be played."""

    game: Game
    agents: tuple[str, ...]
    results: dict[tuple[int, ...], MatchResult]
    failures: dict[tuple[int, ...], str]

    def cell(self, one: int, other: int) -> Estimate | None:
        """What the first agent won from the second, per hand; heads-up only."""
        result = self.results.get((min(one, other), max(one, other)))
        return None if result is None else result.estimates()[int(one > other)]

    def mean(self, agent: int, among: Sequence[int]) -> float:
        """An agent's mean per hand over all its matches among these agents, every match alike.

        A match that failed does not count; an agent with none left has minus infinity.
        """
        means = [
            result.estimates()[table.index(agent)].mean
            for table, result in self.results.items()
            if agent in table and set(table) <= set(among)
        ]
        return sum(means) / len(means) if means else float("-inf")

    def bankroll(self) -> list[tuple[int, float]]:
        """Agents by their mean over all matches, best first."""
        everybody = range(len(self.agents))
        return sorted(((agent, self.mean(agent, everybody)) for agent in everybody), key=lambda row: -row[1])

    def runoff(self) -> list[int]:
        """Agents by instant run-off, best first: drop the one with the lowest mean, recompute, go on.

        Of several with the same lowest mean the one named last is dropped.
        """
        left, dropped = list(range(len(self.agents))), []
        while len(left) >= max(self.game.seats, 2):
            worst = min(reversed(left), key=lambda agent: self.mean(agent, left))
            left.remove(worst)
            dropped.append(worst)
        rest = sorted(left, key=lambda agent: -self.mean(agent, range(len(self.agents))))
        return rest + dropped[::-1]

    def as_json(self) -> dict[str, Any]:
        """The documented shape of `holdmem tournament --json`."""
        return {
            "game": self.game.name,
            "agents": list(self.agents),
            "matches": [result.as_json() for result in self.results.values()],
            "failures": [
                {"agents": [self.agents[i] for i in table], "reason": reason}
                for table, reason in self.failures.items()
            ],
            "crosstable": self._crosstable(),
            "bankroll": [
                {"name": self.agents[agent], "mean": None if mean == float("-inf") else mean}
                for agent, mean in self.bankroll()
            ],
            "runoff": [self.agents[agent] for agent in self.runoff()],
        }

    def _crosstable(self) -> list[list[dict[str, Any] | None]] | None:
        if self.game.seats != 2:
            return None
        everybody = range(len(self.agents))
        return [[_cell_json(self.cell(one, other)) for other in everybody] for one in everybody]


def _cell_json(cell: Estimate | None) -> dict[str, Any] | None:
    return None if cell is None else cell.as_json()


def tournament(
    game: Game,
    agents: Sequence[str],
    *,
    ledger: Ledger | None = None,
    progress: Callable[[tuple[int, ...], int, int], None] | None = None,
    workers: int = 1,
    on: str | None = None,
    **choices: Any,
) -> Tournament:
    """Every choice of as many agents as the game has seats plays a match; a failure costs only its match."""
    if len(agents) < game.seats:
        raise GameError(f"{game.name}: expected at least {game.seats} agents, got {len(agents)}")
    results: dict[tuple[int, ...], MatchResult] = {}
    failures: dict[tuple[int, ...], str] = {}
    for table in combinations(range(len(agents)), game.seats):
        design = Design(game, tuple(agents[agent] for agent in table), **choices)

        def tell(done: int, of: int, table: tuple[int, ...] = table) -> None:
            if progress:
                progress(table, done, of)

        try:
            results[table] = run(design, ledger=ledger, workers=workers, on=on, progress=tell)
        except AgentError as error:
            failures[table] = str(error)
    return Tournament(game, tuple(agents), results, failures)
