"""An agent that plays from a case base in memory."""

from dataclasses import dataclass
from typing import Literal

from holdmem.cbr.case_base import CaseBase
from holdmem.cbr.retain import RetainingSeat, RetainScope
from holdmem.cbr.reuse import PolicyName
from holdmem.cbr.seat import CaseBasedSeat
from holdmem.core.random import Streams
from holdmem.engine import Game

Retain = Literal["nothing", "own", "seen"]


@dataclass(frozen=True, eq=False)
class CaseBasePlayer:
    """Plays from a case base, retrieving cases as its representation specifies; see `CaseBase.player`.

    Two players are equal if their cases, policy and retention are.
    """

    base: CaseBase
    policy: PolicyName = "majority"
    retain: Retain = "nothing"

    def _content(self) -> tuple[str, str, str]:
        return self.base.digest, self.policy, self.retain

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CaseBasePlayer) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    @property
    def name(self) -> str:
        """Name in results: the representation, the expert and a hash of the cases."""
        expert = f" of {self.base.about['expert']}" if "expert" in self.base.about else ""
        how = "" if self.policy == "majority" else f", {self.policy}"
        how += "" if self.retain == "nothing" else f", retains {self.retain}"
        return f"{self.base.representation.name}{expert} ({self.base.digest[:8]}{how})"

    def sit(self, game: Game, tables: int, rng: Streams) -> CaseBasedSeat:
        """Return a seat for a game that the case base's representation supports."""
        self.base.representation.check(game)
        if self.retain == "nothing":
            return CaseBasedSeat(self.base, self.policy, rng)
        whose: RetainScope = self.retain
        return RetainingSeat(self.base, self.policy, rng, whose)
