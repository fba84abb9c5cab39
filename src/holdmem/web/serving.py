"""Starting the server, telling where it is, and opening the browser."""

import secrets
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from holdmem.errors import HoldMemError
from holdmem.web.client import play_hands
from holdmem.web.messages import LARGEST
from holdmem.web.people import Offer
from holdmem.web.server import app
from holdmem.web.store import Store

LOCAL = ("127.0.0.1", "localhost", "[::1]")


def open_table(
    opponents: Sequence[str],
    game: str,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    history: Path | None = None,
    ledger: Path | None = None,
    check: bool = False,
) -> None:
    """Open the web table for these opponents, until it is closed; `check` only plays three hands at it."""
    offer = Offer(tuple(opponents), adviser=opponents[0], game=game)
    if check:
        with TemporaryDirectory() as folder:
            table = Table(offer, host=host, port=port, history=Path(folder) / "hands.sqlite", ledger=ledger)
            with table.running():
                for line in play_hands(table.wire, 3):
                    print(line)
        return
    table = Table(offer, host=host, port=port, history=history, ledger=ledger)
    print(f"HoldMem's table is open at {table.address}\nCtrl-C closes it.", flush=True)
    if host not in LOCAL:
        print("Others who reach this machine and know the address can play.", file=sys.stderr, flush=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, [table.address]).start()
    table.run()


class Table:
    """A server with its door already open: a busy port is said before anything else is done."""

    def __init__(
        self,
        offer: Offer,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        history: Path | None = None,
        ledger: Path | None = None,
        token: str | None = None,
    ) -> None:
        self.door = _door(host, port)
        self.port = int(self.door.getsockname()[1])
        self.token = token or secrets.token_urlsafe(24)
        self.name = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        hosts = frozenset(f"{name}:{self.port}" for name in (*LOCAL, host))
        application = app(offer, Store(history), self.token, hosts, ledger)
        # No log_config: uvicorn's own would close every log handler of the process that we are a guest in, and
        # with some of them the streams that they write to.
        config = uvicorn.Config(
            application, log_level="warning", log_config=None, ws="websockets-sansio",
            ws_max_size=2 * LARGEST, ws_ping_interval=30, access_log=False, server_header=False,
        )  # fmt: skip
        self.server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://{self.name}:{self.port}/?token={self.token}"

    @property
    def wire(self) -> str:
        """What another program connects to."""
        return f"ws://{self.name}:{self.port}/v1/table?token={self.token}"

    def run(self) -> None:
        """Serve until stopped."""
        self.server.run(sockets=[self.door])

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve in the background."""
        thread = threading.Thread(target=self.run, daemon=True)
        thread.start()
        try:
            while not self.server.started and thread.is_alive():
                time.sleep(0.01)
            yield
        finally:
            self.server.should_exit = True
            thread.join(timeout=10)


def _door(host: str, port: int) -> socket.socket:
    """A socket that listens; a busy port is said before anything else is done."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(kind, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as error:
        raise HoldMemError(f"expected a free port on {host}, got {port}: {error.strerror}") from None
    door.listen(128)
    return door
