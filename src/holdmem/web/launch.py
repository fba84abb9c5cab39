"""Start the server, print its addresses and open the browser."""

import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from holdmem.core.errors import HoldMemError
from holdmem.web.app import app
from holdmem.web.client import play_hands
from holdmem.web.hosts import LOOPBACK, Hosts, checked_names
from holdmem.web.messages import LARGEST
from holdmem.web.offers import Lobby
from holdmem.web.replay_sources import NamedHands, from_file
from holdmem.web.request_timeout import door_class
from holdmem.web.store import Store

PORT = 8642
"""Default port. It is fixed, so that an open page finds the table again after a restart."""


def open_table(
    opponents: Sequence[str],
    game: str,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    names: Sequence[str] = (),
    new_token: bool = False,
    browser: bool = True,
    history: Path | None = None,
    ledger: Path | None = None,
    check: bool = False,
    replay: Path | None = None,
    replay_game: str | None = None,
    hand: int = 1,
) -> None:
    """Serve the web table for these opponents until stopped; with `check`, only play three hands at it.

    With `replay`, a file of hands, open the replayer at its hand of this number instead.
    """
    shelf = None if replay is None else from_file(replay, replay_game)
    if shelf is not None:
        shelf.find(hand)
    offer = Lobby(tuple(opponents), adviser=opponents[0], game=game)
    if check:
        with TemporaryDirectory() as folder:
            table = WebServer(
                offer, host=host, port=port or 0, history=Path(folder) / "hands.sqlite", ledger=ledger
            )
            with table.running():
                for line in play_hands(table.wire, 3):
                    print(line)
        return
    table = WebServer(
        offer, host=host, port=port, names=names, history=history, ledger=ledger, new_token=new_token,
        shelf=shelf,
    )  # fmt: skip
    addresses = [
        one if shelf is None else one.replace("/?", f"/replay?file={hand}&") for one in table.addresses
    ]
    print("HoldMem's table is open at", "\n    or ".join(addresses))
    print("Ctrl-C closes it.", flush=True)
    if port is None and table.port != PORT:
        print(f"Port {PORT} is in use, so another was chosen; --port sets one.", file=sys.stderr, flush=True)
    if host not in LOOPBACK or names:
        print(
            "Anyone who can reach this machine and knows the address can play.", file=sys.stderr, flush=True
        )
    if browser:
        threading.Timer(0.5, webbrowser.open, addresses[:1]).start()
    table.run()


@dataclass(frozen=True)
class ClientTimeouts:
    """Time limits in seconds, after which an unresponsive client is disconnected."""

    request: float = 20.0
    """For a request to arrive completely."""
    hello: float = 30.0
    ping: float = 30.0
    """Interval between pings to an open table."""
    pong: float = 30.0
    """For the answer to a ping."""


class WebServer:
    """The web server. The constructor binds the port, so that a port in use fails early.

    With `port` None, the default port is used, or any free one if it is taken.
    """

    def __init__(
        self,
        offer: Lobby,
        *,
        host: str = "127.0.0.1",
        port: int | None = 0,
        names: Sequence[str] = (),
        history: Path | None = None,
        ledger: Path | None = None,
        shelf: NamedHands | None = None,
        new_token: bool = False,
        patience: ClientTimeouts | None = None,
    ) -> None:
        names, patience = checked_names(tuple(names)), patience or ClientTimeouts()
        self.door: socket.socket = _usual_door(host) if port is None else _door(host, port)
        self.port: int = int(self.door.getsockname()[1])
        store = Store(history)
        self.token: str = store.token(new_token)
        self.hosts: Hosts = Hosts(self.port, host, names)
        application = app(offer, store, self.token, self.hosts, ledger, shelf, patience.hello)
        # No log_config: uvicorn's default closes all log handlers of the host process, and some handlers
        # close the streams that they write to.
        config = uvicorn.Config(
            application, log_level="warning", log_config=None, http=door_class(patience.request),
            ws="websockets-sansio", ws_max_size=2 * LARGEST, ws_ping_interval=patience.ping,
            ws_ping_timeout=patience.pong, access_log=False, server_header=False,
        )  # fmt: skip
        self.server: uvicorn.Server = uvicorn.Server(config)

    @property
    def addresses(self) -> list[str]:
        """URLs for browsers, with the token; the first is for this machine."""
        return [f"{start}/?token={self.token}" for start in self.hosts.addresses()]

    @property
    def address(self) -> str:
        """URL for a browser on this machine."""
        return self.addresses[0]

    @property
    def wire(self) -> str:
        """WebSocket URL for other programs on this machine."""
        return f"ws{self.hosts.addresses()[0].removeprefix('http')}/v1/table?token={self.token}"

    def run(self) -> None:
        """Serve until stopped."""
        self.server.run(sockets=[self.door])

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve in a background thread within this context."""
        thread = threading.Thread(target=self.run, daemon=True)
        thread.start()
        try:
            while not self.server.started and thread.is_alive():
                time.sleep(0.01)
            yield
        finally:
            self.server.should_exit = True
            thread.join(timeout=10)


def _usual_door(host: str) -> socket.socket:
    """Return a socket on the default port, or on any free one if it is taken, perhaps by another table."""
    try:
        return _door(host, PORT)
    except HoldMemError:
        return _door(host, 0)


def _door(host: str, port: int) -> socket.socket:
    """Return a listening socket."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
    except OSError as error:
        raise HoldMemError(f"--host: {host!r} is not an address of this machine: {error.strerror}") from None
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if host == "::":  # all addresses, including IPv4
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        door.bind(place)
    except OSError as error:
        door.close()
        raise HoldMemError(f"port {port} on {host} cannot be used: {error.strerror}") from None
    door.listen(128)
    return door
