"""Shared texts of pages: names for ids, and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

from tracker.campaign import records
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.rules import loader
from tracker.rules.rulebook import Book
from tracker.server.pages.page_request import PageRequest

_OF_WARBANDS: Final = {
    "gang": "warband", "gangs": "warbands", "Gang": "Warband", "Gangs": "Warbands", "House": "Faction",
}  # fmt: skip
"""What a page says, and what a book of warbands calls it."""
_A_WORD: Final = re.compile(r"\b(?:[Gg]angs?|House(?! rule)|[Cc]redits?)\b")
"""One that another game may call otherwise; house rules are called so in every game."""


def names_of(request: PageRequest) -> Names:
    """What fighters, gangs and battles of the campaign are called."""
    return Names.of_state(request.boards.state_at(request.known_campaign))


def here(request: PageRequest, path: str = "") -> str:
    """The address of a page of the same campaign."""
    return f"/campaigns/{quote(request.slug or '', safe='')}{path}"


def entry_of(receipt: Page | str) -> int:
    """The first entry that a receipt is about."""
    assert isinstance(receipt, Page), "a receipt is a page"
    entry: int = receipt.data()["entries"][0]["entry"]
    return entry


def why_struck(request: PageRequest) -> Callable[[int], str]:
    """The reason of a ruling, by its entry."""

    @cache
    def reason(ruling: int) -> str:
        board = request.boards.entry(request.known_campaign, ruling)
        events = (recorded.event for recorded in board.entries[0])
        return next((event.reason for event in events if isinstance(event, records.RulingMade)), "")

    return reason


def addressed(name: str) -> str:
    """A name as a part of an address."""
    return quote(name, safe="")


def said_in(request: PageRequest) -> Callable[[str], str]:
    """A page's own words in those of the campaign's game. Never for what people wrote: names stay."""

    @cache
    def words() -> Mapping[str, str]:
        return request.kept("words of the game", lambda: _words_of(_book(request)))

    def say(text: str) -> str:
        if request.campaign is None or _A_WORD.search(text) is None:
            return text
        return _A_WORD.sub(lambda found: words().get(found[0], found[0]), text)

    return say


def _book(request: PageRequest) -> Book | None:
    book = request.boards.state_at(request.known_campaign).book
    return loader.book(book) if book else None


def _words_of(book: Book | None) -> Mapping[str, str]:
    """What the book calls otherwise."""
    if book is None:
        return {}
    money = {
        "credit": book.currency, "credits": f"{book.currency}s",
        "Credit": book.currency.capitalize(), "Credits": f"{book.currency.capitalize()}s",
    }  # fmt: skip
    return {**money, **(_OF_WARBANDS if book.warband_rules is not None else {})}
