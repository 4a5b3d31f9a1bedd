"""The service over HTTP, beside what it cannot beat: a bare route, the same append in process, one listener.

What is served is a process of its own, as `arbitrator serve` starts it; who asks is this one.
"""

from __future__ import annotations

import json
import select
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from running_service import Running, running
from torture import club
from under_load import Load, nothing_is_lost_or_twice

from bench import reporting
from bench.grown import Grown
from bench.measuring import SLOW_RUNS, Bar, Figure, Stopwatch, Table, in_turn, table
from tracker.campaign import records
from tracker.cli.receipts import page_of
from tracker.documents.battle_report import battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.log import database
from tracker.people.records import Person
from tracker.reports.rendering import render
from tracker.rules import loader
from tracker.service.application import Tracker

REQUESTS = 1_000
CONNECTIONS = 8
APPENDS = 5
HITS = 10
LISTENERS = 500
HEARD = 5
"""Entries in one run that listeners hear of."""
SETTLED_SECONDS = 1.0
"""After which every listener has looked once, and waits."""
WRITERS = 50
WORKERS = 4
WRITES_EACH = 4
OPTIONS = ("--no-limits", "--work-processes", "1")
BARE, SERVED = "a bare FastAPI route", "the service"
MADE = "the service, each answer made anew"
IN_PROCESS, OVER_HTTP = "in process", "through the API"
_BARE = """
import socket, sys
import uvicorn
from fastapi import FastAPI, Response
body = sys.stdin.buffer.read()
app = FastAPI()
@app.get("/roster")
async def roster() -> Response:
    return Response(body, media_type="application/json")
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run([listener])
"""


def measure(grown: Grown, runs: int) -> list[Table]:
    """The tables of this part."""
    folder = grown.folder / "service"
    folder.mkdir()
    file = grown.copied(grown.middle, "service/served.db")
    url = f"sqlite:///{file}"
    with _opened(url) as tracker:
        token = _token(tracker)
        (campaign,) = tracker.repository.store.campaigns()
        state = tracker.repository.state(campaign)
        gang = next(iter(state.gangs))
        fighter = next(iter(state.gangs[gang].enlisted))  # whoever is gone is given nothing
        with running(url, folder, *OPTIONS) as service:
            service.token = token
            place = f"/v1/campaigns/{campaign}"
            tables = [
                _reading(service, f"{place}/roster?who={gang}", runs),
                _appending(service, tracker, campaign, folder, runs),
                _listening(service, place, fighter, min(runs, SLOW_RUNS)),
            ]
    return [*tables, _writing(grown, folder, min(runs, SLOW_RUNS))]


@contextmanager
def _opened(url: str) -> Iterator[Tracker]:
    tracker = Tracker(url, actor="bench")
    try:
        yield tracker
    finally:
        tracker.close()


def _token(tracker: Tracker) -> str:
    """Of the Arbitrator of every campaign there is."""
    person: Person = tracker.people.add(f"bench {time.time_ns()}")
    for campaign in tracker.repository.store.campaigns():
        tracker.people.join(campaign, person.person, role="arbitrator")
    return str(tracker.people.tokens.new(person.person, label="bench", scope="write").secret)


# --- reading ------------------------------------------------------------------------------------------------


