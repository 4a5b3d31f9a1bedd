"""Background jobs: poll for due work in a thread of their own, until the service stops."""

from __future__ import annotations

import asyncio
import logging
import threading
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from typing import Final

_LOG: Final = logging.getLogger(__name__)


class Stopped(Exception):
    """The service stops while the work is under way."""


class BackgroundJob(ABC):
    """A kind of background work. Work under way ends when the service stops, or is found again later."""

    what: str
    """The name of the work in the log: 'posting to webhooks'."""
    look_seconds: float
    """The seconds between two polls."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=self.what.partition(" ")[0])
        self._stopping = threading.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    def once(self) -> object:
        """In the thread: do all work that is due. Raises Stopped if the service stops meanwhile."""

    def start(self) -> None:
        """Begin polling in the running loop."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Begin no more work."""
        self._stopping.set()
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            await asyncio.sleep(self.look_seconds)
            looked = loop.run_in_executor(self._thread, self.once)
            await asyncio.wait([looked])
            fault = looked.exception()
            if fault is not None and not isinstance(fault, Stopped):  # the next poll tries again
                _LOG.error("%s failed: %s", self.what, type(fault).__name__)
