"""The server: pages, the WebSocket, downloads, and who may have which.

Three things are asked of every request: its Host is this server, its Origin (if it has one) is this server's
page, and it knows the token of this launch. The page gets the token as a cookie from the address that the
launch opens; other programs say it in the address.
"""

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.requests import HTTPConnection

from holdmem.errors import HoldMemError, NotationError
from holdmem.web import messages as said
from holdmem.web.downloads import DOWNLOADS
from holdmem.web.people import Offer, People, Person
from holdmem.web.results import results_page
from holdmem.web.store import Store

PAGE = Path(__file__).parent / "page"
FILES = {
    "table.js": "text/javascript",
    "lobby.js": "text/javascript",
    "cards.js": "text/javascript",
    "reasons.js": "text/javascript",
    "wire.js": "text/javascript",
    "watch.js": "text/javascript",
    "chart.js": "text/javascript",
    "style.css": "text/css",
    "icon.svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TOKEN, SESSION = "holdmem-token", "holdmem-session"
A_YEAR = 365 * 24 * 3600
MESSAGES_A_SECOND, BURST = 200.0, 400.0
"""A connection that says more than this is told to slow down, and then closed."""
MOST_WARNINGS = 20

logger = logging.getLogger("holdmem.web")


def app(offer: Offer, store: Store, token: str, hosts: frozenset[str], ledger: Path | None = None) -> FastAPI:
    """The whole application. `hosts` are the names, with port, under which it may be called."""
    people = People(offer, store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    server = FastAPI(title="HoldMem", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)

    @server.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        problem = _foreign(request, hosts)
        if problem:
            response: Response = PlainTextResponse(problem, status_code=403)
        elif _token_in_address(request, token) and request.url.path in ("/", "/watch", "/results"):
            response = _admitted(request, token)
        elif not _knows(request, token):
            response = PlainTextResponse(NO_TOKEN, status_code=403)
        else:
            response = await go_on(request)
        response.headers.update(HEADERS)
        return response

    @server.get("/")
    async def table() -> Response:
        return FileResponse(PAGE / "table.html", media_type="text/html")

    @server.get("/watch")
    async def watch() -> Response:
        return FileResponse(PAGE / "watch.html", media_type="text/html")

    @server.get("/page/{name}")
    async def file(name: str) -> Response:
        if name not in FILES:
            return PlainTextResponse("no such file", status_code=404)
        return FileResponse(PAGE / name, media_type=FILES[name])

    @server.get("/results")
    async def results(design: str | None = None) -> Response:
        return HTMLResponse(await asyncio.to_thread(results_page, ledger, design))

    @server.get("/v1/history.{kind}")
    async def history(request: Request, kind: str) -> Response:
        key = _session(request)
        if kind not in DOWNLOADS or key is None:
            return PlainTextResponse("expected phh, acpc or pokerstars, and a session", status_code=404)
        try:
            name, content = await asyncio.to_thread(_download, store, key, kind)
        except HoldMemError as error:
            return PlainTextResponse(str(error), status_code=409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    @server.delete("/v1/history")
    async def forget(request: Request) -> dict[str, int]:
        key = _session(request)
        return {"deleted": await asyncio.to_thread(store.delete, key) if key else 0}

    @server.websocket("/v1/table")
    async def play(socket: WebSocket) -> None:
        if _foreign(socket, hosts) or not (_knows(socket, token) or _token_in_address(socket, token)):
            await socket.close(code=1008, reason="token, host or origin")
            return
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await Conversation(socket, people).hold()

    return server


NO_TOKEN = "expected the token of this launch: open the address that 'holdmem play' printed"


def _foreign(request: HTTPConnection, hosts: frozenset[str]) -> str | None:
    """Why a request does not belong here."""
    host, origin = request.headers.get("host", ""), request.headers.get("origin")
    if host not in hosts:
        return "expected a request to this server by its own name"
    if origin is not None and origin.partition("://")[2] not in hosts:
        return "expected a request from this server's own page"
    return None


def _knows(request: HTTPConnection, token: str) -> bool:
    return secrets.compare_digest(request.cookies.get(_token_cookie(request), "").encode(), token.encode())


def _token_cookie(request: HTTPConnection) -> str:
    """Cookies are shared by all ports of a host, so that two tables need two names."""
    return f"{TOKEN}-{request.headers.get('host', '').rpartition(':')[2]}"


def _token_in_address(request: HTTPConnection, token: str) -> bool:
    return secrets.compare_digest(request.query_params.get("token", "").encode(), token.encode())


def _session(request: HTTPConnection) -> str | None:
    return request.headers.get("x-holdmem-session") or request.cookies.get(SESSION)


def _admitted(request: Request, token: str) -> Response:
    """Keep the token and a session in cookies that no script can read, and take the token off the address."""
    response = RedirectResponse(request.url.path, status_code=303)
    response.set_cookie(_token_cookie(request), token, httponly=True, samesite="strict", path="/")
    session = request.cookies.get(SESSION) or secrets.token_urlsafe(24)
    response.set_cookie(SESSION, session, max_age=A_YEAR, httponly=True, samesite="strict", path="/")
    return response


def _download(store: Store, key: str, kind: str) -> tuple[str, bytes]:
    return DOWNLOADS[kind](store.hands(key))


class Conversation:
    """One connection: messages in, one at a time; messages out, to all connections of the same person."""

    def __init__(self, socket: WebSocket, people: People) -> None:
        self.socket = socket
        self.people = people
        self.allowance, self.since, self.warnings = BURST, time.monotonic(), 0
        self.outbox: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)

    async def hold(self) -> None:
        """Greet, then answer until one of the two goes away."""
        person = await self._greeted()
        if person is None:
            return
        person.listeners.add(self._put)
        sender = asyncio.create_task(self._send_all())
        try:
            while True:
                text = await self._receive()
                if not self._has_patience():
                    await self.socket.close(code=1008, reason="too many messages")
                    return
                await self._answer(person, text)
        finally:
            person.listeners.discard(self._put)
            person.seen = time.monotonic()
            sender.cancel()

    async def _receive(self) -> str:
        packet = await self.socket.receive()
        if packet["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(packet.get("code", 1000))
        return packet.get("text") or (packet.get("bytes") or b"").decode("utf-8", errors="replace")

    async def _greeted(self) -> Person | None:
        """The person of this connection, once it has said hello in a protocol that we speak."""
        while True:
            text = await self._receive()
            try:
                hello = _read(text)
                if not isinstance(hello, said.Hello) or hello.version != said.VERSION:
                    raise NotationError(f"expected hello with version {said.VERSION} as the first message")
                person = self.people.find(hello.session or _session(self.socket))
                for message in person.welcome():
                    await self.socket.send_text(json.dumps(message))
                return person
            except HoldMemError as error:
                await self.socket.send_text(json.dumps(_error(error)))
                self.warnings += 1
                if self.warnings > MOST_WARNINGS:
                    await self.socket.close(code=1008, reason="no hello")
                    return None

    async def _answer(self, person: Person, text: str) -> None:
        """Do what one message asks for. Errors go to this connection alone, news to all of the person."""
        try:
            message = _read(text)
        except HoldMemError as error:
            self._put(_error(error))
            return
        async with person.lock:
            try:
                told = await asyncio.to_thread(person.answer, message)
            except HoldMemError as error:
                self._put(_error(error))
                return
            except Exception:
                logger.exception("a table broke")
                person.sitting = person.spectacle = None
                self._put({"type": "error", "message": "this table broke; please sit down again"})
                return
            for one in told:
                for listener in list(person.listeners) if one["type"] == "state" else [self._put]:
                    listener(one)

    def _put(self, message: dict[str, Any]) -> None:
        try:
            self.outbox.put_nowait(json.dumps(message, allow_nan=False))
        except asyncio.QueueFull:  # somebody who does not read is not waited for
            self.allowance = -BURST

    async def _send_all(self) -> None:
        while True:
            await self.socket.send_text(await self.outbox.get())

    def _has_patience(self) -> bool:
        """Whether this connection may go on: so many messages a second, with some in advance."""
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.since) * MESSAGES_A_SECOND) - 1
        self.since = now
        return self.allowance > 0


def _read(text: str) -> said.AnyMessage:
    if len(text) > said.LARGEST:
        raise NotationError(f"expected a message of at most {said.LARGEST} bytes, got {len(text)}")
    return said.read(text)


def _error(error: HoldMemError) -> dict[str, Any]:
    return {"type": "error", "message": str(error)[:500]}
