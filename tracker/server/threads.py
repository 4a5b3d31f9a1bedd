"""The threads that read and write: writers of an SQLite file take turns in the order of their requests.

SQLite's own lock is unfair: with it the p99 latency is several times that of a queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, TypeVar

from prometheus_client import Gauge

READERS: Final = 16
WRITERS_POSTGRESQL: Final = 8
"""Writers of PostgreSQL wait only for the head of their own campaign."""

Answer = TypeVar("Answer")


class Threads:
    """A pool of reading threads and one of writing threads, a single one for SQLite."""

    def __init__(self, *, is_sqlite: bool, waiting: Gauge) -> None:
        self._waiting = waiting
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix="reading")
        self._writing = ThreadPoolExecutor(
            1 if is_sqlite else WRITERS_POSTGRESQL, thread_name_prefix="writing"
        )

    async def read(self, work: Callable[[], Answer]) -> Answer:
        """Run it beside other reads."""
        return await self._run(self._reading, work)

    async def write(self, work: Callable[[], Answer]) -> Answer:
        """Run it in its turn. If the caller goes away, work that has begun goes on."""
        running = asyncio.ensure_future(self._run(self._writing, work))
        self._waiting.inc()
        running.add_done_callback(lambda _: self._waiting.dec())
        return await asyncio.shield(running)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], Answer]) -> Answer:
        context = copy_context()
        return await asyncio.get_running_loop().run_in_executor(pool, lambda: context.run(work))

    def close(self) -> None:
        """Wait for work that has begun; cancel the rest."""
        self._reading.shutdown(cancel_futures=True)
        self._writing.shutdown(cancel_futures=True)
