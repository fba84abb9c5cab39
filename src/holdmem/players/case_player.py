"""An agent that plays any case base, written by `holdmem learn` or with a custom representation."""

from dataclasses import dataclass
from pathlib import Path

from holdmem.agent import register
from holdmem.cbr.player import Retain
from holdmem.cbr.reuse import PolicyName
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.cbr.store import read_cases
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.engine import Game


@register("memory", style="plays any case base; may keep what it learns at the table", source="")
@dataclass(frozen=True)
class CasePlayer:
    """Plays from a case base, retrieving cases as its representation specifies.

    `cases` is the folder of the case base and `policy` the re-use policy. `retain` adds decisions and their
    outcomes to the case base during play: `nothing`, its `own`, or those of all players whose hole cards it
    has `seen`.
    """

    cases: Path = DATA / "sartre-2"
    policy: PolicyName = "majority"
    retain: Retain = "nothing"

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat:
        """Return a seat for a game that the case base's representation supports."""
        return read_cases(self.cases).player(self.policy, self.retain).sit(game, tables, rng)
