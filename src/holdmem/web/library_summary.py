"""What a file of hands contains: how many hands, of which games, from when to when, and who plays."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from holdmem.core.types import JsonObject
from holdmem.history import Hands
from holdmem.history.describe import stakes
from holdmem.history.hands import UNKNOWN

MOST_PLAYERS = 100
"""Players that are named; those with the most hands."""


@dataclass
class HandsSummary:
    """Counts over blocks of hands."""

    hands: int = 0
    dealt: Counter[str] = field(default_factory=Counter)
    """Hands of each player."""
    seen: Counter[str] = field(default_factory=Counter)
    """Hands in which the player's cards are known."""
    games: Counter[str] = field(default_factory=Counter)
    first: int = UNKNOWN
    last: int = UNKNOWN

    def add(self, hands: Hands) -> None:
        """Add the hands of a block to the counts."""
        self.hands += len(hands)
        seated, players = hands.seated, hands.rows["player"]
        self._count(self.dealt, hands.players, players[seated])
        self._count(self.seen, hands.players, players[seated & hands.known])
        self._count(self.games, [stakes(terms) for terms in hands.terms], hands.rows["terms"])
        times = hands.rows["time"][hands.rows["time"] != UNKNOWN]
        if len(times):
            known = [time for time in (self.first, self.last) if time != UNKNOWN]
            self.first = min([int(times.min()), *known])
            self.last = max([int(times.max()), *known])

    @staticmethod
    def _count(total: Counter[str], names: "list[str] | tuple[str, ...]", places: np.ndarray) -> None:
        for name, count in zip(names, np.bincount(places, minlength=len(names)).tolist(), strict=True):
            if count:
                total[name] += count

    def hero(self) -> str:
        """Return whose hands these are: the player whose cards are known most often."""
        found = max(self.seen or self.dealt, key=lambda name: (self.seen[name], self.dealt[name]), default="")
        return found

    def as_json(self) -> JsonObject:
        """Return the counts as JSON values."""
        return {
            "hands": self.hands,
            "hero": self.hero(),
            "players": [
                {"name": name, "hands": count, "seen": self.seen[name]}
                for name, count in self.dealt.most_common(MOST_PLAYERS)
            ],
            "games": [{"name": name, "hands": count} for name, count in self.games.most_common()],
            "first": None if self.first == UNKNOWN else self.first,
            "last": None if self.last == UNKNOWN else self.last,
        }
