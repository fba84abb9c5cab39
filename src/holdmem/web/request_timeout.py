"""HTTP with a request timeout: a client that starts a request and does not finish it is disconnected."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ENOUGH = 1 << 20
"""Bytes of an upload that have to arrive in time; fewer do not extend the deadline."""


def door_class(seconds: float) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP/1.1 protocol class with this many seconds for each request to arrive."""
    return type("Door", (TimedHTTPProtocol,), {"seconds": seconds})


class TimedHTTPProtocol(H11Protocol):
    """HTTP/1.1 with a time limit on receiving a request and on the wait for the first one.

    A large upload gets the same time again for every `ENOUGH` bytes of it. Between requests, uvicorn's own
    limit applies.
    """

    seconds: float
    _arrived: int = 0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._arrived += len(data)
        if not self._unfinished() or self._arrived >= ENOUGH:
            self._stop_waiting()
            self._arrived = 0
        if self._unfinished():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _unfinished(self) -> bool:
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _wait(self) -> None:
        if self._deadline is None:  # trickling bytes must not extend the deadline
            self._deadline = self.loop.call_later(self.seconds, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        self._deadline = None
        if self._unfinished() and self.transport.get_protocol() is self:
            self.transport.abort()