def _reading(service: Running, path: str, runs: int) -> Table:
    status, _, body = service.ask("GET", path)
    assert status == 200, body
    whole: list[Figure] = []
    slowest: dict[str, list[float]] = {BARE: [], SERVED: [], MADE: []}
    seen = count(1)

    def asked(
        name: str, port: int, asks: Callable[[], bytes], requests: int = REQUESTS
    ) -> Callable[[Stopwatch], None]:
        def ask(watch: Stopwatch) -> None:
            _hammered(port, asks, CONNECTIONS * 2, len(body))  # connections, threads and caches are there
            before = time.perf_counter()
            with watch.running():
                taken = _hammered(port, asks, requests, len(body))
            watch.seconds = (time.perf_counter() - before) / requests
            slowest[name].append(_p99(taken) * 1000)

        return ask

    bare, again = _get("/roster"), _get(path, service.token)
    with _bare(body) as port:
        jobs = {
            BARE: asked(BARE, port, lambda: bare),
            SERVED: asked(SERVED, service.port, lambda: again),
            # Nobody has asked with this tag before, and it is none of theirs: the roster is read and written.
            MADE: asked(
                MADE, service.port, lambda: _get(path, service.token, tag=next(seen)), REQUESTS // 10
            ),
        }
        whole = in_turn(jobs, runs=runs)
    p99 = [Figure(name=f"p99: {name}", runs=tuple(found)) for name, found in slowest.items()]
    rates = {figure.name: 1000 / figure.median for figure in whole}
    share = rates[SERVED] / rates[BARE]
    notes = [f"{rates[SERVED]:.0f} requests a second, {share:.2f} of the bare route's {rates[BARE]:.0f}."]
    bar = Bar(of=SERVED, against=BARE, at_most=2)  # half as many requests a second
    title = (
        f"The JSON of a roster, {len(body):,} bytes, {CONNECTIONS} connections: wall time for each request"
    )
    return table(title, [*whole, *p99], against=BARE, bars=(bar,), notes=notes)


@contextmanager
def _bare(body: bytes) -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", _BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(body)
        process.stdin.close()
        port = int(process.stdout.readline())
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < until, "it does not listen"
                time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _get(path: str, token: str = "", tag: int = 0) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Accept: application/json"]
    lines += [f'If-None-Match: "{tag}-0000000000000000"'] * bool(tag)
    return "\r\n".join([*lines, *([f"Authorization: Bearer {token}"] if token else []), "", ""]).encode()


