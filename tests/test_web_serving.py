"""How the web table is reached: under which names, by whom, and how long it waits for somebody."""

import http.client
import json
import socket
import stat
import threading
from contextlib import closing
from types import SimpleNamespace

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holdmem.core.errors import HoldMemError
from holdmem.web import launch
from holdmem.web.hosts import Hosts, checked_names, machine_addresses
from holdmem.web.launch import ClientTimeouts, WebServer
from holdmem.web.offers import Lobby
from holdmem.web.request_timeout import ENOUGH, door_class
from holdmem.web.store import Store

OFFER = Lobby(("always-call",), "always-call")
SHORT = 0.3
LONG = 60.0
"""Seconds: short for the server's patience, long for the test's own."""


def table(tmp_path, **how):
    return WebServer(OFFER, **{"history": tmp_path / "hands.sqlite", **how})


def status(address, path="/", **headers):
    """What a server says to a request that names it as these headers do."""
    with closing(http.client.HTTPConnection(*address, timeout=LONG)) as line:
        line.request("GET", path, headers=headers)
        return line.getresponse().status


# Names


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0", "::"])
def test_every_address_that_is_printed_opens_the_table(tmp_path, host):
    if ":" in host and not has_ipv6():
        pytest.skip("no IPv6 on this machine")
    made = table(tmp_path, host=host)
    with made.running():
        assert len(made.addresses) >= 1
        for address in made.addresses:
            start, _, token = address.partition("/?")
            name, _, port = start.removeprefix("http://").rpartition(":")
            where = (name.strip("[]"), int(port))
            if where[0] in ("127.0.0.1", "::1", "localhost") or reaches_itself(where):
                assert status(where, f"/?{token}", Host=f"{name}:{port}") == 303
                assert status(where, f"/?{token}", Host=f"{name}:{port}", Origin=start) == 303
                assert status(where, f"/?{token}", Host=f"evil.example:{port}") == 403
                assert status(where, f"/?{token}", Host=f"{name}:{port}", Origin="http://evil.example") == 403
        assert host not in ("0.0.0.0", "::") or len(made.addresses) == 1 + len(
            machine_addresses(both=host == "::")
        )


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def reaches_itself(where):
    try:
        socket.create_connection(where, timeout=5).close()
    except OSError:  # a firewall, such as that of a container
        return False
    return True


