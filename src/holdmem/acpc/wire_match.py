"""One match among many: its dealer, connections, HoldMem agents, logs and result."""

import time
from asyncio import AbstractEventLoop
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from holdmem.acpc.connection import Connection
from holdmem.acpc.dealing import Dealer
from holdmem.acpc.decks import FixedDecks, ShuffledDecks
from holdmem.acpc.log_file import HIDDEN, LogFile, head
from holdmem.acpc.planning import DealerPlan
from holdmem.acpc.players import SLOW, LocalPlayer
from holdmem.acpc.seeds import Seeds
from holdmem.agent import FinishedHands
from holdmem.core.errors import HoldMemError
from holdmem.core.random import Streams
from holdmem.history.formats.acpc_text import score_line

DECISIONS_IN_A_ROW = 64
"""Maximum number of decisions by HoldMem agents before other tables get a turn."""

PATIENCE = 0.01
"""Seconds that lines for a player who is not to act may wait.

Half of all lines are of this kind; sending them together with the next ones saves a system call and a context
switch each.
"""


@dataclass(frozen=True)
class MatchReport:
    """How one match went: names and results (in units of 1/PARTS chip) in seat order."""

    title: str
    names: list[str]
    hands: int
    played: int
    score: list[int]
    lost: dict[str, str] = field(default_factory=dict)
    """Players that were out before the end, with the reason."""
    invalid: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    ignored: list[int] = field(default_factory=list)
    messages: int = 0
    seconds: float = 0.0
    problem: str = ""
    """Why the match could not be played to its end."""
    seed: int | None = None
    """The seed, once no match in progress uses it."""

    def __str__(self) -> str:
        return score_line(self.score, self.names)


class Host(Protocol):
    """The room that holds a table."""

    plan: DealerPlan
    dealt: FixedDecks | None
    seeds: Seeds
    loop: AbstractEventLoop
    threads: ThreadPoolExecutor
    now: Callable[[], float]

    def ended(self, table: "MatchTable", result: MatchReport) -> None:
        """Called when a match is over."""
        ...


