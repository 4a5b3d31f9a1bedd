"""Slow, endless and malformed requests over a real connection: refused as problems, and nobody else waits for them."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import uvicorn
from served import CAMPAIGN, TOKEN, Served

from tracker.server import request_limits


@contextmanager
def listening(app: Any) -> Iterator[int]:
    """The port of a service as `serve` runs it, in a thread."""
    config = uvicorn.Config(
        app,
        port=0,
        log_level="critical",
        lifespan="off",
        http=request_limits.HeaderLimits,
        server_header=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    (port,) = {sock.getsockname()[1] for one in server.servers for sock in one.sockets}
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def port(served: Served) -> Iterator[int]:
    with listening(served.client.app) as number:
        yield number


def answered(port: int, *pieces: bytes, pause: float = 0.0) -> tuple[int, dict[str, Any]]:
    """The status and the problem that raw bytes are answered with; the connection is closed by the service."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                break
            time.sleep(pause)
        return read(connection)


def read(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    held = b""
    while True:
        try:
            part = connection.recv(65_536)
        except ConnectionResetError:
            break
        if not part:
            break
        held += part
    head, _, body = held.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, held
    assert b"connection: close" in head.lower()
    return int(head.split()[1]), json.loads(body)


def request(path: str, *headers: str, method: str = "POST") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {TOKEN}", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def is_served(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request(f"{CAMPAIGN}/roster", "Connection: close", method="GET"))
        return connection.recv(100).startswith(b"HTTP/1.1 200")


def test_headers_of_more_than_ten_thousand_bytes_are_refused(port: int) -> None:
    fits = request(f"{CAMPAIGN}/roster", f"X-Much: {'a' * 9_000}", "Connection: close", method="GET")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(fits)
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
    for more in ([f"X-Much: {'a' * 10_000}"], [f"X-{number}: b" for number in range(2_000)]):
        status, problem = answered(port, request(f"{CAMPAIGN}/roster", *more, method="GET"))
        assert (status, problem["code"]) == (431, "headers_too_large")
    status, problem = answered(port, request(f"/v1/{'a' * 11_000}", method="GET"))
    assert (status, problem["code"]) == (431, "headers_too_large")
    assert is_served(port)


def test_a_header_without_an_end_is_not_read_for_ever(port: int) -> None:
    endless = [b"GET / HTTP/1.1\r\nX-Endless: ", *[b"a" * 4_000] * 50]
    assert answered(port, *endless)[0] == 431


def test_headers_that_come_too_slowly_are_refused(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "HEADER_SECONDS", 0.2)
    for pieces in ((), (b"GET /healthz HT",), (b"GET / HTTP/1.1\r\n", b"A: b\r\n", b"C: d\r\n")):
        status, problem = answered(port, *pieces, pause=0.05)
        assert (status, problem["code"]) == (408, "headers_too_slow")


def test_bytes_that_are_not_http_are_refused(port: int) -> None:
    status, problem = answered(port, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert (status, problem["code"]) == (400, "not_http")


def test_a_body_that_comes_too_slowly_is_refused_and_nothing_is_written(
    served: Served, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_limits, "BODY_SECONDS", 0.3)
    before = served.head()
    head = request(f"{CAMPAIGN}/fighters/krug/retire", "If-Match: *", "Content-Length: 100")
    status, problem = answered(port, head, b'{"reas', b"on", pause=0.02)
    assert (status, problem["code"]) == (408, "body_too_slow")
    assert served.head() == before


@pytest.mark.parametrize("framing", ["Content-Length: 2000000", "Transfer-Encoding: chunked"])
def test_a_body_over_the_limit_is_refused_before_all_of_it_is_here(port: int, framing: str) -> None:
    piece = b"x" * 60_000
    if "chunked" in framing:
        piece = b"%x\r\n%s\r\n" % (len(piece), piece)
    head = request(f"{CAMPAIGN}/battles", "If-Match: *", framing)
    status, problem = answered(port, head, *[piece] * 20)
    assert (status, problem["code"]) == (413, "body_too_large")


def test_nobody_waits_for_slow_clients(port: int) -> None:
    with ExitStack() as open_connections:
        for _ in range(60):
            connection = socket.create_connection(("127.0.0.1", port), timeout=20)
            open_connections.enter_context(connection)
            connection.sendall(request(f"{CAMPAIGN}/battles", "Content-Length: 1000") + b"form")
        assert is_served(port)


def test_an_answer_that_nobody_takes_in_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "SEND_SECONDS", 0.01)
    sent: list[str] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start"})
        sent.append("further")

    async def never(_message: Any) -> None:
        await asyncio.sleep(60)

    async def nothing() -> Any:
        raise AssertionError

    asyncio.run(request_limits.RequestTimeouts(app)({"type": "http"}, nothing, never))
    assert sent == []


# --- what is in a request ----------------------------------------------------------------------------------

NUMBERS = ["1e400", "-1e400", "NaN", "Infinity", "-Infinity", "9" * 4_000, "1" + "0" * 400, "-0", "1.5e-999"]
TEXTS = ['"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u202e"', '""', f'"{"x" * 300_000}"']
DEEP = ["[" * 20_000 + "]" * 20_000, '{"a":' * 20_000 + "1" + "}" * 20_000]


@pytest.mark.parametrize("value", [*NUMBERS, *TEXTS, *DEEP], ids=lambda value: value[:12])
def test_a_hostile_value_is_a_problem_and_nothing_is_written(served: Served, value: str) -> None:
    before = served.head()
    bodies = [
        ("/disputes", f'{{"event": {value}, "reason": "x"}}'),
        ("/gangs/iron-skulls/reputation", f'{{"amount": {value}, "reason": {value}}}'),
        ("/battles", f'{{"format": "battle-report/1", "battle": {value}, "gangs": {value}}}'),
        ("/v1/judge", f'{{"format": "exchange/1", "hit": {value}}}'),
        ("/v1/odds", f'{{"format": "exchange/1", "hit": {{"attacker": {value}}}}}'),
        ("/v1/command-line", f'{{"command": {value}, "words": [{value}]}}'),
        ("/v1/join", f'{{"secret": {value}}}'),
    ]
    for path, body in bodies:
        answer = served.ask("POST", path, content=body, headers={"If-Match": "*"})
        is_printed = path == "/v1/command-line" and answer.status_code == 200
        assert is_printed or 400 <= answer.status_code < 500, (path, answer.text)
        if is_printed:
            assert answer.json()["exit_code"] == 2
    assert served.head() == before


@pytest.mark.parametrize(
    "query",
    [
        "who=%ff%fe",
        "who=%00",
        "who=%ed%a0%80",
        "as_of_entry=1e400",
        "as_of_entry=%D9%A1",
        "who=" + "x" * 5_000,
    ],
)
def test_a_hostile_query_is_a_problem(served: Served, query: str) -> None:
    answer = served.get(f"/roster?{query}")
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("name", ["%00", "%ff", "%ed%a0%80", "..%2f..", "%2e%2e", "x" * 3_000, "%E2%80%AE"])
def test_a_hostile_name_in_a_path_is_a_problem(served: Served, name: str) -> None:
    for path in (f"/fighters/{name}", f"/battles/{name}", f"/v1/campaigns/{name}", f"/log/{name}"):
        answer = served.get(path)
        assert 400 <= answer.status_code < 500, (path, answer.text)


@pytest.mark.parametrize(
    "header", ["If-Match", "If-None-Match", "Idempotency-Key", "Accept", "Last-Event-ID", "Authorization"]
)
def test_a_hostile_header_is_no_fault(served: Served, header: str) -> None:
    for value in (b"\xff\xfe", b'"' * 500, b"\x01", b"9" * 5_000, b'"1-0000000000000000", *'):
        answer = served.post(
            "/fighters/krug/retire", json={"reason": "x", "dry_run": True}, headers={header: value}
        )
        assert answer.status_code < 500, (header, value, answer.text)
