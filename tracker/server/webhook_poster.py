"""Posts to webhooks in a background thread, after the entries are saved."""

from __future__ import annotations

import logging
from typing import Final

from tracker.errors import Refusal
from tracker.reports.webhook_posts import webhook_posts
from tracker.server.background import BackgroundJob
from tracker.service import webhook_client
from tracker.service.application import Tracker
from tracker.service.webhook_delivery import PostingResult, post_due

_LOG: Final = logging.getLogger(__name__)
LOOK_SECONDS: Final = 2.0
"""The seconds between two polls of the outbox."""


class WebhookPoster(BackgroundJob):
    """Posts what is due until the service stops; work under way then ends, or is posted again later."""

    what = "posting to webhooks"
    look_seconds = LOOK_SECONDS

    def __init__(self, opened: Tracker) -> None:
        super().__init__()
        self._opened = opened

    def once(self) -> PostingResult:
        """In a thread: post everything that is due."""
        posted = failed = 0
        for cell in self._opened.cells.names():
            try:
                result = self._of_cell(cell)
            except Refusal as refusal:  # a cell that does not answer must not stop the others
                _LOG.warning("nothing is posted from the cell %s: %s", cell, refusal.code)
                continue
            posted, failed = posted + result.posted, failed + result.failed
        return PostingResult(posted=posted, failed=failed)

    def _of_cell(self, cell: str) -> PostingResult:
        mine = self._opened.cells.tracker(cell).on_behalf_of("webhooks")
        return post_due(
            mine.outbox,
            lambda webhook, delivery: webhook_posts(mine, webhook, delivery),
            allowed=webhook_client.hosts_allowed(),
            stopping=self._stopping.is_set,
        )
