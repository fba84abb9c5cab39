"""Many matches at once in one process: tables that fill as players connect, and play until their end.

Every foreign place has a port. Whoever connects there sits down at the first table where that place is free,
so a player that plays three matches connects three times, at once or one after the other.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

from holdmem.acpc.connection import Connection
from holdmem.acpc.dealing import Dealer, Limits
from holdmem.acpc.decks import Dealt, Shuffled, decks_of_log
from holdmem.acpc.files import LogFile
from holdmem.acpc.logs import head
from holdmem.acpc.players import SLOW, OwnPlayer, Place, parse_seats
from holdmem.errors import AgentError, HoldMemError, NotationError
from holdmem.history.acpc_text import score_line
from holdmem.rules import Game
from holdmem.table import Finished, Streams, make_agent

Progress = Callable[[int, int], None]
"""Told how many hands have been played, and of how many."""

DECISIONS_IN_A_ROW = 64
"""That players of ours may make before other tables have a turn."""

PATIENCE = 0.01
"""Seconds that lines may wait for a player who is not to act. Half of all lines are such; sent together with
the next ones they cost nobody a system call and a change of process."""

GREETING = 60.0
"""Seconds in which a connection must have said its version."""

LAST_WORDS = 2.0
"""Seconds in which players may read their last lines before the dealer hangs up on them."""

ALL_ORDERS_UP_TO = 4


@dataclass(frozen=True)
class Plan:
    """What a dealer is to do: the game, who sits, how many hands and matches, and by which rules."""

    game: Game
    seats: tuple[Place, ...]
    hands: int
    matches: int = 1
    duplicate: bool = False
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    name: str = "match"
    log: Path | None = None
    """A folder for the logs; None for none."""
    transcript: bool = False
    cards: Path | None = None
    """A log whose cards are dealt again, in place of the seed's."""
    host: str = "127.0.0.1"
    ports: tuple[int, ...] = ()
    start: float | None = None
    """Seconds until everybody must have connected; None for any time."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.game.seats:
            raise AgentError(f"{self.game.name}: expected {self.game.seats} seats, got {len(self.seats)}")
        if self.ports and len(self.ports) != len(self.foreign):
            raise NotationError(
                f"expected a port for each of {len(self.foreign)} foreign seats, got {len(self.ports)}"
            )
        if self.log is None and self.transcript:
            raise NotationError("expected a folder for logs, in which a transcript can stand, got none")

    @property
    def foreign(self) -> list[int]:
        """The places for those who connect."""
        return [k for k, place in enumerate(self.seats) if place.agent is None]

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """In which the players sit: as given, and for a duplicate in every other order as well.

        As in the arena these are all orders up to four seats and all rotations beyond.
        """
        seats = tuple(range(self.game.seats))
        if not self.duplicate:
            return [seats]
        if len(seats) <= ALL_ORDERS_UP_TO:
            return list(permutations(seats))
        return [seats[k:] + seats[:k] for k in seats]

    @property
    def tables(self) -> int:
        """How many matches that makes, every order counted."""
        return self.matches * len(self.orders)

    def title(self, table: int) -> str:
        """The name of a table's log."""
        match, order = divmod(table, len(self.orders))
        parts = [self.name, *([str(match)] if self.matches > 1 else [])]
        return ".".join([*parts, *([str(order)] if self.duplicate else [])])


@dataclass(frozen=True)
class Ended:
    """How one match went: names and results (parts of a chip) in the order of its seats."""

    title: str
    names: list[str]
    hands: int
    played: int
    score: list[int]
    lost: dict[str, str] = field(default_factory=dict)
    """Players that were out before the end, and why."""
    invalid: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    ignored: list[int] = field(default_factory=list)
    messages: int = 0
    seconds: float = 0.0
    problem: str = ""
    """Why the match could not be played to its end."""

    def __str__(self) -> str:
        return score_line(self.score, self.names)


