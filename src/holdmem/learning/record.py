"""Play experts against each other and store the hands, to learn from them.

Designs are usually ring games (the button moves, all cards are new). Hands are played in the work units of
the arena and stored in the order of the units, so that the bytes do not depend on the number of workers.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from holdmem.arena import Design
from holdmem.arena.units import MatchPlan, WorkUnit, plan, play_hands
from holdmem.core.errors import AgentError, HoldMemError
from holdmem.core.parallel import WorkerDied, run_units
from holdmem.core.types import Progress
from holdmem.history import Hands, join, write_hands
from holdmem.learning.decks import DeckRange
from holdmem.strength.build_tables import build_wanted
from holdmem.strength.tables import WANTED


def record(
    design: Design,
    target: Path | str,
    *,
    workers: int = 1,
    on: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Play a design with all cards visible and store its hands in a new folder; return their number."""
    WANTED.clear()
    planned = plan(design)
    if on is None:
        build_wanted(planned.hands, workers)
    about: dict[str, Any] = {
        "agents": list(design.agents),
        "seed": design.seed,
        "kind": design.kind,
        "design": planned.hash,
    }
    about["decks"] = DeckRange.of(design).as_json()
    return write_hands(play_units(planned, workers, on, progress), target, "parquet", about=about)


def play_units(
    planned: MatchPlan, workers: int = 1, on: str | None = None, progress: Progress | None = None
) -> Iterator[Hands]:
    """Play the work units of a match and yield the hands of each, in the order of the units."""
    units = planned.split()
    waiting: dict[int, Hands] = {}
    done = following = 0
    for unit, found in run_units(hands_of_unit, units, min(workers, len(units)), on):
        if isinstance(found, WorkerDied | str):
            raise AgentError(f"{' against '.join(planned.design.agents)}: {found}")
        waiting[unit.start] = found
        while following < len(units) and units[following].start in waiting:
            block = waiting.pop(units[following].start)
            following += 1
            done += len(block)
            yield block
            if progress:
                progress(done, planned.hands)


def hands_of_unit(unit: WorkUnit) -> Hands | str:
    """Return the hands of one work unit, or an error message if an agent fails."""
    names = unit.plan.design.agents
    try:
        blocks = [Hands.of(hands, names) for hands, _ in play_hands(unit)]
    except HoldMemError as error:
        return str(error)
    return _by_name(join(blocks))


def _by_name(hands: Hands) -> Hands:
    """List each name once: an agent that plays itself is one player in two seats."""
    players = tuple(dict.fromkeys(hands.players))
    places = np.array([players.index(name) for name in hands.players])
    rows = hands.rows.copy()
    seated = rows["player"] >= 0
    rows["player"][seated] = places[rows["player"][seated]]
    return replace(hands, rows=rows, players=players)
