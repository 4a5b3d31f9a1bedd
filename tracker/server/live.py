"""What is recorded, as it is recorded: server-sent events, without a gap and without one twice.

An event's id is its position in the log, from 1. Who comes back says the last one they
saw, and goes on behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from prometheus_client import Gauge
from starlette.responses import StreamingResponse

from tracker.server import sessions
from tracker.server.access import Access
from tracker.server.writing import Threads
from tracker.service.application import Tracker

PATH: Final = "/v1/campaigns/{campaign}/events"
OPERATION: Final = "log show"
"""Who may read the log may hear it grow."""
LOOK_SECONDS: Final = 0.5
"""How often the log is looked at while nothing is said."""
KEPT_ALIVE_SECONDS: Final = 15.0
AT_ONCE: Final = 500
"""Events in one piece."""


class Live:
    """The streams of a service: they end when it stops."""

    def __init__(self, opened: Tracker, threads: Threads, *, listeners: Gauge) -> None:
        self._opened, self._threads, self._listeners = opened, threads, listeners
        self._stopping = asyncio.Event()

    @property
    def stops(self) -> bool:
        """Whether the service takes no more requests."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """End every stream."""
        self._stopping.set()

    async def stream(self, campaign: str, seen: int) -> AsyncIterator[bytes]:
        """What stands behind the `seen` first events, and all that follows."""
        with self._listeners.track_inprogress():
            async for piece in self._pieces(campaign, seen):
                yield piece

    async def _pieces(self, campaign: str, seen: int) -> AsyncIterator[bytes]:
        yield b"retry: 2000\n\n"
        quiet = 0.0
        while not self._stopping.is_set():
            start = seen
            events = await self._threads.read(lambda start=start: self._behind(campaign, start))  # type: ignore[misc]
            for event in events:
                seen += 1
                yield event
            if len(events) == AT_ONCE:
                continue
            quiet = 0.0 if events else quiet + LOOK_SECONDS
            if quiet >= KEPT_ALIVE_SECONDS:
                quiet = 0.0
                yield b": still here\n\n"
            try:
                await asyncio.wait_for(self._stopping.wait(), LOOK_SECONDS)
            except TimeoutError:
                continue

    def _behind(self, campaign: str, seen: int) -> list[bytes]:
        """In a thread: the next events of the log."""
        store = self._opened.repository.store
        if store.head(campaign).size <= seen:
            return []
        events = store.read(campaign, first_seq=seen, last_seq=seen + AT_ONCE - 1)
        return [
            b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq + 1, event.type.encode(), event.body)
            for event in events
        ]


def endpoint(app: FastAPI, refuse: Callable[[str], Exception]) -> Callable[[Request], Awaitable[Response]]:
    """The route of the streams."""

    async def listen(request: Request) -> Response:
        access: Access = app.state.access
        threads: Threads = app.state.threads
        live: Live = app.state.live
        named: Any = request.path_params["campaign"]
        caller = await threads.read(lambda: access.caller(sessions.sent(request)))
        campaign = await threads.read(lambda: access.campaign(caller, named, OPERATION))
        last = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if not (last.isascii() and last.isdecimal() and len(last) < 16):
            raise refuse("Last-Event-ID, or after, is the number of an event.")
        return StreamingResponse(
            live.stream(campaign, int(last)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return listen
