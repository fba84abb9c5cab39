"""How long one waits: for a command to start, and for a first result with an empty cache."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Line

STARTS = 5


class Wait(NamedTuple):
    """What a person waits, and what of it is our doing rather than that of others on the machine."""

    clock: float
    processor: float


MATCH = """
from holdmem.players import AlwaysAllIn, AlwaysCall, AlwaysRaise, Random
from holdmem.engine import find_game
from holdmem.core.random import Streams, hand_ids
from holdmem.agent import play
game, streams, where = find_game("nolimit", 4), Streams.of(7), hand_ids(10)
agents = (Random(), AlwaysCall(), AlwaysRaise(), AlwaysAllIn())
seats = [agent.sit(game, 10, streams.spawn(seat)) for seat, agent in enumerate(agents)]
print(play(game, seats, streams.decks(where, game.deck_cards), where=where).net.sum(axis=0))
"""


def wait(command: Sequence[str], cache: str) -> Wait:
    """Run a command to its end; CalledProcessError if it fails."""
    before = os.times()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "HOLDMEM_CACHE": cache})
    spent = [now - then for now, then in zip(os.times(), before, strict=True)]
    return Wait(clock=spent[4], processor=spent[2] + spent[3])


def starts(seconds: float) -> Iterator[Line]:
    """The console commands and a match of ten hands, each first with an empty cache."""
    holdmem = str(Path(sys.executable).with_name("holdmem"))
    yield from first_and_later("holdmem --help", [holdmem, "--help"], first_most=0.5, most=0.5)
    yield from first_and_later("holdmem agents", [holdmem, "agents"], most=2)
    yield from first_and_later("match of ten hands", [sys.executable, "-c", MATCH], most=2)


def first_and_later(
    what: str, command: Sequence[str], most: float, first_most: float | None = None
) -> Iterator[Line]:
    """The first start of a command and the median of the next ones."""
    with tempfile.TemporaryDirectory() as cache:
        try:
            first = wait(command, cache)
            later = sorted(wait(command, cache) for _ in range(STARTS))[STARTS // 2]
        except FileNotFoundError:
            yield Line(what, "start", remark="not installed")
        except subprocess.CalledProcessError as failed:
            error = failed.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
            yield Line(what, "start", remark=f"fails: {error[-1]}")
        else:
            yield line(what, "empty cache", first, first_most)
            yield line(what, "afterwards", later, most)


def line(what: str, who: str, spent: Wait, most: float | None) -> Line:
    """A wait as a row of the table."""
    remark = f"{spent.processor:.2f} s of processor time"
    if most is None:
        return Line(what, who, spent.clock, "s", remark=remark)
    return Line(what, who, spent.clock, "s", None, f"under {most:g} s", spent.clock < most, remark)
