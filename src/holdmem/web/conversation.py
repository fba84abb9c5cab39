"""One WebSocket connection. It answers messages one at a time; states go to all connections of the person."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial

from fastapi import WebSocket, WebSocketDisconnect

from holdmem.core.errors import HoldMemError, NotationError
from holdmem.core.types import JsonObject
from holdmem.web import messages as said
from holdmem.web.progress import CompileNotifier
from holdmem.web.sessions import ClientSession, SessionRegistry

MESSAGES_A_SECOND, BURST = 200.0, 400.0
"""Rate limit of a connection: messages per second on average, and in a burst; beyond it, it is closed."""
MOST_WARNINGS = 20
HELLO_SECONDS = 30.0
"""Seconds after which a connection without a hello is closed."""
LOOKING = said.Who | said.History | said.Reasons | said.Summary | said.Replay | said.Shelf
"""Messages that only read: if one fails, the table is not affected."""

logger: logging.Logger = logging.getLogger("holdmem.web")


class Conversation:
    """A connection to one person."""

    def __init__(
        self, socket: WebSocket, people: SessionRegistry, progress: CompileNotifier, session: str | None
    ) -> None:
        self.socket = socket
        self.people = people
        self.progress = progress
        self.session = session
        self.wants_progress: bool = False
        self.seated: bool = False
        self.allowance: float = BURST
        self.since: float = time.monotonic()
        self.warnings: int = 0
        self.inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self.outbox: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)

    async def hold(self, hello_seconds: float = HELLO_SECONDS) -> None:
        """Wait for the hello, then answer messages until the connection closes."""
        try:
            person = await asyncio.wait_for(self._greeted(), hello_seconds)
        except TimeoutError:
            await self.socket.close(code=1008, reason="no hello")
            return
        if person is None:
            return
        person.listeners.add(self._put)
        tasks = [asyncio.create_task(self._send_all()), asyncio.create_task(self._listen())]
        try:
            await self._respond(person, partial(person.back, self.seated), looks=True)
            while (text := await self.inbox.get()) is not None:
                await self._answer(person, text)
        finally:
            person.listeners.discard(self._put)
            person.seen = time.monotonic()
            for task in tasks:
                task.cancel()

    async def _listen(self) -> None:
        """Queue messages while others are processed, so that pings are answered during a long answer."""
        try:
            while True:
                text = await self._receive()
                if not self._has_patience() or self.inbox.qsize() > BURST:
                    await self.socket.close(code=1008, reason="too many messages")
                    return
                self.inbox.put_nowait(text)
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            self.inbox.put_nowait(None)

    async def _receive(self) -> str:
        packet = await self.socket.receive()
        if packet["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(packet.get("code", 1000))
        return packet.get("text") or (packet.get("bytes") or b"").decode("utf-8", errors="replace")

    async def _greeted(self) -> ClientSession | None:
        """Wait for a valid hello and return the person; None if there were too many invalid messages."""
        while True:
            text = await self._receive()
            try:
                hello = _read(text)
                if not isinstance(hello, said.Hello) or hello.version != said.VERSION:
                    raise NotationError(f"the first message must be hello with version {said.VERSION}")
                person = self.people.find(hello.session or self.session)
                self.wants_progress = hello.progress
                welcome = await asyncio.to_thread(person.welcome)
                self.seated = bool(welcome["seated"])
                await self.socket.send_text(json.dumps(welcome))
                return person
            except HoldMemError as error:
                await self.socket.send_text(json.dumps(_error(error)))
                self.warnings += 1
                if self.warnings > MOST_WARNINGS:
                    await self.socket.close(code=1008, reason="no hello")
                    return None

    async def _answer(self, person: ClientSession, text: str) -> None:
        """Carry out one message and send the replies."""
        try:
            message = _read(text)
        except HoldMemError as error:
            self._put(_error(error))
            return
        if isinstance(message, said.Who):  # independent of the table, so it need not wait for its lock
            await self._respond(person, partial(person.answer, message), looks=True, lock=nullcontext())
        else:
            await self._respond(person, partial(person.answer, message), looks=isinstance(message, LOOKING))

    async def _respond(
        self,
        person: ClientSession,
        work: Callable[[], list[JsonObject]],
        *,
        looks: bool,
        lock: AbstractAsyncContextManager[None] | None = None,
    ) -> None:
        """Run `work` in a thread and send its messages: states to all connections, others to this one."""
        async with lock or person.lock:
            try:
                with self.progress.waiting(self._put if self.wants_progress else None):
                    replies = await asyncio.to_thread(work)
            except HoldMemError as error:
                replies = [_error(error)]
            except Exception:
                replies = [await self._broken(person, looks)]
            for one in replies:
                for listener in list(person.listeners) if one["type"] == "state" else [self._put]:
                    listener(one)

    async def _broken(self, person: ClientSession, looks: bool) -> JsonObject:
        """Return the reply to an unexpected error of the server or an agent.

        The table is closed unless the message only read (`looks`).
        """
        logger.exception("a table failed")
        if looks:
            return {"type": "error", "message": "this could not be shown; the table continues"}
        person.spectacle = None
        await asyncio.to_thread(person.leave)
        return {"type": "error", "message": "this table failed; please sit down again"}

    def _put(self, message: JsonObject) -> None:
        try:
            self.outbox.put_nowait(json.dumps(message, allow_nan=False))
        except asyncio.QueueFull:  # the client does not read: drop the message and use up its allowance
            self.allowance = -BURST

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the client has disconnected
            while True:
                await self.socket.send_text(await self.outbox.get())

    def _has_patience(self) -> bool:
        """Count a message; return whether the connection is within its rate limit (a token bucket)."""
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.since) * MESSAGES_A_SECOND) - 1
        self.since = now
        return self.allowance > 0


def _read(text: str) -> said.AnyMessage:
    if len(text) > said.LARGEST:
        raise NotationError(f"expected a message of at most {said.LARGEST} bytes, got {len(text)}")
    return said.read(text)


def _error(error: HoldMemError) -> JsonObject:
    return {"type": "error", "message": str(error)[:500]}