class _Client:
    """A connection that has asked, and how much of the answer is still on its way."""

    def __init__(self, port: int, length: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self._length, self._head, self._missing, self.sent = length, b"", 0, 0.0

    def ask(self, request: bytes) -> None:
        self._head, self._missing, self.sent = b"", -1, time.perf_counter()
        self.socket.sendall(request)

    def is_answered(self) -> bool:
        """After reading what has come."""
        came = self.socket.recv(262_144)
        assert came, "it was hung up"
        if self._missing < 0:
            self._head += came
            head, end, rest = self._head.partition(b"\r\n\r\n")
            if not end:
                return False
            assert head.startswith(b"HTTP/1.1 200"), head
            self._missing = self._length - len(rest)
        else:
            self._missing -= len(came)
        return self._missing == 0


def _hammered(port: int, asks: Callable[[], bytes], requests: int, length: int) -> list[float]:
    """So many requests over some connections at once; how long each took, in seconds."""
    clients = {}
    for _ in range(CONNECTIONS):
        client = _Client(port, length)
        clients[client.socket.fileno()] = client
    poll, taken, begun = select.poll(), [], 0
    try:
        for number, client in clients.items():
            poll.register(number, select.POLLIN)
            client.ask(asks())
            begun += 1
        while len(taken) < requests:
            ready = poll.poll(30_000)
            assert ready, f"{requests - len(taken)} requests are not answered"
            for number, _ in ready:
                client = clients[number]
                if client.is_answered():
                    taken.append(time.perf_counter() - client.sent)
                    if begun < requests:
                        begun += 1
                        client.ask(asks())
    finally:
        for client in clients.values():
            client.socket.close()
    return taken


def _p99(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=100, method="inclusive")[98]


# --- appending ----------------------------------------------------------------------------------------------


def _appending(service: Running, tracker: Tracker, campaign: str, folder: Path, runs: int) -> Table:
    """A battle report, from its text to its receipt: as the command line records it, and as a client does."""
    numbers = count()
    connection = service.connection()
    book = tracker.repository.state(campaign).book

    def in_process(watch: Stopwatch) -> None:
        reports = _reports(tracker, campaign, "here", numbers)
        with watch.running():
            for text in reports:
                file = folder / "report.yaml"
                file.write_text(text, encoding="utf-8")
                state = tracker.boards.state_at(campaign)
                plan = battle_plan(read_document(str(file)), purposes=loader.book(book).purposes, state=state)
                render(page_of(tracker.commands.record_battle(campaign, plan, roll=True)), "json")

    def over_http(watch: Stopwatch) -> None:
        reports = _reports(tracker, campaign, "there", numbers)
        with watch.running():
            for text in reports:
                place = f"/v1/campaigns/{campaign}/battles?roll=true"  # whoever has an old wound tests it
                answer = service.begin(connection, "POST", place, text).getresponse()
                said = answer.read()
                assert answer.status == 200, said

    for warm in (in_process, over_http):
        warm(Stopwatch())
    figures = in_turn({IN_PROCESS: in_process, OVER_HTTP: over_http}, runs=runs)
    connection.close()
    each = [Figure(name=figure.name, runs=tuple(run / APPENDS for run in figure.runs)) for figure in figures]
    bar = Bar(of=OVER_HTTP, against=IN_PROCESS, at_most=1.6)
    return table(f"A battle of {HITS} hits recorded, SQLite", each, against=IN_PROCESS, bars=(bar,))


def _reports(tracker: Tracker, campaign: str, name: str, numbers: Iterator[int]) -> list[str]:
    """Some, of battles after which nobody is the worse."""
    plans = reporting.report(tracker, campaign, ("skulls", "saints"))
    hits = [plan.command for plan in plans if isinstance(plan.command, records.ResolveHit)][:HITS]
    listed = "".join(
        f"  - hit: {{attacker: {hit.attacker}, weapon: {hit.weapon}, target: {hit.target}}}\n"
        "    dice: {wound: [6], save: [6]}\n"
        for hit in hits
    )
    head = "format: battle-report/1\nscenario: Ambush\ndate: 2026-11-21\ngangs: [skulls, saints]\n"
    return [
        f"{head}battle: {name}-{next(numbers)}\nentries:\n{listed}result: {{draw: true}}\n"
        for _ in range(APPENDS)
    ]


# --- listening ----------------------------------------------------------------------------------------------


class _Heard(NamedTuple):
    acknowledged: float
    arrived: list[float]


def _listening(service: Running, place: str, fighter: str, runs: int) -> Table:
    few, many, answered = list[float](), list[float](), list[float]()
    memory = []
    numbers = count()
    for run in range(runs):
        before = _memory_bytes(service)
        for listeners, found in ((1, few), (LISTENERS, many)):
            with _listeners(service, place, listeners) as sockets:
                if listeners == LISTENERS:
                    memory.append((_memory_bytes(service) - before) / listeners / 1024)
                heard = [
                    _one_more(service, place, fighter, f"heard-{run}-{next(numbers)}", sockets)
                    for _ in range(HEARD)
                ]
            found.append(_p99([at for answer in heard for at in answer.arrived]) * 1000)
            if listeners == 1:
                answered.append(statistics.median(answer.acknowledged for answer in heard) * 1000)
    figures = [
        Figure(name="the entry acknowledged, median", runs=tuple(answered)),
        Figure(name="heard by one listener, p99", runs=tuple(few)),
        Figure(name=f"heard by {LISTENERS} listeners, p99", runs=tuple(many)),
    ]
    # What the allocator kept from the run before is taken again: the first run shows what a listener takes.
    notes = [f"Memory for each idle listener: {memory[0]:.0f} kB."]
    title = "Server-sent events, from the request that records to the listener"
    return table(title, figures, against="heard by one listener, p99", notes=notes)


@contextmanager
def _listeners(service: Running, place: str, number: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        sockets = []
        status, headers, _ = service.ask("GET", place)
        assert status == 200
        seen = headers["ETag"].strip('"').partition("-")[0]
        request = _get(f"{place}/events", service.token).replace(
            b"application/json", f"text/event-stream\r\nLast-Event-ID: {seen}".encode()
        )
        for _ in range(number):
            listener = stack.enter_context(socket.create_connection(("127.0.0.1", service.port), 60))
            listener.sendall(request)
            sockets.append(listener)
        for listener in sockets:
            _read_until(listener, b"retry: 2000")
        time.sleep(SETTLED_SECONDS)
        yield sockets


def _read_until(listener: socket.socket, wanted: bytes) -> None:
    came = b""
    while wanted not in came:
        more = listener.recv(65_536)
        assert more, f"the stream ended after {came!r}"
        came += more


def _one_more(
    service: Running, place: str, fighter: str, reason: str, sockets: list[socket.socket]
) -> _Heard:
    """One entry: when it was acknowledged, and when each listener had it, in seconds after it was sent."""
    body = json.dumps({"fighters": [fighter], "xp": 1, "reason": reason})
    connection = service.connection()
    poll, missing = select.poll(), {listener.fileno(): listener for listener in sockets}
    came = dict.fromkeys(missing, b"")
    for number in missing:
        poll.register(number, select.POLLIN)
    began = time.perf_counter()
    service.begin(connection, "POST", f"{place}/awards", body, Idempotency_Key=reason)
    poll.register(connection.sock.fileno(), select.POLLIN)
    acknowledged, arrived, wanted = 0.0, [], reason.encode()
    while missing or not acknowledged:
        ready = poll.poll(30_000)
        assert ready, f"{len(missing)} listeners did not hear of it"
        for number, _ in ready:
            if number not in missing:
                answer = connection.getresponse()
                assert answer.status == 200, answer.read()
                acknowledged = time.perf_counter() - began
                poll.unregister(number)
                connection.close()
                continue
            came[number] += missing[number].recv(65_536)
            if wanted in came[number]:
                arrived.append(time.perf_counter() - began)
                poll.unregister(number)
                del missing[number]
    return _Heard(acknowledged, arrived)


def _memory_bytes(service: Running) -> int:
    lines = Path(f"/proc/{service.process.pid}/status").read_text().splitlines()
    (resident,) = (line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(resident) * 1024


# --- writing ------------------------------------------------------------------------------------------------


def _writing(grown: Grown, folder: Path, runs: int) -> Table:
    url = grown.server.empty()
    database.upgrade(url)
    with _opened(url) as tracker:
        for number in range(WRITERS):
            club.begin(tracker, f"club-{number}")
        token, who = _token(tracker), f"{club.GANGS[0]}-0"
        taken: dict[str, list[float]] = {}
        acknowledged: dict[str, list[str]] = {}
        again = 0  # a server too busy to be reached says 503, and the same is sent again under its key
        with running(url, folder, *OPTIONS, "--workers", str(WORKERS)) as service:
            service.token = token
            for run in range(runs):
                for campaigns in (1, WRITERS):
                    began = time.perf_counter()
                    load = Load(
                        service,
                        [(f"club-{number}", who) for number in range(campaigns)],
                        writers=WRITERS // campaigns,
                        each=WRITES_EACH,
                        label=f"{campaigns}-{run}",
                    )
                    load.join()
                    name = f"{WRITERS} writers, {campaigns} campaign{'s' * (campaigns > 1)}"
                    taken.setdefault(name, []).append(
                        (time.perf_counter() - began) * 1000 / len(load.acknowledged)
                    )
                    again += load.answers.total() - load.answers["200"]
                    assert all(said.startswith(("200", "503")) for said in load.answers), load.answers
                    assert len(load.acknowledged) == WRITERS * WRITES_EACH
                    for write in load.acknowledged:
                        acknowledged.setdefault(write.campaign, []).append(write.reason)
        there = sum(
            nothing_is_lost_or_twice(tracker, tracker.directory.campaign_id(name), reasons)
            for name, reasons in acknowledged.items()
        )
    figures = [Figure(name=name, runs=tuple(found)) for name, found in taken.items()]
    notes = [f"{there} entries acknowledged, every one there once; {again} were sent again after a 503."]
    title = f"{WRITERS} writers through the API, PostgreSQL, four workers: wall time for each entry"
    return table(title, figures, against=figures[0].name, notes=notes)
