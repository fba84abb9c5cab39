"""One connection of a foreign player: splits the incoming bytes into lines."""

import asyncio
import re
import socket
from typing import Any, Protocol

LONGEST_LINE = 4096
"""Maximum line length, as in the ACPC's dealer. Longer lines are invalid and discarded as they arrive."""

_VERSION = re.compile(r"VERSION:2\.0\.\d+\s*")


class Listener(Protocol):
    """Receives the events of a connection."""

    def greeted(self, connection: "Connection") -> None:
        """The first line has arrived and is a valid version."""
        ...

    def left(self, connection: "Connection") -> None:
        """Called when the player has disconnected, or the connection was closed on this side."""
        ...

    def hung_up(self, connection: "Connection") -> None:
        """Called when the connection is closed."""
        ...


class LineReceiver(Protocol):
    """The table of a connection, once it has a place."""

    def heard(self, player: int, line: str) -> None:
        """The player has sent a line."""
        ...


class Connection(asyncio.Protocol):
    """A foreign player that connects for a place; `table` and `player` say where it then sits."""

    def __init__(self, listener: Listener, place: int, now: float) -> None:
        self.listener: Listener = listener
        self.place: int = place
        self.since: float = now
        self.table: LineReceiver | None = None
        self.player: int = -1
        self.greeted: bool = False
        self.gone: bool = False
        self.transport: Any = None
        self._rest = b""
        self._skipping = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Disable Nagle's algorithm, so that short lines are sent without delay."""
        self.transport = transport
        self.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """Split the data into lines; a line that is too long is skipped up to its end."""
        *lines, rest = (self._rest + data).split(b"\n")
        if self._skipping and lines:
            lines[0], self._skipping = b"", False
            self._hear("")  # an overlong line counts as one empty line
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
        """Send lines. Few can accumulate for a player that does not read, since it soon runs out of time."""
        if not self.gone:
            self.transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report that the connection is closed and, unless this side closed it, that the player left."""
        if not self.gone:
            self.gone = True
            self.listener.left(self)
        self.listener.hung_up(self)

    def close(self) -> None:
        """Send pending data, then close the connection."""
        if not self.gone:
            self.gone = True
            self.transport.close()
            self.listener.left(self)

    def abort(self) -> None:
        """Close the connection at once."""
        self.gone = True
        self.transport.abort()
