"""Decisions of the rule players: `act` on the views that came up when each played itself."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Chunk, Line, Prepare, Work
from holdmem import make_agent
from holdmem.agent import Actions, Seat, Views, play
from holdmem.core.random import Streams, hand_ids
from holdmem.engine import STREET_NAMES, find_game

TABLES = 8192
BAR = 1e6
PLAYERS = ("simplebot", "jagbot", "dpp", "megabot", "whlbot")


class Recorder:
    """A seat that keeps the views it was asked about."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.seen: list[Views] = []

    def act(self, views: Views) -> Actions:
        """What the seat does."""
        self.seen.append(views)
        return self.seat.act(views)


def decisions(name: str, game_name: str, street: int | None = None) -> Prepare:
    """All decisions of `TABLES` hands in which an agent plays itself, or those of one street."""

    def prepare() -> Chunk:
        game, where = find_game(game_name), hand_ids(TABLES)
        agent = make_agent(name)
        seats = [agent.sit(game, TABLES, Streams.of(7, seat)) for seat in range(game.seats)]
        recorders = [Recorder(seat) for seat in seats]
        play(game, recorders, Streams.of(7, "cards").decks(where, game.deck_cards), where=where)
        seen = [(one.seat, views) for one in recorders for views in one.seen]
        if street is not None:
            seen = [(seat, views[np.flatnonzero(views.street == street)]) for seat, views in seen]

        def chunk() -> int:
            for seat, views in seen:
                seat.act(views)
            return sum(len(views) for _, views in seen)

        return chunk

    return prepare


WORKS = (
    *(
        Work(f"decisions, {name}", "decisions", {"limit": decisions(name, "limit")}, bar=BAR)
        for name in PLAYERS
    ),
    Work(
        "decisions, simplebot",
        "decisions",
        {
            **{f"limit, {word}": decisions("simplebot", "limit", i) for i, word in enumerate(STREET_NAMES)},
            "no-limit": decisions("simplebot", "nolimit"),
            "limit, nine seats": decisions("simplebot", "casper"),
        },
    ),
)


def measure(seconds: float) -> Iterator[Line]:
    """Lines for all players."""
    for work in WORKS:
        yield from work.measure(seconds)