class MatchTable:
    """One match: its dealer, its connections and its HoldMem agents."""

    plan: DealerPlan
    room: Host
    number: int
    seats: tuple[int, ...]
    playing: bool
    closed: bool

    def __init__(self, room: Host, number: int) -> None:
        plan = self.plan = room.plan
        match, order = divmod(number, len(plan.orders))
        self.room, self.number, self.seats = room, number, plan.orders[order]
        self.connections: dict[int, Connection] = {}
        self.playing = self.closed = self._sending = False
        self.files: list[LogFile] = []
        self._guard = _Guard(self)
        seed, number_of_match = room.seeds.of(match), room.seeds.number(match)
        rng = Streams.of(seed, "order", order)
        self.own: dict[int, LocalPlayer] = {
            player: LocalPlayer(plan.seats[place], player, plan.game, rng.spawn("player", place))
            for player, place in enumerate(self.seats)
            if plan.seats[place].agent is not None
        }
        self.dealer: Dealer = Dealer(
            plan.game,
            [plan.seats[place].name for place in self.seats],
            plan.hands,
            room.dealt or ShuffledDecks(plan.game, Streams.of(seed, "cards"), number_of_match),
            plan.limits,
            match=number_of_match,
            receivers=[player for player in range(plan.game.seats) if player not in self.own],
            log=self._open_log(".log"),
            transcript=self._transcriber(),
            ended=self._show if any(own.watching for own in self.own.values()) else None,
        )
        self.started: float = 0.0

    # Logs

    def _open_log(self, suffix: str) -> Callable[[str], None] | None:
        plan = self.plan
        if plan.log is None:
            return None
        file = LogFile(plan.log / f"{plan.title(self.number)}{suffix}")
        self.files.append(file)
        limits = plan.limits
        times = (limits.response, limits.hand, limits.per_hand)
        seed = HIDDEN if plan.seed is None else plan.seed
        for line in head(plan.title(self.number), plan.game.name, plan.hands, seed, *times):
            file.add(line)
        return file.add

    def _transcriber(self) -> Callable[[str, float, str], None] | None:
        add = self._open_log(".actions.log") if self.plan.transcript else None
        if add is None:
            return None
        since = time.time() - self.room.now()
        return lambda word, now, line: add(f"{word} at {now + since:.6f} {line}")

    def flush_logs(self) -> None:
        """Write buffered log lines to disk, so that others can read them."""
        with self._guard:
            for file in self.files:
                file.flush()

    # Players

    def missing(self, place: int) -> bool:
        """Whether this place is still free."""
        return not self.playing and not self.closed and self.seats.index(place) not in self.connections

    def seat(self, connection: Connection) -> None:
        """Seat a connection; the match begins when the last place is taken."""
        connection.table, connection.player = self, self.seats.index(connection.place)
        self.connections[connection.player] = connection
        if len(self.connections) + len(self.own) == self.plan.game.seats:
            self.begin()

    def begin(self) -> None:
        """Start the match, with all players present."""
        self.playing, self.started = True, self.room.now()
        with self._guard:
            self.dealer.start(self.started)
            self.drive()

    def heard(self, player: int, line: str) -> None:
        """Process a line from a foreign player; lines before the match are ignored."""
        if self.playing and not self.closed:
            with self._guard:
                self.dealer.answer(player, line, self.room.now())
                self.drive()

    def left(self, connection: Connection) -> None:
        """Handle a foreign player's departure: free its place or, during the match, declare it lost."""
        if not self.playing:
            del self.connections[connection.player]
        elif not self.closed:
            with self._guard:
                self.dealer.lose(connection.player, "left", self.room.now())
                self.drive()

    def check_time(self, now: float) -> None:
        """Enforce the time limits."""
        if self.playing and not self.closed:
            with self._guard:
                self.dealer.check_time(now)
                self.drive()

    # Play

    def drive(self) -> None:
        """Ask HoldMem agents while it is their turn, then send pending lines."""
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
        """Send now what the player to act must know; lines for the others wait up to PATIENCE for more."""
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

    def _ask(self, own: LocalPlayer) -> None:
        before = self.room.now()
        try:
            code = own.decide(self.dealer.view())
        except HoldMemError as error:
            self.dealer.lose(own.player, f"failed: {error}", self.room.now())
        else:
            now = self.room.now()
            own.slow = now - before > SLOW
            self.dealer.decide(own.player, code, now)

    def _ask_in_thread(self, own: LocalPlayer) -> None:
        """Ask an agent in a thread while other tables continue; this match waits for an answer or timeout."""
        own.asked = True
        before, views = self.room.now(), self.dealer.view()

        def done(answer: "Future[int]") -> None:
            with suppress(RuntimeError):  # the event loop has closed in the meantime
                self.room.loop.call_soon_threadsafe(self._answered, own, answer, self.room.now() - before)

        self.room.threads.submit(own.decide, views).add_done_callback(done)

    def _answered(self, own: LocalPlayer, answer: "Future[int]", seconds: float) -> None:
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

    def _show(self, hand: FinishedHands) -> None:
        for own in self.own.values():
            if own.watching:
                own.show_later(hand)

    # The end

    def close(self, problem: str = "") -> None:
        """End the match, because it is over or because of a problem."""
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
        for file in self.files:
            try:
                file.close()
            except OSError as error:
                problem = problem or str(error)
        for connection in list(self.connections.values()):
            connection.close()
        self.room.ended(self, self._summary(problem, now))

    def _summary(self, problem: str, now: float) -> MatchReport:
        dealer = self.dealer
        lost = {dealer.names[player]: why for player, why in dealer.lost.items()}
        if not problem and lost and dealer.played < dealer.hands:
            problem = "; ".join(f"{name} {why}" for name, why in lost.items())
        return MatchReport(
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
    """Context manager that turns any failure into the end of one match."""

    def __init__(self, table: MatchTable) -> None:
        self.table = table

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, Exception):
            self.table.close(f"failed: {error!r}" if not isinstance(error, HoldMemError) else str(error))
            return True
        return False
