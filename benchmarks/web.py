"""The web table under load: 200 people at human pace, some against slow agents, and programs besides."""

import asyncio
import json
import multiprocessing
import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measure import Line
from holdmem.web.launch import WebServer
from holdmem.web.messages import VERSION
from holdmem.web.offers import Lobby

PEOPLE, THINKERS, PROGRAMS = 200, 10, 20
THINKING = (1.0, 4.0)
"""Seconds that a person thinks, from and to."""
SLOW = "alistairbot"
"""The opponent of the thinkers' tables: it plays many hands out before it acts."""
ARRIVING = 5.0
"""Seconds in which all sit down at once; decisions are timed from then on."""
MOST = 100.0
"""Milliseconds in which 99 of 100 actions of a person are answered."""


@dataclass
class Seen:
    """What the clients saw: how long each decision took to be answered, and hands by their number."""

    people: list[float] = field(default_factory=list)
    thinkers: list[float] = field(default_factory=list)
    programs: list[float] = field(default_factory=list)
    hands: set[int] = field(default_factory=set)
    sittings: set[str] = field(default_factory=set)
    seconds: float = 0.0
    """How long decisions are timed."""
    mixed: int = 0


def serve(folder: str, door: Connection) -> None:
    """The server, in a process of its own."""
    table = WebServer(Lobby(("always-call",), "always-raise"), history=Path(folder) / "hands.sqlite")
    door.send(table.wire)
    table.run()


@contextmanager
def server(folder: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: where to connect to, and its process id."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, theirs), daemon=True)
    process.start()
    try:
        yield ours.recv(), process.pid or 0
    finally:
        process.terminate()
        process.join()


async def hear(socket: ClientConnection) -> dict[str, Any]:
    """The next state at which something is to be done."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "error":
            raise RuntimeError(message["message"])
        if message["type"] == "state" and (message["over"] or message["turn"]):
            return message


async def one_client(wire: str, number: int, kind: str, until: float, seen: Seen) -> None:
    """Plays until the time is up; checks that every state belongs to its own table."""
    rng, hand = random.Random(number), 0
    agent = SLOW if kind == "thinkers" else "always-call"
    async with connect(wire) as socket:
        await socket.send(json.dumps({"type": "hello", "version": VERSION}))
        await socket.recv()
        await socket.send(json.dumps({"type": "sit", "opponents": [agent]}))
        state = await hear(socket)
        mine = state["table"]["sitting"]
        seen.mixed += mine in seen.sittings
        seen.sittings.add(mine)
        while perf_counter() < until or not state["over"]:
            seen.mixed += state["table"]["sitting"] != mine or state["hand"] != hand
            if kind != "programs":
                await asyncio.sleep(rng.uniform(*THINKING) if perf_counter() < until else 0)
            if state["over"]:
                seen.hands.add(state["id"])
                message, hand = {"type": "next"}, hand + 1
            else:
                message = {"type": "act", "hand": hand, "action": "call"}
            asked = perf_counter()
            await socket.send(json.dumps(message))
            state = await hear(socket)
            if until - seen.seconds < asked < until:
                getattr(seen, kind).append(perf_counter() - asked)
        seen.hands.add(state["id"])


async def crowd(wire: str, seconds: float, seen: Seen, thinkers: int = 0, programs: int = 0) -> None:
    """Everybody at once."""
    until, seen.seconds = perf_counter() + ARRIVING + seconds, seconds
    kinds = ["people"] * (PEOPLE - thinkers) + ["thinkers"] * thinkers + ["programs"] * programs
    async with asyncio.TaskGroup() as group:
        for number, kind in enumerate(kinds):
            group.create_task(one_client(wire, number, kind, until, seen))


def resident(process: int) -> float:
    """Megabytes of memory that a process holds now; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


CROWDS = {
    f"web table, {PEOPLE} people": {},
    f"{PEOPLE} people, {THINKERS} of them against {SLOW}": {"thinkers": THINKERS},
    f"{PEOPLE} people and {PROGRAMS} programs": {"programs": PROGRAMS},
}


def load(seconds: float) -> Iterator[Line]:
    """Latency of decisions, memory before and after, and that no hand was lost or mixed up."""
    with TemporaryDirectory() as folder, server(folder) as (wire, process):
        asyncio.run(crowd(wire, 3.0, Seen(), thinkers=1))  # compiles, opens, fills caches
        before, hands = resident(process), 0
        for work, others in CROWDS.items():
            seen = Seen()
            asyncio.run(crowd(wire, 10 * seconds, seen, **others))
            check(seen, Path(folder) / "hands.sqlite")
            hands += len(seen.hands)
            yield from latency(work, "people", seen.people, None if "programs" in others else MOST)
            yield from latency(work, "thinkers", seen.thinkers) if seen.thinkers else ()
            yield from latency(work, "programs", seen.programs) if seen.programs else ()
            decisions = len(seen.people) + len(seen.thinkers) + len(seen.programs)
            yield Line(work, "decisions in all", decisions / (10 * seconds), "decisions/s")
        after = resident(process)
    yield Line(work, f"memory after {hands:,} hands", after, "MB", remark=f"{before:.0f} MB before")


def check(seen: Seen, history: Path) -> None:
    """Raise RuntimeError if a state of another table was seen, or a hand was not stored."""
    with sqlite3.connect(history) as store:
        kept = {number for (number,) in store.execute("SELECT id FROM hands")}
    if seen.mixed or not seen.hands <= kept:
        raise RuntimeError(f"{seen.mixed} states of other tables, {len(seen.hands - kept)} hands lost")


def latency(work: str, who: str, times: list[float], most: float | None = None) -> Iterator[Line]:
    """Median and 99th percentile."""
    yield Line(work, f"{who}, median", 1000 * median(times), "ms")
    high = 1000 * quantiles(times, n=100)[-1]
    bar, reached = ("", None) if most is None else (f"{most:g} ms", high < most)
    yield Line(work, f"{who}, 99th percentile", high, "ms", bar=bar, reached=reached)
