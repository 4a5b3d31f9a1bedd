"""The change watcher notices new entries for all listeners with one query.

It checks after each write of this process, after a `NOTIFY` of another process on PostgreSQL, when SQLite's
`data_version` changes, and every few seconds in any case, because a notification can be lost.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.exc import DBAPIError

from tracker.errors import Refusal
from tracker.log import database
from tracker.schema import heads
from tracker.server.threads import Threads

CHANNEL: Final = "arbitrator_heads"
GATHER_SECONDS: Final = 0.05
"""The seconds during which writes are collected for one notification."""
FILE_SECONDS: Final = 0.25
"""The seconds between two checks of an SQLite file."""
POLL_SECONDS: Final = 2.0
"""The seconds between two checks of PostgreSQL, in case a notification is lost."""
AGAIN_SECONDS: Final = 1.0
"""The seconds before it connects again."""


class ChangeWatcher:
    """Wakes listeners of a campaign when its head has moved. Starts with the first listener."""

    def __init__(self, engine: Engine, threads: Threads) -> None:
        self._engine, self._threads = engine, threads
        self._sqlite = engine.dialect.name == "sqlite"
        self._signal = asyncio.Event()
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._sizes: dict[str, int] = {}
        self._version: int | None = None
        self._held: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._telling: asyncio.Task[None] | None = None
        self._stopping = threading.Event()

    @contextmanager
    def listening(self, campaign: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the campaign may have new entries."""
        self._begin()
        heard = asyncio.Event()
        self._listeners.setdefault(campaign, set()).add(heard)
        try:
            yield heard
        finally:
            self._listeners[campaign].discard(heard)
            if not self._listeners[campaign]:
                del self._listeners[campaign]
                self._sizes.pop(campaign, None)

    def moved(self) -> None:
        """Check for changes after a write of this process, and notify the others."""
        self._signal.set()
        if not self._sqlite and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell())

    def stop(self) -> None:
        """Wake all listeners a last time and end."""
        self._stopping.set()
        for task in self._tasks:
            task.cancel()
        for listeners in self._listeners.values():
            for heard in listeners:
                heard.set()
        if self._held is not None:
            self._held.close()
            self._held = None

    def _begin(self) -> None:
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._watch())]
            if not self._sqlite:
                loop = asyncio.get_running_loop()
                hears = threading.Thread(target=self._hear, args=(loop,), name="hearing", daemon=True)
                hears.start()

    # --- checking -------------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        seconds = FILE_SECONDS if self._sqlite else POLL_SECONDS
        while not self._stopping.is_set():
            try:
                await asyncio.wait_for(self._signal.wait(), seconds)
                self._signal.clear()
                asked = True
            except TimeoutError:
                asked = not self._sqlite
            if not self._listeners:
                continue
            wanted = tuple(self._listeners)
            try:
                sizes = await self._threads.read(lambda wanted=wanted, asked=asked: self._look(wanted, asked))  # type: ignore[misc]
            except Refusal:
                continue  # busy or unreachable: the next check tries again
            for campaign, size in sizes.items():
                if self._sizes.get(campaign) != size and campaign in self._listeners:
                    self._sizes[campaign] = size
                    for heard in self._listeners[campaign]:
                        heard.set()
            await asyncio.sleep(GATHER_SECONDS)

    def _look(self, wanted: tuple[str, ...], asked: bool) -> dict[str, int]:  # noqa: FBT001  # one caller
        """In a thread: the lengths of these campaigns' logs; empty if nothing was written."""
        if self._sqlite and not self._file_changed() and not asked:
            return {}
        query = select(heads.c.campaign_id, heads.c.size).where(heads.c.campaign_id.in_(wanted))
        with database.reading(self._engine) as connection:
            return {row.campaign_id: row.size for row in connection.execute(query)}

    def _file_changed(self) -> bool:
        """Whether SQLite counts a write of another connection; the count holds for one connection."""
        if self._held is None:
            self._held = self._engine.raw_connection()
        (version,) = self._held.driver_connection.execute("PRAGMA data_version").fetchone()
        before, self._version = self._version, version
        return bool(before != version)

    # --- PostgreSQL -----------------------------------------------------------------------------------------

    async def _tell(self) -> None:
        """Send one notification for all commits so far."""
        await asyncio.sleep(GATHER_SECONDS)
        await self._threads.read(self._notify)

    def _notify(self) -> None:
        try:
            connection = self._engine.raw_connection()
        except DBAPIError:
            return  # listeners find the change at their next check
        try:
            connection.driver_connection.execute(f"NOTIFY {CHANNEL}")  # type: ignore[union-attr]
        except self._engine.dialect.loaded_dbapi.Error:
            connection.invalidate()
        finally:
            connection.close()

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread and on a connection of its own: wake the watcher on every notification."""
        broken = self._engine.dialect.loaded_dbapi.Error
        while not self._stopping.is_set():
            session: Any = None
            try:
                pooled = self._engine.raw_connection()
                session = pooled.driver_connection
                pooled.detach()
                session.execute(f"LISTEN {CHANNEL}")
                self._wake(loop)  # notifications that were missed
                while not self._stopping.is_set():
                    for _notice in session.notifies(timeout=AGAIN_SECONDS, stop_after=1):
                        self._wake(loop)
            except (broken, DBAPIError):
                self._stopping.wait(AGAIN_SECONDS)
            finally:
                if session is not None:
                    session.close()

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._stopping.is_set() and not loop.is_closed():
            loop.call_soon_threadsafe(self._signal.set)
