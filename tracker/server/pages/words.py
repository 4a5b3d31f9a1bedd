"""What pages say of the same things: names for ids, and addresses."""

from __future__ import annotations

from urllib.parse import quote

from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.server.pages.asking import Asking


def names_of(asking: Asking) -> Names:
    """What fighters, gangs and battles of the campaign are called."""
    return Names.of_state(asking.boards.state_at(asking.known_campaign))


def here(asking: Asking, path: str = "") -> str:
    """The address of a page of the same campaign."""
    return f"/campaigns/{quote(asking.slug or '', safe='')}{path}"


def entry_of(receipt: Page | str) -> int:
    """The first entry that a receipt is about."""
    assert isinstance(receipt, Page), "a receipt is a page"
    entry: int = receipt.data()["entries"][0]["entry"]
    return entry


def addressed(name: str) -> str:
    """A name as a part of an address."""
    return quote(name, safe="")
