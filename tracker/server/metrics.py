"""Observability: metrics for Prometheus, and one log line for each request.

Neither holds a name, an address, a query, a body or a secret: a route appears as its template, and a campaign
only in the log, by its id.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from re import compile as pattern
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from tracker.server import logs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tracker.service.application import Tracker

HEALTH: Final = "/healthz"
READY: Final = "/readyz"
NUMBERS: Final = "/metrics"
SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The folder in which several processes share their metrics; the library's own name for it."""
_UNSAID: Final = frozenset({HEALTH, READY, NUMBERS})
"""Paths that machines poll every few seconds: successful requests are not logged."""
_NO_ROUTE: Final = "(none)"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_REQUEST_ID: Final = pattern(r"[A-Za-z0-9._-]{8,64}")
_FAULT: Final = 500


@dataclass
class ObservedRequest:
    """The facts known about a request so far."""

    request: str
    """The request's id: from a proxy, or our own."""
    campaign: str | None = None
    code: str | None = None
    """The code of the refusal that answers it."""
    appended: int = 0
    """The number of entries that it recorded."""


CURRENT: ContextVar[ObservedRequest | None] = ContextVar("request", default=None)
"""The request that is being answered, in its task and in the thread that works for it."""


def of_campaign(campaign: str | None) -> None:
    """Set the campaign of the request."""
    if (observed := CURRENT.get()) is not None:
        observed.campaign = campaign


def refused(code: str) -> None:
    """Set the refusal of the request."""
    if (observed := CURRENT.get()) is not None:
        observed.code = code


def appended(tracker: Tracker) -> None:
    """Count the entries recorded for the request."""
    if (observed := CURRENT.get()) is not None:
        entries = (receipt.last_entry - receipt.first_entry + 1 for receipt in tracker.saved)
        observed.appended += sum(entries)


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "arbitrator_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self.seconds = Histogram(
            "arbitrator_request_seconds",
            "From a request's headers to the end of its answer; streams of events are left out.",
            ["method", "route"],
            registry=self._registry,
        )
        self.refusals = Counter(
            "arbitrator_refusals",
            "Requests refused, by the code of the problem.",
            ["code"],
            registry=self._registry,
        )
        self.appends = Counter("arbitrator_appends", "Entries recorded.", registry=self._registry)
        self.waiting = self._gauge(
            "arbitrator_writes_waiting", "Writes that wait for their turn or are under way."
        )
        self.listeners = self._gauge("arbitrator_listeners", "Open streams of events.")

    def _gauge(self, name: str, about: str) -> Gauge:
        return Gauge(name, about, registry=self._registry, multiprocess_mode="livesum")

    def text(self) -> bytes:
        """All metrics in Prometheus' text format, of all processes of the service."""
        folder = os.environ.get(SHARED_FOLDER)
        if folder is None:
            return generate_latest(self._registry)
        for file in Path(folder).glob("gauge_live*_*.db"):
            process = int(file.stem.rpartition("_")[2])
            if not _is_alive(process):
                mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class RequestObserver:
    """ASGI middleware around everything: counts, measures and writes the log."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with an id."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        observed = ObservedRequest(request=_id_of(scope))
        status = _FAULT
        streams = False

        async def sent(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.setdefault("headers", [])
                streams = any(
                    name == b"content-type" and kind.startswith(b"text/event-stream")
                    for name, kind in headers
                )
                message["headers"] = [*headers, (b"x-request-id", observed.request.encode())]
            await send(message)

        before = time.perf_counter()
        token = CURRENT.set(observed)
        try:
            await self._app(scope, receive, sent)
        except Exception as fault:
            observed.code = "fault"
            logs.fault(observed.request, fault)
            raise
        finally:
            CURRENT.reset(token)
            self._count(scope, observed, status, time.perf_counter() - before, streams=streams)

    def _count(
        self, scope: Scope, observed: ObservedRequest, status: int, seconds: float, *, streams: bool
    ) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = str(getattr(scope.get("route"), "path", _NO_ROUTE))
        self._metrics.requests.labels(method, route, str(status)).inc()
        if not streams:
            self._metrics.seconds.labels(method, route).observe(seconds)
        if observed.code is not None:
            self._metrics.refusals.labels(observed.code).inc()
        if observed.appended:
            self._metrics.appends.inc(observed.appended)
        if route in _UNSAID and status < _FAULT:
            return
        facts: Mapping[str, Any] = {
            "request": observed.request,
            "method": method,
            "route": route,
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
            "campaign": observed.campaign,
            "code": observed.code,
        }
        logs.request({name: fact for name, fact in facts.items() if fact is not None})


def _id_of(scope: Scope) -> str:
    with suppress(StopIteration, UnicodeDecodeError):
        given = next(value for name, value in scope["headers"] if name == b"x-request-id").decode("ascii")
        if _REQUEST_ID.fullmatch(given):
            return str(given)
    return uuid4().hex
