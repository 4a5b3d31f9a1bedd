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
    """The service ends, in the middle of the work."""


class BackgroundJob(ABC):
    """One kind of such work. What is under way as the service stops ends, or is looked for again later."""

    what: str
    """What it does, as a log line names it: 'posting to webhooks'."""
    look_seconds: float
    """How long it waits between two looks."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=self.what.partition(" ")[0])
        self._stopping = threading.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    def once(self) -> object:
        """In the thread: all that is due now. Raises Stopped where it is broken off."""

    def start(self) -> None:
        """Begin, in the running loop."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Begin nothing more."""
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
            if fault is not None and not isinstance(fault, Stopped):  # the next look tries again
                _LOG.error("%s failed: %s", self.what, type(fault).__name__)
