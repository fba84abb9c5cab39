"""The web table under load: 200 people at human pace and 20 programs at full speed, in one server process."""

import asyncio
import json
import multiprocessing
import random
import sqlite3
from collections.abc import Iterator
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
from holdmem.web.offers import Lobby

PEOPLE, PROGRAMS = 200, 20
THINKING = (1.0, 4.0)
"""Seconds that a person thinks, from and to."""
WORK = f"web table, {PEOPLE} people and {PROGRAMS} programs"


@dataclass
class Seen:
    """What the clients saw: how long each decision took to be answered, and hands by their number."""

    people: list[float] = field(default_factory=list)
    programs: list[float] = field(default_factory=list)
    hands: set[int] = field(default_factory=set)
    sittings: set[str] = field(default_factory=set)
    mixed: int = 0


def serve(folder: str, door: Connection) -> None:
    """The server, in a process of its own."""
    table = WebServer(Lobby(("always-call",), "always-raise"), history=Path(folder) / "hands.sqlite")
    door.send(table.wire)
    table.run()


async def hear(socket: ClientConnection) -> dict[str, Any]:
    """The next state at which something is to be done."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "error":
            raise RuntimeError(message["message"])
        if message["type"] == "state" and (message["over"] or message["turn"]):
            return message


async def one_client(wire: str, number: int, until: float, seen: Seen) -> None:
    """Plays until the time is up; checks that every state belongs to its own table."""
    thinks, rng, hand = number < PEOPLE, random.Random(number), 0
    async with connect(wire) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1}))
        await socket.recv()
        await socket.send(json.dumps({"type": "sit", "opponents": ["always-call"]}))
        state = await hear(socket)
        mine = state["table"]["sitting"]
        seen.mixed += mine in seen.sittings
        seen.sittings.add(mine)
        while perf_counter() < until or not state["over"]:
            seen.mixed += state["table"]["sitting"] != mine or state["hand"] != hand
            if thinks:
                await asyncio.sleep(rng.uniform(*THINKING) if perf_counter() < until else 0)
            if state["over"]:
                seen.hands.add(state["id"])
                message, hand = {"type": "next"}, hand + 1
            else:
                message = {"type": "act", "hand": hand, "action": "call"}
            asked = perf_counter()
            await socket.send(json.dumps(message))
            state = await hear(socket)
            (seen.people if thinks else seen.programs).append(perf_counter() - asked)
        seen.hands.add(state["id"])


async def crowd(wire: str, seconds: float, seen: Seen) -> None:
    """Everybody at once."""
    until = perf_counter() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(PEOPLE + PROGRAMS):
            group.create_task(one_client(wire, number, until, seen))


def resident(process: int) -> float:
    """Megabytes of memory that a process holds now; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


def load(seconds: float) -> Iterator[Line]:
    """Latency of decisions, memory before and after, and that no hand was lost or mixed up."""
    with TemporaryDirectory() as folder:
        ours, theirs = multiprocessing.Pipe()
        server = multiprocessing.get_context("spawn").Process(
            target=serve, args=(folder, theirs), daemon=True
        )
        server.start()
        wire = ours.recv()
        asyncio.run(crowd(wire, 3.0, Seen()))  # compiles, opens, fills caches
        seen, before = Seen(), resident(server.pid or 0)
        asyncio.run(crowd(wire, 10 * seconds, seen))
        after = resident(server.pid or 0)
        with sqlite3.connect(Path(folder) / "hands.sqlite") as store:
            kept = {number for (number,) in store.execute("SELECT id FROM hands")}
        server.terminate()
        server.join()
    if seen.mixed or not seen.hands <= kept:
        raise RuntimeError(f"{seen.mixed} states of other tables, {len(seen.hands - kept)} hands lost")
    yield from latency("people", seen.people)
    yield from latency("programs", seen.programs)
    yield Line(
        WORK, "decisions in all", (len(seen.people) + len(seen.programs)) / (10 * seconds), "decisions/s"
    )
    yield Line(WORK, f"memory after {len(seen.hands):,} hands", after, "MB", remark=f"{before:.0f} MB before")


def latency(who: str, times: list[float]) -> Iterator[Line]:
    """Median and 99th percentile."""
    yield Line(WORK, f"{who}, median", 1000 * median(times), "ms")
    yield Line(WORK, f"{who}, 99th percentile", 1000 * quantiles(times, n=100)[-1], "ms")
