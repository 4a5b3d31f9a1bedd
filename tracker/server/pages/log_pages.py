"""The pages of the log: its entries with those struck out, one entry, and the verification of the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.server import problems
from tracker.server.pages import operations, rulings
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rolls import CampaignRollMarks
from tracker.server.pages.ruling_changes import changes_of
from tracker.server.pages.words import names_of, why_struck
from tracker.service.clock import now

EVERYTHING: Final = "all"
STRUCK_OUT: Final = "struck"
VERDICTS: Final = {
    "VALID": "Signed",
    "VALID-WITNESSED": "Signed and witnessed",
    "INVALID-EVENT": "An event is not what was written",
    "INVALID-SIGNATURE": "A signature is wrong",
    "DIVERGED": "Another history than the one that was signed",
    "STALE": "Older than what was signed",
    "UNANCHORED": "Not signed yet",
    "UNVERIFIABLE": "It cannot be told",
}
"""What is said of a log, in the words of a page."""
_RULING: Final = records.RulingMade.__name__


def log(request: PageRequest) -> Mapping[str, Any]:
    """Its entries, the newest first, as far as the filters let through."""
    filled = rulings.fields(request)
    asked = {name: filled.get(name) or None for name in ("fighter", "gang", "battle")}
    kind = filled.get("kind") or None
    given: dict[str, Any] = {
        **asked,
        "event_type": kind,
        "everything": EVERYTHING in filled or STRUCK_OUT in filled,
    }
    wrong = None
    entries: list[Any] = []
    events: list[Any] = []
    try:
        found = request.data("log show", **given)
        entries, events = list(found.get("entries", ())), list(found.get("events", ()))
    except Refusal as refusal:
        wrong = problems.of_refusal(refusal)
    if STRUCK_OUT in filled:
        entries = [entry for entry in entries if entry["struck_out"]]
        events = [event for event in events if event["struck_out"]]
    return {
        "entries": entries[::-1],
        "events": events[::-1],
        "wrong": wrong,
        "filled": filled,
        "kinds": sorted(records.EVENTS),
        "names": names_of(request),
        "about": request.data("campaign show"),
        "done": operations.done(request),
        "why_struck": why_struck(request),
    }


def entry(request: PageRequest) -> Mapping[str, Any]:
    """One entry whole."""
    number = request.path.get("entry") or request.path["event"].partition(".")[0]
    shown = request.data("log entry", entry=number)
    verdicts = [event["data"]["verdict"] for event in shown["events"] if event["type"] == _RULING]
    changes = any(verdict != "confirmed" for verdict in verdicts)
    return {
        "entry": shown,
        "is_ruling": changes,
        "ruled_changes": changes_of(request, shown["entry"]) if changes else (),
        "names": names_of(request),
        "rolls": CampaignRollMarks.of(request),
    }


def proof(request: PageRequest) -> Mapping[str, Any]:
    """The whole log, verified: now where that is asked for, or where something was recorded since."""
    request.require("audit verify")

    def verified() -> tuple[str, Mapping[str, Any]]:
        return now(), request.data("audit verify")

    at, audit = verified() if "again" in request.asked else request.kept("audit verify", verified)
    return {"audit": audit, "verified_at": at, "verdict": VERDICTS[audit["signed"]["verdict"]]}
