"""Live streams: new events as server-sent events, without gaps or duplicates.

An event's id is its position in the log, from 1. A client that reconnects names the last one it saw, and the
stream goes on from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from fastapi import FastAPI, Request, Response
from prometheus_client import Gauge
from starlette.responses import StreamingResponse

from tracker.errors import Refusal
from tracker.log.store import StoredEvent
from tracker.reports import cloud_events
from tracker.reports.cloud_events import as_cloud_event
from tracker.server import paging, sessions
from tracker.server.access import Access
from tracker.server.change_watcher import ChangeWatcher
from tracker.server.threads import Threads
from tracker.service.application import Tracker

PATH: Final = "/v1/campaigns/{campaign}/events"
OPERATION: Final = "log show"
"""The right that streams need: to read the log."""
KEPT_ALIVE_SECONDS: Final = 15.0
"""The longest silence of a stream in seconds, and the time after which its right is checked again."""
TOGETHER_SECONDS: Final = 0.002
"""The seconds during which listeners share one read."""
AT_ONCE: Final = 500
"""The most events in one piece."""


Written: TypeAlias = Literal["events", "cloudevents", "heads"]
"""`heads` sends only the number of events, for pages that are then loaded again."""


class LiveStreams:
    """The streams of a service; they end when it stops."""

    def __init__(self, opened: Tracker, threads: Threads, *, listeners: Gauge) -> None:
        self._opened, self._threads, self._listeners = opened, threads, listeners
        self._watchers: dict[str, ChangeWatcher] = {}
        """The watchers by database, because a campaign may be in another cell."""
        self._telling: set[asyncio.Task[None]] = set()
        self._asked: dict[tuple[str, str, int], asyncio.Task[list[StoredEvent]]] = {}
        self._stopping = asyncio.Event()

    @property
    def stops(self) -> bool:
        """Whether the service takes no more requests."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """End every stream."""
        self._stopping.set()
        for telling in self._telling:
            telling.cancel()
        for watcher in self._watchers.values():
            watcher.stop()

    def moved(self, campaign: str | None) -> None:
        """Notify listeners of a write, to this campaign or to none."""
        for watcher in self._watchers.values():
            watcher.moved()
        home = str(self._opened.engine.url)
        if home not in self._watchers:  # no listeners here, but perhaps in another process
            self._watcher_of(self._opened).moved()
        if campaign is not None:
            telling = asyncio.create_task(self._tell_its_cell(campaign))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)

    async def _tell_its_cell(self, campaign: str) -> None:
        try:
            keeper = await self._threads.read(lambda: self._opened.cells.keeping(campaign))
        except Refusal:
            return  # listeners find the change at their next check
        if str(keeper.engine.url) not in self._watchers and not self.stops:
            self._watcher_of(keeper).moved()

    async def stream(
        self, campaign: str, seen: int, written: Written = "events", *, still: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        """The events after the first `seen`, and all that follow, as long as `still` allows it. `still` is
        called in a thread.
        """
        with self._listeners.track_inprogress():
            async for piece in self._pieces(campaign, seen, written, still):
                yield piece

    async def _pieces(
        self, campaign: str, seen: int, written: Written, still: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        yield b"retry: 2000\n\n"
        asked_at = time.monotonic()
        keeper = await self._threads.read(lambda: self.keeper(campaign))
        with self._watcher_of(keeper).listening(campaign) as heard:
            while not self._stopping.is_set():
                if time.monotonic() - asked_at >= KEPT_ALIVE_SECONDS:  # also if there are many events
                    if not await self._threads.read(still):
                        return
                    asked_at = time.monotonic()
                heard.clear()  # before reading, so that events meanwhile wake it again
                events = await self._behind_together(keeper, campaign, seen)
                if written == "heads" and events:
                    seen += len(events)
                    yield b"id: %d\ndata: %d\n\n" % (seen, seen)
                    continue
                for event in events:
                    seen += 1
                    yield _piece(event, campaign, written)
                if len(events) == AT_ONCE or self._stopping.is_set():
                    continue
                try:
                    await asyncio.wait_for(heard.wait(), KEPT_ALIVE_SECONDS)
                except TimeoutError:
                    yield b": still here\n\n"
                    if await self._threads.read(lambda: self.keeper(campaign)) is not keeper:
                        return  # it was moved: the client reconnects to its new cell

    def keeper(self, campaign: str) -> Tracker:
        """In a thread: the cell that keeps a campaign."""
        cells = self._opened.cells
        return cells.tracker(cells.settle(campaign))

    def _watcher_of(self, keeper: Tracker) -> ChangeWatcher:
        url = str(keeper.engine.url)
        if url not in self._watchers:
            self._watchers[url] = ChangeWatcher(keeper.engine, self._threads)
        return self._watchers[url]

    async def _behind_together(self, keeper: Tracker, campaign: str, seen: int) -> list[StoredEvent]:
        """The events after `seen`, read once for all listeners that are woken together."""
        key = (str(keeper.engine.url), campaign, seen)
        if key not in self._asked:
            reading = asyncio.create_task(self._read_once(key, keeper))
            reading.add_done_callback(_looked_at)
            self._asked[key] = reading
        return await asyncio.shield(self._asked[key])

    async def _read_once(self, key: tuple[str, str, int], keeper: Tracker) -> list[StoredEvent]:
        await asyncio.sleep(TOGETHER_SECONDS)
        del self._asked[key]  # later callers may need events written meanwhile
        _, campaign, seen = key
        return await self._threads.read(lambda: self.behind(keeper, campaign, seen))

    def behind(self, keeper: Tracker, campaign: str, seen: int, most: int | None = None) -> list[StoredEvent]:
        """In a thread: the next events of the log."""
        store = keeper.repository.store
        if store.head(campaign).size <= seen:
            return []
        return list(store.read(campaign, first_seq=seen, last_seq=seen + (most or AT_ONCE) - 1))


def _looked_at(reading: asyncio.Task[list[StoredEvent]]) -> None:
    """Retrieve the exception of a read that nobody waits for any more."""
    if not reading.cancelled():
        reading.exception()


def _piece(event: StoredEvent, campaign: str, written: Written) -> bytes:
    said = event.body
    if written == "cloudevents":
        said = msgspec.json.encode(as_cloud_event(campaign, event.seq, event.body))
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq + 1, event.type.encode(), said)


def endpoint(app: FastAPI, refuse: Callable[[str], Exception]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of the streams."""

    async def listen(request: Request) -> Response:
        access: Access = app.state.access
        threads: Threads = app.state.threads
        live: LiveStreams = app.state.live
        named: Any = request.path_params["campaign"]
        sent = sessions.sent(request)
        caller = await threads.read(lambda: access.caller(sent))
        campaign = await threads.read(lambda: access.campaign(caller, named, OPERATION))
        last = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if not (last.isascii() and last.isdecimal() and len(last) < 16):
            raise refuse("Last-Event-ID, or after, is the number of an event.")
        accept = request.headers.get("accept", "")
        if cloud_events.BATCH_MEDIA_TYPE in accept:
            return await _page(request, live, threads, campaign, int(last), refuse)
        asked = request.query_params.get("format", "events")
        if asked not in get_args(Written):
            raise refuse(f"format is {' or '.join(get_args(Written))}.")
        written: Written = "heads" if asked == "heads" else "events"
        if asked == "cloudevents" or cloud_events.MEDIA_TYPE in accept:
            written = "cloudevents"
        return StreamingResponse(
            live.stream(campaign, int(last), written, still=lambda: access.still(sent, campaign, OPERATION)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return listen


async def _page(
    request: Request,
    live: LiveStreams,
    threads: Threads,
    campaign: str,
    seen: int,
    refuse: Callable[[str], Exception],
) -> Response:
    """The events after a position as one batch of CloudEvents, and where the next begins."""
    limit = request.query_params.get("limit", str(AT_ONCE))
    if not (limit.isascii() and limit.isdecimal() and len(limit) < 4 and 1 <= int(limit) <= AT_ONCE):
        raise refuse(f"limit is a number from 1 to {AT_ONCE}.")
    most = int(limit)
    events = await threads.read(lambda: live.behind(live.keeper(campaign), campaign, seen, most + 1))
    body = msgspec.json.encode([as_cloud_event(campaign, event.seq, event.body) for event in events[:most]])
    headers = {"Cache-Control": "private, no-cache", "Vary": "Accept, Authorization, Cookie"}
    if len(events) > most:
        headers["Link"] = paging.next_link(request.url.path, {"after": seen + most, "limit": most})
    return Response(body, headers=headers, media_type=cloud_events.BATCH_MEDIA_TYPE)
