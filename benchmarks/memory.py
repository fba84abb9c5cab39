"""Memory: SARTRE's decisions, retrieval over many cases, learning from logs."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from benchmarks.measure import Chunk, Line, Prepare, Work
from holdmem import find_game, make_agent
from holdmem.agent import Actions, Seat, Views, hand_ids, play
from holdmem.arena import Design
from holdmem.cbr import Cases, Decay, Equal, Features, Linear, Nearest, Solutions, feature, read_cases
from holdmem.core.data import DATA
from holdmem.core.random import Streams
from holdmem.history import StoredHands, read_hands
from holdmem.history.formats import acpc
from holdmem.learning.learn import learn
from holdmem.learning.record import record
from holdmem.players.sartre import SARTRE_2

TABLES = 8192
LOGGED = 50_000
CASES, QUERIES = 167_540, 20
"""The preflop cases of the larger CASPER (Rubin 2007, table 3.2)."""


class Watched:
    """Notes what a seat is asked."""

    def __init__(self, seat: Seat, seen: list[Views]) -> None:
        self.seat, self.seen = seat, seen

    def act(self, views: Views) -> Actions:
        """As the seat does."""
        self.seen.append(views)
        return self.seat.act(views)


def situations() -> list[Views]:
    """The views of many hands between two SARTREs, as the lock step asks them."""
    game, seen = find_game("limit"), list[Views]()
    agent, where = make_agent("sartre-2:policy=probabilistic"), hand_ids(TABLES)
    seats = [Watched(agent.sit(game, TABLES, Streams.of(7, "seat", seat)), seen) for seat in range(2)]
    play(game, seats, Streams.of(7, "cards").decks(where, game.deck_cards), where=where)
    return seen


def decides(name: str) -> Prepare:
    """All decisions of a batch of hands."""

    def prepare() -> Chunk:
        views, seat = situations(), make_agent(name).sit(find_game("limit"), TABLES, Streams.of(7, "it"))
        return lambda: sum(len(seat.act(one)) for one in views)

    return prepare


def brute_force() -> Chunk:
    """The nearest case of a target by comparing it with every case in numpy."""
    base = read_cases(DATA / "sartre-2")
    turns = [one[one.street == 2] for one in situations()]
    views = max(turns, key=len)[:QUERIES]
    cases = base.streets[2]
    targets, memory = cases.memory.targets(cases.features.of(views)).keys, cases.memory
    keys, seen = memory.columns.keys, memory.seen

    def chunk() -> int:
        for target in targets:
            same = keys == target
            betting = np.where(same[:, 1], 1.0, np.where(same[:, 2], 0.9, np.where(same[:, 3], 0.8, 0.0)))
            similar = np.rint((same[:, 0] + betting + same[:, 4]) / 3 * 1e9)
            best = np.flatnonzero(similar == similar.max())
            best[np.argmax(seen[best])]
        return len(targets)

    return chunk


DECISIONS = Work(
    "SARTRE decides",
    "decisions",
    ours={"sartre-2": decides("sartre-2"), "sartre-1": decides("sartre-1")},
    peers={"retrieval alone in numpy": brute_force},
    bar=500_000,
)


@feature
def benched(views: Views) -> np.ndarray:
    """Stands for any amount."""
    return views.pot / 10


NUMBERS = Features(hand_class=Equal(), benched=Decay(4.0), betting=Linear(168.0))


def numbers() -> tuple[Cases, dict[str, np.ndarray]]:
    """Made-up cases with a class, a decaying and a linear feature, and targets."""
    rng = np.random.default_rng(7)
    draws = [
        {
            "hand_class": rng.integers(0, 169, n),
            "benched": rng.random(n) * 4,
            "betting": rng.integers(0, 169, n),
        }
        for n in (CASES, QUERIES)
    ]
    counts = np.ones((CASES, 3), dtype=np.int64)
    return Cases(NUMBERS, draws[0], Solutions(counts, counts, counts)), draws[1]


def scanned() -> Chunk:
    """The library's comparison with every case."""
    cases, targets = numbers()
    return lambda: len(cases.where(targets, Nearest(20)).places)


def scanned_in_numpy() -> Chunk:
    """The same in numpy."""
    cases, targets = numbers()
    rows, values = list(zip(*targets.values(), strict=True)), cases.values

    def chunk() -> int:
        for one, amount, rank in rows:
            similar = (values["hand_class"] == one) + np.exp(-4.0 * np.abs(values["benched"] - amount))
            similar = similar + np.maximum(1 - np.abs(values["betting"] - rank) / 168, 0)
            np.argpartition(-similar, 20)[:20]
        return len(rows)

    return chunk


SCAN = Work(
    f"20 nearest of {CASES:,} cases",
    "targets",
    ours={"every case compared": scanned},
    peers={"numpy": scanned_in_numpy},
)


def learns() -> Chunk:
    """A case base from an ACPC log, read, checked and replayed."""
    folder = Path(mkdtemp(prefix="holdmem-bench-"))
    players = ("sartre-2", "sartre-1")  # names that a log can have
    record(Design(find_game("limit"), players, hands=LOGGED, kind="ring", seed=7), folder / "hands")
    with (folder / "hands.log").open("w", encoding="utf-8") as file:
        acpc.write(StoredHands(folder / "hands"), file)
    return lambda: learn(read_hands(folder / "hands.log"), "sartre-2", SARTRE_2).about["hands"]


LEARNING = Work("SARTRE-2 learned from ACPC logs", "hands", ours={"holdmem": learns}, bar=100_000)


def memory(seconds: float) -> Iterator[Line]:
    """Decisions, retrieval and learning."""
    for work in (DECISIONS, SCAN, LEARNING):
        yield from work.measure(seconds)
