"""Whole matches, with statistics and a ledger on disk, on one core."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import mkdtemp

from benchmarks.measure import Chunk, Line, Prepare, Work, take_turns
from holdmem import Ledger, find_game, match

BOT = str(Path(__file__).parents[1] / "docs" / "example_bot.py")
MOST_OVERHEAD = 0.10


def matches_of(name: str, seats: int, *agents: str, hands: int, matches: int = 1) -> Prepare:
    """A chunk that plays a match with other cards each time, so that the ledger never knows it."""

    def prepare() -> Chunk:
        game, seeds = find_game(name, seats), count()
        ledger = Ledger(Path(mkdtemp(prefix="holdmem-bench-")) / "results.sqlite")
        return lambda: (
            match(game, *agents, hands=hands, matches=matches, seed=next(seeds), ledger=ledger).hands
        )

    return prepare


MATCHES = (
    Work(
        "match, random against always-call",
        "hands",
        {"holdmem": matches_of("limit", 2, "random", "always-call", hands=200_000)},
        bar=500_000,
    ),
    Work(
        "match, six-seat no-limit",
        "hands",
        {"holdmem": matches_of("nolimit", 6, *["random", "always-call"] * 3, hands=10_000)},
        bar=100_000,
    ),
    Work(
        "match, two @bot players",
        "hands",
        {"holdmem": matches_of("limit", 2, f"{BOT}:cautious", f"{BOT}:cautious:patience=3", hands=20_000)},
        bar=30_000,
    ),
)


def arena(seconds: float) -> Iterator[Line]:
    """Throughput of matches, and what a thousand short ones cost beyond a long one."""
    for work in MATCHES:
        yield from work.measure(seconds)
    chunks = {
        "short": matches_of("limit", 2, "random", "always-call", hands=200, matches=1000)(),
        "long": matches_of("limit", 2, "random", "always-call", hands=200_000)(),
    }
    rates = take_turns(chunks, 2 * seconds)
    extra = median(long / short for long, short in zip(rates["long"], rates["short"], strict=True)) - 1
    bar = f"at most {MOST_OVERHEAD:.0%}"
    yield Line(
        "1,000 short matches or one long", "overhead", 100 * extra, "%", None, bar, extra <= MOST_OVERHEAD
    )
