"""Posting to webhooks beside the requests: after the entries are saved, in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tracker.errors import Refusal
from tracker.reports.postings import postings
from tracker.service import targets
from tracker.service.application import Tracker
from tracker.service.posting import Came, post_due

_LOG: Final = logging.getLogger(__name__)
LOOK_SECONDS: Final = 2.0
"""How often the outbox is looked at."""


class Poster:
    """Posts what is due until the service stops; what is under way then ends, or is posted again later."""

    def __init__(self, opened: Tracker) -> None:
        self._opened = opened
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="posting")
        self._stopping = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in the running loop."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Post nothing more."""
        self._stopping.set()
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def once(self) -> Came:
        """In a thread: everything that may be tried now."""
        posted = failed = 0
        for cell in self._opened.cells.names():
            try:
                came = self._of_cell(cell)
            except Refusal as refusal:  # a cell that does not answer holds up no other
                _LOG.warning("nothing is posted from the cell %s: %s", cell, refusal.code)
                continue
            posted, failed = posted + came.posted, failed + came.failed
        return Came(posted=posted, failed=failed)

    def _of_cell(self, cell: str) -> Came:
        mine = self._opened.cells.tracker(cell).on_behalf_of("webhooks")
        return post_due(
            mine.outbox,
            lambda webhook, delivery: postings(mine, webhook, delivery),
            allowed=targets.hosts_allowed(),
            stopping=self._stopping.is_set,
        )

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            await asyncio.sleep(LOOK_SECONDS)
            looked = loop.run_in_executor(self._thread, self.once)
            await asyncio.wait([looked])
            fault = looked.exception()
            if fault is not None:  # what was taken is tried again; the rest goes on
                _LOG.error("posting to webhooks failed: %s", type(fault).__name__)
