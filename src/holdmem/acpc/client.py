"""A HoldMem agent at another program's dealer: connect, send the version, answer when it is our turn."""

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from holdmem.acpc.matchstate import VERSION, LineEvent, MatchStateTracker
from holdmem.acpc.single_hand import ACPCHand
from holdmem.agent import Agent, Seat, Views
from holdmem.agent.ask import ask_one, show_finished, watches
from holdmem.core.errors import AgentError, HoldMemError, IllegalAction, NotationError
from holdmem.core.random import Streams
from holdmem.engine import CALL, FOLD, Game
from holdmem.history.formats.acpc_text import score_line, state_line

RETRY = 0.1
"""Seconds between attempts to reach a dealer."""

LONGEST_LINE = 1 << 16
_COMMENTS = ("#", ";")


@dataclass
class ClientResult:
    """A match as one seat saw it; `results` has its winnings per hand, in units of 1/PARTS chip."""

    results: list[int] = field(default_factory=list)
    lines: int = 0
    seconds: float = 0.0


class MatchClient:
    """The client side of a match without a socket: takes lines and returns answers."""

    def __init__(
        self,
        game: Game,
        agent: Agent,
        rng: Streams,
        *,
        name: str = "agent",
        match: int = 0,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.game: Game = game
        self.name: str = name
        self.log: Callable[[str], None] | None = log
        self.seat: Seat = agent.sit(game, 1, rng)
        self.follower: MatchStateTracker = MatchStateTracker(game, match)
        self.played: ClientResult = ClientResult()
        self._names = [name, *(f"player-{k + 1}" for k in range(1, game.seats))]
        self._score = [0] * game.seats

    def hear(self, line: str) -> str | None:
        """Process a line from the dealer; return the answer if one is due."""
        if line.startswith(_COMMENTS) or not line:
            return None
        self.played.lines += 1
        heard = self.follower.hear(line)
        if heard is LineEvent.TO_ACT:
            hand, views = self.follower.hand, self.follower.view()
            return f"{line}:{self._decide(hand, views)}"
        if heard is LineEvent.ENDED:
            self._close()
        return None

    def _decide(self, hand: ACPCHand, views: Views) -> str:
        code = ask_one(self.seat, views, self.name)
        row = views.rows
        if code != CALL and not (
            row["to_call"].item() > 0 if code == FOLD
            else 0 < row["min_raise_to"].item() <= code <= row["max_raise_to"].item()
        ):  # fmt: skip
            raise IllegalAction(f"{self.name}: {hand.complaint(code)}; at {views[0]}")
        return hand.text_of(code)

    def _close(self) -> None:
        """Record the result of the finished hand and show it to a seat that watches."""
        follower, net = self.follower, self.follower.hand.net
        lineup = follower.lineup
        self.played.results.append(net[follower.position])
        for seat, player in enumerate(lineup):
            self._score[player] += net[seat]
        if self.log:
            names = [self._names[player] for player in lineup]
            self.log(state_line(follower.number, follower.hand.betting, follower.cards, net, names))
        if watches(self.seat):
            show_finished(self.seat, follower.finished(), self.name)

    def end(self) -> None:
        """Write the score to the log once the dealer has hung up."""
        if self.log:
            self.log(score_line(self._score, self._names))


def connect(host: str, port: int, wait: float = 0.0) -> socket.socket:
    """Connect to a dealer, which may start up to `wait` seconds late."""
    until = time.monotonic() + wait
    while True:
        try:
            found = socket.create_connection((host, port), timeout=max(wait, 10.0))
        except OSError as error:
            if time.monotonic() < until:
                time.sleep(RETRY)
                continue
            raise NotationError(f"cannot connect to a dealer at {host} port {port}: {error}") from None
        found.settimeout(None)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return found


def lines_of(connection: socket.socket) -> Iterator[str]:
    """Yield the dealer's lines until it hangs up, omitting states already superseded when received."""
    rest = b""
    while True:
        try:
            data = connection.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > LONGEST_LINE:
            raise NotationError(f"expected lines of the ACPC protocol, got one of over {LONGEST_LINE} bytes")
        for place, line in enumerate(lines, start=1):
            if place == len(lines) or not _goes_on(line, lines[place]):
                yield line.decode("latin-1").rstrip("\r")


def _goes_on(line: bytes, following: bytes) -> bool:
    """Whether the next line supersedes this one: a later state of the same hand."""
    return following.startswith(b":".join(line.split(b":", 3)[:3]) + b":")


def join(
    host: str,
    port: int,
    player: MatchClient,
    *,
    wait: float = 0.0,
    progress: Callable[[int], None] | None = None,
) -> ClientResult:
    """Play one match at a dealer until it hangs up."""
    with connect(host, port, wait) as connection:
        begun = time.perf_counter()
        connection.sendall(f"{VERSION}\r\n".encode())
        for line in lines_of(connection):
            try:
                reply = player.hear(line)
            except HoldMemError as error:
                kind = type(error) if not isinstance(error, AgentError) else AgentError
                raise kind(f"{host}:{port}: {error}") from error
            if reply is not None:
                try:
                    connection.sendall(f"{reply}\r\n".encode())
                except (BrokenPipeError, ConnectionResetError):
                    break
            elif progress and player.follower.hand.seat < 0:
                progress(len(player.played.results))
    player.end()
    player.played.seconds = time.perf_counter() - begun
    return player.played
