"""An agent that plays any case base, written by `holdmem learn` or with a custom representation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holdmem.agent import register
from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.player import Retain
from holdmem.cbr.revise import read_revisions
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.shrink import ShrinkingSeat
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.core.errors import AgentError
from holdmem.core.random import Streams
from holdmem.engine import Game

MemoryPolicy = Literal["probabilistic", "majority", "best-outcome", "shrunk", "revised"]


@register("memory", style="plays the cases in a folder of yours; may learn at the table", source="")
@dataclass(frozen=True)
class CasePlayer:
    """Plays from a case base, retrieving cases as its representation specifies.

    `cases` is the folder of the case base and `policy` the re-use policy; `shrunk` plays probabilities that
    are shrunk towards a coarser neighbour (`cbr/shrink.py`), `revised` the triples that `holdmem improve` has
    written next to the cases. `retain` adds decisions and their
    outcomes to the case base during play: `nothing`, its `own`, or those of all players whose hole cards it
    has `seen`.
    """

    cases: Path = DATA / "sartre-2"
    policy: MemoryPolicy = "majority"
    retain: Retain = "nothing"

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat:
        """Return a seat for a game that the case base's representation supports."""
        base = read_cases(self.cases)
        if self.policy == "revised":
            revised = read_revisions(self.cases, base).applied(base)
            return revised.player("probabilistic", self.retain).sit(game, tables, rng)
        if self.policy == "shrunk":
            return self._shrinking(base, game, rng)
        return base.player(self.policy, self.retain).sit(game, tables, rng)

    def _shrinking(self, base: CaseBase, game: Game, rng: Streams) -> ShrinkingSeat:
        if self.retain != "nothing":
            raise AgentError(f"memory: policy=shrunk retains nothing, got retain={self.retain}")
        base.representation.check(game)
        return ShrinkingSeat(base, self.policy, rng)
