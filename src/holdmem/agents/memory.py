"""A player for any case base: what `holdmem learn` wrote, or a representation of one's own."""

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
    """Retrieves and re-uses as the representation of its case base says.

    `retain` keeps decisions and their outcomes while playing: its own, or all whose cards it saw.
    """

    cases: Path = DATA / "sartre-2"
    policy: PolicyName = "majority"
    retain: Retain = "nothing"

    def sit(self, game: Game, tables: int, rng: Streams) -> RememberingSeat:
        """Plays the games that the representation is meant for."""
        base = read_cases(self.cases)
        base.representation.check(game)
        if self.retain == "nothing":
            return RememberingSeat(base, self.policy, rng)
        whose: Whose = self.retain
        return RetainingSeat(base, self.policy, rng, whose)