class Table:
    """One match: its dealer, the connections, the players of ours."""

    def __init__(self, room: "Room", number: int) -> None:
        plan = self.plan = room.plan
        match, order = divmod(number, len(plan.orders))
        self.room, self.number, self.seats = room, number, plan.orders[order]
        self.connections: dict[int, Connection] = {}
        self.playing = self.closed = self._sending = False
        self._files: list[LogFile] = []
        self._guard = _Guard(self)
        streams = Streams.of(plan.seed, "order", order)
        self.own = {
            player: OwnPlayer(plan.seats[place], player, plan.game, streams.spawn("player", place))
            for player, place in enumerate(self.seats)
            if plan.seats[place].agent is not None
        }
        self.dealer = Dealer(
            plan.game,
            [plan.seats[place].name for place in self.seats],
            plan.hands,
            room.dealt or Shuffled(plan.game, Streams.of(plan.seed, "cards"), match),
            plan.limits,
            match=match,
            told=[player for player in range(plan.game.seats) if player not in self.own],
            log=self._open_log(".log"),
            transcript=self._transcriber(),
            ended=self._show if any(own.watching for own in self.own.values()) else None,
        )
        self.started = 0.0

    # Logs

    def _open_log(self, suffix: str) -> Callable[[str], None] | None:
        plan = self.plan
        if plan.log is None:
            return None
        file = LogFile(plan.log / f"{plan.title(self.number)}{suffix}")
        self._files.append(file)
        limits = plan.limits
        times = (limits.response, limits.hand, limits.per_hand)
        for line in head(plan.title(self.number), plan.game.name, plan.hands, plan.seed, *times):
            file.add(line)
        return file.add

    def _transcriber(self) -> Callable[[str, float, str], None] | None:
        add = self._open_log(".actions.log") if self.plan.transcript else None
        if add is None:
            return None
        since = time.time() - self.room.now()
        return lambda word, now, line: add(f"{word} at {now + since:.6f} {line}")

    def flush_logs(self) -> None:
        """Let others read what has happened so far."""
        with self._guard:
            for file in self._files:
                file.flush()

    # Players

    def missing(self, place: int) -> bool:
        """Whether somebody can still sit down for this place."""
        return not self.playing and not self.closed and self.seats.index(place) not in self.connections

    def seat(self, connection: Connection) -> None:
        """Somebody has connected for a place; with the last one the match begins."""
        connection.table, connection.player = self, self.seats.index(connection.place)
        self.connections[connection.player] = connection
        if len(self.connections) + len(self.own) == self.plan.game.seats:
            self.begin()

    def begin(self) -> None:
        """Everybody is here."""
        self.playing, self.started = True, self.room.now()
        with self._guard:
            self.dealer.start(self.started)
            self.drive()

    def heard(self, player: int, line: str) -> None:
        """A foreign player sends a line; before the match there is nothing to answer."""
        if self.playing and not self.closed:
            with self._guard:
                self.dealer.answer(player, line, self.room.now())
                self.drive()

    def left(self, connection: Connection) -> None:
        """A foreign player is gone: its place is free again, or it is out."""
        if not self.playing:
            del self.connections[connection.player]
        elif not self.closed:
            with self._guard:
                self.dealer.lose(connection.player, "left", self.room.now())
                self.drive()

    def check_time(self, now: float) -> None:
        """Does anybody take too long?"""
        if self.playing and not self.closed:
            with self._guard:
                self.dealer.check_time(now)
                self.drive()

    # Play

    def drive(self) -> None:
        """Ask players of ours for as long as it is their turn, then send what there is to send."""
        dealer = self.dealer
        for _ in range(DECISIONS_IN_A_ROW):
            own = self.own.get(dealer.player)
            if own is None or own.asked:
                break
            if own.slow:
                self._ask_in_thread(own)
            else:
                self._ask(own)
        else:
            self.room.loop.call_soon(self._drive_on)
        if dealer.over:
            self._send_all()
            self.close()
        else:
            self._send()

    def _drive_on(self) -> None:
        if not self.closed:
            with self._guard:
                self.drive()

    def _send(self) -> None:
        """What the player to act must know goes out now; what others only hear can wait for more of it."""
        connection = self.connections.get(self.dealer.player)
        if connection is not None:
            connection.send(self.dealer.take(connection.player))
        if self.connections and not self._sending:
            self._sending = True
            self.room.loop.call_later(PATIENCE, self._send_all)

    def _send_all(self) -> None:
        self._sending = False
        for player, connection in self.connections.items():
            if data := self.dealer.take(player):
                connection.send(data)

    def _ask(self, own: OwnPlayer) -> None:
        before = self.room.now()
        try:
            code = own.decide(self.dealer.view())
        except HoldMemError as error:
            self.dealer.lose(own.player, f"failed: {error}", self.room.now())
        else:
            now = self.room.now()
            own.slow = now - before > SLOW
            self.dealer.decide(own.player, code, now)

    def _ask_in_thread(self, own: OwnPlayer) -> None:
        """The same while other tables go on; the match stands still until there is an answer or no time."""
        own.asked = True
        before, views = self.room.now(), self.dealer.view()

        def done(answer: "Future[int]") -> None:
            with suppress(RuntimeError):  # the room has closed meanwhile
                self.room.loop.call_soon_threadsafe(self._answered, own, answer, self.room.now() - before)

        self.room.threads.submit(own.decide, views).add_done_callback(done)

    def _answered(self, own: OwnPlayer, answer: "Future[int]", seconds: float) -> None:
        own.asked = False
        own.slow = seconds > SLOW
        if self.closed or answer.cancelled():
            return
        with self._guard:
            error = answer.exception()
            if error is None:
                self.dealer.decide(own.player, answer.result(), self.room.now())
            else:
                self.dealer.lose(own.player, f"failed: {error}", self.room.now())
            self.drive()

    def _show(self, hand: Finished) -> None:
        for own in self.own.values():
            if own.watching:
                own.show_later(hand)

    # The end

    def close(self, problem: str = "") -> None:
        """The match is over, or cannot go on."""
        if self.closed:
            return
        self.closed = True
        now = self.room.now()
        try:
            self.dealer.stop(problem)
            for own in self.own.values():
                if not own.asked:
                    own.look()
        except (HoldMemError, OSError) as error:
            problem = problem or str(error)
        for file in self._files:
            try:
                file.close()
            except OSError as error:
                problem = problem or str(error)
        for connection in list(self.connections.values()):
            connection.close()
        self.room.ended(self, self._summary(problem, now))

    def _summary(self, problem: str, now: float) -> Ended:
        dealer = self.dealer
        lost = {dealer.names[player]: why for player, why in dealer.lost.items()}
        if not problem and lost and dealer.played < dealer.hands:
            problem = "; ".join(f"{name} {why}" for name, why in lost.items())
        return Ended(
            title=self.plan.title(self.number),
            names=list(dealer.names),
            hands=dealer.hands,
            played=dealer.played,
            score=dealer.score,
            lost=lost,
            invalid=dealer.invalid,
            moved=dealer.moved,
            ignored=dealer.ignored,
            messages=dealer.sent + dealer.heard,
            seconds=now - self.started if self.playing else 0.0,
            problem=problem,
        )


