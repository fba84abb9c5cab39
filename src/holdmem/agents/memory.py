"""An agent that plays any case base, written by `holdmem learn` or with a custom representation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holdmem.casebase.remembering import RememberingSeat
from holdmem.casebase.retain import RetainingSeat, Whose
from holdmem.casebase.reuse import PolicyName
from holdmem.casebase.storage import read_cases
from holdmem.compiled import DATA
from holdmem.rules import Game
from holdmem.table import Streams, register

Retain = Literal["nothing", "own", "seen"]


@register("memory", style="plays any case base; may keep what it learns at the table", source="")
@dataclass(frozen=True)
class Memory:
    """Plays from a case base, retrieving cases as its representation specifies.

    `cases` is the folder of the case base and `policy` the re-use policy. `retain` adds decisions and their
    outcomes to the case base during play: `nothing`, its `own`, or those of all players whose hole cards it
    has `seen`.
    """

    cases: Path = DATA / "sartre-2"
    policy: PolicyName = "majority"
    retain: Retain = "nothing"

    def sit(self, game: Game, tables: int, rng: Streams) -> RememberingSeat:
        """Return a seat for a game that the case base's representation supports."""
        base = read_cases(self.cases)
        base.representation.check(game)
        if self.retain == "nothing":
            return RememberingSeat(base, self.policy, rng)
        whose: Whose = self.retain
        return RetainingSeat(base, self.policy, rng, whose)
