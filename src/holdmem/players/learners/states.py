"""The states of the two learners and their descriptions."""

from dataclasses import dataclass

import numpy as np

from holdmem.agent.words.situation import STREETS
from holdmem.engine import STREET_NAMES
from holdmem.opponents.player_types import OpponentTyping, kinds
from holdmem.players.learners.kernels.learner import DEEDS, POSITIONS, STAGES
from holdmem.strength.bucketings import Bucketing

WHERE = ("first", "in the middle", "last")
"""Positions in words: among the players still in, on this street."""


@dataclass(frozen=True)
class States:
    """The states of a learner: their number, and a description of each."""

    bucketing: Bucketing
    typing: OpponentTyping

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """Number of buckets, last streets, types, actions of the last player, and positions."""
        return self.bucketing.buckets, STAGES, kinds(self.typing).types, DEEDS, POSITIONS

    @property
    def count(self) -> int:
        """Number of states: 120 per bucket with four types, as in the thesis."""
        return int(np.prod(self.shape))

    def words(self, state: int) -> str:
        """Describe a state in words."""
        bucket, acted, kind, raised, position = (int(i) for i in np.unravel_index(state, self.shape))
        first = "not acted yet" if acted == 0 else f"acted last on the {STREET_NAMES[acted - 1]}"
        deed = "bet or raised" if raised else "did not bet"
        where = ("early", "middle", "late")[position]
        return (
            f"bucket {bucket}, {first}, a {kinds(self.typing).name(kind)} opponent {deed}, {where} position"
        )

    def plain_words(self, state: int) -> str:
        """Describe a state as a player would."""
        bucket, acted, kind, raised, position = (int(i) for i in np.unravel_index(state, self.shape))
        finer = "" if self.bucketing.uniform else ", finer for strong hands,"
        scale = f"strength {bucket + 1} on a scale from 1 to {self.bucketing.buckets}{finer}"
        strength = f"a hand of {scale} by its chance to beat everyone still in"
        opponent = f"{kinds(self.typing).name(kind)} opponent"
        deed = "bet or raised" if raised else "did not bet"
        before = f"after {'an' if opponent[0] in 'aeiou' else 'a'} {opponent} who {deed}"
        first = "it has not acted yet" if acted == 0 else f"it last acted {STREETS[acted - 1]}"
        return f"{strength}; acting {WHERE[position]} of those still in, {before}; {first}"
