"""Pagination of long answers: from a position on, with a link to the next page (RFC 8288)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tracker.records import replace
from tracker.reports.page import Page

LIMIT_MOST: Final = 500


class Pages(NamedTuple):
    """What of a command's answer is long."""

    lists: tuple[str, ...]
    """The keys that it may stand under."""
    position: Callable[[Mapping[str, Any]], int]
    """Where a row stands: rows come in this order, and those of one place on one page."""
    what: str
    """The position, in words."""


def _by(field: str) -> Callable[[Mapping[str, Any]], int]:
    return lambda row: int(row[field])


PAGED: Final[Mapping[str, Pages]] = {
    "log show": Pages(("entries", "events"), _by("entry"), "entry"),
    "battle list": Pages(("battles",), _by("number"), "battle number"),
    "dispute list": Pages(("disputes",), _by("dispute"), "dispute"),
    "policy history": Pages(("history",), _by("entry"), "entry"),
    "gang ledger": Pages(("lines",), _by("slot"), "slot"),
    "fighter show": Pages(("history",), _by("slot"), "slot"),
    "audit dice": Pages(("rolls",), lambda row: int(str(row["address"]).partition(".")[0]), "entry"),
}
"""Commands whose answer comes in pages where that is asked for."""


class PageSlice(NamedTuple):
    """A page of a page, and the position that the next begins behind."""

    page: Page
    next_after: int | None


def cut(page: Page, pages: Pages, *, after: int, limit: int) -> PageSlice:
    """The rows behind a position, so many and the rest of the last one's place."""
    data = page.data()
    key = next(key for key in pages.lists if key in data)
    rows = [row for row in data[key] if pages.position(row) > after]
    end = limit
    while limit <= end < len(rows) and pages.position(rows[end]) == pages.position(rows[limit - 1]):
        end += 1
    shown = {**data, key: rows[:end]}
    following = pages.position(rows[limit - 1]) if end < len(rows) else None
    return PageSlice(replace(page, data=lambda: shown), following)


def next_link(path: str, query: Mapping[str, Any]) -> str:
    """A `Link` header to the next page."""
    return f'<{path}?{urlencode(query, doseq=True)}>; rel="next"'
