"""Retrieval statistics of a case base at a table: similarity and number of cases (Rubin 2007, §5.4)."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent import make_agent
from holdmem.arena import Design
from holdmem.arena.units import plan
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.retrieve import Threshold
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.core.errors import AgentError
from holdmem.core.types import Floats, Progress
from holdmem.engine import STREET_NAMES
from holdmem.history import Hands, replay
from holdmem.learning.record import play_units


@dataclass(frozen=True)
class StreetRetrieval:
    """Retrieval statistics of one street."""

    street: str
    decisions: int
    hands: int
    """Hands that the player was dealt, whatever street they ended on."""
    similarity: float
    """Mean over decisions of the mean similarity of the cases used."""
    cases: float
    """Mean number of cases used."""
    missed: int
    """Decisions for which no case reached the threshold, so that the next best were used."""

    @property
    def share_missed(self) -> float:
        """Missed decisions as a share of all decisions."""
        return self.missed / max(self.decisions, 1)

    @property
    def missed_per_10000(self) -> float:
        """Missed decisions per 10,000 hands, as in the thesis."""
        return 10_000 * self.missed / max(self.hands, 1)


def retrieval_statistics(
    design: Design, player: str, *, workers: int = 1, progress: Progress | None = None
) -> list[StreetRetrieval]:
    """Compute table 5.1 for one table: replay a match and retrieve for the player's decisions, by street.

    `player` is one of the design's agents, as written there. Cases retained during play are ignored:
    retrieval uses the case base the player sat down with.
    """
    if player not in design.agents:
        raise AgentError(f"expected a player of the design, got {player!r}: {', '.join(design.agents)}")
    seat = make_agent(player).sit(design.game, 1, design.rng("retrieval"))
    if not isinstance(seat, CaseBasedSeat):
        raise AgentError(f"{player}: this player has no case base")
    hands, rows = 0, [np.zeros((0, 3)) for _ in STREET_NAMES]
    for block in play_units(plan(design), workers, progress=progress):
        hands += int((block.rows["player"] == block.players.index(player)).sum())
        for street, found in enumerate(_looks(seat.base, block, player)):
            rows[street] = np.concatenate([rows[street], found])
    return [_summary(name, hands, found) for name, found in zip(STREET_NAMES, rows, strict=True)]


def _summary(street: str, hands: int, found: Floats) -> StreetRetrieval:
    similarity, cases, _ = found.mean(axis=0).tolist() if len(found) else (0.0, 0.0, 0.0)
    return StreetRetrieval(street, len(found), hands, similarity, cases, int(found[:, 2].sum()))


def _looks(base: CaseBase, hands: Hands, player: str) -> list[Floats]:
    """Per street, one row per decision: mean similarity, number of cases, whether below the threshold."""
    found: list[list[Floats]] = [[] for _ in STREET_NAMES]
    who = hands.players.index(player)
    retrieval = base.representation.retrieval
    least = retrieval.least if isinstance(retrieval, Threshold) else 0.0
    for decisions in replay(hands):
        mine = decisions.player == who
        for street, cases in enumerate(base.streets):
            rows = np.flatnonzero(mine & (decisions.views.street == street))
            if not len(rows) or not len(cases):
                continue
            got = cases.where(cases.features.of(decisions.views[rows]), retrieval)
            count = (got.places >= 0).sum(axis=1)
            mean = got.similarities.sum(axis=1) / np.maximum(count, 1)
            missed = got.similar[:, 0] < int(least * 1e9 + 0.5)
            found[street].append(np.column_stack([mean, count, missed]))
    return [np.concatenate(parts) if parts else np.zeros((0, 3)) for parts in found]
