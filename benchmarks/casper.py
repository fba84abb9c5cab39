"""CASPER: finding its cases among those of the shipped memory, street by street, beside numpy."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from benchmarks.measure import Chunk, Line, Prepare, Work
from benchmarks.memory import Watched
from holdmem import find_game, make_agent, play, spots
from holdmem.agents.casper import CASPER, Casper
from holdmem.casebase.cases import Cases
from holdmem.casebase.similarity import Decay, Linear
from holdmem.rules import STREET_NAMES
from holdmem.table import Streams, Views

TABLES, QUERIES, IN_NUMPY = 512, 400, 5
QUERY_BAR, TIMES_BAR = 10_000, 15


@cache
def targets() -> list[dict[str, np.ndarray]]:
    """What nine Caspers at one table ask for, by street."""
    game, seen, where = find_game("casper"), list[Views](), spots(TABLES)
    agent = make_agent("casper")
    seats = [Watched(agent.sit(game, TABLES, Streams.of(7, "seat", seat)), seen) for seat in range(9)]
    play(game, seats, Streams.of(7, "cards").decks(where, game.deck_cards), where=where)
    found = []
    for street, features in enumerate(CASPER.streets):
        parts = [
            features.of(views[views.street == street]) for views in seen if (views.street == street).any()
        ]
        every = {name: np.concatenate([part[name] for part in parts]) for name in features.names}
        spread = np.random.default_rng(7).permutation(len(every["players"]))[:QUERIES]
        found.append({name: column[spread] for name, column in every.items()})
    return found


def cases_of(weights: str, street: int) -> Cases:
    """The shipped cases with these weights."""
    seat = Casper(weights=weights).sit(find_game("casper"), 1, Streams.of(7, "it"))
    return seat.base.streets[street]


def finds(weights: str, street: int) -> Prepare:
    """All queries at once."""

    def prepare() -> Chunk:
        cases, values = cases_of(weights, street), targets()[street]
        return lambda: len(cases.where(values, CASPER.retrieval).places)

    return prepare


def in_numpy(weights: str, street: int) -> Prepare:
    """A column after the other over all cases, then the best hundred at the threshold or above."""

    def prepare() -> Chunk:
        cases, values = cases_of(weights, street), targets()[street]
        parts = [
            (local, np.ascontiguousarray(local.columns(cases.values[name])[:, 0]),
             local.columns(values[name])[:IN_NUMPY, 0], weight)
            for (name, local), weight in zip(cases.features.similarities, cases.features.weights, strict=True)
        ]  # fmt: skip
        total = sum(cases.features.weights)

        def chunk() -> int:
            for query in range(IN_NUMPY):
                similar = np.zeros(len(cases))
                for local, column, wanted, weight in parts:
                    similar += weight * compared(local, column, wanted[query])
                best = np.argpartition(-similar, 100)[:100]
                best[similar[best] >= 0.97 * total]
            return IN_NUMPY

        return chunk

    return prepare


def compared(local: object, column: np.ndarray, wanted: float) -> np.ndarray:
    """Local similarities as one writes them in numpy."""
    if isinstance(local, Linear):
        return np.maximum(1 - np.abs(column - wanted) / local.reach, 0)
    if isinstance(local, Decay):
        return np.exp(np.abs(column - wanted) * -local.rate)
    return column == wanted


def casper(seconds: float) -> Iterator[Line]:
    """Hand-picked and general weights with bars on every street; random ones beside them."""
    for street, name in enumerate(STREET_NAMES):
        for weights in ("hand-picked", "general"):
            others = (
                {} if weights == "general" else {one: finds(one, street) for one in ("opponent", "random-1")}
            )
            yield from Work(
                f"CASPER's cases, {name}, {weights} weights",
                "queries",
                ours={weights: finds(weights, street)} | others,
                peers={"numpy": in_numpy(weights, street)},
                bar=QUERY_BAR,
                times_bar={"numpy": TIMES_BAR},
            ).measure(seconds)
