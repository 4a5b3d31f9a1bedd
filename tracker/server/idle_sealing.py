"""Seals the history of idle campaigns in a background thread."""

from __future__ import annotations

import logging
from typing import Final

from tracker.errors import Refusal
from tracker.server.background import BackgroundJob, Stopped
from tracker.service.application import Tracker
from tracker.service.audit import Audits

_LOG: Final = logging.getLogger(__name__)
LOOK_SECONDS: Final = 60.0
"""The seconds between two polls. Campaigns with entries since the last poll are left alone."""
PAUSE_SECONDS: Final = 0.05
"""The pause after each page of rows, so that requests have the processor nearly all of the time."""


class IdleSealer(BackgroundJob):
    """Seals what is due until the service stops. Segments are a cache, so the rest can wait."""

    what = "sealing history"
    look_seconds = LOOK_SECONDS

    def __init__(self, opened: Tracker) -> None:
        super().__init__()
        self._opened = opened
        self._seen: dict[tuple[str, str], int] = {}
        self._tried: dict[tuple[str, str], int] = {}

    def once(self) -> int:
        """In a thread: seal campaigns whose length is unchanged since the last poll. Returns the number of
        new segments.
        """
        segments = 0
        for cell in self._opened.cells.names():
            try:
                segments += self._of_cell(cell)
            except Refusal as refusal:  # a cell that does not answer or is read-only must not stop the others
                _LOG.info("nothing is sealed in the cell %s: %s", cell, refusal.code)
        return segments

    def _of_cell(self, cell: str) -> int:
        audit = self._opened.cells.tracker(cell).audit
        segments = 0
        for campaign, size in audit.worth_sealing().items():
            place = (cell, campaign)
            is_quiet, self._seen[place] = self._seen.get(place) == size, size
            if is_quiet and self._tried.get(place) != size:
                self._tried[place] = size
                segments += self._sealed(audit, campaign, size)
        return segments

    def _sealed(self, audit: Audits, campaign: str, size: int) -> int:
        """Make segments until somebody records something; then extend the access index."""
        segments = 0
        while not self._stopping.is_set() and audit.worth_sealing().get(campaign) == size:
            if not audit.seal(campaign, most=1, progress=self._pause):
                break
            segments += 1
        if not self._stopping.is_set():
            audit.extend_access_index(campaign, progress=self._pause)
        return segments

    def _pause(self, _done: int, _total: int) -> None:
        if self._stopping.wait(PAUSE_SECONDS):
            raise Stopped