class _Guard:
    """A context that turns any failure into the end of one match."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, Exception):
            self.table.close(f"failed: {error!r}" if not isinstance(error, HoldMemError) else str(error))
            return True
        return False


class Room:
    """All the tables of a plan. `ports` are known once it is open."""

    def __init__(self, plan: Plan, progress: Progress | None = None) -> None:
        self.plan, self.progress = plan, progress
        for place in plan.seats:
            if place.agent is not None:
                # Better said now than when somebody has connected.
                make_agent(place.agent).sit(plan.game, 1, Streams.of(plan.seed))
        self.dealt: Dealt | None = None
        if plan.cards is not None:
            self.dealt = decks_of_log(plan.cards, plan.game, Streams.of(plan.seed, "cards"))
            if plan.hands > len(self.dealt):
                raise NotationError(
                    f"{plan.cards}: expected cards for {plan.hands} hands, got {len(self.dealt)}"
                )
        if plan.log is not None:
            try:
                plan.log.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise NotationError(f"{plan.log}: expected a folder for logs: {error.strerror}") from None
        self.ports: list[int] = []
        self.tables: dict[int, Table] = {}
        """Those that have begun to fill and not ended."""
        self.results: dict[int, Ended] = {}
        self._opened = 0
        self._hands = 0
        self._waiting: set[Connection] = set()
        self._connected: set[Connection] = set()
        self.now = time.perf_counter
        self.threads = ThreadPoolExecutor(max(4, min(32, plan.tables)))

    async def open(self) -> None:
        """Listen on every foreign place's port."""
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
                    f"expected to listen on {self.plan.host} port {port}, but {error.strerror or error}"
                ) from None
            self._servers.append(server)
            self.ports.append(server.sockets[0].getsockname()[1])

    async def play(self) -> list[Ended]:
        """Play all matches and give their results in order."""
        watch = self.loop.create_task(self._watch())
        try:
            if not self.plan.foreign:
                self._next_own()
            await self._all_ended.wait()
        finally:
            watch.cancel()
            await self._close()
        return [self.results[number] for number in sorted(self.results)]

    # Players

    def _arrived(self, place: int) -> Connection:
        connection = Connection(self, place, self.now())
        self._waiting.add(connection)
        self._connected.add(connection)
        return connection

    def greeted(self, connection: Connection) -> None:
        """Somebody has connected for a place: the first table where it is free, or none is left."""
        self._waiting.discard(connection)
        for table in self._tables_in_order():
            if table.missing(connection.place):
                table.seat(connection)
                return
        connection.close()

    def hung_up(self, connection: Connection) -> None:
        """Nothing can be sent or heard any more."""
        self._connected.discard(connection)

    def left(self, connection: Connection) -> None:
        """A connection is gone."""
        self._waiting.discard(connection)
        if isinstance(connection.table, Table):
            connection.table.left(connection)

    def _tables_in_order(self) -> Iterator[Table]:
        """Tables that have begun to fill, then those that have not; a table is made when it is reached."""
        yield from list(self.tables.values())
        while self._opened < self.plan.tables:
            if table := self._open_table():
                yield table

    def _open_table(self) -> Table | None:
        """The next table; None if its log cannot be written, which is the end of that match alone."""
        number = self._opened
        self._opened += 1
        try:
            self.tables[number] = Table(self, number)
        except (HoldMemError, OSError) as error:
            names = [place.name for place in self.plan.seats]
            title, hands = self.plan.title(number), self.plan.hands
            self._note(number, Ended(title, names, hands, 0, [0] * len(names), problem=str(error)))
        return self.tables.get(number)

    def _next_own(self) -> None:
        """Where everybody is ours, one match after the other."""
        if table := next(self._tables_in_order(), None):
            table.begin()

    # Time

    async def _watch(self) -> None:
        """Look after time limits and progress; answers that come late are found late when they come."""
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
        """Those who have not come by now are waited for no longer."""
        while self._opened < self.plan.tables:
            self._open_table()
        for table in [table for table in self.tables.values() if not table.playing]:
            places = [self.plan.seats[place].name for place in self.plan.foreign if table.missing(place)]
            table.close(f"nobody connected for {', '.join(places)} in {self.plan.start:g} s")

    # The end

    def ended(self, table: Table, result: Ended) -> None:
        """A match is over."""
        del self.tables[table.number]
        self._note(table.number, result)
        if not self.plan.foreign:
            self.loop.call_soon(self._next_own)

    def _note(self, number: int, result: Ended) -> None:
        self.results[number] = result
        self._hands += result.played
        if len(self.results) == self.plan.tables:
            self._all_ended.set()

    async def _close(self) -> None:
        """Hang up everywhere; matches that are still played end here, with what their logs have."""
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


def plan_of(game: Game, seats: str, hands: int, **rest: object) -> Plan:
    """A plan with its seats as people write them."""
    return Plan(game, parse_seats(seats), hands, **rest)  # type: ignore[arg-type]


async def serve(
    plan: Plan, opened: Callable[[Sequence[int]], None] | None = None, progress: Progress | None = None
) -> list[Ended]:
    """Serve a plan to its end; `opened` is told the ports of the foreign places, in their order."""
    room = Room(plan, progress)
    await room.open()
    if opened:
        opened(room.ports)
    return await room.play()
