"""Imitators' decisions, limit and no-limit, and those of players made of them."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Chunk, Line, Prepare, Work
from benchmarks.memory import Watched
from holdmem import find_game, make_agent
from holdmem.agent import Views, hand_ids, play
from holdmem.cbr import read_cases
from holdmem.core.data import DATA
from holdmem.core.random import Streams

TABLES = 8192
QUERIES = 20


def situations(game_name: str) -> list[Views]:
    """The views of many hands between two imitators, as the lock step asks them."""
    game, seen = find_game(game_name), list[Views]()
    agent, where = make_agent("imitator:policy=probabilistic"), hand_ids(TABLES)
    seats = [Watched(agent.sit(game, TABLES, Streams.of(7, "seat", seat)), seen) for seat in range(2)]
    play(game, seats, Streams.of(7, "cards").decks(where, game.deck_cards), where=where)
    return seen


def decides(game: str, name: str) -> Prepare:
    """All decisions of a batch of hands."""

    def prepare() -> Chunk:
        views = situations(game)
        seat = make_agent(name).sit(find_game(game), TABLES, Streams.of(7, "it"))
        return lambda: sum(len(seat.act(one)) for one in views)

    return prepare


def brute_force(game: str, expert: str) -> Prepare:
    """The nearest case of a target on the turn by comparing it with every case in numpy."""

    def prepare() -> Chunk:
        cases = read_cases(DATA / f"imitator-{expert}").streets[2]
        views = max((one[one.street == 2] for one in situations(game)), key=len)[:QUERIES]
        targets = {name: column[:, None] for name, column in cases.features.of(views).items()}
        weights = np.array(cases.features.weights)

        def chunk() -> int:
            for place in range(QUERIES):
                local = [
                    similarity(targets[name][place], cases.values[name])
                    for name, similarity in cases.features.similarities
                ]
                similar = np.rint(weights @ np.array(local) / weights.sum() * 1e9)
                best = np.flatnonzero(similar == similar.max())
                best[np.argmax(cases.solutions.seen[best])]
            return QUERIES

        return chunk

    return prepare


LIMIT = Work(
    "imitators decide, limit",
    "decisions",
    ours={name: decides("limit", name) for name in ("imitator", "ensemble")},
    peers={"retrieval alone in numpy": brute_force("limit", "eqm")},
    bar=500_000,
)
NO_LIMIT = Work(
    "imitators decide, no-limit",
    "decisions",
    ours={name: decides("nolimit", name) for name in ("imitator", "ensemble")},
    peers={"retrieval alone in numpy": brute_force("nolimit", "eqm-nl")},
    bar=100_000,
)


def imitators(seconds: float) -> Iterator[Line]:
    """Both games."""
    for work in (LIMIT, NO_LIMIT):
        yield from work.measure(seconds)
