"""Throughput of ours and of peers, taken in turns, since machines are noisy to a factor of two."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from time import process_time

Chunk = Callable[[], int]
"""Does some of the work and says how many pieces that was."""

Prepare = Callable[[], Chunk]
"""Builds all that is not to be timed; ImportError means that the library is not there."""

ROUNDS = 9
"""Turns of every contender; odd, so that the median is one of them."""


@dataclass(frozen=True)
class Line:
    """One measurement: a row of the table."""

    work: str
    who: str
    value: float | None = None  # None: it could not be measured, the remark says why
    unit: str = ""
    times: float | None = None  # how many times as fast the first of ours is
    bar: str = ""
    reached: bool | None = None  # None: there is no bar
    remark: str = ""


@dataclass(frozen=True)
class Work:
    """A piece of work, the ways in which we do it and the peers that do it too.

    The bars are for the first of ours: `bar` is a throughput, `times_bar` a multiple of a peer's.
    """

    name: str
    unit: str
    ours: Mapping[str, Prepare]
    peers: Mapping[str, Prepare] = field(default_factory=dict)
    bar: float | None = None
    times_bar: Mapping[str, float] = field(default_factory=dict)

    def measure(self, seconds: float) -> Iterator[Line]:
        """Lines for all contenders, about `seconds` for each."""
        chunks, missing = _prepare({**self.ours, **self.peers})
        rates = take_turns(chunks, seconds)
        first = rates[next(iter(self.ours))]
        for who in (*self.ours, *self.peers):
            if who in missing:
                yield Line(self.name, who, remark=missing[who])
            else:
                yield self._line(who, rates[who], first)

    def _line(self, who: str, rates: list[float], first: list[float]) -> Line:
        """Multiples are medians over the rounds: both sides of a ratio were measured next to each other."""
        rate, unit = median(rates), f"{self.unit}/s"
        if who in self.peers:
            times = median(our / their for our, their in zip(first, rates, strict=True))
            least = self.times_bar.get(who)
            if least is None:
                return Line(self.name, who, rate, unit, times)
            bar = "as fast" if least == 1 else f"{least:g} times"
            return Line(self.name, who, rate, unit, times, bar, times >= least)
        if rates is first and self.bar is not None:
            return Line(self.name, who, rate, unit, None, f"{short(self.bar)}/s", rate >= self.bar)
        return Line(self.name, who, rate, unit)


def _prepare(contenders: Mapping[str, Prepare]) -> tuple[dict[str, Chunk], dict[str, str]]:
    """What each contender does, and why some cannot."""
    chunks, missing = {}, {}
    for who, prepare in contenders.items():
        try:
            chunks[who] = prepare()
        except ImportError:
            missing[who] = "not installed"
    return chunks, missing


def take_turns(chunks: Mapping[str, Chunk], seconds: float) -> dict[str, list[float]]:
    """The throughput of each in every round, round after round."""
    for chunk in chunks.values():
        chunk()  # compiled, imported and warm before any clock runs
    rates: dict[str, list[float]] = {who: [] for who in chunks}
    for _ in range(ROUNDS):
        for who, chunk in chunks.items():
            rates[who].append(throughput(chunk, seconds / ROUNDS))
    return rates


def throughput(chunk: Chunk, seconds: float) -> float:
    """Pieces a second of processor time: what others do on the same machine then counts for less.

    All contenders work on one core, and threads of a process would add up, so this flatters nobody.
    """
    done, start = 0, process_time()
    while (spent := process_time() - start) < seconds or not done:
        done += chunk()
    return done / spent


def short(value: float) -> str:
    """Three digits with k or M: 1.38 M, 183 M, 64.1 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"
