"""Stacks that carry over from hand to hand: heads-up matches, and sit-and-gos with rising blinds.

The rules are those of `arena.bankroll`: the button moves to the next player with chips, a player without
chips is out, and pots are split in whole chips.
"""

from dataclasses import dataclass, field
from typing import Literal

from holdmem.arena.bankroll import game_at
from holdmem.core.errors import NotationError
from holdmem.core.types import JsonObject
from holdmem.engine import Game

TableFormat = Literal["cash", "match", "sit-and-go"]
LEVEL_HANDS = 10
"""Hands after which the blinds of a sit-and-go double."""
PERSON = 0


@dataclass
class CarriedStacks:
    """Stacks of a match in progress, the position of the button, and who is out in which order."""

    game: Game
    format: TableFormat
    stacks: list[int]
    button: int
    out: list[int] = field(default_factory=list)

    @classmethod
    def begin(cls, game: Game, format: TableFormat) -> "CarriedStacks":
        """Return the state before the first hand; the person has the button first."""
        return cls(game, format, list(game.stacks), PERSON)

    def copy(self) -> "CarriedStacks":
        """Return a copy that later hands do not change."""
        return CarriedStacks(self.game, self.format, list(self.stacks), self.button, list(self.out))

    def kept(self) -> JsonObject:
        """Return what changes from hand to hand, for `restore`."""
        return {"stacks": list(self.stacks), "button": self.button, "out": list(self.out)}

    def restore(self, said: JsonObject) -> None:
        """Take over what `kept` returned; NotationError if that cannot be."""
        stacks, players = [int(stack) for stack in said["stacks"]], len(self.stacks)
        out, button = [int(player) for player in said["out"]], int(said["button"])
        if sum(stacks) != sum(self.game.stacks) or len(stacks) != players or min(stacks) < 0:
            raise NotationError("its stacks do not add up")
        if sorted(out) != [player for player in range(players) if not stacks[player]] or (
            not 0 <= button < players
        ):
            raise NotationError("its stacks do not match its players")
        self.stacks, self.out, self.button = stacks, out, button

    def lineup(self) -> tuple[int, ...]:
        """Return the players with chips, starting left of the button; the last one is on the button."""
        players = len(self.stacks)
        turns = [(self.button + step) % players for step in range(1, players + 1)]
        return tuple(player for player in turns if self.stacks[player])

    def level(self, number: int) -> int:
        """Return how often the blinds have doubled before the hand of this number."""
        return number // LEVEL_HANDS if self.format == "sit-and-go" else 0

    def game_now(self, number: int) -> Game:
        """Return the game of the hand of this number, for the players that are left."""
        return game_at(self.game, len(self.lineup()), self.level(number))

    def settle(self, lineup: tuple[int, ...], won: list[int]) -> None:
        """Transfer the chips of a hand; players without chips are out, the shorter stack first."""
        before = list(self.stacks)
        for player, chips in zip(lineup, won, strict=True):
            self.stacks[player] += chips
        gone = [player for player in lineup if not self.stacks[player]]
        self.out += sorted(gone, key=lambda player: before[player])
        if not self.over:
            self.button = self.lineup()[0]

    @property
    def over(self) -> bool:
        """Whether the person is out, or has all chips."""
        return not self.stacks[PERSON] or sum(stack > 0 for stack in self.stacks) == 1

    @property
    def place(self) -> int | None:
        """The place in which the person finished; None before."""
        if PERSON in self.out:
            return len(self.stacks) - self.out.index(PERSON)
        return 1 if self.over else None

    def plain(self, number: int) -> JsonObject:
        """Return the state as values of a message, after the hand of this number has been dealt."""
        left = LEVEL_HANDS - number % LEVEL_HANDS if self.format == "sit-and-go" else 0
        return {
            "format": self.format, "level": self.level(number), "hands_left": left,
            "stacks": list(self.stacks), "out": list(self.out), "over": self.over, "place": self.place,
        }  # fmt: skip
