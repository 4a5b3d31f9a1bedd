"""Sealing history beside the requests, of campaigns that nobody plays just now, in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tracker.errors import Refusal
from tracker.service.application import Tracker
from tracker.service.audit import Audits

_LOG: Final = logging.getLogger(__name__)
LOOK_SECONDS: Final = 60.0
"""How often it is looked. A campaign that recorded something since the last look is left alone."""
PAUSE_SECONDS: Final = 0.05
"""After each page of rows, so that a request has the processor for itself nearly all of the time."""


class Stopped(Exception):
    """The service ends."""


class QuietSealer:
    """Seals what is due until the service stops. Segments are a cache: what is due then waits."""

    def __init__(self, opened: Tracker) -> None:
        self._opened = opened
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sealing")
        self._stopping = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._seen: dict[tuple[str, str], int] = {}
        self._tried: dict[tuple[str, str], int] = {}

    def start(self) -> None:
        """Begin, in the running loop."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Seal nothing more."""
        self._stopping.set()
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def once(self) -> int:
        """In a thread: seal what is due of campaigns that are as long as at the last look. Gives how many
        segments were made.
        """
        made = 0
        for cell in self._opened.cells.names():
            try:
                made += self._of_cell(cell)
            except Refusal as refusal:  # a cell that does not answer, or may only be read, holds up no other
                _LOG.info("nothing is sealed in the cell %s: %s", cell, refusal.code)
        return made

    def _of_cell(self, cell: str) -> int:
        audit = self._opened.cells.tracker(cell).audit
        made = 0
        for campaign, size in audit.worth_sealing().items():
            place = (cell, campaign)
            is_quiet, self._seen[place] = self._seen.get(place) == size, size
            if is_quiet and self._tried.get(place) != size:
                self._tried[place] = size
                made += self._sealed(audit, campaign, size)
        return made

    def _sealed(self, audit: Audits, campaign: str, size: int) -> int:
        """One segment after the other, for as long as nobody records anything."""
        made = 0
        while not self._stopping.is_set() and audit.worth_sealing().get(campaign) == size:
            if not audit.seal(campaign, most=1, progress=self._pause):
                break
            made += 1
        return made

    def _pause(self, _done: int, _total: int) -> None:
        if self._stopping.wait(PAUSE_SECONDS):
            raise Stopped

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            await asyncio.sleep(LOOK_SECONDS)
            looked = loop.run_in_executor(self._thread, self.once)
            await asyncio.wait([looked])
            fault = looked.exception()
            if fault is not None and not isinstance(fault, Stopped):
                _LOG.error("sealing history failed: %s", type(fault).__name__)
