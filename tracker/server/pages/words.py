"""Shared texts of pages: names for ids, and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from tracker.campaign import records
from tracker.campaign.profiles import CATEGORIES
from tracker.errors import Refusal
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.rules import loader
from tracker.rules.glossary import USUAL, GameWords
from tracker.rules.rulebook import Book
from tracker.server.pages.page_request import PageRequest

_HOUSE_RULE: Final = re.compile(r"house rule ((\S+)@\d+)(.*)")
_BATTLE: Final = re.compile(r"battle \d+")


def names_of(request: PageRequest) -> Names:
    """The names of the campaign's fighters, gangs and battles."""
    return Names.of_state(request.boards.state_at(request.known_campaign))


def here(request: PageRequest, path: str = "") -> str:
    """The address of a page of the same campaign."""
    return f"/campaigns/{quote(request.slug or '', safe='')}{path}"


def ranks_of(book: Book) -> Sequence[str]:
    """The ranks of a book; if it names none, every rank that no other book claims."""
    named = {rank for name in loader.book_names() for rank in loader.book(name).categories}
    return book.categories or [rank for rank in CATEGORIES if rank not in named]


def entry_of(receipt: Page | str) -> int:
    """The first entry of a receipt."""
    assert isinstance(receipt, Page), "a receipt is a page"
    entry: int = receipt.data()["entries"][0]["entry"]
    return entry


def without_ids(change: Mapping[str, Any]) -> dict[str, Any]:
    """A difference; one of the campaign itself names battles and house rules, of which pages show no ids."""
    if found := _HOUSE_RULE.fullmatch(change["what"]):
        known = loader.policies().get(found[1])
        return {**change, "what": f"house rule {known.title if known else found[2]}{found[3]}"}
    if _BATTLE.fullmatch(change["what"]):
        return {**change, **{side: change[side] and "fought" for side in ("before", "after")}}
    return dict(change)


def why_struck(request: PageRequest) -> Callable[[int], str]:
    """The reason of a ruling, by its entry."""

    @cache
    def reason(ruling: int) -> str:
        board = request.boards.entry(request.known_campaign, ruling)
        events = (recorded.event for recorded in board.entries[0])
        return next((event.reason for event in events if isinstance(event, records.RulingMade)), "")

    return reason


def addressed(name: str) -> str:
    """A name as a path segment of an address."""
    return quote(name, safe="")


@contextmanager
def spoken_in(request: PageRequest) -> Iterator[None]:
    """Word refusals within the block in the terms of the campaign's game."""
    try:
        yield
    except Refusal as refusal:
        if refusal.game_words is None:
            refusal.in_words_of(game_of(request))
        raise


def game_of(request: PageRequest) -> GameWords:
    """The words of the campaign's game; the usual ones on a page without a campaign."""
    if request.campaign is None:
        return USUAL
    return request.kept("words of the game", lambda: names_of(request).game)
