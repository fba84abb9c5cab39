"""Compare how agents play: each in turn against the same opponents, on the same cards."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from time import process_time
from typing import Any

from holdmem.arena.design import Design
from holdmem.arena.run import run
from holdmem.arena.style import Style
from holdmem.core.errors import AgentError
from holdmem.core.statistics import Estimate
from holdmem.core.types import Progress
from holdmem.engine import Game

WARM_UP = 20
"""Hands played before the clock starts, so that compilation does not count."""


@dataclass(frozen=True)
class StyleReport:
    """One agent's style and result, and the speed at which its hands were played."""

    name: str
    style: Style
    result: Estimate
    hands: int
    """Total number of hands played, in all orders."""
    hands_a_second: float
    """Hands per second of processor time on one core, including opponents and statistics."""

    def as_json(self) -> dict[str, Any]:
        """Return the portrait as JSON values."""
        return {
            "name": self.name,
            "style": asdict(self.style),
            **self.result.as_json(),
            "hands": self.hands,
            "hands_a_second": self.hands_a_second,
        }


def style_reports(
    game: Game,
    agents: Sequence[str],
    against: str,
    *,
    hands: int = 1000,
    matches: int = 20,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[StyleReport]:
    """Play each agent in one seat with `against` in all others: duplicate for two seats, a ring for more."""
    if not agents:
        raise AgentError("expected at least one agent, got none")
    designs = [_design(game, agent, against, hands, matches, seed) for agent in agents]
    for design in designs:
        design.make_agents()  # report errors now, not after the other agents have played
    for done, design in enumerate(designs):
        run(_design(game, design.agents[0], against, WARM_UP, 1, seed))
        start = process_time()
        found = run(design)
        spent = max(process_time() - start, 1e-9)
        if progress:
            progress((done + 1) * found.hands, len(designs) * found.hands)
        yield StyleReport(
            design.agents[0], found.styles()[0], found.estimates()[0], found.hands, found.hands / spent
        )


def _design(game: Game, agent: str, against: str, hands: int, matches: int, seed: int) -> Design:
    others = (against,) * (game.seats - 1)
    chosen = Design(game, (agent, *others), hands=hands, matches=matches, kind="ring", seed=seed)
    return chosen if game.seats > 2 else replace(chosen, kind="duplicate")
