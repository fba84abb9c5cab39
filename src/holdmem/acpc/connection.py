"""One connection of a foreign player: bytes to lines, however they come."""

import asyncio
import re
import socket
from typing import Any, Protocol

LONGEST_LINE = 4096
"""As in the ACPC's dealer; what is longer is no line of this protocol and is thrown away as it comes."""

_VERSION = re.compile(r"VERSION:2\.0\.\d+\s*")


class Listener(Protocol):
    """Whoever is told what a connection does."""

    def greeted(self, connection: "Connection") -> None:
        """The first line has come, and it was right."""
        ...

    def left(self, connection: "Connection") -> None:
        """The player is gone, or we have had enough of it."""
        ...

    def hung_up(self, connection: "Connection") -> None:
        """The connection is closed."""
        ...


class AtTable(Protocol):
    """Where a connection sits once it has a place."""

    def heard(self, player: int, line: str) -> None:
        """It has sent a line."""
        ...


class Connection(asyncio.Protocol):
    """A player that connects for a place; `table` and `player` are where it then sits."""

    def __init__(self, listener: Listener, place: int, now: float) -> None:
        self.listener, self.place, self.since = listener, place, now
        self.table: AtTable | None = None
        self.player = -1
        self.greeted = self.gone = False
        self.transport: Any = None
        self._rest = b""
        self._skipping = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Lines are short and must not wait for each other."""
        self.transport = transport
        self.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """Cut what comes into lines; of a line that is too long only its end is waited for."""
        *lines, rest = (self._rest + data).split(b"\n")
        if self._skipping and lines:
            lines[0], self._skipping = b"", False
            self._hear("")  # it counts as one line that says nothing
            del lines[0]
        if len(rest) > LONGEST_LINE:
            self._skipping, rest = True, b""
        self._rest = b"" if self._skipping else rest
        for line in lines:
            if self.gone:
                return
            self._hear("" if len(line) > LONGEST_LINE else line.decode("latin-1").rstrip("\r"))

    def _hear(self, line: str) -> None:
        if self.table is not None:
            self.table.heard(self.player, line)
        elif not self.greeted:
            if _VERSION.fullmatch(line):
                self.greeted = True
                self.listener.greeted(self)
            else:
                self.close()

    def send(self, data: bytes) -> None:
        """Send lines. Few can wait for a player that does not read: it is soon asked, and the clock runs."""
        if not self.gone:
            self.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The other end is gone, or we have closed."""
        if not self.gone:
            self.gone = True
            self.listener.left(self)
        self.listener.hung_up(self)

    def close(self) -> None:
        """Send what waits, then hang up."""
        if not self.gone:
            self.gone = True
            self.transport.close()
            self.listener.left(self)

    def abort(self) -> None:
        """Hang up at once."""
        self.gone = True
        self.transport.abort()
