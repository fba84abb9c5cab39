"""The host names that requests to the web table may use.

A page of another site can make its own name resolve to this machine (DNS rebinding) and then send requests
here, with the foreign name in their Host header. So a request must name this server: by a loopback name, by
the `--host` address, by the address at which its connection arrived, or by a name given with `--name`.
"""

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from holdmem.core.errors import HoldMemError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")
USUAL_PORTS = (80, 443)
"""Default ports, which a Host or Origin header omits."""


@dataclass(frozen=True)
class Hosts:
    """The Host and Origin headers accepted by a server that listens on `port`.

    `names` come from `--name`: "poker.example" (at port 80, 443 or `port`) or "poker.example:8443".
    """

    port: int
    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()

    def allow(self, netloc: str, reached: str | None) -> bool:
        """Whether a Host or Origin names this server; `reached` is the local address of the connection."""
        name, port = split(netloc)
        ports = USUAL_PORTS if port is None else (port,)
        for given, its_port in map(split, self.names):
            its_ports = (self.port, *USUAL_PORTS) if its_port is None else (its_port,)
            if name == given and not set(its_ports).isdisjoint(ports):
                return True
        return self.port in ports and (name in (*LOOPBACK, self.host.lower()) or _same_address(name, reached))

    def addresses(self) -> list[str]:
        """Return every address to print, as a URL without path; the first is for use on this machine."""
        found = [self.host]
        if self.host in EVERY_ADDRESS:
            found = ["127.0.0.1", *machine_addresses(both=self.host == "::")]
        named = [name if "://" in name else f"http://{name}" for name in self.names]
        return [*(f"http://{bracketed(host)}{self._port()}" for host in found), *named]

    def _port(self) -> str:
        return "" if self.port == 80 else f":{self.port}"


def checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names if each is a host, with or without scheme and port; else raise HoldMemError."""
    for name in names:
        host, port = split(name)
        if not host or set(host) & set("/?#@ \\") or (port is not None and not 0 < port < 65536):
            raise HoldMemError(
                f"--name: expected a host such as poker.example or poker.example:8443, got {name!r}"
            )
    return tuple(name.rstrip("/") for name in names)


def split(netloc: str) -> tuple[str, int | None]:
    """Split "host", "host:port" or "[v6]:port", also after "http://", into lower-case host and port."""
    text = netloc.partition("://")[2] if "://" in netloc else netloc
    host, colon, port = text.rstrip("/").lower().rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text.rstrip("/").lower(), ""
    if port and not (port.isascii() and port.isdecimal() and len(port) < 6):
        return "", None
    return host.removeprefix("[").removesuffix("]"), int(port) if port else None


def bracketed(host: str) -> str:
    """Return a host as it is written in a URL, with IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def _same_address(name: str, reached: str | None) -> bool:
    try:
        return reached is not None and _plain(name) == _plain(reached)
    except ValueError:  # a name, not an address
        return False


def _plain(text: str) -> object:
    """Parse an address; an IPv4-mapped IPv6 address becomes IPv4."""
    found = ip_address(text)
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def machine_addresses(both: bool = True) -> list[str]:
    """Return the known addresses by which other machines reach this one; IPv4 only unless `both`."""
    found: dict[str, None] = {}
    for family, outside in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))  # sends nothing: it only selects the source address
            found[probe.getsockname()[0]] = None
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found[str(address[0])] = None
    usable = [text for text in found if "%" not in text and not _loops_back(text)]
    return [text for text in usable if both or ":" not in text]


def _loops_back(text: str) -> bool:
    found = ip_address(text)
    return found.is_loopback or found.is_unspecified
