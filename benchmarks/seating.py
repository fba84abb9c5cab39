"""Memory of the web table with every player on offer seated once, each at a table of its own."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.measure import Line
from benchmarks.web import resident, server
from holdmem.web.messages import VERSION

WORK = "web table, every player seated once"
MOST = 1000.0
"""Megabytes."""
TABLES = (("limit", 2), ("nolimit", 2), ("limit", 3), ("nolimit", 3))
"""Games that players are offered; each sits down at the first that it plays."""


async def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of this kind."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "error":
            raise RuntimeError(message["message"])
        if message["type"] == kind:
            return message


async def greeted(stack: AsyncExitStack, wire: str) -> tuple[ClientConnection, dict[str, Any]]:
    """A connection of a new person, and what they are welcomed with."""
    socket = await stack.enter_async_context(connect(wire, max_size=None))
    await socket.send(json.dumps({"type": "hello", "version": VERSION}))
    return socket, await heard(socket, "welcome")


async def offered(wire: str) -> dict[str, tuple[str, int]]:
    """Every player on offer with a game that it plays."""
    found: dict[str, tuple[str, int]] = {}
    async with AsyncExitStack() as stack:
        socket, welcome = await greeted(stack, wire)
        for game, seats in TABLES:
            await socket.send(json.dumps({"type": "who", "game": game, "seats": seats}))
            for name in (await heard(socket, "who"))["agents"]:
                found.setdefault(name, (game, seats))
        missing = {one["name"] for one in welcome["agents"]} - set(found)
    if missing:
        raise RuntimeError(f"players that no game here is offered to: {sorted(missing)}")
    return found


async def one_hand(socket: ClientConnection, name: str, game: str, seats: int) -> None:
    """Sit down with a player in every other seat and as adviser, and call a hand down."""
    sit = {"type": "sit", "game": game, "opponents": [name] * (seats - 1), "adviser": name}
    await socket.send(json.dumps(sit))
    state = await heard(socket, "state")
    while not state["over"]:
        if state["turn"]:
            await socket.send(json.dumps({"type": "act", "hand": state["hand"], "action": "call"}))
        state = await heard(socket, "state")


async def everybody(wire: str, process: int) -> list[tuple[str, float]]:
    """Seat all players, nobody of whom gets up again; the server's memory after each."""
    async with AsyncExitStack() as stack:
        memory = [("at the start", resident(process))]
        games = await offered(wire)
        memory.append(("once who plays what is known", resident(process)))
        for name, (game, seats) in games.items():
            socket, _ = await greeted(stack, wire)
            await one_hand(socket, name, game, seats)
            memory.append((name, resident(process)))
    return memory


def seating(seconds: float) -> Iterator[Line]:
    """The server's memory after each player has sat down and played a hand; nothing here depends on time."""
    with TemporaryDirectory() as folder, server(folder) as (wire, process):
        memory = asyncio.run(everybody(wire, process))
    before = 0.0
    for who, now in memory:
        yield Line(WORK, who, now, "MB", remark=f"{now - before:+.0f} MB")
        before = now
    yield Line(WORK, f"{len(memory) - 2} players", before, "MB", bar=f"{MOST:.0f} MB", reached=before < MOST)
