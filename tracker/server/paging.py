"""Pagination of long answers: from a position on, with a link to the next page (RFC 8288)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tracker.records import replace
from tracker.reports.page import Page

LIMIT_MOST: Final = 500


class Pages(NamedTuple):
    """The long part of a command's answer."""

    lists: tuple[str, ...]
    """The keys that it may be under."""
    position: Callable[[Mapping[str, Any]], int]
    """The position of a row: rows come in this order, and rows with the same position share a page."""
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
"""Commands whose answer comes in pages on request."""


class PageSlice(NamedTuple):
    """One page of rows, and the position after which the next begins."""

    page: Page
    next_after: int | None


def cut(page: Page, pages: Pages, *, after: int, limit: int) -> PageSlice:
    """The rows after a position: `limit` of them, and further rows with the last one's position."""
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
