"""The webhook client: posts to addresses chosen by others, over TLS, to public machines, within limits.

It connects to the very IP address that it checked, so DNS rebinding does not work. It follows no redirect and
reads only the status and `Retry-After`. An address is a secret: no message here holds one.
"""

from __future__ import annotations

import http.client
import ipaddress
import os
import socket
import ssl
import threading
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from tracker.errors import BadInput

ALLOWED: Final = "TRACKER_WEBHOOKS_ALLOW"
"""The setting that allows more machines: names, separated by commas."""
CONNECT_SECONDS: Final = 5.0
SECONDS: Final = 15.0
"""The limit in seconds for a whole request, however slowly the other side answers."""
ANSWER_BYTES: Final = 65_536
URL_CHARACTERS_MAX: Final = 2_000

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC: Final = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20"))
)
"""Networks that some versions of the standard library take for public: cloud machines, relays, and former
site-local addresses.
"""


class WebhookNotUsable(BadInput):
    """Nothing can be posted to this address: {why}."""

    why: str


class Unreachable(Exception):
    """There was no answer. The message gives the reason, without the address."""


class WebhookResponse(NamedTuple):
    """The answer to a post."""

    status: int
    retry_after: str | None = None


def hosts_allowed() -> frozenset[str]:
    """The machines that the host allows at any address, also without TLS."""
    words = os.environ.get(ALLOWED, "").replace(",", " ").split()
    return frozenset(word.lower() for word in words)


def check(url: str, allowed: frozenset[str]) -> None:
    """Refuse what can be refused without a connection. Raises WebhookNotUsable."""
    if len(url) > URL_CHARACTERS_MAX or not url.isascii() or not url.isprintable() or " " in url:
        raise WebhookNotUsable(why=f"it has 1 to {URL_CHARACTERS_MAX} visible characters of ASCII")
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError as wrong:
        raise WebhookNotUsable(why="it cannot be read") from wrong
    if parts.scheme not in ("http", "https") or not host:
        raise WebhookNotUsable(why="it must begin with https:// and the name of a machine")
    if parts.username is not None or parts.password is not None:
        raise WebhookNotUsable(why="it holds a name or a password")
    if host in allowed:
        return
    if parts.scheme != "https":
        raise WebhookNotUsable(why="it must begin with https://, because the posts are not public")
    literal = _literal(host)
    if host == "localhost" or host.endswith(".localhost") or (literal and not is_public(literal)):
        raise WebhookNotUsable(why=f"it is not a public machine; a host can allow it in {ALLOWED}")


def _literal(host: str) -> _Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(address: _Address) -> bool:
    """Whether an address belongs to the Internet and not to a private network."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    if any(address.version == network.version and address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_link_local
    )


def post(url: str, body: bytes, headers: Mapping[str, str], allowed: frozenset[str]) -> WebhookResponse:
    """Send one request. Raises Unreachable, WebhookNotUsable."""
    check(url, allowed)
    parts = urlsplit(url)
    host = str(parts.hostname)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    wire = _connect(_addresses(host, port, allowed))
    try:
        if secure:
            context = ssl.create_default_context()
            wire = context.wrap_socket(wire, server_hostname=host, do_handshake_on_connect=False)
        return _request(wire, (host, port), path, body, headers)
    except TimeoutError as late:
        raise Unreachable("it did not answer in time") from late
    except ssl.SSLError as wrong:
        raise Unreachable(f"TLS failed: {wrong.reason}") from wrong
    except (OSError, http.client.HTTPException) as lost:
        raise Unreachable(f"the connection broke ({type(lost).__name__})") from lost
    finally:
        wire.close()


def _request(
    wire: socket.socket, place: tuple[str, int], path: str, body: bytes, headers: Mapping[str, str]
) -> WebhookResponse:
    # Each read has its own limit, but a machine that sends one byte a second would stay below it.
    cut = threading.Timer(SECONDS, _shut, [wire])
    cut.daemon = True
    cut.start()
    try:
        wire.settimeout(SECONDS)
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()
        connection = http.client.HTTPConnection(*place)
        connection.sock = wire
        connection.request("POST", path, body, {**headers, "Connection": "close"})
        answer = connection.getresponse()
        answer.read(ANSWER_BYTES)
        return WebhookResponse(answer.status, answer.headers.get("Retry-After"))
    finally:
        cut.cancel()


def _shut(connection: socket.socket) -> None:
    try:
        socket.socket.shutdown(connection, socket.SHUT_RDWR)  # not TLS's own, which waits for its turn
    except OSError:
        return  # it is closed already


def _addresses(host: str, port: int, allowed: frozenset[str]) -> list[tuple[str, int]]:
    """The IP addresses of a name, all checked. Raises Unreachable, WebhookNotUsable."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as unknown:
        raise Unreachable("its name is not known") from unknown
    addresses = list(dict.fromkeys(str(place[0]) for *_rest, place in found))
    if host not in allowed and not all(is_public(ipaddress.ip_address(address)) for address in addresses):
        raise WebhookNotUsable(
            why=f"its name does not lead to a public machine; a host can allow it in {ALLOWED}"
        )
    return [(address, port) for address in addresses]


def _connect(addresses: list[tuple[str, int]]) -> socket.socket:
    for address in addresses[:4]:
        try:
            return socket.create_connection(address, CONNECT_SECONDS)
        except OSError:
            continue
    raise Unreachable("it cannot be connected to")
