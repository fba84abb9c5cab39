"""The players of a match: HoldMem agents in the dealer's process, and places for those who connect."""

import re
from dataclasses import dataclass

from holdmem.agent import FinishedHands, Seat, Views, make_agent
from holdmem.agent.ask import ask_one, show_finished, watches
from holdmem.core.errors import NotationError
from holdmem.core.random import Streams
from holdmem.engine import Game

FOREIGN = "@"
MOST_UNSEEN = 64
"""Maximum number of finished hands that may wait to be shown to a HoldMem agent."""

SLOW = 0.005
"""Seconds; an agent that takes longer is asked in a thread, so that other matches continue."""

_SETTING = re.compile(r"[\w-]+\s*=")
_BRACKETS = {"[": 1, "]": -1}


@dataclass(frozen=True)
class SeatRequest:
    """A requested seat of a match: its name in logs, and the agent, or None for a foreign player."""

    name: str
    agent: str | None


def parse_seats(text: str) -> tuple[SeatRequest, ...]:
    """Parse seats such as `sartre-2:policy=majority,@foreign`; an agent's parameters may contain commas.

    `@` marks a place for the player that connects to its port, followed by its name in logs; everything else
    names a HoldMem agent.
    """
    parts: list[str] = []
    for part in _split(text):
        if _SETTING.match(part) and parts:
            parts[-1] += f",{part}"  # no agent's name has an = in it
        else:
            parts.append(part)
    if not all(parts) or len(parts) < 2:
        raise NotationError(f"expected two or more seats separated by commas, got {text!r}")
    bare = [bare_name(part) for part in parts]
    names = [
        name if bare.count(name) == 1 else f"{name}-{bare[:place].count(name) + 1}"
        for place, name in enumerate(bare)
    ]
    agents = [None if part.startswith(FOREIGN) else part for part in parts]
    return tuple(SeatRequest(name, agent) for name, agent in zip(names, agents, strict=True))


def _split(text: str) -> list[str]:
    """Split at the commas that stand outside all brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += _BRACKETS.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def bare_name(part: str) -> str:
    """Return a name for logs, where : and | separate fields and other programs may split at blanks."""
    if part.startswith(FOREIGN):
        name = part.removeprefix(FOREIGN) or "foreign"
    elif ".py:" in part:
        name = part.rpartition(".py:")[2].partition(":")[0]
    else:
        name = part.partition(":")[0]
    return check_log_name(name)


def check_log_name(name: str) -> str:
    """Return the name if it is valid in a log and as a log's file name: no folder, no separator."""
    if not re.fullmatch(r"[\w.+-]+", name):
        raise NotationError(f"names in logs consist of letters, digits and . + - _, got {name!r}")
    return name


class LocalPlayer:
    """A HoldMem agent at one table, asked through the same interface as in the arena."""

    name: str
    player: int

    def __init__(self, place: SeatRequest, player: int, game: Game, rng: Streams) -> None:
        assert place.agent is not None
        self.name, self.player = place.name, player
        self.seat: Seat = make_agent(place.agent).sit(game, 1, rng)
        self.watching: bool = watches(self.seat)
        self.slow = True  # until measured: the first decision may compile kernels
        self.asked = False
        """Whether a thread is asking it now and has not answered yet."""
        self._unseen: list[FinishedHands] = []

    def show_later(self, hand: FinishedHands) -> None:
        """Queue a finished hand, to be shown to the agent before its next decision."""
        self._unseen.append(hand.seen_by(self.player))
        if len(self._unseen) >= MOST_UNSEEN:
            self.look()

    def look(self) -> None:
        """Show the queued hands to the agent."""
        unseen, self._unseen = self._unseen, []
        for hand in unseen:
            if watches(self.seat):
                show_finished(self.seat, hand, self.name)

    def decide(self, views: Views) -> int:
        """Show the queued hands, then return the agent's action at this view."""
        self.look()
        return ask_one(self.seat, views, self.name)
