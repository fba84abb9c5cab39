"""CASPER: finding its cases street by street, beside numpy and, where they are there, beside other libraries.

`casper` asks the shipped memory. `casper02` asks one of the published sizes, which is synthetic: our experts
give up earlier than the thesis's did and left fewer cases after the flop. It has the shipped cases, the
first of them where there are more than published, and otherwise as many more as are missing, drawn from them
with their strengths moved by up to two hundredths. What is asked is the same: situations of real hands.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from benchmarks.casebase_peers import ball_tree, cbrkit, manhattan
from benchmarks.measure import Chunk, Line, Prepare, Work, throughput
from benchmarks.memory import Watched
from holdmem import find_game, make_agent
from holdmem.agent import Views, hand_ids, play
from holdmem.cbr.cases import Cases
from holdmem.cbr.similarity import Decay, Linear
from holdmem.cbr.weight_sets import find_weights
from holdmem.core.random import Streams
from holdmem.engine import STREET_NAMES
from holdmem.players.casper import CASPER, STREETS, WEIGHTS, Casper

TABLES, QUERIES, IN_NUMPY, CHECKED = 512, 400, 5, 3
QUERY_BAR, TIMES_BAR = 10_000, 15
BARRED = ("hand-picked", "general")
"""Weights that the bars are for; the others are reported beside them."""

PUBLISHED = (167_540, 50_948, 34_634, 27_507)
"""Cases of casper02 on each street (Rubin 2007, table 3.2)."""
STRENGTHS = ("ihs", "ppot", "npot")
MOVED = 20
"""Thousandths by which strengths of cases that are drawn again move at the most."""

PEERS = {"scikit-learn, ball tree": ball_tree, "scikit-learn, other distance": manhattan, "cbrkit": cbrkit}

Remember = Callable[[int], Cases]
"""A memory: the cases of a street."""


@cache
def targets() -> list[dict[str, np.ndarray]]:
    """What nine Caspers at one table ask for, by street."""
    game, seen, where = find_game("casper"), list[Views](), hand_ids(TABLES)
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


@cache
def shipped(street: int) -> Cases:
    """The cases of the package."""
    cases: Cases = Casper().sit(find_game("casper"), 1, Streams.of(7, "it")).base.streets[street]
    return cases


@cache
def published(street: int) -> Cases:
    """As many cases as were published, made of the shipped ones."""
    cases, rng = shipped(street), np.random.default_rng(7)
    again = rng.integers(0, len(cases), max(PUBLISHED[street] - len(cases), 0))
    which = np.concatenate([np.arange(len(cases)), again])[: PUBLISHED[street]]
    values = {name: column[which] for name, column in cases.values.items()}
    for name in STRENGTHS:
        if name in values:
            moved = np.rint(values[name][len(cases) :] * 1000) + rng.integers(-MOVED, MOVED + 1, len(again))
            values[name][len(cases) :] = moved.clip(0, 1000) / 1000
    return Cases(cases.features, values, cases.solutions[which])


def weighed(remember: Remember, weights: str, street: int) -> Cases:
    """The cases of a memory with these weights."""
    streets = find_weights(weights, STREETS, WEIGHTS).apply_to(CASPER).streets
    return remember(street).reweighted(streets[street])


def finds(remember: Remember, weights: str, street: int) -> Prepare:
    """All queries at once."""

    def prepare() -> Chunk:
        cases, values = weighed(remember, weights, street), targets()[street]
        check(cases, values)
        return lambda: len(cases.where(values, CASPER.retrieval).places)

    return prepare


def check(cases: Cases, values: dict[str, np.ndarray]) -> None:
    """Raise AssertionError unless some queries find exactly what looking at all cases finds, in its order.

    Similarities count as whole billionths; of equal ones the case seen more often, then the first, is first.
    """
    found, rule = cases.where(values, CASPER.retrieval).places, CASPER.retrieval
    for query in range(CHECKED):
        similar = np.zeros(len(cases))
        for (name, local), weight in zip(cases.features.similarities, cases.features.weights, strict=True):
            similar += weight * local(cases.values[name], values[name][query])
        billionths = np.floor(similar / sum(cases.features.weights) * 1e9 + 0.5).astype(np.int64)
        order = np.lexsort((np.arange(len(cases)), -cases.solutions.seen, -billionths))
        expected = order[: rule.kept(billionths[order][None, :])[0]]
        assert found[query][found[query] >= 0].tolist() == expected.tolist(), f"query {query}: other cases"


def in_numpy(remember: Remember, weights: str, street: int) -> Prepare:
    """A column after the other over all cases, then the best hundred at the threshold or above."""

    def prepare() -> Chunk:
        cases, values = weighed(remember, weights, street), targets()[street]
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


def beside_numpy(remember: Remember, weights: str, street: int, others: tuple[str, ...] = ()) -> Work:
    """One street with these weights, bars if they have any, and other weights beside them."""
    barred = weights in BARRED
    return Work(
        f"CASPER, {STREET_NAMES[street]}, {len(remember(street)):,} cases, {weights} weights",
        "queries",
        ours={one: finds(remember, one, street) for one in (weights, *others)},
        peers={"numpy": in_numpy(remember, weights, street)},
        bar=QUERY_BAR if barred else None,
        times_bar={"numpy": TIMES_BAR} if barred else {},
    )


def casper(seconds: float) -> Iterator[Line]:
    """The shipped memory: hand-picked and general weights with bars on every street; others beside them."""
    for street in range(4):
        yield from beside_numpy(shipped, "hand-picked", street, ("opponent",)).measure(seconds)
        yield from beside_numpy(shipped, "general", street).measure(seconds)
        yield from beside_numpy(shipped, "random-1", street).measure(seconds)


def casper02(seconds: float) -> Iterator[Line]:
    """The published sizes, and libraries that take long, each asked a few queries, once."""
    for street in range(4):
        work = beside_numpy(published, "hand-picked", street)
        first, *rest = work.measure(seconds)
        yield from (first, *rest)
        cases, values = weighed(published, "hand-picked", street), targets()[street]
        for who, peer in PEERS.items():
            yield slow_line(work.name, who, partial(peer, cases, values), first.value or 0.0, seconds)
        yield from beside_numpy(published, "general", street).measure(seconds)
        yield from beside_numpy(published, "random-1", street).measure(seconds)


def slow_line(work: str, who: str, prepare: Prepare, ours: float, seconds: float) -> Line:
    """A peer measured in one turn: most take so long for a query that noise does not matter."""
    try:
        rate = throughput(prepare(), seconds)
    except ImportError:
        return Line(work, who, remark="not installed")
    return Line(work, who, rate, "queries/s", ours / rate)
