"""Rolling back a battle or everything after an entry, and taking a ruling back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.rules import loader
from tracker.server.pages import rulings
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import entry_of, here, names_of


def rollback(request: PageRequest) -> Mapping[str, Any]:
    """The page of what may be rolled back, with the consequences."""
    filled = rulings.fields(request)
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    what = _what(filled)
    found = rulings.previewed(request, "rollback preview", filled, book, **what) if what else rulings.NOTHING
    return {
        "names": names_of(request),
        "filled": filled,
        "found": found,
        "battles": [row for row in request.data("battle list")["battles"] if row["status"] == "closed"],
        "rulings": request.data("audit report")["rulings"],
        "text_max": NOTE_CHARACTERS_MAX,
    }


def roll_back(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the roll back that was previewed."""
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    receipt = request.do(
        "rollback rule",
        sending=rulings.sent_for_any_state(request, filled),
        reason=filled.get("reason"),
        roll="roll" in filled,
        expect_head=rulings.looked_at(filled),
        **_what(filled),
        **rulings.later(filled, book),
    )
    return Redirect(here(request, f"/log/{entry_of(receipt)}"))


def _what(filled: FormValues) -> dict[str, Any]:
    """What is rolled back, as options of the command: one thing."""
    if battle := filled.get("battle"):
        return {"battle": battle, "with_aftermath": "with_aftermath" in filled}
    if to_entry := filled.get("to_entry"):
        return {"to_entry": to_entry}
    if ruling := filled.get("ruling"):
        return {"ruling": ruling}
    return {}
