"""The server: pages, the WebSocket, downloads, and access control.

Every request must meet three conditions: its Host names this server, its Origin (if any) is this server's own
page, and it has the token of this table. Browsers receive the token as a cookie when they open the address
printed at launch; other programs pass it in the URL.
"""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.requests import HTTPConnection

from holdmem.core.errors import HoldMemError
from holdmem.history.formats import one_of
from holdmem.web.conversation import HELLO_SECONDS, Conversation
from holdmem.web.downloads import DOWNLOADS, download, download_one
from holdmem.web.hosts import Hosts
from holdmem.web.judgement_routes import judgement_routes
from holdmem.web.library import HandLibrary
from holdmem.web.library_routes import LibraryDesk, library_routes
from holdmem.web.messages import hand_reference
from holdmem.web.offers import Lobby
from holdmem.web.player_routes import player_routes
from holdmem.web.progress import CompileNotifier
from holdmem.web.replay_sources import NamedHands
from holdmem.web.results import results_page
from holdmem.web.sessions import SessionRegistry
from holdmem.web.sessions_desk import SessionsDesk, sessions_routes
from holdmem.web.store import Store
from holdmem.web.trainer_desk import TrainerDesk
from holdmem.web.trainer_routes import trainer_routes

PAGE = Path(__file__).parent / "page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FILES = {path.name: TYPES[path.suffix] for path in sorted(PAGE.iterdir()) if path.suffix in TYPES}
PAGES = {
    "/": "table.html",
    "/watch": "watch.html",
    "/replay": "replay.html",
    "/hands": "hands.html",
    "/train": "trainer.html",
    "/sessions": "sessions.html",
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
WORKERS = 16
"""Number of threads that serve tables. Most of them wait, for example for a kernel to be compiled."""
TURN = 0.0005
"""Seconds for which a thread may keep others waiting. With Python's 5 ms, many who sit down at once would
hold up the actions of those who already play."""
A_YEAR = 365 * 24 * 3600


def app(
    offer: Lobby,
    store: Store,
    token: str,
    hosts: Hosts,
    ledger: Path | None = None,
    shelf: NamedHands | None = None,
    hello_seconds: float = HELLO_SECONDS,
) -> FastAPI:
    """Return the web application. `hosts` determines which Host and Origin headers are accepted."""
    library = HandLibrary(store.path.with_name(f"{store.path.stem}-files"))
    people, progress = SessionRegistry(offer, store, library, shelf, ledger), CompileNotifier()
    desk = LibraryDesk(library, store)
    trainer, sessions = TrainerDesk(desk), SessionsDesk(desk, offer)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WORKERS, "table"))
        with progress.heard(), _short_turns():
            yield
        for opened in (sessions, trainer, desk, store):
            opened.close()

    server = FastAPI(title="HoldMem", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)

    @server.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        problem = _foreign(request, hosts)
        if problem:
            response: Response = PlainTextResponse(problem, status_code=403)
        elif _token_in_address(request, token) and request.url.path in (*PAGES, "/results"):
            response = _admitted(request, token)
        elif not _knows(request, token):
            response = PlainTextResponse(NO_TOKEN, status_code=403)
        else:
            response = await go_on(request)
        response.headers.update(HEADERS)
        return response

    @server.get("/")
    @server.get("/watch")
    @server.get("/replay")
    @server.get("/hands")
    @server.get("/train")
    @server.get("/sessions")
    async def page(request: Request) -> Response:
        return FileResponse(PAGE / PAGES[request.url.path], media_type="text/html")

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
        key = session_of(request)
        if kind not in DOWNLOADS or key is None:
            return PlainTextResponse(f"expected {one_of(DOWNLOADS)}, and a session", status_code=404)
        try:
            name, content = await asyncio.to_thread(_download, store, key, kind)
        except HoldMemError as error:
            return PlainTextResponse(str(error), status_code=409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    @server.get("/v1/hand.{kind}")
    async def one_hand(request: Request, kind: str) -> Response:
        if kind not in DOWNLOADS:
            return PlainTextResponse(f"expected {one_of(DOWNLOADS)}", status_code=404)
        try:
            wish = hand_reference(dict(request.query_params))
            person = people.find(session_of(request))
            name, content = await asyncio.to_thread(lambda: download_one(kind, person.find_hand(wish)))
        except HoldMemError as error:
            return PlainTextResponse(str(error), status_code=409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    @server.delete("/v1/history")
    async def forget(request: Request) -> dict[str, int]:
        key = session_of(request)
        return {"deleted": await asyncio.to_thread(desk.forget_own, key) if key else 0}

    for routes in (
        *_of_own_files(desk, people),
        trainer_routes(trainer, session_of),
        sessions_routes(sessions, session_of),
    ):
        server.include_router(routes)

    @server.websocket("/v1/table")
    async def play(socket: WebSocket) -> None:
        if _foreign(socket, hosts) or not (_knows(socket, token) or _token_in_address(socket, token)):
            await socket.close(code=1008, reason="token, host or origin")
            return
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await Conversation(socket, people, progress, session_of(socket)).hold(hello_seconds)

    return server


def _of_own_files(desk: LibraryDesk, people: SessionRegistry) -> Iterator[APIRouter]:
    """Yield the requests about a person's own files, and what is made of them."""
    yield library_routes(desk, session_of)
    yield judgement_routes(desk, people.find_hand, session_of)
    yield player_routes(desk, people.players, session_of)


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let threads take turns more often while the server runs."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


NO_TOKEN = "missing or wrong token: open the address that 'holdmem play' printed"


def _foreign(request: HTTPConnection, hosts: Hosts) -> str | None:
    """Return why a request has the wrong Host or Origin, or None if both are right."""
    host, origin = request.headers.get("host", ""), request.headers.get("origin")
    reached = (request.scope.get("server") or (None, None))[0]
    if not hosts.allow(host, reached):
        return "unknown host name for this server; 'holdmem play --name NAME' adds a name"
    if origin is not None and not (
        origin.startswith(("http://", "https://")) and hosts.allow(origin, reached)
    ):
        return "requests must come from this server's own page"
    return None


def _knows(request: HTTPConnection, token: str) -> bool:
    return secrets.compare_digest(request.cookies.get(_token_cookie(request), "").encode(), token.encode())


def _token_cookie(request: HTTPConnection) -> str:
    """Return the cookie name of this port; cookies are shared by all ports of a host."""
    return f"{TOKEN}-{(request.scope.get('server') or (None, None))[1]}"


def _token_in_address(request: HTTPConnection, token: str) -> bool:
    return secrets.compare_digest(request.query_params.get("token", "").encode(), token.encode())


def session_of(request: HTTPConnection) -> str | None:
    return request.headers.get("x-holdmem-session") or request.cookies.get(SESSION)


def _admitted(request: Request, token: str) -> Response:
    """Set the token and session as cookies hidden from scripts, and redirect to the URL without token."""
    rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
    response = RedirectResponse(request.url.path + (f"?{rest}" if rest else ""), status_code=303)
    session = request.cookies.get(SESSION) or secrets.token_urlsafe(24)
    for name, value in ((_token_cookie(request), token), (SESSION, session)):
        response.set_cookie(
            name, value, max_age=A_YEAR, httponly=True, samesite="strict", path="/",
            secure=request.url.scheme == "https",
        )  # fmt: skip
    return response


def _download(store: Store, key: str, kind: str) -> tuple[str, bytes]:
    return download(kind, store.hands(key))
