"""Many matches at once in one process: tables fill as players connect, and play to their end.

Every foreign place has a port. Whoever connects there gets the first table where that place is free, so a
player in three matches connects three times, at once or one after another.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from holdmem.acpc.connection import Connection
from holdmem.acpc.decks import FixedDecks, decks_of_log
from holdmem.acpc.log_file import LogFile
from holdmem.acpc.planning import DealerPlan
from holdmem.acpc.seeds import Seeds
from holdmem.acpc.wire_match import MatchReport, MatchTable
from holdmem.agent import make_agent
from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.random import Streams
from holdmem.core.types import Progress

GREETING = 60.0
"""Seconds within which a connection must send its version."""

LAST_WORDS = 2.0
"""Seconds that players have to read their last lines before the dealer closes their connections."""


class MatchServer:
    """All tables of a plan. `ports` are known once it is open."""

    plan: DealerPlan
    progress: Progress | None
    loop: asyncio.AbstractEventLoop

    def __init__(self, plan: DealerPlan, progress: Progress | None = None) -> None:
        self.plan, self.progress = plan, progress
        for place in plan.seats:
            if place.agent is not None:
                # Report errors now rather than after a player has connected.
                make_agent(place.agent).sit(plan.game, 1, Streams.secret())
        self.seeds: Seeds = Seeds(plan)
        self.dealt: FixedDecks | None = None
        if plan.cards is not None:
            self.dealt = decks_of_log(plan.cards, plan.game, Streams.of(self.seeds.of(0), "cards"))
            if plan.hands > len(self.dealt):
                raise NotationError(
                    f"{plan.cards}: expected cards for {plan.hands} hands, got {len(self.dealt)}"
                )
        if plan.log is not None:
            try:
                plan.log.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise NotationError(
                    f"{plan.log}: cannot be used as a folder for logs: {error.strerror}"
                ) from None
        self.ports: list[int] = []
        self.tables: dict[int, MatchTable] = {}
        """Tables that have begun to fill and have not ended."""
        self.results: dict[int, MatchReport] = {}
        self._opened = 0
        self._hands = 0
        self._waiting: set[Connection] = set()
        self._connected: set[Connection] = set()
        self.now: Callable[[], float] = time.perf_counter
        self.threads: ThreadPoolExecutor = ThreadPoolExecutor(max(4, min(32, plan.tables)))

    async def open(self) -> None:
        """Listen on the port of every foreign place."""
        self.loop = asyncio.get_running_loop()
        self._all_ended = asyncio.Event()
        self._servers = []
        ports = self.plan.ports or (0,) * len(self.plan.foreign)
        for place, port in zip(self.plan.foreign, ports, strict=True):
            try:
                server = await self.loop.create_server(
                    lambda place=place: self._arrived(place),  # type: ignore[misc]
                    self.plan.host,
                    port,
                    backlog=1024,
                )
            except OSError as error:
                raise NotationError(
                    f"cannot listen on {self.plan.host} port {port}: {error.strerror or error}"
                ) from None
            self._servers.append(server)
            self.ports.append(server.sockets[0].getsockname()[1])

    async def play(self) -> list[MatchReport]:
        """Play all matches and return their results in order."""
        watch = self.loop.create_task(self._watch())
        try:
            if not self.plan.foreign:
                self._next_own()
            await self._all_ended.wait()
        finally:
            watch.cancel()
            await self._close()
        return [
            replace(self.results[number], seed=self.seeds.public_seed(number))
            for number in sorted(self.results)
        ]

    # Players

    def _arrived(self, place: int) -> Connection:
        connection = Connection(self, place, self.now())
        self._waiting.add(connection)
        self._connected.add(connection)
        return connection

    def greeted(self, connection: Connection) -> None:
        """Seat a connection at the first table where its place is free; close it if there is none."""
        self._waiting.discard(connection)
        for table in self._tables_in_order():
            if table.missing(connection.place):
                table.seat(connection)
                return
        connection.close()

    def hung_up(self, connection: Connection) -> None:
        """Forget a closed connection."""
        self._connected.discard(connection)

    def left(self, connection: Connection) -> None:
        """Remove a connection that is gone, and tell its table."""
        self._waiting.discard(connection)
        if isinstance(connection.table, MatchTable):
            connection.table.left(connection)

    def _tables_in_order(self) -> Iterator[MatchTable]:
        """Yield the tables that have begun to fill, then new ones, which are created on demand."""
        yield from list(self.tables.values())
        while self._opened < self.plan.tables:
            if table := self._open_table():
                yield table

    def _open_table(self) -> MatchTable | None:
        """Create the next table, or return None if that fails; the other matches go on."""
        number = self._opened
        self._opened += 1
        try:
            self.tables[number] = MatchTable(self, number)
        except (HoldMemError, OSError) as error:
            names = [place.name for place in self.plan.seats]
            title, hands = self.plan.title(number), self.plan.hands
            self._note(number, MatchReport(title, names, hands, 0, [0] * len(names), problem=str(error)))
        return self.tables.get(number)

    def _next_own(self) -> None:
        """Begin the next match of HoldMem agents only; such matches are played one after another."""
        if table := next(self._tables_in_order(), None):
            table.begin()

    # Time

    async def _watch(self) -> None:
        """Enforce time limits and report progress. Late answers are also detected when they arrive."""
        limits = self.plan.limits
        pause = min(max(min(limits.response, limits.hand, limits.per_hand * self.plan.hands) / 4, 0.02), 0.5)
        begun = flushed = self.now()
        while True:
            await asyncio.sleep(pause)
            now = self.now()
            for table in list(self.tables.values()):
                table.check_time(now)
                if now - flushed > 1.0:
                    table.flush_logs()
            flushed = now if now - flushed > 1.0 else flushed
            for connection in [one for one in self._waiting if now - one.since > GREETING]:
                connection.close()
            if self.progress:
                playing = sum(table.dealer.played for table in self.tables.values())
                self.progress(self._hands + playing, self.plan.tables * self.plan.hands)
            if self.plan.start is not None and now - begun > self.plan.start:
                self._give_up()

    def _give_up(self) -> None:
        """End the matches that still wait for players."""
        while self._opened < self.plan.tables:
            self._open_table()
        for table in [table for table in self.tables.values() if not table.playing]:
            places = [self.plan.seats[place].name for place in self.plan.foreign if table.missing(place)]
            table.close(f"no player connected for {', '.join(places)} within {self.plan.start:g} s")

    # The end

    def ended(self, table: MatchTable, result: MatchReport) -> None:
        """Record the result of a match that is over."""
        del self.tables[table.number]
        self._note(table.number, result, table.files)
        if not self.plan.foreign:
            self.loop.call_soon(self._next_own)

    def _note(self, number: int, result: MatchReport, logs: Sequence[LogFile] = ()) -> None:
        self.results[number] = result
        self.seeds.ended(number, logs)
        self._hands += result.played
        if len(self.results) == self.plan.tables:
            self._all_ended.set()

    async def _close(self) -> None:
        """Close all connections; matches in progress end here, with what their logs have."""
        for server in self._servers:
            server.close()
        for table in list(self.tables.values()):
            table.close("the dealer was stopped")
        for connection in list(self._waiting):
            connection.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
        until = self.now() + LAST_WORDS
        while self._connected and self.now() < until:
            await asyncio.sleep(0.01)
        for connection in self._connected:
            connection.abort()
        await asyncio.sleep(0)


async def serve(
    plan: DealerPlan, opened: Callable[[Sequence[int]], None] | None = None, progress: Progress | None = None
) -> list[MatchReport]:
    """Serve a plan to its end; `opened` is called with the ports of the foreign places, in their order."""
    room = MatchServer(plan, progress)
    await room.open()
    if opened:
        opened(room.ports)
    return await room.play()
