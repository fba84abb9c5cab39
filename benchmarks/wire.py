"""The wire on loopback: the dealer here, agents in processes of their own, by the clock on the wall."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

from benchmarks.measure import Line
from holdmem import find_game
from holdmem.acpc import DealerPlan, MatchClient, MatchReport, join, parse_seats
from holdmem.acpc.server import MatchServer
from holdmem.agent import make_agent
from holdmem.core.random import Streams

AGENTS = ("random", "always-call")
WARM_UP = 100
LEAST = 500
"""Hands a second that one match should play."""

STATE = b"MATCHSTATE:0:500:crrc/crc/cc/:5d5c|/8dAs8s/4h/6d\r\n"


def play(agent: str, *ports: int) -> None:
    """An agent joins one dealer after the other; in a process of its own."""
    for port in ports:
        join(
            "127.0.0.1",
            port,
            MatchClient(find_game("limit"), make_agent(agent), Streams.of(1, agent)),
            wait=10,
        )


def started(work: Callable[..., None], *arguments: Any) -> BaseProcess:
    """A process of its own that does this."""
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    return process


async def matches(count: int, hands: int) -> list[MatchReport]:
    """So many matches at once, after a first one in which everything is compiled and warm."""
    game, seats = find_game("limit"), parse_seats("@one,@two")
    first, second = (MatchServer(DealerPlan(game, seats, some, matches=count)) for some in (WARM_UP, hands))
    await first.open()
    await second.open()
    ports = list(zip(AGENTS, first.ports, second.ports, strict=True))
    guests = [started(play, *places) for _ in range(count) for places in ports]
    later = asyncio.create_task(second.play())
    await first.play()
    ended = await later
    for guest in guests:
        guest.join()
    return ended


def there_and_back(port: int, lines: int) -> None:
    """A client that answers each line and thinks of nothing."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(b"ready\r\n")
        for _ in range(lines):
            connection.sendall(connection.recv(1 << 16))


class Echo(asyncio.Protocol):
    """A server that passes a line to its two clients in turn and knows no poker."""

    clients: list["Echo"]
    left: int
    done: "asyncio.Future[None]"

    def connection_made(self, transport: Any) -> None:
        """One more client."""
        self.transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """Pass it on; the first line of each client only says that it is there."""
        if self not in self.clients:
            self.clients.append(self)
            if len(self.clients) == 2:
                self.clients[0].transport.write(STATE)
            return
        type(self).left -= 1
        if self.left:
            self.clients[self.clients[0] is self].transport.write(STATE)
        elif not self.done.done():
            self.done.set_result(None)


async def bare(lines: int) -> float:
    """Messages a second of the same traffic without poker: a line to a player, its answer, to the other …"""
    loop = asyncio.get_running_loop()
    Echo.clients, Echo.left, Echo.done = [], lines, loop.create_future()
    server = await loop.create_server(Echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    guests = [started(there_and_back, port, lines // 2) for _ in range(2)]
    while len(Echo.clients) < 2:
        await asyncio.sleep(0.001)
    before = loop.time()
    await Echo.done
    spent = loop.time() - before
    for guest in guests:
        guest.join()
    server.close()
    return 2 * lines / spent


def wire(seconds: float) -> Iterator[Line]:
    """Hands and messages a second of one match and of four at once, beside bare lines to and fro."""
    echo = asyncio.run(bare(int(10_000 * seconds) // 2 * 2))
    yield Line("wire, bare lines", "asyncio, no poker", echo, "messages/s")
    hands = max(int(500 * seconds), WARM_UP)
    for count in (1, 4):
        ended = asyncio.run(matches(count, hands))
        assert all(not match.problem for match in ended)
        spent = max(match.seconds for match in ended)
        rate, work = count * hands / spent, f"wire, {count} at once" if count > 1 else "wire, one match"
        bar = f"{LEAST}/s" if count == 1 else ""
        yield Line(work, "holdmem", rate, "hands/s", None, bar, rate >= LEAST if bar else None)
        messages = sum(match.messages for match in ended) / spent
        yield Line(work, "its messages", messages, "messages/s", messages / echo)