@pytest.mark.parametrize(
    ("netloc", "allowed"),
    [
        ("poker.example", True),
        ("POKER.example:80", True),
        ("https://poker.example", True),
        ("https://poker.example:443", True),
        ("poker.example:8642", True),
        ("poker.example:8643", False),
        ("other.example:8443", True),
        ("other.example", False),
        ("poker.example.evil.example", False),
        ("evil.example", False),
        ("evil.example:8642", False),
        ("10.0.0.3:8642", True),  # where the connection arrived
        ("10.0.0.4:8642", False),
        ("10.0.0.3", False),
        ("127.0.0.1:8642", True),
        ("[::1]:8642", True),
        ("localhost:8642", True),
        ("localhost:3000", False),
        ("localhost", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_proxy_and_the_usual_ports_work_when_their_name_is_given(netloc, allowed):
    hosts = Hosts(8642, "0.0.0.0", ("poker.example", "other.example:8443"))
    assert hosts.allow(netloc, "10.0.0.3") is allowed
    assert hosts.allow(netloc, "::ffff:10.0.0.3") is allowed  # the same, at a socket of IPv6


def test_at_port_80_no_port_is_named():
    assert Hosts(80).allow("127.0.0.1", "127.0.0.1")
    assert Hosts(80).allow("http://localhost", "127.0.0.1")
    assert not Hosts(80).allow("evil.example", "127.0.0.1")
    assert Hosts(80, "::1", ("https://poker.example",)).addresses() == [
        "http://[::1]",
        "https://poker.example",
    ]


@given(st.text(max_size=30))
def test_any_other_name_is_refused(name):
    assert not Hosts(8642).allow(name, "10.0.0.3") or name.lower().startswith(
        ("localhost:", "127.0.0.1:", "10.0.0.3:", "[", ":")
    )


def test_a_name_that_is_none_is_said_to_be_none():
    for name in ("", "http://", "poker.example/path", "a b", "poker.example:port", "user@poker.example"):
        with pytest.raises(HoldMemError, match="--name"):
            checked_names((name,))


def test_a_proxy_that_names_itself_is_let_in(tmp_path):
    made = table(tmp_path, names=["poker.example"])
    with made.running():
        where, path = ("127.0.0.1", made.port), f"/?token={made.token}"
        assert status(where, path, Host="poker.example", Origin="https://poker.example") == 303
        assert status(where, path, Host=f"127.0.0.1:{made.port}", Origin="https://poker.example") == 303
        assert status(where, path, Host="evil.example") == 403
        with pytest.raises(Exception, match="403"), connect(made.wire, origin="http://evil.example"):
            pass
        with connect(made.wire, origin="https://poker.example") as line:
            line.send('{"type": "hello", "version": 2}')
            assert '"welcome"' in line.recv(timeout=LONG)


# Launches


def test_token_and_port_are_the_same_at_every_launch_unless_asked_otherwise(tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setattr(launch, "PORT", free.getsockname()[1])
    first = table(tmp_path, port=None)
    assert first.port == launch.PORT
    second = table(tmp_path, port=None)  # while the first is open
    assert second.port != first.port
    assert second.token == first.token
    with pytest.raises(HoldMemError, match="cannot be used"):
        table(tmp_path, port=first.port)
    first.door.close()
    again = table(tmp_path, port=None, new_token=True)
    assert again.port == launch.PORT
    assert again.token != first.token
    assert stat.S_IMODE((tmp_path / "hands.sqlite").stat().st_mode) == 0o600
    for one in (second, again):
        one.door.close()


def test_a_damaged_token_is_replaced(tmp_path):
    with closing(Store(tmp_path / "hands.sqlite")) as store:
        token = store.token()
        store._write(("UPDATE keys SET value = ''", ()))
        assert len(store.token()) == len(token)
        assert store.token() == store.token() != token


# Patience


def rest(line):
    """All that comes until the other side hangs up."""
    line.settimeout(LONG)
    try:
        return b"".join(iter(lambda: line.recv(4096), b""))
    except ConnectionResetError:
        return b""


def test_half_open_connections_are_dropped(tmp_path):
    made = table(tmp_path, patience=ClientTimeouts(request=SHORT, hello=SHORT))
    where = ("127.0.0.1", made.port)
    head = f"GET /?token={made.token} HTTP/1.1\r\nHost: 127.0.0.1:{made.port}\r\n".encode()
    with made.running():
        for said in (b"", b"GET / HT", head, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"):
            with socket.create_connection(where, timeout=LONG) as line:
                line.sendall(said)
                assert b"303" not in rest(line)
        with connect(made.wire) as line, pytest.raises(ConnectionClosed, match="no hello"):
            line.recv(timeout=LONG)


def test_a_large_upload_gets_more_time_and_trickling_bytes_do_not(monkeypatch):
    monkeypatch.setattr(H11Protocol, "data_received", lambda *_: None)
    begun = []
    door = object.__new__(door_class(9.0))
    door.conn = SimpleNamespace(their_state=h11.SEND_BODY)
    door.loop = SimpleNamespace(
        call_later=lambda seconds, _: begun.append(seconds) or SimpleNamespace(cancel=lambda: None)
    )
    for _ in range(100):
        door.data_received(b"x")
    assert begun == [9.0]
    door.data_received(bytes(ENOUGH))
    assert begun == [9.0, 9.0]


def test_one_that_stops_answering_pings_is_dropped_and_one_that_waits_long_is_not(tmp_path, monkeypatch):
    goes_on = threading.Event()
    monkeypatch.setattr(
        "holdmem.web.sessions.ClientSession.who", lambda *_: goes_on.wait(LONG) and {"type": "who"}
    )
    made = table(tmp_path, patience=ClientTimeouts(ping=SHORT, pong=10 * SHORT))
    with made.running(), connect(made.wire, ping_interval=None) as slow, silent(made) as line:
        for message in ("hello", "who", "history", "history"):
            slow.send(json.dumps({"type": message} | ({"version": 2} if message == "hello" else {})))
        hello = b'{"type": "hello", "version": 2}'
        line.sendall(bytes([0x81, 0x80 | len(hello)]) + b"\0\0\0\0" + hello)
        heard = rest(line)
        assert b'"welcome"' in heard
        assert b"keepalive" in heard
        goes_on.set()
        told = [json.loads(slow.recv(timeout=LONG))["type"] for _ in range(4)]
        assert told == ["welcome", "who", "history", "history"]


def silent(made):
    """A client that opens a table over a bare socket and then answers nothing, not even a ping."""
    line = socket.create_connection(("127.0.0.1", made.port), timeout=LONG)
    line.sendall(
        f"GET /v1/table?token={made.token} HTTP/1.1\r\nHost: 127.0.0.1:{made.port}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += line.recv(1)
    assert b"101 Switching" in heard
    return line
